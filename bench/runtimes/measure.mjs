import { installed, prepare } from "../../scripts/test/runtimes.mjs"
import { measure as measureCalls } from "../calls/measure.mjs"

/**
 * @import { EngineName } from "../../scripts/test/runtimes.mjs"
 * @import { ContenderName } from "../calls/contenders.mjs"
 * @typedef {Extract<EngineName, "node-20" | "node-22" | "node-24" | "node-26" | "bun" | "deno">} Runtime
 * @typedef {{ readonly execArgv: Array<string>, readonly names: ReadonlyArray<ContenderName> }} Started
 */

/** @type {Started} */
const ofNode = {
  execArgv: ["--no-memory-reducer"],
  names: [
    "catalog-client",
    "catalog-client over fetch",
    "effect",
    "effect over fetch",
    "effect on Effect 4",
    "effect over fetch on Effect 4",
    "fetch"
  ]
}

/** @type {Readonly<Record<Runtime, Started>>} */
const engines = {
  "node-20": ofNode,
  "node-22": ofNode,
  "node-24": ofNode,
  "node-26": ofNode,
  // There `catalog-client` sends with `fetch` anyway, and on Bun `@catalog-client/node`, too.
  bun: { execArgv: [], names: ["catalog-client", "effect over fetch", "effect over fetch on Effect 4", "fetch"] },
  deno: { execArgv: ["run", "--allow-all"], names: ofNode.names.filter((name) => name !== "catalog-client over fetch") }
}

/**
 * The same calls over both transports and with `fetch`, in each runtime in which the packages are tested.
 *
 * @param {Parameters<typeof measureCalls>[0]} server
 */
export const measure = async (server) => {
  const runtimes = /** @type {Array<Runtime>} */ (Object.keys(engines))
  const missing = await prepare(runtimes)
  if (missing !== "") {
    throw new Error(missing)
  }
  /** @type {Partial<Record<Runtime, Awaited<ReturnType<typeof measureCalls>>>>} */
  const taken = {}
  for (const name of runtimes) {
    console.log(`  ${name}`)
    taken[name] = await measureCalls(server, { ...engines[name], rounds: 5, execPath: installed(name) })
  }
  return taken
}
