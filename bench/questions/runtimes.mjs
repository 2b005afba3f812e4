// What to expect in each runtime, and how much does the client add to its own `fetch`?
import { installed, prepare } from "../../test/runtimes/run.mjs"
import { rate } from "../figures.mjs"
import { byTurns, programOf } from "../runner.mjs"
import { columns, plan } from "./calls.mjs"

/** @import { EngineName } from "../../test/runtimes/run.mjs" */

const overFetch = ["fetch", "catalog-client over fetch", "effect over fetch", "effect over fetch on Effect 4"]
const all = [...overFetch, "catalog-client", "effect", "effect on Effect 4"]
const ofNode = { execArgv: ["--expose-gc", "--no-memory-reducer"], sides: all }

/** On Bun, every package sends with `fetch` anyway. */
const engines = {
  "node-20": { ...ofNode, title: "Node 20" },
  "node-22": { ...ofNode, title: "Node 22" },
  "node-24": { ...ofNode, title: "Node 24" },
  "node-26": { ...ofNode, title: "Node 26" },
  bun: { title: "Bun", execArgv: [], sides: overFetch },
  deno: { title: "Deno", execArgv: ["run", "--allow-all"], sides: all }
}

/** @type {import("../runner.mjs").Question["measure"]} */
export const measure = async ({ url }) => {
  const names = /** @type {Array<keyof typeof engines & EngineName>} */ (Object.keys(engines))
  const missing = await prepare(names)
  if (missing !== "") {
    throw new Error(missing)
  }
  /** @type {Record<string, import("../runner.mjs").Taken[string]>} */
  const taken = {}
  for (const name of names) {
    console.log(`  ${name}`)
    const { execArgv, sides } = engines[name]
    const programs = Object.fromEntries(sides.map((side) => [side, programOf("calls", side)]))
    const engine = { execPath: installed(name), execArgv }
    const each = await byTurns(programs, url, { ...plan, alone: 0, rounds: 2 }, engine)
    for (const [side, slices] of Object.entries(each)) {
      taken[`${name}: ${side}`] = slices
    }
  }
  return taken
}

/** @param {keyof typeof engines} name @param {string} side @param {string} what */
const inRuntime = (name, side, what) =>
  rate(
    `${engines[name].title}, ${what}, 64 at a time, against its own \`fetch\` + timeout`,
    `${name}: ${side}`,
    `${name}: fetch`
  )

export const figures = {
  "node-24": inRuntime("node-24", "effect", "`@catalog-client/node`"),
  "node-26": inRuntime("node-26", "effect", "`@catalog-client/node`"),
  "fetch-node-20": inRuntime("node-20", "catalog-client over fetch", "`catalog-client` over `fetch`"),
  "fetch-node-24": inRuntime("node-24", "catalog-client over fetch", "`catalog-client` over `fetch`"),
  "fetch-bun": inRuntime("bun", "catalog-client over fetch", "`catalog-client`"),
  "fetch-deno": inRuntime("deno", "catalog-client over fetch", "`catalog-client` over `fetch`")
}

const titles = {
  "catalog-client": "`catalog-client`",
  "catalog-client over fetch": "`catalog-client` over `fetch`",
  effect: "`node`",
  "effect on Effect 4": "`node`, Effect 4",
  "effect over fetch": "`browser`",
  "effect over fetch on Effect 4": "`browser`, Effect 4"
}

/** @type {import("../runner.mjs").Table} */
export const table = {
  heading: "Runtimes",
  text:
    "What to expect where your program runs: 64 `anime.get` at a time, against `fetch` with a timeout in the same runtime. On Node, " +
    "`catalog-client` and `@catalog-client/node` are faster than `fetch`, by less on newer versions, whose `fetch` is faster. " +
    "`@catalog-client/browser` calls the runtime's `fetch`, so it cannot be faster. On Bun, the others do so too.\n\n" +
    "The runtimes are measured one after the other, while the load of the machine changes. So compare a row with `fetch`, by × calls " +
    "and × CPU, and not with another runtime.",
  first: "runtime, package",
  columns,
  rows: Object.fromEntries(
    Object.entries(engines).flatMap(([name, { title }]) =>
      Object.entries(titles).map(([side, what]) => [`${name}: ${side}`, `${title}, ${what}`])
    )
  )
}
