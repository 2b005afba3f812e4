/**
 * The lines of the debug log: one for each request.
 */
import * as Effect from "effect/Effect"
import { type AnyFiber, isDebugLogged } from "../common/fiber.js"
import type { ClientError } from "../../CatalogError.js"
import type { CallState } from "../declaration/call.js"
import type { Listener } from "../declaration/listener.js"
import { nameOf } from "../declaration/request.js"
import { callNames, redactIn } from "../redaction/redactIn.js"
import { outcomeOf, stopwatch } from "./outcome.js"

/** The requested fields that occur nowhere in the reply. */
const missingIn = (call: CallState): string => {
  const { body } = call.progress.response
  const selector =
    body === undefined ? null : new URL(call.request.url).searchParams.get(nameOf(call.settings, "fields"))
  const names = selector?.match(/[^,{}]+/g) ?? []
  return redactIn(call, names.filter((name) => !body?.includes(`"${name}"`)).join(", "))
}

const inLog = <A, E extends ClientError, R>(run: () => Effect.Effect<A, E, R>, fiber: AnyFiber, call: CallState) =>
  Effect.suspend(() => {
    const passed = stopwatch(fiber)
    return Effect.onExit(run(), (exit) => {
      const { method, operation, url } = callNames(call)
      const { attempts, response } = call.progress
      const outcome = outcomeOf(exit)
      const ended = outcome === "Success" ? response.status : outcome
      const missing = missingIn(call)
      return Effect.logDebug(
        `${operation}: ${method} ${url}: ${ended} after ${Math.round(passed() * 1000)} ms${missing && `; not in the reply: ${missing}`}`
      ).pipe(Effect.annotateLogs({ operation, attempt: attempts, outcome }))
    })
  })

/** A listener that only writes the debug log. */
export const logListener: Listener = {
  around: (run, part, fiber, call) => (part === "attempt" && isDebugLogged(fiber) ? inLog(run, fiber, call) : run())
}
