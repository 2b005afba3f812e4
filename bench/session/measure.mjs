import { byTurns } from "../turns.mjs"

/**
 * A call for a user, with a session whose token needs no refresh and with the same token as a value.
 *
 * @param {{ readonly url: string }} server
 * @param {number} rounds
 */
export const measure = ({ url }, rounds) => byTurns(new URL("program.mjs", import.meta.url), [url], rounds)
