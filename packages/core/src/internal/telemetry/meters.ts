/**
 * Metrics of calls.
 */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import type { ClientError } from "../../CatalogError.js"
import { type AnyFiber, withFiber } from "../common/fiber.js"
import type { Call } from "../declaration/call.js"
import { counter, histogram, isMetered } from "./instruments.js"
import { outcomeOf, stopwatch } from "./outcome.js"

const requests = /*#__PURE__*/ counter("catalog_requests_total", "Completed calls of operations", "outcome")
const callDuration = /*#__PURE__*/ histogram(
  "catalog_request_duration_seconds",
  "Duration of calls, including their waits"
)
const retries = /*#__PURE__*/ counter("catalog_retries_total", "Requests after the first of a call")
const hits = /*#__PURE__*/ counter("catalog_cache_hits_total", "Calls that Resilience.cache served")
const waits = /*#__PURE__*/ histogram("catalog_rate_limit_wait_seconds", "Time that requests waited for the rate limit")

/** Counts parts that were omitted from replies. */
export const countMismatches = /*#__PURE__*/ counter(
  "catalog_reply_mismatches_total",
  "Parts of replies that were omitted because of an unexpected type",
  "path"
)

/** Starts timing a call; returns a function that counts it when it has ended. */
export const startMeters = (fiber: AnyFiber, call: Call): ((exit: Exit.Exit<unknown, ClientError>) => void) => {
  if (!isMetered(fiber)) {
    return constVoid
  }
  const passed = stopwatch(fiber)
  return (exit) => {
    const { name } = call.declaration
    const { attempts } = call.progress
    requests(fiber, 1, name, outcomeOf(exit))
    callDuration(fiber, passed(), name)
    if (attempts > 1) {
      retries(fiber, attempts - 1, name)
    }
  }
}

/** Times a wait before an exchange, however it ends. */
export const timeWait = <A, E, R>(wait: Effect.Effect<A, E, R>, name: string): Effect.Effect<A, E, R> =>
  withFiber((fiber) => {
    const passed = stopwatch(fiber)
    return Effect.onExit(wait, () => Effect.sync(() => waits(fiber, passed(), name)))
  })

export const countHit = (name: string): Effect.Effect<void> =>
  withFiber((fiber) => Effect.sync(() => hits(fiber, 1, name)))
