/**
 * Spans, logs and metrics of Effect 4.
 */
import * as Cause from "effect/Cause"
import { Console } from "effect/Console"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type { LogLevel } from "effect/LogLevel"
import * as Metric from "effect/Metric"
import { CurrentLogAnnotations, MinimumLogLevel } from "effect/References"
import * as Tracer from "effect/Tracer"
import { meterTo, tracerTo } from "./openTelemetry.js"

/** A tracer that keeps its spans, in the order in which they began: `tracer` for promises, `layer` for Effects. */
export const recordingTracer = () => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return {
    spans,
    tracer: tracerTo(
      (span) => void spans.push(span as unknown as Tracer.Span),
      () => {}
    ),
    layer: Layer.succeed(Tracer.Tracer, tracer),
    trace: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.withTracer(effect, tracer)
  }
}

/** A span that has ended. */
export interface Ended {
  readonly name: string
  readonly attributes: ReadonlyArray<readonly [key: string, value: unknown]>
  readonly events: ReadonlyArray<unknown>
  /** What it failed with. */
  readonly errors: ReadonlyArray<Error>
}

/** A tracer that passes on each span when it ends: `tracer` for promises, `layer` for Effects, without Effect's own spans. */
export const spansTo = (ended: (span: Ended) => void) => {
  let spans = 0
  const tracer = Tracer.make({
    span: ({ annotations, kind, links, name, parent, startTime }) => {
      const attributes = new Map<string, unknown>()
      const events: Array<unknown> = []
      return {
        _tag: "Span",
        spanId: (++spans).toString(16).padStart(16, "0"),
        traceId: "1".repeat(32),
        name,
        parent,
        annotations,
        links,
        kind,
        status: { _tag: "Started", startTime },
        sampled: true,
        attributes,
        attribute: (key, value) => void attributes.set(key, value),
        event: (event, at, more) => void events.push([event, String(at), more]),
        addLinks: () => {},
        end: (_, exit) => {
          const errors = Exit.isFailure(exit) ? Cause.prettyErrors(exit.cause) : []
          ended({ name, attributes: [...attributes], events, errors })
        }
      }
    }
  })
  return {
    tracer: tracerTo(
      () => {},
      ({ attributes, ...span }) => ended({ ...span, attributes: [...attributes] })
    ),
    layer: Layer.succeed(Tracer.Tracer, tracer)
  }
}

/** Puts a span around an effect. */
export const { withSpan } = Effect

/** A line that was logged. */
export interface Line {
  readonly level: string
  readonly text: string
  readonly annotations: Readonly<Record<string, unknown>>
  /** As Effect's own logger prints it. */
  readonly printed: string
}

/** A logger that keeps its lines: for promises, and for Effects `layer` puts it in place of their own, `added` beside it. */
export const recordingLogger = () => {
  const lines: Array<Line> = []
  const texts: Array<string> = []
  const logger = Logger.make<unknown, void>((entry) => {
    const text = String(entry.message)
    texts.push(text)
    lines.push({
      level: entry.logLevel.toUpperCase(),
      text,
      annotations: { ...entry.fiber.getRef(CurrentLogAnnotations) },
      printed: Logger.formatSimple.log(entry)
    })
  })
  const add = (level: string) => (text: string) => {
    texts.push(text)
    lines.push({ level, text, annotations: {}, printed: text })
  }
  return {
    lines,
    texts,
    logger: { debug: add("DEBUG"), info: add("INFO"), warn: add("WARN"), error: add("ERROR") },
    layer: Logger.layer([logger]),
    added: Logger.layer([logger], { mergeWithExisting: true })
  }
}

/** Every logger of Effect and its console, at every level: what each of them prints goes to `see`. */
export const everyLogger = (see: (where: string, text: string) => void) => {
  const lines = (name: string, logger: Logger.Logger<unknown, unknown>) =>
    Logger.map(logger, (line) => see(name, typeof line === "string" ? line : JSON.stringify(line)))
  const console = new Proxy(globalThis.console, {
    get:
      (_, method) =>
      (...values: ReadonlyArray<unknown>) =>
        values.forEach((value) => see(`console.${String(method)}`, String(value)))
  })
  return Layer.mergeAll(
    Logger.layer(
      [
        lines("logfmt", Logger.formatLogFmt),
        lines("json", Logger.formatJson),
        lines("string", Logger.formatSimple),
        lines("structured", Logger.formatStructured),
        Logger.consolePretty({ mode: "tty", colors: false })
      ],
      { mergeWithExisting: true }
    ),
    Layer.succeed(Console, console),
    minimumLevel("All")
  )
}

/** Logs what has this level or a higher one. */
export const minimumLevel = (level: LogLevel | "Warning") =>
  Layer.succeed(MinimumLogLevel, level === "Warning" ? "Warn" : level)

/** All metrics of the process. */
export const metrics = () => Metric.snapshotUnsafe(Context.empty())

/** A metric, as it is at the moment. */
export interface Measured {
  readonly name: string
  /** In order; a label may repeat. */
  readonly labels: ReadonlyArray<readonly [key: string, value: string]>
  readonly count: number
  /** Of what is distributed, as durations are. */
  readonly sum: number | undefined
}

/** What the meter has measured. */
const metered = new Map<string, Measured>()

/** A meter of promises, of which `measured` tells, too. */
export const meter = meterTo(({ labels, name, value }) => {
  const key = JSON.stringify([name, labels])
  const { count = 0, sum = 0 } = metered.get(key) ?? {}
  metered.set(key, { name, labels: Object.entries(labels), count: count + 1, sum: sum + value })
})

/** The metrics of these packages. */
export const measured = (): ReadonlyArray<Measured> => [
  ...metered.values(),
  ...metrics().flatMap(({ attributes, id, state }) =>
    id.startsWith("catalog_")
      ? [
          {
            name: id,
            labels: Object.entries(attributes ?? {}),
            count: "count" in state ? Number(state.count) : 0,
            sum: "sum" in state ? state.sum : undefined
          }
        ]
      : []
  )
]

/** Adds labels to the metrics of an effect. */
export const labelled =
  (labels: Readonly<Record<string, string>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.updateService(effect, Metric.CurrentMetricAttributes, (attributes) => ({ ...attributes, ...labels }))

/** Counts the errors of an effect by their text, in a metric of the program's own. */
export const countingFailures = (name: string) =>
  Effect.trackErrors(Metric.mapInput(Metric.frequency(name), (error: unknown) => String(error)))

/** Lets Effect count the fibers of an effect in its own metrics. */
export const withRuntimeMetrics = Metric.enableRuntimeMetrics
