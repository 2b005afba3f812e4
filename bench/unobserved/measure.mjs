import { fileURLToPath } from "node:url"
import { start } from "../fork.mjs"
import { median, ratios } from "../statistics.mjs"
import { bundle } from "./build.mjs"

const built = new URL("../.cache/unobserved.mjs", import.meta.url)

/** Pairs of slices in a round: one alone says little. */
const pairs = 15

/**
 * A call that nobody observes: microseconds of CPU as it is and with the observing switched off, the median of each round, and
 * how the two are to each other in the middle pair of a round.
 */
export const measure = async ({ url }, rounds) => {
  await bundle(fileURLToPath(built))
  // Much room for what is new: in which slices it is collected would decide otherwise.
  const execArgv = ["--no-memory-reducer", "--min-semi-space-size=64", "--max-semi-space-size=128"]
  const client = await start(built, { args: [url], execArgv })
  try {
    const taken = { on: [], off: [], ratio: [] }
    for (let round = 0; round < rounds; round++) {
      const { on, off } = await client.ask(pairs)
      taken.on.push(median(on))
      taken.off.push(median(off))
      taken.ratio.push(median(ratios(on, off)))
    }
    return taken
  } finally {
    client.stop()
  }
}
