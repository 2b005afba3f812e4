/**
 * A listener that reports what the calls do to a tracer and a meter of OpenTelemetry. Both are taken by their shape: nothing of
 * `@opentelemetry/api` is imported.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import * as Option from "effect/Option"
import type * as EffectTracer from "effect/Tracer"
import { inSpanOf, spanOf } from "#core/internal/common/fiber.js"
import { show } from "#core/internal/common/mistakes.js"
import { checkNames } from "#core/internal/common/options.js"
import { hasMethod, quietly } from "#core/internal/common/values.js"
import type { Listener, SpanKind, SpanOfCall } from "#core/internal/declaration/listener.js"
import { type CallRecorder, recording } from "#core/internal/telemetry/recorder.js"

/** The value of an attribute. */
type Attribute = string | number | boolean

/** The attributes of a span, an event or a measurement. */
export type TelemetryAttributes = Readonly<Record<string, Attribute>>

/** A span, like `Span` of `@opentelemetry/api`. */
export interface TelemetrySpan {
  spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number }
  setAttribute(key: string, value: Attribute): unknown
  addEvent(name: string, attributes?: TelemetryAttributes): unknown
  setStatus(status: { readonly code: number; readonly message?: string }): unknown
  end(): void
}

/** A tracer, like `Tracer` of `@opentelemetry/api`. */
export interface Tracer {
  startSpan(name: string, options?: { readonly kind?: number }, context?: never): TelemetrySpan
}

/** A meter, like `Meter` of `@opentelemetry/api`. */
export interface Meter {
  createCounter(
    name: string,
    options?: { readonly description?: string }
  ): { add(value: number, attributes?: TelemetryAttributes): void }
  createHistogram(
    name: string,
    options?: {
      readonly description?: string
      readonly unit?: string
      readonly advice?: { explicitBucketBoundaries?: Array<number> }
    }
  ): { record(value: number, attributes?: TelemetryAttributes): void }
}

/** Where spans and metrics go. */
export interface TelemetryOptions {
  /**
   * A tracer of `@opentelemetry/api`, for example `trace.getTracer("my-program")`: each call is a span, with one for each of
   * its requests; each request for tokens is one, too. Trace headers are sent only with `tracePropagation`.
   */
  readonly tracer?: Tracer | undefined
  /** A meter of `@opentelemetry/api`, for example `metrics.getMeter("my-program")`. Requests for tokens are not counted. */
  readonly meter?: Meter | undefined
}

/** What `telemetry` returns: an option of catalogs and sessions. */
export interface Telemetry {
  readonly [made]: true
}
declare const made: unique symbol

const kinds: Readonly<Record<SpanKind, number>> = { internal: 0, client: 2 }

const failed = 2

/** What `@opentelemetry/api` keeps for all of its copies, and the key of a span in a context. */
const api = Symbol.for("opentelemetry.js.api.1")
const spanKey = Symbol.for("OpenTelemetry Context Key SPAN")

interface TelemetryContext {
  readonly getValue: (key: symbol) => unknown
  readonly setValue: (key: symbol, value: unknown) => TelemetryContext
}

interface ContextManager {
  active(): TelemetryContext
  bind<Send>(context: TelemetryContext, send: Send): Send
}

const contextWith = (values: ReadonlyMap<symbol, unknown>): TelemetryContext => ({
  getValue: (key) => values.get(key),
  setValue: (key, value) => contextWith(new Map([...values, [key, value]]))
})

/** The program's context manager, if it has set one up. */
const contextManager = (): ContextManager | undefined =>
  (globalThis as { [api]?: { readonly context?: ContextManager } })[api]?.context

const toAttribute = (value: unknown): Attribute =>
  typeof value === "number" || typeof value === "boolean" ? value : String(value)

/** The ids of a span that is not recorded. */
const noSpan = { traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 0 }

/** A span of the program's tracer, with what the client reads of a span of Effect. */
class SpanLive implements SpanOfCall, Pick<EffectTracer.Span, "_tag" | "spanId" | "traceId" | "sampled" | "parent"> {
  readonly _tag = "Span"
  readonly spanId: string
  readonly traceId: string
  readonly sampled: boolean
  readonly parent = Option.none()
  status: EffectTracer.SpanStatus = { _tag: "Started", startTime: 0n }
  readonly #span: TelemetrySpan | undefined

  constructor(tracer: Tracer, name: string, kind: SpanKind, outer: unknown) {
    this.#span = quietly(() =>
      // The program's `@opentelemetry/api` declares the type of a context.
      tracer.startSpan(name, { kind: kinds[kind] }, SpanLive.#contextIn(outer) as never)
    )
    const { spanId, traceFlags, traceId } = quietly(() => this.#span?.spanContext()) ?? noSpan
    this.spanId = spanId
    this.traceId = traceId
    this.sampled = (traceFlags & 1) === 1
  }

  /** The program's own context, with a span of the client. */
  static #contextIn(span: unknown): TelemetryContext {
    const active = contextManager()?.active() ?? contextWith(new Map())
    return span instanceof SpanLive && span.#span !== undefined ? active.setValue(spanKey, span.#span) : active
  }

  /** Runs `send` in the context of a span, where OpenTelemetry's instrumentations look for the parent of theirs. */
  static bind<Send>(span: unknown, send: Send): Send {
    return span instanceof SpanLive
      ? (quietly(() => contextManager()?.bind(SpanLive.#contextIn(span), send)) ?? send)
      : send
  }

  attribute(key: string, value: unknown): void {
    quietly(() => this.#span?.setAttribute(key, toAttribute(value)))
  }

  event(name: string, _startTime: bigint, attributes: Record<string, unknown> = {}): void {
    const sent = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, toAttribute(value)]))
    quietly(() => this.#span?.addEvent(name, sent))
  }

  end(exit: Exit.Exit<unknown, unknown>): void {
    this.status = { _tag: "Ended", startTime: 0n, endTime: 0n, exit }
    if (Exit.isFailure(exit)) {
      quietly(() => this.#span?.setStatus({ code: failed }))
    }
    quietly(() => this.#span?.end())
  }
}

const recordSpans =
  (tracer: Tracer): CallRecorder["inSpan"] =>
  (name, kind, fiber, _call, run) => {
    const span = new SpanLive(tracer, name, kind, spanOf(fiber))
    return Effect.onExit(inSpanOf(span as unknown as EffectTracer.Span, run(span)), (exit) =>
      Effect.sync(() => span.end(exit))
    )
  }

const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

const recordMetrics = (meter: Meter): Pick<CallRecorder, "counter" | "histogram"> => ({
  counter: (name, description, label = "") => {
    const counter = quietly(() => meter.createCounter(name, { description }))
    return (_fiber, value, operation, labelled = "") =>
      quietly(() => counter?.add(value, { operation, ...(label !== "" && { [label]: labelled }) }))
  },
  histogram: (name, description) => {
    const options = { description, unit: "s", advice: { explicitBucketBoundaries: boundaries } }
    const histogram = quietly(() => meter.createHistogram(name, options))
    return (_fiber, value, operation) => quietly(() => histogram?.record(value, { operation }))
  }
})

/** Throws for an option without the `method` that a tracer or a meter of `@opentelemetry/api` has. */
const check = (name: string, value: unknown, method: string): void => {
  if (value !== undefined && !hasMethod(value, method)) {
    throw new TypeError(
      `telemetry: ${name} must be a ${name} of @opentelemetry/api, with the method ${method}, but it is ${show(value)}`
    )
  }
}

/**
 * Records the spans and metrics of calls, for the `telemetry` option of catalogs and sessions.
 *
 * Throws a `TypeError` for an invalid option.
 *
 * @example
 * ```ts
 * import { metrics, trace } from "@opentelemetry/api"
 * import { createCatalog } from "catalog-client"
 * import { telemetry } from "catalog-client/telemetry"
 *
 * export const catalog = createCatalog({
 *   clientId: "my-client-id",
 *   telemetry: telemetry({ tracer: trace.getTracer("my-program"), meter: metrics.getMeter("my-program") })
 * })
 * ```
 */
export const telemetry = (options: TelemetryOptions): Telemetry => {
  checkNames("telemetry", options, { tracer: 1, meter: 1 })
  const { meter, tracer } = options
  check("tracer", tracer, "startSpan")
  check("meter", meter, "createCounter")
  const nothing = () => constVoid
  const listener: Listener = {
    ...recording({
      ...(meter === undefined ? { counter: nothing, histogram: nothing } : recordMetrics(meter)),
      inSpan: tracer === undefined ? () => undefined : recordSpans(tracer)
    }),
    bindToSpan: (send, fiber) => SpanLive.bind(spanOf(fiber), send)
  }
  return listener as unknown as Telemetry
}
