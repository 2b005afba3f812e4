import { start } from "../fork.mjs"

/** Processes one after the other, since each compiles the same code a little differently. */
const processes = 3

/** Milliseconds of CPU for each measurement of a page, a number for each round. */
export const measure = async ({ page }, { rounds, quick }) => {
  const all = { parse: [], checked: [], call: [], schema: [] }
  for (let count = 0; count < processes; count++) {
    const client = await start(new URL("client.mjs", import.meta.url))
    const taken = await client.ask({ page, rounds, quick })
    client.stop()
    for (const [name, values] of Object.entries(taken)) {
      all[name].push(...values)
    }
  }
  return { bytes: page.length, ...all }
}
