#!/usr/bin/env node
/**
 * `mirror`: a copy of the whole catalog that survives its process.
 */
import * as Effect from "effect/Effect"
import { run } from "./cli.js"

// All that is done is committed, so a process ends at once. What was in flight is asked again.
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143]
] as const) {
  process.once(signal, () => {
    process.stderr.write("\nStopped. Nothing is lost: `mirror sync` goes on from here.\n")
    process.exit(code)
  })
}

process.exit(await Effect.runPromise(run(process.argv)))
