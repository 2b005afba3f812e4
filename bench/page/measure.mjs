import { folder as effect4 } from "../effect4.mjs"
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
 * @param {URL} program
 * @param {Question} question
 */
const measureIn = async (program, question) => {
  /** @type {Taken} */
  const all = { parse: [], checked: [], call: [], schema: [] }
  for (let count = 0; count < processes; count++) {
    /** @type {Process<string, Question, Taken>} */
    const client = await start(program)
    const taken = await client.ask(question)
    client.stop()
    all.parse.push(...taken.parse)
    all.checked.push(...taken.checked)
    all.call.push(...taken.call)
    all.schema.push(...taken.schema)
  }
  return all
}

/**
 * A page with the packages for Effect 3, and with those for Effect 4.
 *
 * @param {{ readonly page: string }} server
 * @param {Omit<Question, "page">} options
 */
export const measure = async ({ page }, options) => ({
  bytes: page.length,
  ...(await measureIn(new URL("client.mjs", import.meta.url), { page, ...options })),
  effect4: await measureIn(new URL("page/client.mjs", effect4), { page, ...options })
})
