/**
 * Metrics of calls, through Effect's own.
 */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricKey from "effect/MetricKey"
import type * as MetricKeyType from "effect/MetricKeyType"
import * as MetricLabel from "effect/MetricLabel"
import type { ClientError } from "../../CatalogError.js"
import type { CatalogCall } from "../../CatalogPolicy.js"
import type { Call } from "../call/call.js"
import { type AnyFiber, withFiber } from "../common/fiber.js"
import { memoize } from "../common/memoize.js"
import { outcomeOf, stopwatch } from "./outcome.js"

const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

const counter = (name: string, description: string) => MetricKey.counter(name, { description, incremental: true })

const seconds = (name: string, description: string) =>
  MetricKey.histogram(name, MetricBoundaries.fromIterable(boundaries), description)

const requests = /*#__PURE__*/ counter("catalog_requests_total", "Completed calls of operations")
const duration = /*#__PURE__*/ seconds("catalog_request_duration_seconds", "Duration of calls, including their waits")
const retries = /*#__PURE__*/ counter("catalog_retries_total", "Exchanges after the first of a call")
const hits = /*#__PURE__*/ counter("catalog_cache_hits_total", "Calls that Resilience.cache served")
const mismatches = /*#__PURE__*/ counter(
  "catalog_reply_mismatches_total",
  "Parts of replies that were omitted because of an unexpected type"
)
const waits = /*#__PURE__*/ seconds("catalog_rate_limit_wait_seconds", "Time that exchanges waited for the rate limit")

type Labels = ReadonlyArray<MetricLabel.MetricLabel>

/** The program's own labels. */
const labelsOf = (fiber: AnyFiber): Labels => fiber.getFiberRef(FiberRef.currentMetricLabels)

const labelled = <Type extends MetricKeyType.MetricKeyType<number, unknown>>(
  key: MetricKey.MetricKey<Type>,
  own: Labels,
  labels: Readonly<Record<string, string>>
) =>
  Metric.fromMetricKey(
    MetricKey.taggedWithLabels(key, [
      ...own,
      ...Object.entries(labels).map(([name, value]) => MetricLabel.make(name, value))
    ])
  )

/** The metrics of an operation. Metrics are labelled once, in advance: labelling at each update would need a lookup. */
class Meters {
  readonly duration
  readonly retries
  private readonly byOutcome = new Map<string, Metric.Metric.Counter<number>>()

  constructor(
    private readonly operation: string,
    private readonly own: Labels
  ) {
    this.duration = labelled(duration, own, { operation })
    this.retries = labelled(retries, own, { operation })
  }

  requests(outcome: string): Metric.Metric.Counter<number> {
    let metric = this.byOutcome.get(outcome)
    if (metric === undefined) {
      metric = labelled(requests, this.own, { operation: this.operation, outcome })
      this.byOutcome.set(outcome, metric)
    }
    return metric
  }
}

/** By the program's own metric labels, and by operation. */
const meters = /*#__PURE__*/ memoize((_own: Labels) => new Map<string, Meters>())

const metersOf = (operation: string, fiber: AnyFiber): Meters => {
  const own = labelsOf(fiber)
  const ofOperations = meters(own)
  let found = ofOperations.get(operation)
  if (found === undefined) {
    found = new Meters(operation, own)
    ofOperations.set(operation, found)
  }
  return found
}

/** Starts timing a call; returns a function that counts it when it has ended. */
export const counting = (fiber: AnyFiber, call: Call): ((exit: Exit.Exit<unknown, ClientError>) => void) => {
  const passed = stopwatch(fiber)
  return (exit) => {
    const metrics = metersOf(call.operation.name, fiber)
    metrics.requests(outcomeOf(exit)).unsafeUpdate(1, [])
    metrics.duration.unsafeUpdate(passed(), [])
    if (call.attempts > 1) {
      metrics.retries.unsafeUpdate(call.attempts - 1, [])
    }
  }
}

/** Times a wait before an exchange, however it ends. */
export const waiting = <A, E, R>(effect: Effect.Effect<A, E, R>, operation: string): Effect.Effect<A, E, R> =>
  withFiber((fiber) => {
    const passed = stopwatch(fiber)
    const metric = labelled(waits, labelsOf(fiber), { operation })
    return Effect.onExit(effect, () => Effect.sync(() => metric.unsafeUpdate(passed(), [])))
  })

/** Counts a call that returned a cached reply. */
export const hit = ({ operation, notify }: CatalogCall): Effect.Effect<void> =>
  withFiber((fiber) => {
    labelled(hits, labelsOf(fiber), { operation }).unsafeUpdate(1, [])
    return notify("onCacheHit", {})
  })

/** Counts what was left out of a reply at one path. */
export const mismatched = (
  fiber: AnyFiber,
  operation: string,
  { count, path }: { readonly count: number; readonly path: string }
): void => labelled(mismatches, labelsOf(fiber), { operation, path }).unsafeUpdate(count, [])
