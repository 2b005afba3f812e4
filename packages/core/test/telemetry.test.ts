/**
 * What a program can observe of its calls: spans, metrics and log lines.
 */
import { Catalog, CatalogConfig, Resilience } from "@catalog-client/core"
import { HttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"
import { describe, expect, test, vi } from "vitest"
import { anonymous, faces, failure, json, promiseCatalog, recording, value } from "./support/faces.js"
import { anime } from "./support/stubService.js"
import { labelled, measured, meter, minimumLevel, recordingLogger, recordingTracer } from "./support/telemetry.js"
import { onlyEffect3 } from "./support/only.js"

describe("spans", () => {
  const spansOf = async (call: Effect.Effect<unknown, unknown>) => {
    const { spans, trace } = recordingTracer()
    await Effect.runPromiseExit(trace(call))
    return spans
  }
  const get = Catalog.anime.get({ id: 1 })

  test("with a tracer there is one for the operation and one for its exchange, but none from the transport", async () => {
    const { requests, layer } = recording(() => json(anime))
    const spans = await spansOf(Effect.provide(get, anonymous(layer)))
    expect(spans.map(({ name }) => name)).toEqual(["catalog.anime.get", "GET"])
    expect(requests[0]?.headers).not.toHaveProperty("traceparent")
  })

  test.each([
    [200, "https://x.example", 443],
    [404, "http://localhost", 80],
    [200, "http://localhost:81", 81],
    [200, "https://x.example:80", 80]
  ])("both have the status %i, and of %s the port %i", async (status, baseUrl, port) => {
    const { layer } = recording(() => json(anime, { status }))
    const spans = await spansOf(Effect.provide(get, [anonymous(layer), CatalogConfig.layer({ baseUrl })]))
    const attributes = spans.map(({ attributes }) =>
      ["http.response.status_code", "server.port"].map((key) => attributes.get(key))
    )
    expect(attributes).toEqual([
      [status, port],
      [status, port]
    ])
  })

  test("cost no stack trace", async () => {
    const { layer } = recording(() => json(anime))
    const limit = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit")
    const captured = vi.fn<(limit: number) => void>()
    const traced = Effect.provide(get, anonymous(layer))
    try {
      // Effect sets the limit around each capture.
      Object.defineProperty(Error, "stackTraceLimit", { configurable: true, get: () => 10, set: captured })
      expect(await spansOf(traced)).toHaveLength(2)
    } finally {
      Object.defineProperty(Error, "stackTraceLimit", limit ?? {})
    }
    expect(captured).not.toHaveBeenCalled()
  })

  test("a mistake of the program is in that of its call", async () => {
    const { layer } = recording(() => json(anime))
    const spans = await spansOf(Effect.provide(Catalog.anime.get({ id: NaN }), anonymous(layer)))
    expect(spans.map(({ name, attributes }) => [name, attributes.get("error.type")])).toEqual([
      ["catalog.anime.get", "Invalid"]
    ])
  })
})

test.each(faces)(
  "without a tracer, the service gets a span of its own if traces are propagated, on the %s face",
  async (_, face) => {
    const { requests, ...transport } = recording(() => json(anime))
    value(await face(transport, {})("anime.get", { id: 1 }))
    expect(Object.keys(requests[0]?.headers ?? {}).filter((name) => /^(traceparent|b3)$/.test(name))).toEqual([])
    value(await face(transport, { tracePropagation: true })("anime.get", { id: 1 }))
    expect(requests[1]?.headers["traceparent"]).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  }
)

test.each(faces)("the attempts of a call that nothing records have one trace, on the %s face", async (_, face) => {
  const { requests, ...transport } = recording(() => json({}, { status: requests.length < 2 ? 503 : 200 }))
  await face(transport, { tracePropagation: true, policies: [Resilience.retry({ baseDelay: 1 })] })("forum.boards")
  const [first, second] = requests.map(({ headers }) => headers["traceparent"]?.split("-") ?? [])
  expect(second?.[1]).toBe(first?.[1])
  expect(second?.[2]).not.toBe(first?.[2])
})

// In Effect 4, a metric has a label once.
onlyEffect3(test)("a program's own labels are added, and those of a metric win", async () => {
  const { layer } = recording(() => json(anime))
  const call = Catalog.anime.get({ id: 1 }).pipe(labelled({ operation: "nightly" }), Effect.provide(anonymous(layer)))
  await Effect.runPromise(Effect.zipRight(call, call))
  const nightly = measured().flatMap(({ name, labels, count }) =>
    name === "catalog_requests_total" && labels[0]?.[1] === "nightly" ? [[labels.map(([, value]) => value), count]] : []
  )
  expect(nightly).toEqual([[["nightly", "catalog.anime.get", "Success"], 2]])
})

/** Counts the calls of a domain from here on, by operation and outcome. */
const counting = (domain: string) => {
  const read = () => {
    const counts = new Map<string, number>()
    for (const { name, labels, count } of measured()) {
      if (name === "catalog_requests_total" && labels.length === 2) {
        const what = labels.map(([, value]) => value).join(" ")
        counts.set(what, (counts.get(what) ?? 0) + count)
      }
    }
    return counts
  }
  const before = read()
  return () => {
    const since = [...read()].map(([what, count]) => [what, count - (before.get(what) ?? 0)] as const)
    return Object.fromEntries(since.filter(([what, count]) => what.startsWith(`catalog.${domain}`) && count > 0))
  }
}

test("each call is counted once, by how it ended", async () => {
  const counted = counting("manga")
  const responses: Record<string, () => Response> = { "1": () => json(anime), "2": () => json({}, { status: 404 }) }
  const transport = recording(({ url }) => responses[url.pathname.at(-1) ?? ""]?.() ?? new Promise<Response>(() => {}))
  const catalog = promiseCatalog({ ...transport, meter })
  const get = (id: number, options = {}) => catalog.manga.get({ id }, options).catch((error: unknown) => error)
  await Promise.all([get(1), get(1), get(2), get(3, { timeout: 10 }), get(3, { totalTimeout: 10 })])
  await catalog.manga.search({ q: "" }).catch(() => {})
  const waiting = get(3)
  await catalog.close()
  await waiting
  expect(counted()).toEqual({
    "catalog.manga.get Success": 2,
    "catalog.manga.get 404": 1,
    "catalog.manga.get Timeout": 2,
    "catalog.manga.get Interrupted": 1,
    "catalog.manga.search EmptyKeyword": 1
  })
})

test.each(faces)(
  "a mistake of the program is counted as an invalid input or a defect, on the %s face",
  async (face, call) => {
    const { requests, ...transport } = recording(() => json(anime))
    const counted = counting("manga")
    for (const inputs of [
      [30230],
      [{ rankingType: "all" }, 5],
      [{ rankingType: {} }],
      [{ rankingType: "all" }, { timeout: -1 }],
      [{ rankingType: "all" }, { signal: {} }],
      [{ rankingType: "all" }, { policies: [Resilience.retry(), Resilience.retry()] }],
      [{ rankingType: "all" }, { policies: [Resilience.retry] }]
    ]) {
      expect(failure(await call({ ...transport, meter }, {})("manga.ranking", ...inputs)), face).toBeInstanceOf(
        TypeError
      )
    }
    expect(requests).toEqual([])
    expect(counted()).toEqual({ "catalog.manga.ranking Invalid": 3, "catalog.manga.ranking Defect": 4 })
  }
)

test("a handled error is not logged as unhandled", async () => {
  const { layer } = recording(() => json({}, { status: 404 }))
  const { texts, layer: logger } = recordingLogger()
  await Effect.runPromise(
    Effect.ignore(Catalog.anime.get({ id: 1 })).pipe(Effect.provide([anonymous(layer), logger, minimumLevel("All")]))
  )
  expect(texts).toEqual([expect.stringContaining("catalog.anime.get: GET")])
})

test("a client that propagates traces sends them only if the configuration does", async () => {
  const { requests, layer } = recording(() => json(anime))
  const { trace } = recordingTracer()
  const propagating = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, HttpClient.withTracerPropagation(true))
  )
  const get = Effect.provide(Catalog.anime.get({ id: 1 }), anonymous(Layer.provide(propagating, layer)))
  await Effect.runPromise(trace(get))
  await Effect.runPromise(trace(Effect.provide(get, CatalogConfig.layer({ tracePropagation: true }))))
  expect(requests.map(({ headers }) => "traceparent" in headers)).toEqual([false, true])
})
