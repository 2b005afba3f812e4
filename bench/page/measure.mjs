import { start } from "../fork.mjs"

/**
 * @import { Process } from "../fork.mjs"
 * @import { Question, Taken } from "./client.mjs"
 */

/** Processes one after the other, since each compiles the same code a little differently. */
const processes = 3

/**
 * Milliseconds of CPU for each measurement of a page, a number for each round.
 *
 * @param {{ readonly page: string }} server
 * @param {Omit<Question, "page">} options
 */
export const measure = async ({ page }, { rounds, quick }) => {
  /** @type {Taken} */
  const all = { parse: [], checked: [], call: [], schema: [] }
  for (let count = 0; count < processes; count++) {
    /** @type {Process<string, Question, Taken>} */
    const client = await start(new URL("client.mjs", import.meta.url))
    const taken = await client.ask({ page, rounds, quick })
    client.stop()
    all.parse.push(...taken.parse)
    all.checked.push(...taken.checked)
    all.call.push(...taken.call)
    all.schema.push(...taken.schema)
  }
  return { bytes: page.length, ...all }
}
