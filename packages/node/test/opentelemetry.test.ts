/**
 * What OpenTelemetry gets to see of calls, over a real socket and with exporters that keep what they are given.
 */
// Not over the bundle: its policies and stores are Effects, made by those of core.
import { serve } from "catalog-client/testing"
import { Catalog, CatalogConfig, CatalogPolicy, Credentials, Resilience } from "@catalog-client/core"
import * as CatalogNode from "@catalog-client/node"
import { NodeSdk } from "@effect/opentelemetry"
import { HttpClient } from "@effect/platform"
import { SpanKind, SpanStatusCode } from "@opentelemetry/api"
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  type DataPoint,
  PeriodicExportingMetricReader
} from "@opentelemetry/sdk-metrics"
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base"
import { Effect, Layer } from "effect"
import { afterAll, beforeEach, expect, test } from "vitest"
import { labelled, minimumLevel, recordingLogger } from "../../core/test/support/telemetry.js"
import { made } from "../../core/test/support/faces.js"

const requests: Array<Record<string, string | undefined>> = []
const service = await serve({
  onRequest: ({ headers }) => {
    requests.push(headers)
  },
  faults: [
    { on: "anime.ranking", status: 503, times: 1 },
    { on: "manga.get", drop: "in-body" }
  ]
})
afterAll(() => service.close())

const origin = new URL(service.url)

const sdk = () => {
  const spans = new InMemorySpanExporter()
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: metrics })
  const layer = NodeSdk.layer(() => ({
    resource: { serviceName: "catalog" },
    spanProcessor: new SimpleSpanProcessor(spans),
    metricReader: reader
  }))
  return {
    layer,
    spans: () => spans.getFinishedSpans(),
    /** The points of a metric that have a label of the test. */
    points: async (name: string, test: string): Promise<ReadonlyArray<unknown>> => {
      await reader.forceFlush()
      const all = metrics
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap(({ metrics }) => metrics)
      const points: ReadonlyArray<DataPoint<unknown>> =
        all?.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? []
      return points.filter(({ attributes }) => attributes["test"] === test)
    }
  }
}

const client = Layer.mergeAll(
  CatalogNode.layer,
  Credentials.layer({ accessToken: "embedded-token", clientId: "embedded-client" }),
  CatalogConfig.layer({ baseUrl: service.url })
)

const shown = ({ name, kind, attributes, status, parentSpanContext }: ReadableSpan) => ({
  name,
  kind,
  attributes,
  failed: status.code === SpanStatusCode.ERROR,
  parent: parentSpanContext?.spanId
})

beforeEach(() => {
  requests.length = 0
})

test("a retried call has a span with one for each exchange, and no trace headers are sent", async () => {
  const { layer, spans } = sdk()
  const retrying = CatalogPolicy.layer(Resilience.retry({ baseDelay: 1, maxDelay: 1 }))
  const program = Effect.andThen(Catalog.anime.ranking({ rankingType: "all", limit: 1 }), Effect.sync(spans))
  const finished = await Effect.runPromise(Effect.provide(program, [client, retrying, layer]))
  const operation = finished.find(({ name }) => name === "catalog.anime.ranking")
  const attributes = {
    "catalog.operation": "catalog.anime.ranking",
    "http.request.method": "GET",
    "url.full": `${service.url}/anime/ranking?ranking_type=all&limit=1`,
    "server.address": "127.0.0.1",
    "server.port": Number(origin.port)
  }
  const refused = {
    ...attributes,
    "catalog.attempt": 1,
    "http.response.status_code": 503,
    "error.type": "503"
  }
  const answered = {
    ...attributes,
    "catalog.attempt": 2,
    "http.request.resend_count": 1,
    "http.response.status_code": 200
  }
  const parent = operation?.spanContext().spanId
  expect(finished.map(shown)).toEqual([
    { name: "GET", kind: SpanKind.CLIENT, failed: true, parent, attributes: refused },
    { name: "GET", kind: SpanKind.CLIENT, failed: false, parent, attributes: answered },
    {
      name: "catalog.anime.ranking",
      kind: SpanKind.INTERNAL,
      failed: false,
      parent: undefined,
      attributes: answered
    }
  ])
  expect(requests).toHaveLength(2)
  for (const headers of requests) {
    expect(Object.keys(headers)).not.toContain("traceparent")
    expect(Object.keys(headers)).not.toContain("b3")
  }
})

test("a failed call has its error type, and a call that was never sent has no address", async () => {
  const { layer, spans } = sdk()
  const program = Effect.gen(function* () {
    yield* Effect.ignore(Catalog.manga.get({ id: 2 }))
    yield* Effect.ignore(Catalog.anime.search({ q: " " }))
    return spans()
  })
  const finished = await Effect.runPromise(Effect.provide(program, [client, layer]))
  expect(finished.map(({ name, attributes }) => [name, attributes["error.type"], attributes["server.port"]])).toEqual([
    ["GET", "Transport", Number(origin.port)],
    ["catalog.manga.get", "Transport", Number(origin.port)],
    ["catalog.anime.search", "EmptyKeyword", undefined]
  ])
})

test("with propagation the service gets the exchange's span", async () => {
  const { layer, spans } = sdk()
  const propagating = Layer.provideMerge(CatalogConfig.layer({ tracePropagation: true }), client)
  const finished = await Effect.runPromise(
    Effect.provide(Effect.andThen(Catalog.anime.get({ id: 1 }), Effect.sync(spans)), [propagating, layer])
  )
  const exchange = finished.find(({ name }) => name === "GET")?.spanContext()
  expect(requests.map(({ traceparent }) => traceparent)).toEqual([`00-${exchange?.traceId}-${exchange?.spanId}-01`])
})

test("calls are counted by operation and outcome, and timed", async () => {
  const { layer, points } = sdk()
  const silent = HttpClient.make(() => Effect.never)
  const program = Effect.gen(function* () {
    yield* Effect.all(Array.from({ length: 3 }, () => Catalog.anime.get({ id: 1 })))
    yield* Effect.ignore(Catalog.anime.get({ id: 987_654_321 }))
    yield* Catalog.anime
      .get({ id: 1 }, { timeout: 1 })
      .pipe(Effect.provideService(HttpClient.HttpClient, silent), Effect.ignore)
    return yield* Effect.promise(() =>
      Promise.all([points("catalog_requests_total", "counted"), points("catalog_request_duration_seconds", "counted")])
    )
  })
  const [requests, durations] = await Effect.runPromise(
    program.pipe(labelled({ test: "counted" }), Effect.provide([client, layer]))
  )
  const counted = (outcome: string, value: number) =>
    expect.objectContaining({
      attributes: expect.objectContaining({ operation: "catalog.anime.get", outcome }),
      value
    })
  expect(requests).toEqual(expect.arrayContaining([counted("Success", 3), counted("404", 1), counted("Timeout", 1)]))
  expect(durations).toMatchObject([{ attributes: { operation: "catalog.anime.get" }, value: { count: 5 } }])
})

test("retries are counted, and the time that exchanges wait for the rate limit", async () => {
  const { layer, points } = sdk()
  let failures = 1
  const flaky = await serve({ faults: [{ on: () => failures-- > 0, status: 500 }] })
  const policies = CatalogPolicy.layer(
    Resilience.retry({ baseDelay: 1, maxDelay: 1 }),
    made(Resilience.rateLimit({ limit: 1, interval: 500 }))
  )
  const program = Effect.gen(function* () {
    yield* Catalog.anime.get({ id: 1 })
    return yield* Effect.promise(() =>
      Promise.all([points("catalog_retries_total", "retried"), points("catalog_rate_limit_wait_seconds", "retried")])
    )
  })
  const [retries, waits] = await Effect.runPromise(
    program.pipe(
      labelled({ test: "retried" }),
      CatalogConfig.with({ baseUrl: flaky.url }),
      Effect.provide([client, policies, layer])
    )
  )
  await flaky.close()
  const attributes = { operation: "catalog.anime.get" }
  expect(retries).toMatchObject([{ value: 1, attributes }])
  expect(waits).toMatchObject([{ value: { count: 2 }, attributes }])
  // The second exchange had to wait for its token.
  const [{ value }] = waits as [{ readonly value: { readonly sum: number } }]
  expect(value.sum).toBeGreaterThan(0.02)
})

test("an exchange is logged at the level debug, and at no higher one", async () => {
  const { lines, layer: logger } = recordingLogger()
  const call = Effect.zipRight(Catalog.anime.get({ id: 1 }), Effect.ignore(Catalog.anime.get({ id: 987_654_321 })))
  await Effect.runPromise(Effect.provide(call, [client, logger]))
  expect(lines).toEqual([])
  await Effect.runPromise(Effect.provide(call, [client, logger, minimumLevel("Debug")]))
  expect(lines.map(({ text, annotations }) => [text, annotations])).toEqual([
    [
      expect.stringMatching(/^catalog\.anime\.get: GET http:\S+\/anime\/1: 200 after \d{1,5} ms$/),
      { operation: "catalog.anime.get", attempt: 1, outcome: "Success" }
    ],
    [
      expect.stringMatching(/^catalog\.anime\.get: GET http:\S+\/anime\/987654321: 404 after \d{1,5} ms$/),
      { operation: "catalog.anime.get", attempt: 1, outcome: "404" }
    ]
  ])
})
