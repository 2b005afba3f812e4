#!/usr/bin/env node
/**
 * `catalog-mirror`: a copy of the whole catalog that survives its process.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { run } from "./cli.js"

// PostgreSQL's driver warns of what the engine does with it.
Object.assign(process, { noDeprecation: true })

// Nothing reads the spans.
const running = Effect.runFork(Effect.withTracerEnabled(run(process.argv), false))

/** How long a process of a fleet may take to hand over its work: milliseconds. */
const handover = 1_700

let signalled: number | undefined
const end = (code: number) => process.exit(signalled ?? code)

running.addObserver((exit) => end(exit._tag === "Success" ? exit.value : 1))

// All that is done is committed. What is in flight is asked again.
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143]
] as const) {
  process.once(signal, () => {
    process.stderr.write("\nStopped. Nothing is lost: `catalog-mirror sync` goes on from here.\n")
    signalled = code
    setTimeout(end, handover, code)
    Effect.runFork(Fiber.interrupt(running))
  })
}
