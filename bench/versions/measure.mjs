import { installed, prepare } from "../../scripts/runtimes.mjs"
import { measure as measureCalls } from "../calls/measure.mjs"

const versions = ["node-20", "node-22", "node-24", "node-26"]

/** The same calls with the client and with `fetch`, in each version of Node in which the packages are tested. */
export const measure = async (server) => {
  const missing = await prepare(versions)
  if (missing !== "") throw new Error(missing)
  const taken = {}
  for (const version of versions) {
    const { promise, fetch } = await measureCalls(server, {
      names: ["promise", "fetch"],
      rounds: 5,
      execPath: installed(version)
    })
    taken[version] = { promise, fetch }
  }
  return taken
}
