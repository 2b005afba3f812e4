/**
 * Spans and metrics of calls, over a tracer and a meter of OpenTelemetry. Both are taken by their shape: nothing of
 * `@opentelemetry/api` is imported.
 */
import * as Context from "effect/Context"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as EffectTracer from "effect/Tracer"
import { quietly } from "#core/internal/common/values.js"

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

/** A tracer, like `Tracer` of `@opentelemetry/api`: for example `trace.getTracer("my-program")`. */
export interface Tracer {
  startSpan(name: string, options?: { readonly kind?: number }, context?: never): TelemetrySpan
}

/** A meter, like `Meter` of `@opentelemetry/api`: for example `metrics.getMeter("my-program")`. */
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

const kinds = { internal: 0, server: 1, client: 2, producer: 3, consumer: 4 }

const failed = 2

/** What `@opentelemetry/api` keeps for all of its copies, and the key of a span in a context. */
const api = Symbol.for("opentelemetry.js.api.1")
const spanKey = Symbol.for("OpenTelemetry Context Key SPAN")

interface TelemetryContext {
  readonly getValue: (key: symbol) => unknown
  readonly setValue: (key: symbol, value: unknown) => TelemetryContext
}

const contextWith = (values: ReadonlyMap<symbol, unknown>): TelemetryContext => ({
  getValue: (key) => values.get(key),
  setValue: (key, value) => contextWith(new Map([...values, [key, value]]))
})

/** The program's own context; an empty one if it has set up no context manager. */
const active = (): TelemetryContext => {
  const { [api]: registered } = globalThis as {
    [api]?: { readonly context?: { readonly active: () => TelemetryContext } }
  }
  return registered?.context?.active() ?? contextWith(new Map())
}

const attributeOf = (value: unknown): Attribute =>
  typeof value === "number" || typeof value === "boolean" ? value : String(value)

/** As in a span of a tracer that does not record. */
const noSpan = { traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 0 }

/** Effect 4 has `annotations` in place of `context`. */
class SpanLive implements Omit<EffectTracer.Span, "annotations"> {
  readonly _tag = "Span"
  readonly name: string
  readonly spanId: string
  readonly traceId: string
  readonly parent: Option.Option<EffectTracer.AnySpan>
  readonly context: Context.Context<never>
  readonly links: ReadonlyArray<EffectTracer.SpanLink> = []
  readonly attributes = new Map<string, unknown>()
  readonly sampled: boolean
  readonly kind: EffectTracer.SpanKind
  status: EffectTracer.SpanStatus
  readonly #span: TelemetrySpan | undefined

  constructor(
    tracer: Tracer,
    name: string,
    parent: Option.Option<EffectTracer.AnySpan>,
    context: Context.Context<never>,
    startTime: bigint,
    kind: EffectTracer.SpanKind
  ) {
    const outer = Option.getOrUndefined(parent)
    this.#span = quietly(() =>
      tracer.startSpan(
        name,
        { kind: kinds[kind] },
        // The program's `@opentelemetry/api` declares the type of a context.
        (outer instanceof SpanLive && outer.#span !== undefined
          ? active().setValue(spanKey, outer.#span)
          : active()) as never
      )
    )
    const { spanId, traceFlags, traceId } = quietly(() => this.#span?.spanContext()) ?? noSpan
    this.name = name
    this.kind = kind
    this.parent = parent
    this.context = context
    this.spanId = spanId
    this.traceId = traceId
    this.sampled = (traceFlags & 1) === 1
    this.status = { _tag: "Started", startTime }
  }

  attribute(key: string, value: unknown): void {
    this.attributes.set(key, value)
    quietly(() => this.#span?.setAttribute(key, attributeOf(value)))
  }

  event(name: string, _startTime: bigint, attributes: Record<string, unknown> = {}): void {
    const sent = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, attributeOf(value)]))
    quietly(() => this.#span?.addEvent(name, sent))
  }

  addLinks(): void {}

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    this.status = { _tag: "Ended", startTime: this.status.startTime, endTime, exit }
    if (Exit.isFailure(exit)) {
      quietly(() => this.#span?.setStatus({ code: failed }))
    }
    quietly(() => this.#span?.end())
  }
}

/** The spans of calls go to a tracer of the program. */
export const tracerOver = (tracer: Tracer): EffectTracer.Tracer =>
  EffectTracer.make({
    span: (name, parent, context, _links, startTime, kind) =>
      new SpanLive(tracer, name, parent, context, startTime, kind),
    context: (run) => run()
  })

/** The meter of a catalog; `undefined` if it has none. */
export const MeterTag = /*#__PURE__*/ Context.Reference<"Meter">()("catalog-client/Meter", {
  defaultValue: (): Meter | undefined => undefined
})
