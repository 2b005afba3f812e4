/**
 * Metrics of calls, through Effect's own.
 */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import type { ClientError } from "../../CatalogError.js"
import type { CatalogCall } from "../../CatalogPolicy.js"
import type { Call } from "../call/call.js"
import { type AnyFiber, contextOf, withFiber } from "../common/fiber.js"
import { outcomeOf, stopwatch } from "./outcome.js"

const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

const counter = (name: string, description: string) => Metric.counter(name, { description, incremental: true })

const seconds = (name: string, description: string) => Metric.histogram(name, { description, boundaries })

const requests = /*#__PURE__*/ counter("catalog_requests_total", "Completed calls of operations")
const duration = /*#__PURE__*/ seconds("catalog_request_duration_seconds", "Duration of calls, including their waits")
const retries = /*#__PURE__*/ counter("catalog_retries_total", "Exchanges after the first of a call")
const hits = /*#__PURE__*/ counter("catalog_cache_hits_total", "Calls that Resilience.cache served")
const mismatches = /*#__PURE__*/ counter(
  "catalog_reply_mismatches_total",
  "Parts of replies that were omitted because of an unexpected type"
)
const waits = /*#__PURE__*/ seconds("catalog_rate_limit_wait_seconds", "Time that exchanges waited for the rate limit")

/** The metrics of an operation. Metrics are labelled once, in advance; the program's own labels are in the context. */
class Meters {
  readonly duration
  readonly retries
  private readonly byOutcome = new Map<string, Metric.Counter<number>>()

  constructor(private readonly operation: string) {
    this.duration = Metric.withAttributes(duration, { operation })
    this.retries = Metric.withAttributes(retries, { operation })
  }

  requests(outcome: string): Metric.Metric<number, unknown> {
    let metric = this.byOutcome.get(outcome)
    if (metric === undefined) {
      metric = Metric.withAttributes(requests, { operation: this.operation, outcome }) as Metric.Counter<number>
      this.byOutcome.set(outcome, metric)
    }
    return metric
  }
}

const meters = /*#__PURE__*/ new Map<string, Meters>()

const metersOf = (operation: string): Meters => {
  let found = meters.get(operation)
  if (found === undefined) {
    found = new Meters(operation)
    meters.set(operation, found)
  }
  return found
}

/** Starts timing a call; returns a function that counts it when it has ended. */
export const counting = (fiber: AnyFiber, call: Call): ((exit: Exit.Exit<unknown, ClientError>) => void) => {
  const passed = stopwatch(fiber)
  const context = contextOf(fiber)
  return (exit) => {
    const metrics = metersOf(call.operation.name)
    metrics.requests(outcomeOf(exit)).updateUnsafe(1, context)
    metrics.duration.updateUnsafe(passed(), context)
    if (call.attempts > 1) {
      metrics.retries.updateUnsafe(call.attempts - 1, context)
    }
  }
}

/** Times a wait before an exchange, however it ends. */
export const waiting = <A, E, R>(effect: Effect.Effect<A, E, R>, operation: string): Effect.Effect<A, E, R> =>
  withFiber((fiber) => {
    const passed = stopwatch(fiber)
    const metric = Metric.withAttributes(waits, { operation })
    return Effect.onExit(effect, () => Effect.sync(() => metric.updateUnsafe(passed(), contextOf(fiber))))
  })

/** Counts a call that returned a cached reply. */
export const hit = ({ operation, notify }: CatalogCall): Effect.Effect<void> =>
  withFiber((fiber) => {
    Metric.withAttributes(hits, { operation }).updateUnsafe(1, contextOf(fiber))
    return notify("onCacheHit", {})
  })

/** Counts what was left out of a reply at one path. */
export const mismatched = (
  fiber: AnyFiber,
  operation: string,
  { count, path }: { readonly count: number; readonly path: string }
): void => Metric.withAttributes(mismatches, { operation, path }).updateUnsafe(count, contextOf(fiber))
