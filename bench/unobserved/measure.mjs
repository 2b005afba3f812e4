import { fileURLToPath } from "node:url"
import { byTurns } from "../turns.mjs"
import { bundle } from "./build.mjs"

const built = new URL("../.cache/unobserved.mjs", import.meta.url)

/**
 * A call without observers, as it is and with observing switched off.
 *
 * @param {{ readonly url: string }} server
 * @param {number} rounds
 */
export const measure = async ({ url }, rounds) => {
  await bundle(fileURLToPath(built))
  return byTurns(built, [url], rounds)
}
