import { start } from "../fork.mjs"

/** Fibers, timers and spans of one call: with promises, with Effect (the fiber that runs it is one of them), and traced. */
export const measure = async ({ url }) => {
  const client = await start(new URL("client.mjs", import.meta.url), { args: [url] })
  client.stop()
  return client.ready
}
