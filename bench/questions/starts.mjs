// What does a program pay for the client when it starts: an import, and a first call?
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { cpu, milliseconds } from "../figures.mjs"

/** A program that imports modules: it is measured from there. @param {ReadonlyArray<string>} modules */
const importing = (...modules) =>
  `begin()\n${modules.map((module) => `await import(${JSON.stringify(module)})`).join("\n")}`

/** Prints the CPU and the time of a process when it ends: since its start, or since it called `begin`. */
const meter = `data:text/javascript,${encodeURIComponent(`
  let started = 0
  let before
  globalThis.begin = () => ([started, before] = [performance.now(), process.cpuUsage()])
  process.on("exit", () => {
    const { user, system } = process.cpuUsage(before)
    process.stderr.write(JSON.stringify({ cpu: user + system, time: (performance.now() - started) * 1000 }))
  })`)}`

const run = promisify(execFile)
const cwd = fileURLToPath(new URL("../", import.meta.url))

/** Runs a program in a process of its own. @param {string} program */
const running = (program) => ({
  sample: async () => {
    const { stderr } = await run(process.execPath, ["--import", meter, "--input-type=module", "-e", program], { cwd })
    return JSON.parse(stderr)
  }
})

/** @type {import("../figures.mjs").Question["sides"]} */
export const sides = {
  node: () => running(importing("@catalog-client/node")),
  parts: () => running(importing("effect/Effect", "@effect/platform/HttpClient", "undici")),
  "catalog-client": () => running(importing("catalog-client")),
  first: ({ url }) =>
    running(`
      import { createCatalog } from "catalog-client"
      const catalog = createCatalog({ baseUrl: "${url}", clientId: "my-client-id" })
      await catalog.anime.get({ id: 30230 })
      await catalog.close()`),
  "first by hand": ({ url }) => running(`await (await fetch("${url}/anime/30230")).json()`)
}

export const heading = "Import"
export const titles = {
  node: "`@catalog-client/node`",
  parts: "`effect/Effect`, its `HttpClient`, `undici`",
  "catalog-client": "`catalog-client`",
  first: "a program with one call of `catalog-client`",
  "first by hand": "a program with one `fetch`"
}
export const columns = [
  { title: "ms", of: "time", show: milliseconds },
  { title: "ms CPU", of: "cpu", show: milliseconds }
]

export const groups = [
  {
    turns: 5,
    rounds: 2,
    figures: [
      cpu("node", "parts", { most: 1.4, aim: 1.1 }),
      { title: "ms of CPU", of: "cpu", side: "node", beyond: "parts", show: milliseconds, most: 120_000, aim: 80_000 },
      cpu("node on Effect 4", "node", { most: 0.75, aim: 0.6 }),
      cpu("catalog-client", "node", { most: 0.12 }),
      cpu("first", "first by hand", { most: 1.6 })
    ],
    others: ["parts on Effect 4"]
  }
]
