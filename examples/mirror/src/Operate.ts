/**
 * What an operator looks at: health and metrics over HTTP, and the same with logs and traces for a collector. Loaded only if asked for.
 */
import * as Otlp from "@effect/opentelemetry/Otlp"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as MetricState from "effect/MetricState"
import { createServer } from "node:http"
import { paceOf } from "./Progress.js"
import { Held } from "./Run.js"
import { Store } from "./Store.js"

type Labels = Readonly<Record<string, string>>

const escape = (text: string): string => text.replace(/[\\"\n]/g, (each) => (each === "\n" ? "\\n" : `\\${each}`))

const sample = (name: string, labels: Labels, value: number | bigint): string => {
  const list = Object.entries(labels).map(([label, text]) => `${label.replace(/\W/g, "_")}="${escape(text)}"`)
  return `${name}${list.length === 0 ? "" : `{${list.join(",")}}`} ${value}`
}

/** The metrics of the client and the engine in Prometheus's text. Those of fibers change their meaning with each version of Effect. */
const snapshot = Effect.map(Metric.snapshot, (pairs) => {
  const families = new Map<string, Array<string>>()
  for (const { metricKey, metricState: state } of pairs) {
    const name = metricKey.name.replace(/\W/g, "_")
    if (name.startsWith("effect_fiber_")) {
      continue
    }
    const labels = Object.fromEntries(metricKey.tags.map(({ key, value }) => [key, value]))
    const [type, lines] = MetricState.isCounterState(state)
      ? ["counter", [sample(name, labels, state.count)]]
      : MetricState.isGaugeState(state)
        ? ["gauge", [sample(name, labels, state.value)]]
        : MetricState.isHistogramState(state)
          ? [
              "histogram",
              [
                ...state.buckets.map(([le, n]) =>
                  sample(`${name}_bucket`, { ...labels, le: le > 1e300 ? "+Inf" : `${le}` }, n)
                ),
                sample(`${name}_sum`, labels, state.sum),
                sample(`${name}_count`, labels, state.count)
              ]
            ]
          : ["untyped", []]
    families.set(name, [...(families.get(name) ?? [`# TYPE ${name} ${type}`]), ...lines])
  }
  return [...families.values()].flat()
})

/** The numbers of the run, the records and this process. */
const numbers = Effect.gen(function* () {
  const store = yield* Store
  const held = yield* Held
  const now = yield* Clock.currentTimeMillis
  const { broken, oldest } = yield* store.records
  const run = yield* store.progress()
  const { quota, rate } = run === undefined ? { quota: 1, rate: 0 } : paceOf(run, now)
  const isRunning = run?.phase === "lists" || run?.phase === "items"
  const gauges: ReadonlyArray<readonly [string, string, number | undefined]> = [
    ["items_done", "Items of the run that have an answer", run?.answered],
    ["items_left", "Items of the run that have none", run && run.planned - run.answered],
    ["items_broken", "Items whose last request had no usable response", broken],
    ["quota_used_ratio", "Answers of the last minute, as a share of the quota", isRunning ? rate / quota : 0],
    [
      "oldest_item_age_seconds",
      "Since the oldest record was read",
      oldest === null ? undefined : (now - oldest) / 1000
    ],
    ["shares_held", "Shares that this process has", held.size],
    ["run_stopped", "1 if the run has stopped: resume it", run?.phase === "stopped" ? 1 : 0],
    ["run_finished_timestamp_seconds", "When the last run ended", run?.finishedAt ? run.finishedAt / 1000 : undefined]
  ]
  return gauges.flatMap(([name, help, value]) =>
    value === undefined
      ? []
      : [
          `# HELP catalog_mirror_${name} ${help}`,
          `# TYPE catalog_mirror_${name} gauge`,
          sample(`catalog_mirror_${name}`, {}, value)
        ]
  )
})

/** The database has to have spoken within this time: milliseconds. */
const patience = 10_000

const health = Effect.map(
  Effect.flatMap(Store, (store) => store.seen),
  ({ ago, run }) => {
    const wrong =
      ago > patience
        ? `the database has not answered for ${Math.round(ago / 1000)} s`
        : run?.state === "stopped"
          ? `the run stopped: ${run.reason}`
          : undefined
    return HttpServerResponse.text(`${wrong ?? "ok"}\n`, { status: wrong === undefined ? 200 : 503 })
  }
)

const metrics = Effect.zipWith(numbers, snapshot, (ours, all) =>
  HttpServerResponse.text(`${[...ours, ...all].join("\n")}\n`, { contentType: "text/plain; version=0.0.4" })
).pipe(
  Effect.timeout("5 seconds"),
  Effect.catchAll((error) => Effect.succeed(HttpServerResponse.text(`${error.message}\n`, { status: 503 })))
)

/** Serves `/health` and `/metrics`. */
export const serve = (address: { readonly host: string; readonly port: number }) =>
  HttpRouter.empty.pipe(
    HttpRouter.get("/health", health),
    HttpRouter.get("/metrics", metrics),
    HttpServer.serve(),
    Layer.provide(NodeHttpServer.layer(createServer, address)),
    Layer.build,
    Effect.asVoid
  )

/** Sends logs, metrics and traces to a collector. */
export const collector = (baseUrl: string) =>
  Otlp.layerJson({ baseUrl, resource: { serviceName: "catalog-mirror" } }).pipe(Layer.provide(FetchHttpClient.layer))
