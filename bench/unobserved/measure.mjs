import { fileURLToPath } from "node:url"
import { folder as effect4 } from "../effect4.mjs"
import { byTurns } from "../turns.mjs"
import { bundle } from "./build.mjs"

/**
 * A call without observers, as it is and with observing switched off.
 *
 * @param {{ readonly url: string }} server
 * @param {number} rounds
 */
export const measure = async ({ url }, rounds) => {
  /**
   * @param {URL} program
   * @param {URL} built
   */
  const measureOf = async (program, built) => {
    await bundle(program, fileURLToPath(built))
    return byTurns(built, [url], rounds)
  }
  return {
    ...(await measureOf(new URL("program.mjs", import.meta.url), new URL("../.cache/unobserved.mjs", import.meta.url))),
    effect4: await measureOf(new URL("unobserved/program.mjs", effect4), new URL("unobserved/built.mjs", effect4))
  }
}
