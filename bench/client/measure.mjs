import { folder as effect4 } from "../effect4.mjs"
import { byTurns } from "../turns.mjs"

/**
 * A call over an ordinary `HttpClient`, and the same request as the platform's own modules make it.
 *
 * @param {number} rounds
 */
export const measure = async (rounds) => ({
  ...(await byTurns(new URL("program.mjs", import.meta.url), [], rounds)),
  effect4: await byTurns(new URL("client/program.mjs", effect4), [], rounds)
})
