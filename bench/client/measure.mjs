import { folder as effect4 } from "../effect4.mjs"
import { byTurns } from "../turns.mjs"

/** Where the responses come from. */
const overs = /** @type {const} */ (["memory", "fetch", "fetch chunked", "undici", "undici chunked"])

/**
 * A call over an ordinary `HttpClient`, and the same request as the platform's own modules make it.
 *
 * @param {{ readonly url: string }} server
 * @param {{ readonly rounds: number, readonly quick: boolean }} options
 */
export const measure = async ({ url }, { rounds, quick }) => {
  /** @param {URL} program */
  const ratiosOf = async (program) => {
    /** @type {Partial<Record<(typeof overs)[number], ReadonlyArray<number>>>} */
    const taken = {}
    for (const over of quick ? overs.slice(0, 1) : overs) {
      taken[over] = (await byTurns(program, over === "memory" ? [over] : [over, url], rounds)).total
    }
    return taken
  }
  return {
    effect3: await ratiosOf(new URL("program.mjs", import.meta.url)),
    effect4: await ratiosOf(new URL("client/program.mjs", effect4))
  }
}
