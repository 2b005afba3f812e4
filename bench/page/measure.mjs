import { start } from "../fork.mjs"

/** Milliseconds of CPU for each thing that is done with a page, one number a round. */
export const measure = async ({ page }, { rounds, quick }) => {
  const client = await start(new URL("client.mjs", import.meta.url))
  try {
    return await client.ask({ page, rounds, quick })
  } finally {
    client.stop()
  }
}
