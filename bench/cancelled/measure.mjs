import { byTurns } from "../turns.mjs"

/**
 * 200 calls that one signal ends, and the same requests by hand.
 *
 * @param {{ readonly url: string }} server
 * @param {number} rounds
 */
export const measure = async ({ url }, rounds) => {
  const program = new URL("program.mjs", import.meta.url)
  return {
    undici: await byTurns(program, [url, "undici"], rounds),
    fetch: await byTurns(program, [url, "fetch"], rounds)
  }
}
