/**
 * What can be seen of calls: spans, metrics and debug logs, through Effect's own services.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as LogLevel from "effect/LogLevel"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricKey from "effect/MetricKey"
import type * as MetricKeyType from "effect/MetricKeyType"
import * as MetricLabel from "effect/MetricLabel"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import type { ClientError } from "../../CatalogError.js"
import { memoize } from "../common/memoize.js"
import type { AnyFiber } from "../common/run.js"

/** What is told of a call. */
export interface Call {
  readonly operation: { readonly name: string; readonly method: string }
  readonly config: { readonly tracePropagation: boolean }
  /** How many exchanges it was given so far. */
  readonly attempts: number
  /** What the last of them was answered with, once that is known. */
  readonly status: number | undefined
  /** Without secrets. */
  readonly shownUrl: string
}

const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

const counter = (name: string, description: string) => MetricKey.counter(name, { description, incremental: true })

const seconds = (name: string, description: string) =>
  MetricKey.histogram(name, MetricBoundaries.fromIterable(boundaries), description)

const requests = /*#__PURE__*/ counter("catalog_requests_total", "Calls of operations that have ended")
const duration = /*#__PURE__*/ seconds("catalog_request_duration_seconds", "How long calls took, with their waits")
const retries = /*#__PURE__*/ counter("catalog_retries_total", "Exchanges beyond the first of a call")
const waits = /*#__PURE__*/ seconds("catalog_rate_limit_wait_seconds", "How long exchanges waited for the rate limit")

type Labels = ReadonlyArray<MetricLabel.MetricLabel>

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

/** The metrics of an operation. Each with its labels is one by itself: one that gets them with an update has to be found. */
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

/** By what the program itself labels its metrics with, and by operation. */
const meters = /*#__PURE__*/ memoize((_own: Labels) => new Map<string, Meters>())

const metersOf = (operation: string, fiber: AnyFiber): Meters => {
  const own = fiber.getFiberRef(FiberRef.currentMetricLabels)
  const ofOperations = meters(own)
  let found = ofOperations.get(operation)
  if (found === undefined) {
    found = new Meters(operation, own)
    ofOperations.set(operation, found)
  }
  return found
}

/** Begins to measure; gives back what says how many seconds have passed. The wall clock can be set meanwhile. */
const stopwatch = (fiber: AnyFiber): (() => number) => {
  const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
  const started = clock.unsafeCurrentTimeNanos()
  // Not below zero, also where fake timers replace the clock in between.
  return () => Math.max(0, Number(clock.unsafeCurrentTimeNanos() - started) / 1e9)
}

const outcomeOfError = (error: ClientError): string => {
  switch (error._tag) {
    case "ClientValidationError":
      return "Invalid"
    case "ClientRestError":
      return error.reason === "Status" ? String(error.status) : error.reason
    default:
      return error.reason
  }
}

/** A word for how something ended. */
const outcomeOf = (exit: Exit.Exit<unknown, ClientError>): string =>
  Exit.isSuccess(exit)
    ? "Success"
    : Option.match(Cause.failureOption(exit.cause), {
        onSome: outcomeOfError,
        onNone: () => (Cause.isInterrupted(exit.cause) ? "Interrupted" : "Defect")
      })

const liveTracer = /*#__PURE__*/ Context.get(DefaultServices.liveServices, Tracer.Tracer)

/** Whether a tracer records spans: the default one is always there and records none. */
const isTraced = (fiber: AnyFiber, { config }: Call): boolean =>
  fiber.currentTracer !== liveTracer || fiber.currentSpan !== undefined || config.tracePropagation

const isLogged = (fiber: AnyFiber): boolean =>
  fiber.getFiberRef(FiberRef.currentMinimumLogLevel).ordinal <= LogLevel.Debug.ordinal

/** Where a request goes, as OpenTelemetry calls it. */
const ofUrl = (url: string) => {
  const { hostname, port, protocol } = new URL(url)
  return {
    "url.full": url,
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80)
  }
}

const attributesOf = (call: Call, outcome: string): Record<string, unknown> => {
  const { operation, attempts, status, shownUrl } = call
  return {
    "catalog.operation": operation.name,
    "catalog.attempt": attempts,
    "http.request.method": operation.method,
    ...(shownUrl !== "" && ofUrl(shownUrl)),
    ...(attempts > 1 && { "http.request.resend_count": attempts - 1 }),
    ...(status !== undefined && { "http.response.status_code": status }),
    ...(outcome !== "Success" && { "error.type": outcome })
  }
}

const spanned = <A, E extends ClientError, R>(
  effect: Effect.Effect<A, E, R>,
  name: string,
  kind: Tracer.SpanKind,
  call: Call
) =>
  Effect.useSpan(name, { kind, captureStackTrace: false }, (span) =>
    Effect.onExit(Effect.withParentSpan(effect, span), (exit) =>
      Effect.sync(() => {
        // Only now: before, it was not known which secrets to redact.
        for (const [key, value] of Object.entries(attributesOf(call, outcomeOf(exit)))) {
          span.attribute(key, value)
        }
      })
    )
  )

/** Begins to time a call; gives back what counts it when it has ended. */
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

/** A call in a span, where a tracer records it. */
export const operation = <A, E extends ClientError, R>(
  effect: Effect.Effect<A, E, R>,
  fiber: AnyFiber,
  call: Call
): Effect.Effect<A, E, R> => (isTraced(fiber, call) ? spanned(effect, call.operation.name, "internal", call) : effect)

const inLog = <A, E extends ClientError, R>(exchange: Effect.Effect<A, E, R>, fiber: AnyFiber, call: Call) =>
  Effect.suspend(() => {
    const passed = stopwatch(fiber)
    return Effect.onExit(exchange, (exit) => {
      const { name, method } = call.operation
      const outcome = outcomeOf(exit)
      const answer = outcome === "Success" ? call.status : outcome
      return Effect.logDebug(
        `${name}: ${method} ${call.shownUrl}: ${answer} after ${Math.round(passed() * 1000)} ms`
      ).pipe(Effect.annotateLogs({ operation: name, attempt: call.attempts, outcome }))
    })
  })

/** One exchange as it is seen: in a span of its own, and with a line in the debug log. */
export const attempt = <A, E extends ClientError, R>(
  exchange: Effect.Effect<A, E, R>,
  fiber: AnyFiber,
  call: Call
): Effect.Effect<A, E, R> => {
  const logged = isLogged(fiber) ? inLog(exchange, fiber, call) : exchange
  return isTraced(fiber, call) ? spanned(logged, call.operation.method, "client", call) : logged
}

/** What an exchange waits for before it may begin: timed, however it ends. */
export const waiting = <A, E, R>(effect: Effect.Effect<A, E, R>, operation: string): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime((fiber) => {
    const passed = stopwatch(fiber)
    const metric = labelled(waits, fiber.getFiberRef(FiberRef.currentMetricLabels), { operation })
    return Effect.onExit(effect, () => Effect.sync(() => metric.unsafeUpdate(passed(), [])))
  })
