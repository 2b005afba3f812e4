import { start } from "../fork.mjs"

/** Fibers, timers and spans of one call: with promises, with Effect (the fiber that runs it is one of them), and traced. */
export const measure = async () => {
  const server = await start(new URL("../calls/server.mjs", import.meta.url))
  const client = await start(new URL("client.mjs", import.meta.url), { args: [server.ready.url] })
  for (const each of [client, server]) each.stop()
  return client.ready
}
