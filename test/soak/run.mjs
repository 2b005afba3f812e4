// Makes many calls against a hostile server and checks what they leave behind: `npm test -- run soak`. Prints the seed if it fails.
//
// --calls N     how many calls, 100 000 by default
// --minutes N   how long at most, 20 by default; the calls until then count
// --seed N      the seed of an earlier run: the same calls, with other timing
import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { buildOrExit } from "../../scripts/build.mjs"
import { setup } from "../../scripts/setup.mjs"
import { root } from "../../scripts/workspace.mjs"

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "100000" },
    minutes: { type: "string", default: "20" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1e9)) }
  }
})
const [calls, minutes, seed] = [Number(values.calls), Number(values.minutes), Number(values.seed)]
if (!(calls > 0 && minutes > 0 && Number.isSafeInteger(seed))) {
  console.error("--calls and --minutes take a number above 0, --seed a whole number.")
  process.exit(1)
}

/**
 * @typedef {object} Summary What the process sends at its end.
 * @property {"summary"} kind
 * @property {number} calls
 * @property {Readonly<Record<string, number>>} outcomes
 * @property {ReadonlyArray<string>} wrong
 * @property {ReadonlyArray<number>} heap megabytes after each round
 * @property {number} longestBlock milliseconds
 *
 * @typedef {{ readonly kind: "open?" } | { readonly kind: "progress", readonly calls: number, readonly heap: number } | Summary} Message
 */

setup()
buildOrExit()
const { build } = await import("esbuild")

// The program is TypeScript and uses the servers of the tests; the packages are the built ones.
const folder = join(root, ".cache/soak")
const support = "packages/core/test/support"
await build({
  absWorkingDir: root,
  entryPoints: ["test/soak/*.ts", `${support}/*.ts`, `${support}/certificates/*.pem`],
  loader: { ".pem": "copy" },
  outbase: ".",
  outdir: folder,
  format: "esm",
  target: "node20"
})
/** @type {typeof import("./server.js")} */
const { behaviours, serveSoak } = await import(pathToFileURL(join(folder, "test/soak/server.js")).href)

const began = performance.now()
const seconds = () => `${((performance.now() - began) / 1000).toFixed(0)} s`
const server = await serveSoak(seed)
console.log(`${calls} calls, ${Object.keys(behaviours).length} behaviours of the server, seed ${seed}`)

const child = fork(join(folder, "test/soak/calls.js"), {
  cwd: root,
  execArgv: ["--expose-gc"],
  env: { ...process.env, NODE_EXTRA_CA_CERTS: join(root, support, "certificates/authority.pem") },
  // Warnings of the client, for example about a token that is sent over plain HTTP.
  stdio: ["ignore", "ignore", "pipe", "ipc"]
})
let printed = ""
child.stderr?.on("data", (chunk) => (printed = (printed + chunk).slice(-5000)))

/** @type {Array<string>} */
const wrong = []
/** @type {NodeJS.Timeout | undefined} */
let limit
/**
 * @param {number} millis
 * @param {string} why
 */
const limitTo = (millis, why) => {
  clearTimeout(limit)
  limit = setTimeout(() => {
    wrong.push(why)
    child.kill("SIGKILL")
  }, millis)
}
limitTo(minutes * 60_000 + 300_000, "the calls did not end in time")

/** @type {Summary} */
let summary = { kind: "summary", calls: 0, outcomes: {}, heap: [], longestBlock: 0, wrong: ["no summary came"] }
/** @param {Message} message */
const receive = (message) => {
  if (message.kind === "open?") {
    child.send(server.open())
  } else if (message.kind === "progress") {
    console.log(`${message.calls} calls, ${seconds()}, ${message.heap.toFixed(1)} MB`)
  } else {
    summary = message
    limitTo(15_000, "the process did not end by itself")
  }
}
child.on("message", receive)
child.send({ calls, seed, time: minutes * 60_000, baseUrl: server.baseUrl, faultUrls: server.faultUrls })
const [code, signal] = await once(child, "exit")
clearTimeout(limit)

wrong.push(...summary.wrong)
if (code !== 0) {
  wrong.push(`the process ended with ${code ?? signal}: ${printed}`)
}
if (server.open() > 0) {
  wrong.push(`${server.open()} connections are still open`)
}
const unmet = [...server.met()].filter(([, times]) => times === 0).map(([name]) => name)
if (summary.calls >= 50_000 && unmet.length > 0) {
  wrong.push(`never met: ${unmet.join("; ")}`)
}
await server.close()

const outcomes = Object.entries(summary.outcomes).toSorted(([, one], [, other]) => other - one)
for (const [outcome, times] of outcomes) {
  console.log(`${String(times).padStart(8)}  ${outcome}`)
}
console.log(`heap after each round: ${summary.heap.map((each) => each.toFixed(0)).join(", ")} MB`)
console.log(`the loop was blocked for ${summary.longestBlock.toFixed(0)} ms at most`)
for (const each of wrong) {
  console.log(`✗ ${each}`)
}
console.log(
  wrong.length === 0
    ? `✓ ${summary.calls} calls in ${seconds()}: each ended with a value or a client error, and nothing is left`
    : `✗ ${summary.calls} calls in ${seconds()}; to try again: npm test -- run soak --calls ${calls} --seed ${seed}`
)
process.exitCode = wrong.length === 0 ? 0 : 1
