import { start } from "../fork.mjs"

/**
 * @import { Process } from "../fork.mjs"
 * @typedef {Record<"fibers" | "timers" | "spans", number>} Counts
 */

/**
 * Fibers, timers and spans of one call: with promises, with Effect (the fiber that runs it is one of them), and traced.
 *
 * @param {{ readonly url: string }} server
 */
export const measure = async ({ url }) => {
  /** @type {Process<Record<"promise" | "effect" | "traced", Counts>, never, never>} */
  const client = await start(new URL("client.mjs", import.meta.url), { args: [url] })
  client.stop()
  return client.ready
}
