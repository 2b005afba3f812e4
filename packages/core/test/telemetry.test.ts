/**
 * What a program can observe of its calls: spans, metrics and log lines.
 */
import { Catalog, CatalogConfig, Credentials, Resilience } from "@catalog-client/core"
import { HttpClient, type HttpClientRequest } from "@effect/platform"
import { Context, Effect, Layer, Option } from "effect"
import { describe, expect, test } from "vitest"
import { givenIn } from "./support/fibers.js"
import { faces, failure, json, recording, value } from "./support/faces.js"
import {
  labelled,
  measured,
  minimumLevel,
  recordingLogger,
  recordingTracer,
  traceId,
  withSpan
} from "./support/telemetry.js"

const anime = { id: 1, title: "One" }

describe("spans", () => {
  const traced = <A, E>(effect: Effect.Effect<A, E>) => {
    const { spans, trace } = recordingTracer()
    return Effect.map(trace(effect), () => spans.map(({ name }) => name))
  }

  test("with a tracer there is one for the operation and one for its exchange, but none from the transport", async () => {
    const { sent, layer } = recording(() => json(anime))
    const call = Effect.provide(Catalog.anime.get({ id: 1 }), Layer.merge(layer, Credentials.none))
    expect(await Effect.runPromise(traced(call))).toEqual(["catalog.anime.get", "GET"])
    expect(sent[0]?.headers).not.toHaveProperty("traceparent")
  })

  const attributes = async (layer: Layer.Layer<HttpClient.HttpClient>, key: string, baseUrl?: string) => {
    const { spans, trace } = recordingTracer()
    const call = Effect.provide(Effect.exit(Catalog.anime.get({ id: 1 })), [
      layer,
      Credentials.none,
      CatalogConfig.layer({ baseUrl })
    ])
    await Effect.runPromise(trace(call))
    return spans.map(({ attributes }) => attributes.get(key))
  }

  test.each([200, 404])("a status %i is in both, also over another client", async (status) => {
    const { layer } = recording(() => json(anime, { status }))
    expect(await attributes(layer, "http.response.status_code")).toEqual([status, status])
  })

  test.each([
    ["https://x.example", 443],
    ["http://localhost", 80],
    ["http://localhost:81", 81],
    ["https://x.example:80", 80]
  ])("the port of %s is %i in both", async (baseUrl, port) => {
    const { layer } = recording(() => json(anime))
    expect(await attributes(layer, "server.port", baseUrl)).toEqual([port, port])
  })

  test("with propagation, the service gets the exchange's own span", async () => {
    const { sent, layer } = recording(() => json(anime))
    const id = await Effect.runPromise(
      Effect.gen(function* () {
        yield* Catalog.anime.get({ id: 1 })
        return yield* traceId
      }).pipe(
        withSpan("outer"),
        Effect.provide(Layer.mergeAll(layer, Credentials.none, CatalogConfig.layer({ tracePropagation: true })))
      )
    )
    expect(sent[0]?.headers["traceparent"]).toMatch(new RegExp(`^00-${id}-[0-9a-f]{16}-01$`))
  })
})

test.each(faces)(
  "with propagation and no tracer, the service gets a span of its own, on the %s face",
  async (_, face) => {
    const { sent, layer } = recording(() => json(anime))
    value(await face(layer, { tracePropagation: true })("anime.get", { id: 1 }))
    expect(sent[0]?.headers["traceparent"]).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  }
)

test("a program's own labels are added, and those of a metric win", async () => {
  const { layer } = recording(() => json(anime))
  const call = Catalog.anime
    .get({ id: 1 })
    .pipe(labelled({ operation: "nightly" }), Effect.provide(Layer.merge(layer, Credentials.none)))
  await Effect.runPromise(Effect.zipRight(call, call))
  const nightly = measured().flatMap(({ name, labels, count }) =>
    name === "catalog_requests_total" && labels[0]?.[1] === "nightly" ? [[labels.map(([, value]) => value), count]] : []
  )
  expect(nightly).toEqual([[["nightly", "catalog.anime.get", "Success"], 2]])
})

test.each(faces)("a mistake of the program is counted as a defect, on the %s face", async (face, call) => {
  const { sent, layer } = recording(() => json(anime))
  const counted = () =>
    measured().flatMap(({ name, labels, count }) =>
      name === "catalog_requests_total" && labels.some(([, value]) => value === "catalog.manga.ranking")
        ? [[labels.find(([key]) => key === "outcome")?.[1], count] as const]
        : []
    )
  const before = new Map(counted())
  const mistakes: ReadonlyArray<ReadonlyArray<unknown>> = [
    [30230],
    [{ rankingType: "all" }, 5],
    [{ rankingType: {} }],
    [{ rankingType: "all" }, { timeout: -1 }],
    [{ rankingType: "all" }, { totalTimeout: "long" }],
    [{ rankingType: "all" }, { signal: {} }],
    [{ rankingType: "all" }, { policies: [Resilience.retry(), Resilience.retry()] }],
    [{ rankingType: "all" }, { policies: [Resilience.retry] }]
  ]
  for (const inputs of mistakes) {
    expect(failure(await call(layer, {})("manga.ranking", ...inputs)), face).toBeInstanceOf(TypeError)
  }
  expect(sent).toEqual([])
  const since = counted().map(([outcome, count]) => [outcome, count - (before.get(outcome) ?? 0)] as const)
  expect(since.filter(([, count]) => count > 0)).toEqual([["Defect", mistakes.length]])
})

test("a mistake of the program is in the span of its call", async () => {
  const { spans, trace } = recordingTracer()
  const { layer } = recording(() => json(anime))
  const call = Catalog.anime.get({ id: NaN }).pipe(Effect.provide(Layer.merge(layer, Credentials.none)))
  await Effect.runPromiseExit(trace(call))
  expect(spans.map(({ name, attributes }) => [name, attributes.get("error.type")])).toEqual([
    ["catalog.anime.get", "Defect"]
  ])
})

test("a handled error is not logged as unhandled", async () => {
  const { layer } = recording(() => json({}, { status: 404 }))
  const { texts, layer: logger } = recordingLogger()
  await Effect.runPromise(
    Effect.ignore(Catalog.anime.get({ id: 1 })).pipe(
      Effect.provide([Layer.merge(layer, Credentials.none), logger, minimumLevel("All")])
    )
  )
  expect(texts).toEqual([expect.stringContaining("catalog.anime.get: GET")])
})

describe("HttpClient.withTracerPropagation counts if the configuration does not set it", () => {
  type Change = (client: HttpClient.HttpClient) => HttpClient.HttpClient
  const on = HttpClient.withTracerPropagation(true)
  const off = HttpClient.withTracerPropagation(false)
  const same = HttpClient.mapRequest((request: HttpClientRequest.HttpClientRequest) => request)
  const copied: Change = (client) => ({ ...client, execute: (request) => client.execute(request) })

  describe.each(faces)("on the %s face", (_, face) => {
    test.each<[string, Change, boolean | undefined, boolean]>([
      ["a client as it is", (client) => client, undefined, false],
      ["a derived client", same, undefined, false],
      ["a client with it", on, undefined, true],
      ["a client without it", off, undefined, false],
      ["a client that is derived from one with it", (client) => same(on(client)), undefined, true],
      [
        "a client with it over one that tries again",
        (client) => on(HttpClient.retry(client, { times: 1 })),
        undefined,
        true
      ],
      ["a client for which it was said twice", (client) => on(off(client)), undefined, false],
      ["a copy of a client with it", (client) => copied(on(client)), undefined, true],
      ["a client with it, where the configuration says no", on, false, false],
      ["a client without it, where the configuration says yes", off, true, true]
    ])("%s", async (_, change, tracePropagation, has) => {
      const { sent, layer } = recording(() => json(anime))
      const { layer: tracing, spans } = recordingTracer()
      const transport = Layer.map(layer, (context) =>
        Context.make(HttpClient.HttpClient, change(Context.get(context, HttpClient.HttpClient)))
      )
      const call = face(Layer.merge(transport, tracing), { tracePropagation })
      value(await call("anime.get", { id: 1 }))
      const span = spans.find(({ name }) => name === "GET")
      const header = has ? `00-${span?.traceId}-${span?.spanId}-01` : undefined
      expect(span).toBeDefined()
      expect([sent[0]?.headers["traceparent"], "b3" in (sent[0]?.headers ?? {})]).toEqual([header, has])
    })
  })

  test("and only for the client that it wraps", async () => {
    const { sent, layer } = recording(() => json(anime))
    const { trace } = recordingTracer()
    const program = Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const get = Catalog.anime.get({ id: 1 })
      yield* Effect.provideService(get, HttpClient.HttpClient, on(client))
      yield* get
      // This leaves a value behind in the fiber, which the program has not set for the catalog.
      yield* off(client).get("https://x.example/")
      yield* get
      return yield* givenIn(HttpClient.currentTracerPropagation)
    })
    const traced = trace(Effect.provide(program, [layer, Credentials.none]))
    expect(await Effect.runPromise(traced)).toEqual(Option.some(true))
    expect(sent.map(({ headers }) => "traceparent" in headers)).toEqual([true, false, false, false])
  })
})
