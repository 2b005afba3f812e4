import { installed, prepare } from "../../scripts/runtimes.mjs"
import { measure as measureCalls } from "../calls/measure.mjs"

const ofNode = { execArgv: ["--no-memory-reducer"], names: ["promise", "browser", "fetch"] }

const engines = {
  "node-20": ofNode,
  "node-22": ofNode,
  "node-24": ofNode,
  "node-26": ofNode,
  // On Bun, both packages send with its `fetch`.
  bun: { execArgv: [], names: ["browser", "fetch"] },
  deno: { execArgv: ["run", "--allow-all"], names: ["promise", "browser", "fetch"] }
}

/** The same calls over both transports and with `fetch`, in each runtime in which the packages are tested. */
export const measure = async (server) => {
  const missing = await prepare(Object.keys(engines))
  if (missing !== "") {
    throw new Error(missing)
  }
  const taken = {}
  for (const [name, engine] of Object.entries(engines)) {
    console.log(`  ${name}`)
    taken[name] = await measureCalls(server, { ...engine, rounds: 5, execPath: installed(name) })
  }
  return taken
}
