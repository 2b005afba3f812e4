import { fileURLToPath } from "node:url"
import { start } from "../fork.mjs"
import { bundle } from "./build.mjs"

const built = new URL("../.cache/unobserved.mjs", import.meta.url)

/** Microseconds of CPU for a call that nobody observes, one number a round: as it is, and with the observing switched off. */
export const measure = async ({ url }, rounds) => {
  await bundle(fileURLToPath(built))
  // Much room for what is new: in which slices it is collected would decide otherwise.
  const execArgv = ["--no-memory-reducer", "--min-semi-space-size=64", "--max-semi-space-size=128"]
  const client = await start(built, { args: [url], execArgv })
  try {
    return await client.ask(rounds)
  } finally {
    client.stop()
  }
}
