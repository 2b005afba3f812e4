import { folder as effect4 } from "../effect4.mjs"
import { byTurns } from "../turns.mjs"

/**
 * A call for a user, with a session whose token needs no refresh and with the same token as a value.
 *
 * @param {{ readonly url: string }} server
 * @param {number} rounds
 */
export const measure = async ({ url }, rounds) => ({
  ...(await byTurns(new URL("program.mjs", import.meta.url), [url], rounds)),
  effect4: await byTurns(new URL("session/program.mjs", effect4), [url], rounds)
})
