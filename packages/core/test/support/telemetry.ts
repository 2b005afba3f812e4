/**
 * Spans, logs and metrics. Tests record them through this module alone, so that another line of Effect changes one place.
 */
import {
  Cause,
  Console,
  Effect,
  Exit,
  Layer,
  Logger,
  LogLevel,
  Metric,
  RuntimeFlags,
  RuntimeFlagsPatch,
  Tracer
} from "effect"
import { meterTo, tracerTo } from "./openTelemetry.js"

/** A tracer that keeps its spans, in the order in which they began: `tracer` for promises, `layer` for Effects. */
export const recordingTracer = () => {
  const native = Effect.runSync(Effect.tracer)
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (...inputs) => {
      const span = native.span(...inputs)
      spans.push(span)
      return span
    },
    context: (run) => run()
  })
  return {
    spans,
    tracer: tracerTo(
      (span) => void spans.push(span as unknown as Tracer.Span),
      () => {}
    ),
    layer: Layer.setTracer(tracer),
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
    span: (name, parent, context, links, startTime, kind) => {
      const attributes = new Map<string, unknown>()
      const events: Array<unknown> = []
      return {
        _tag: "Span",
        spanId: (++spans).toString(16).padStart(16, "0"),
        traceId: "1".repeat(32),
        name,
        parent,
        context,
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
    },
    context: (run) => run()
  })
  return {
    tracer: tracerTo(
      () => {},
      ({ attributes, ...span }) => ended({ ...span, attributes: [...attributes] })
    ),
    layer: Layer.setTracer(tracer)
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
    const { annotations, logLevel, message } = entry
    const text = String(message)
    texts.push(text)
    lines.push({
      level: logLevel.label,
      text,
      annotations: Object.fromEntries(annotations),
      printed: Logger.stringLogger.log(entry)
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
    layer: Logger.replace(Logger.defaultLogger, logger),
    added: Logger.add(logger)
  }
}

/** Every logger of Effect and its console, at every level: what each of them prints goes to `see`. */
export const everyLogger = (see: (where: string, text: string) => void) => {
  const lines = (name: string, logger: Logger.Logger<unknown, unknown>) =>
    Logger.add(Logger.map(logger, (line) => see(name, typeof line === "string" ? line : JSON.stringify(line))))
  const print =
    (method: string) =>
    (...values: ReadonlyArray<unknown>) =>
      values.forEach((value) => see(`console.${method}`, String(value)))
  const methods = [
    "assert",
    "clear",
    "count",
    "countReset",
    "debug",
    "dir",
    "dirxml",
    "error",
    "group",
    "groupCollapsed"
  ].concat(["groupEnd", "info", "log", "table", "time", "timeEnd", "timeLog", "trace", "warn"])
  const unsafe = Object.fromEntries(
    methods.map((method) => [method, print(method)])
  ) as unknown as Console.UnsafeConsole
  const effects = methods.map((method) => [
    method,
    (...values: ReadonlyArray<unknown>) => Effect.sync(() => print(method)(...values))
  ])
  const console = {
    [Console.TypeId]: Console.TypeId,
    ...Object.fromEntries(effects),
    unsafe
  } as unknown as Console.Console
  return Layer.mergeAll(
    lines("logfmt", Logger.logfmtLogger),
    lines("json", Logger.jsonLogger),
    lines("string", Logger.stringLogger),
    lines("structured", Logger.structuredLogger),
    Logger.add(Logger.prettyLogger({ mode: "tty", colors: false })),
    Console.setConsole(console),
    minimumLevel("All")
  )
}

/** Logs what has this level or a higher one. */
export const minimumLevel = (level: LogLevel.LogLevel["_tag"]) => Logger.minimumLogLevel(LogLevel.fromLiteral(level))

/** All metrics of the process. */
export const metrics = () => Metric.unsafeSnapshot()

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
  ...metrics().flatMap(({ metricKey: { name, tags }, metricState }) =>
    name.startsWith("catalog_")
      ? [
          {
            name,
            labels: tags.map(({ key, value }) => [key, value] as const),
            count: "count" in metricState ? Number(metricState.count) : 0,
            sum: "sum" in metricState ? Number(metricState.sum) : undefined
          }
        ]
      : []
  )
]

/** Adds labels to the metrics of an effect. */
export const labelled =
  (labels: Readonly<Record<string, string>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.tagMetrics(effect, labels)

/** Counts the errors of an effect by their text, in a metric of the program's own. */
export const countingFailures = (name: string) => Metric.trackErrorWith(Metric.frequency(name), String)

/** Lets Effect count the fibers of an effect in its own metrics. */
export const withRuntimeMetrics = Effect.withRuntimeFlagsPatch(RuntimeFlagsPatch.enable(RuntimeFlags.RuntimeMetrics))
