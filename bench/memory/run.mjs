// How much memory a loop over a long list holds: `npm run bench -- memory`. Fails past the budget.
import { readFileSync } from "node:fs"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { setupAndBuild } from "../../scripts/setup.mjs"
import { start } from "../fork.mjs"

setupAndBuild()
const { createCatalog } = await import("catalog-client")

const { memory } = JSON.parse(readFileSync(new URL("../budgets.json", import.meta.url), "utf8"))
setFlagsFromString("--expose-gc")
const gc = runInNewContext("gc")
/** @param {number} bytes */
const megabytes = (bytes) => (bytes / 1024 / 1024).toFixed(1)
const held = () => {
  gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** @type {import("../fork.mjs").Process<{ readonly url: string, readonly owner: string }, never, never>} */
const server = await start(new URL("server.mjs", import.meta.url), { args: [String(memory.entries)] })
const { url, owner } = server.ready
const catalog = createCatalog({ baseUrl: url, accessToken: "embedded-token", nsfw: true, timeout: 120_000 })

let entries = 0
let first = 0
let most = 0
const started = performance.now()
for await (const _ of catalog.user.animeList.items({ username: owner }, { fields: "list_status,genres,mean" })) {
  entries++
  if (entries === memory.after) {
    first = held()
  }
  if (entries > memory.after && entries % 10_000 === 0) {
    most = Math.max(most, held())
    if (process.stdout.isTTY) {
      process.stdout.write(`\r${entries} entries`)
    }
  }
}
const seconds = (performance.now() - started) / 1000
await catalog.close()
server.stop()

const more = most - first
const within = entries === memory.entries && more <= memory.megabytes * 1024 * 1024
console.log(
  `\r${entries.toLocaleString("en")} entries in ${seconds.toFixed(1)} s: ${megabytes(first)} MB after the first ` +
    `${memory.after.toLocaleString("en")}, at most ${megabytes(more)} MB more later (budget ${memory.megabytes} MB)`
)
process.exitCode = within ? 0 : 1
