// A program that is measured by turns: small slices of calls, alternately with and without something.
import { answerWith } from "./fork.mjs"
import { cpuOf, many } from "./many.mjs"

/**
 * @typedef {{ on: Array<number>, off: Array<number> }} Slices Microseconds of CPU for a call.
 */

/**
 * Answers the number of pairs of slices with microseconds of CPU for a call. `prepare` returns the call of a slice.
 *
 * @param {(on: boolean) => () => Promise<unknown>} prepare
 */
export const answerWithSlices = async (prepare) => {
  /**
   * @param {boolean} on
   * @param {number} count
   */
  const slice = async (on, count) => {
    const call = prepare(on)
    return (await cpuOf(() => many(call, count, 64))) / count
  }
  const measure = async (/** @type {number} */ pairs) => {
    /** @type {Slices} */
    const taken = { on: [], off: [] }
    for (let pair = 0; pair < pairs; pair++) {
      for (const on of pair % 2 === 0 ? [true, false] : [false, true]) {
        taken[on ? "on" : "off"].push(await slice(on, 256))
      }
    }
    return taken
  }
  await measure(20)
  answerWith(measure)
}
