import { start } from "./fork.mjs"
import { median, ratios } from "./statistics.mjs"

/**
 * @import { Process } from "./fork.mjs"
 * @import { Slices } from "./slices.mjs"
 */

/** @param {ReadonlyArray<number>} values */
const sum = (values) => values.reduce((sum, value) => sum + value, 0)

/** Pairs of slices in a round: a single pair varies too much. */
const pairs = 15

/**
 * Runs a program of slices: microseconds of CPU with and without something, the median of each round, and the median ratio
 * of the pairs of a round. `total` is the ratio of a whole round, for programs whose sides make more or less garbage.
 *
 * @param {URL} program
 * @param {ReadonlyArray<string>} args
 * @param {number} rounds
 */
export const byTurns = async (program, args, rounds) => {
  // A large young generation: otherwise the slices in which a garbage collection happens would decide.
  const execArgv = ["--no-memory-reducer", "--min-semi-space-size=64", "--max-semi-space-size=128"]
  /** @type {Process<string, number, Slices>} */
  const client = await start(program, { args, execArgv })
  try {
    /** @type {Slices & Record<"ratio" | "total", Array<number>>} */
    const taken = { on: [], off: [], ratio: [], total: [] }
    for (let round = 0; round < rounds; round++) {
      const { on, off } = await client.ask(pairs)
      taken.on.push(median(on))
      taken.off.push(median(off))
      taken.ratio.push(median(ratios(on, off)))
      taken.total.push(sum(on) / sum(off))
    }
    return taken
  } finally {
    client.stop()
  }
}
