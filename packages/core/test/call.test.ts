/**
 * What ends a call before its response, and what stands around its exchange.
 */
import {
  Catalog,
  CatalogConfig,
  CatalogPolicy,
  ClientNetworkError,
  createCatalog,
  Credentials,
  Resilience,
  Transport
} from "@catalog-client/core"
import type { CatalogCall, CredentialSlot, Policy } from "@catalog-client/core"
import { FetchHttpClient, HttpClient, type HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { it } from "@effect/vitest"
import {
  Cause,
  Context,
  Deferred,
  Effect,
  Equal,
  Exit,
  Fiber,
  FiberRef,
  FiberRefs,
  Layer,
  Logger,
  LogLevel,
  Metric,
  Option,
  Redacted,
  Stream,
  TestClock
} from "effect"
import { describe, expect, test } from "vitest"
import { faces, failure, json, recording, value } from "./support/faces.js"
import { recordingTracer } from "./support/spans.js"

const anime = { id: 1, title: "One" }

/** A transport whose answer takes `headersAfter` ms to begin and `bodyAfter` ms more to end, and that knows how requests ended. */
const slow = (headersAfter: number, bodyAfter: number) => {
  const ends: Array<"answered" | "interrupted"> = []
  const track = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.onExit(effect, (exit) => Effect.sync(() => ends.push(Exit.isInterrupted(exit) ? "interrupted" : "answered")))
  const layer = Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.makeWith(
      (request: Effect.Effect<HttpClientRequest.HttpClientRequest>) =>
        Effect.flatMap(request, (request) =>
          track(
            Effect.as(
              Effect.sleep(headersAfter),
              Object.create(HttpClientResponse.fromWeb(request, json(anime)), {
                stream: {
                  value: Stream.fromEffect(
                    track(Effect.as(Effect.sleep(bodyAfter), new TextEncoder().encode(JSON.stringify(anime))))
                  )
                }
              }) as HttpClientResponse.HttpClientResponse
            )
          )
        ),
      Effect.succeed
    )
  )
  return { ends, layer: Layer.merge(layer, Credentials.none) }
}

describe("timeout", () => {
  const outcome = (options: { readonly timeout?: number }, headersAfter: number, bodyAfter: number, wait: number) => {
    const { ends, layer } = slow(headersAfter, bodyAfter)
    return Effect.gen(function* () {
      const fiber = yield* Effect.fork(Effect.provide(Effect.exit(Catalog.anime.get({ id: 1 }, options)), layer))
      yield* TestClock.adjust(wait - 1)
      const before = yield* Fiber.poll(fiber)
      yield* TestClock.adjust(1)
      const after = yield* Fiber.poll(fiber)
      return { before, after: Option.map(after, Exit.flatten), ends }
    })
  }

  it.effect("ends a call that gets no headers, to the millisecond", () =>
    Effect.gen(function* () {
      const { before, after, ends } = yield* outcome({ timeout: 50 }, 1000, 0, 50)
      expect(before).toEqual(Option.none())
      const error = Option.getOrThrow(after).pipe(Exit.causeOption, Option.getOrThrow, Cause.squash)
      expect(error).toBeInstanceOf(ClientNetworkError)
      expect(error).toMatchObject({ reason: "Timeout", timeoutMs: 50, operation: "catalog.anime.get", attempts: 1 })
      expect(ends).toEqual(["interrupted"])
    })
  )

  it.effect("ends a call whose body does not come", () =>
    Effect.gen(function* () {
      const { before, after, ends } = yield* outcome({ timeout: 50 }, 40, 1000, 50)
      expect(before).toEqual(Option.none())
      expect(Option.getOrThrow(after)).toMatchObject({ cause: { error: { reason: "Timeout" } } })
      expect(ends).toEqual(["answered", "interrupted"])
    })
  )

  it.effect("is 30 seconds unless somebody says otherwise", () =>
    Effect.gen(function* () {
      const { before, after } = yield* outcome({}, Infinity, 0, 30_000)
      expect(before).toEqual(Option.none())
      expect(Option.getOrThrow(after)).toMatchObject({ cause: { error: { timeoutMs: 30_000 } } })
    })
  )

  it.effect("has a default in the configuration, which a call overrides", () =>
    Effect.gen(function* () {
      const { before, after } = yield* CatalogConfig.with({ defaults: { timeout: 10 } })(outcome({}, 1000, 0, 10))
      expect(before).toEqual(Option.none())
      expect(Option.isSome(after)).toBe(true)
      const overridden = yield* CatalogConfig.with({ defaults: { timeout: 10 } })(outcome({ timeout: 20 }, 1000, 0, 20))
      expect(overridden.before).toEqual(Option.none())
      expect(Option.isSome(overridden.after)).toBe(true)
    })
  )

  it.effect.each([0, Infinity])("of %d means no end", (timeout) =>
    Effect.gen(function* () {
      const { before, after } = yield* outcome({ timeout }, 1_000_000_000, 1_000_000_000, 2_000_000_000)
      expect(before).toEqual(Option.none())
      expect(Option.getOrThrow(after)).toEqual(Exit.succeed(anime))
    })
  )

  it.effect("beyond 2^31 ms does not fire early, nor late", () =>
    Effect.gen(function* () {
      const { before, after } = yield* outcome({ timeout: 2 ** 33 }, 2 ** 40, 0, 2 ** 33)
      expect(before).toEqual(Option.none())
      expect(Option.getOrThrow(after)).toMatchObject({ cause: { error: { reason: "Timeout" } } })
    })
  )

  test("beyond 2^31 ms does not fire early on the live clock", async () => {
    const { layer } = slow(30, 30)
    const call = Catalog.anime.get({ id: 1 }, { timeout: 2 ** 31 + 5 })
    expect(await Effect.runPromise(Effect.provide(call, layer))).toEqual(anime)
  })

  test("fires on the live clock, also where interruption is off", async () => {
    const { ends, layer } = slow(60_000, 0)
    const call = Effect.uninterruptible(Catalog.anime.get({ id: 1 }, { timeout: 20 }))
    const error = await Effect.runPromise(Effect.flip(Effect.provide(call, layer)))
    expect(error).toMatchObject({ reason: "Timeout", timeoutMs: 20 })
    expect(ends).toEqual(["interrupted"])
  })
})

describe.each(faces)("signal, on the %s face", (_, face) => {
  test("an aborted one means that nothing is sent", async () => {
    const { sent, layer } = recording(() => json(anime))
    const signal = AbortSignal.abort(new RangeError("enough"))
    for (const call of [
      () => face(layer, {})("anime.get", { id: 1 }, { signal }),
      () => face(layer, { signal })("anime.get", { id: 1 })
    ]) {
      expect(failure(await call())).toMatchObject({
        _tag: "ClientNetworkError",
        reason: "Cancelled",
        cause: { name: "RangeError", message: "enough" }
      })
    }
    expect(sent).toEqual([])
  })

  test.each([
    [undefined, { name: "AbortError", message: "This operation was aborted" }],
    ["a text", { name: "Error", message: "a text" }]
  ])("aborting with %j ends the request at once", async (reason, cause) => {
    const { ends, layer } = slow(60_000, 0)
    const controller = new AbortController()
    const outcome = face(layer, {})("anime.get", { id: 1 }, { signal: controller.signal })
    setTimeout(() => controller.abort(reason), 20)
    expect(failure(await outcome)).toMatchObject({ reason: "Cancelled", method: "GET", cause })
    expect(ends).toEqual(["interrupted"])
  })

  test("a listener is taken off whatever the end is", async () => {
    const controller = new AbortController()
    const listeners = new Set<unknown>()
    const { signal } = controller
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners.add(args[1])
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners.delete(args[1])
      remove(...args)
    }
    let answers = 0
    const { layer } = recording(() => {
      expect(listeners.size).toBe(1)
      return json(anime, { status: answers++ === 0 ? 200 : 500 })
    })
    const call = face(layer, {})
    value(await call("anime.get", { id: 1 }, { signal }))
    expect(listeners.size).toBe(0)
    failure(await call("anime.get", { id: 1 }, { signal }))
    expect(listeners.size).toBe(0)
    expect(answers).toBe(2)
  })

  test("aborting while the request begins ends it, too", async () => {
    const controller = new AbortController()
    const { layer } = recording(() => {
      controller.abort(new Error("at once"))
      return new Promise<Response>(() => {})
    })
    const outcome = await face(layer, { timeout: 1000 })("anime.get", { id: 1 }, { signal: controller.signal })
    expect(failure(outcome)).toMatchObject({ reason: "Cancelled", cause: { message: "at once" } })
  })

  test("a signal of the call replaces the default", async () => {
    const { layer } = recording(() => json(anime))
    const { signal } = new AbortController()
    value(await face(layer, { signal: AbortSignal.abort() })("anime.get", { id: 1 }, { signal }))
  })
})

test("rules come before a signal, and before anything else", async () => {
  const { layer } = recording(() => json(anime))
  const error = await Effect.runPromise(
    Effect.flip(Catalog.anime.search({ q: "" }, { signal: AbortSignal.abort() })).pipe(
      Effect.provide(Layer.merge(layer, Credentials.none))
    )
  )
  expect(error._tag).toBe("ClientValidationError")
})

describe("interruption", () => {
  it.effect("aborts the request and stays an interruption", () =>
    Effect.gen(function* () {
      const { ends, layer } = slow(1000, 0)
      for (const options of [{}, { timeout: 0 }, { signal: new AbortController().signal }]) {
        const fiber = yield* Effect.fork(Effect.provide(Catalog.anime.get({ id: 1 }, options), layer))
        yield* TestClock.adjust(1)
        const exit = yield* Fiber.interrupt(fiber)
        expect(Exit.isInterrupted(exit)).toBe(true)
      }
      expect(ends).toEqual(["interrupted", "interrupted", "interrupted"])
    })
  )
})

describe("CatalogPolicy", () => {
  const layers = (layer: Layer.Layer<HttpClient.HttpClient>) =>
    Layer.merge(layer, Credentials.layer({ accessToken: "t", clientId: "c" }))

  test("stands around the exchange: it sees the call and can repeat, replace and fail", async () => {
    let answers = 0
    const { sent, layer } = recording(() => new Response(answers++ === 0 ? '{"id":' : JSON.stringify(anime)))
    const calls: Array<CatalogCall> = []
    const policy = CatalogPolicy.layer((call, attempt) => {
      calls.push(call)
      return Effect.retry(attempt, { times: 1 })
    })
    const got = await Effect.runPromise(
      Effect.provide(
        Catalog.anime.get({ id: 1 }, { fields: "mean", timeout: 7000, maxResponseBytes: 8000 }),
        Layer.merge(layers(layer), policy)
      )
    )
    expect(got).toEqual(anime)
    expect(sent).toHaveLength(2)
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatchObject({
      operation: "catalog.anime.get",
      method: "GET",
      url: "https://api.myanimelist.net/v2/anime/1?fields=mean",
      params: { id: 1 },
      timeout: 7000,
      maxResponseBytes: 8000,
      idempotent: true,
      cacheable: true
    })
    expect(Equal.equals(calls[0]?.credentials.accessToken, Option.some(Redacted.make("t")))).toBe(true)
    expect(JSON.stringify(calls[0])).not.toContain('"t"')
  })

  test("comes after the rules and the credentials", async () => {
    let asked = 0
    const policy = CatalogPolicy.layer((_, attempt) => {
      asked++
      return attempt
    })
    const { layer } = recording(() => json(anime))
    const provide = Effect.provide(Layer.mergeAll(layer, Credentials.none, policy))
    await Effect.runPromise(provide(Effect.flip(Catalog.anime.search({ q: " " }))))
    await Effect.runPromise(provide(Effect.flip(Catalog.user.me())))
    expect(asked).toBe(0)
    await Effect.runPromise(provide(Catalog.anime.get({ id: 1 })))
    expect(asked).toBe(1)
  })

  it.effect("has the timeout inside it: each attempt has its own", () =>
    Effect.gen(function* () {
      const { ends, layer } = slow(1000, 0)
      const policy = CatalogPolicy.layer((_, attempt) => Effect.retry(attempt, { times: 2 }))
      const fiber = yield* Effect.fork(
        Effect.provide(Effect.flip(Catalog.anime.get({ id: 1 }, { timeout: 10 })), Layer.merge(layer, policy))
      )
      yield* TestClock.adjust(29)
      expect(yield* Fiber.poll(fiber)).toEqual(Option.none())
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(fiber)).toMatchObject({ reason: "Timeout", timeoutMs: 10 })
      expect(ends).toHaveLength(3)
    })
  )

  test("has the signal around it: a policy that waits is ended too", async () => {
    const { layer } = recording(() => json(anime))
    const controller = new AbortController()
    const policy = CatalogPolicy.layer(() => Effect.never)
    setTimeout(() => controller.abort(), 10)
    const error = await Effect.runPromise(
      Effect.flip(Catalog.anime.get({ id: 1 }, { signal: controller.signal })).pipe(
        Effect.provide(Layer.mergeAll(layer, Credentials.none, policy))
      )
    )
    expect(error).toMatchObject({ reason: "Cancelled" })
  })
})

describe("spans", () => {
  const traced = <A, E>(effect: Effect.Effect<A, E>) => {
    const { spans, tracer } = recordingTracer()
    return Effect.map(Effect.withTracer(effect, tracer), () => spans.map(({ name }) => name))
  }

  test("there is one for the operation and one for its exchange where somebody listens, and none of the transport's", async () => {
    const { sent, layer } = recording(() => json(anime))
    const call = Effect.provide(Catalog.anime.get({ id: 1 }), Layer.merge(layer, Credentials.none))
    expect(await Effect.runPromise(traced(call))).toEqual(["catalog.anime.get", "GET"])
    expect(sent[0]?.headers).not.toHaveProperty("traceparent")
  })

  const attributes = async (layer: Layer.Layer<HttpClient.HttpClient>, key: string, baseUrl?: string) => {
    const { spans, tracer } = recordingTracer()
    const call = Effect.provide(Effect.exit(Catalog.anime.get({ id: 1 })), [
      layer,
      Credentials.none,
      CatalogConfig.layer({ baseUrl })
    ])
    await Effect.runPromise(Effect.withTracer(call, tracer))
    return spans.map(({ attributes }) => attributes.get(key))
  }

  test.each([200, 404])("a status %i is in both, also over a client that somebody brings", async (status) => {
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

  test("with propagation, the exchange's own span is what the service hears of", async () => {
    const { sent, layer } = recording(() => json(anime))
    const id = await Effect.runPromise(
      Effect.gen(function* () {
        yield* Catalog.anime.get({ id: 1 })
        return (yield* Effect.currentSpan).traceId
      }).pipe(
        Effect.withSpan("outer"),
        Effect.provide(Layer.mergeAll(layer, Credentials.none, CatalogConfig.layer({ tracePropagation: true })))
      )
    )
    expect(sent[0]?.headers["traceparent"]).toMatch(new RegExp(`^00-${id}-[0-9a-f]{16}-01$`))
  })
})

describe("HttpClient.withTracerPropagation counts where the configuration says nothing", () => {
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
      const { spans, tracer } = recordingTracer()
      const transport = Layer.map(layer, (context) =>
        Context.make(HttpClient.HttpClient, change(Context.get(context, HttpClient.HttpClient)))
      )
      const call = face(Layer.merge(transport, Layer.setTracer(tracer)), { tracePropagation })
      value(await call("anime.get", { id: 1 }))
      const span = spans.find(({ name }) => name === "GET")
      const header = has ? `00-${span?.traceId}-${span?.spanId}-01` : undefined
      expect(span).toBeDefined()
      expect([sent[0]?.headers["traceparent"], "b3" in (sent[0]?.headers ?? {})]).toEqual([header, has])
    })
  })

  test("and only for the client that it was said of", async () => {
    const { sent, layer } = recording(() => json(anime))
    const { tracer } = recordingTracer()
    const program = Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const get = Catalog.anime.get({ id: 1 })
      yield* Effect.provideService(get, HttpClient.HttpClient, on(client))
      yield* get
      // This leaves a value behind in the fiber, which the program has not set for the catalog.
      yield* off(client).get("https://x.example/")
      yield* get
      return FiberRefs.get(yield* Effect.getFiberRefs, HttpClient.currentTracerPropagation)
    })
    const traced = Effect.withTracer(Effect.provide(program, [layer, Credentials.none]), tracer)
    expect(await Effect.runPromise(traced)).toEqual(Option.some(true))
    expect(sent.map(({ headers }) => "traceparent" in headers)).toEqual([true, false, false, false])
  })
})

test("a program's own labels stand before those of a metric, which count where both have a name", async () => {
  const { layer } = recording(() => json(anime))
  const call = Catalog.anime
    .get({ id: 1 })
    .pipe(Effect.tagMetrics("operation", "nightly"), Effect.provide(Layer.merge(layer, Credentials.none)))
  await Effect.runPromise(Effect.zipRight(call, call))
  const labelled = Metric.unsafeSnapshot().flatMap(({ metricKey: { name, tags }, metricState }) =>
    name === "catalog_requests_total" && tags[0]?.value === "nightly"
      ? [[tags.map(({ value }) => value), metricState]]
      : []
  )
  expect(labelled).toMatchObject([[["nightly", "catalog.anime.get", "Success"], { count: 2 }]])
})

test.each(faces)("a mistake of the program is counted as a defect, on the %s face", async (face, call) => {
  const { sent, layer } = recording(() => json(anime))
  const counted = () =>
    Metric.unsafeSnapshot()
      .filter(({ metricKey: { name } }) => name === "catalog_requests_total")
      .flatMap(({ metricKey: { tags }, metricState }) =>
        tags.some(({ value }) => value === "catalog.manga.ranking") && "count" in metricState
          ? [[tags.find(({ key }) => key === "outcome")?.value, Number(metricState.count)] as const]
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
  const { spans, tracer } = recordingTracer()
  const { layer } = recording(() => json(anime))
  const call = Catalog.anime.get({ id: NaN }).pipe(Effect.provide(Layer.merge(layer, Credentials.none)))
  await Effect.runPromiseExit(Effect.withTracer(call, tracer))
  expect(spans.map(({ name, attributes }) => [name, attributes.get("error.type")])).toEqual([
    ["catalog.anime.get", "Defect"]
  ])
})

test("a client that was made to fail on a status has answered all the same", async () => {
  const { layer } = recording(() => json({ error: "not_found" }, { status: 404 }))
  const strict = Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, HttpClient.filterStatusOk))
  const error = await Effect.runPromise(
    Effect.flip(Catalog.anime.get({ id: 1 })).pipe(
      Effect.provide(Layer.merge(Layer.provide(strict, layer), Credentials.none))
    )
  )
  expect(error).toMatchObject({ _tag: "ClientRestError", status: 404, code: "not_found" })
})

test.each(faces)("a mistake that a client dies of is no failure of the transport, on the %s face", async (_, face) => {
  const mistake = new RangeError("a mistake")
  const layer = Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make(() => Effect.die(mistake))
  )
  expect(failure(await face(layer, {})("anime.get", { id: 1 }))).toBe(mistake)
})

test("a client that can only execute, as somebody writes one by hand, is a client", async () => {
  const { sent, layer } = recording(() => json(anime))
  const onlyExecute = Effect.map(HttpClient.HttpClient, ({ execute }): HttpClient.HttpClient =>
    Object.assign(Object.create(Object.getPrototypeOf(HttpClient.make(() => Effect.never))), { execute })
  )
  const byHand = Layer.provide(Layer.effect(HttpClient.HttpClient, onlyExecute), layer)
  const get = Effect.provide(Catalog.anime.get({ id: 1 }), Layer.merge(byHand, Credentials.none))
  expect(await Effect.runPromise(get)).toEqual(anime)
  expect(sent).toHaveLength(1)
})

test("an operation is a value: the same one can be run again", async () => {
  const { sent, layer } = recording(() => json(anime))
  const gate = await Effect.runPromise(Deferred.make<void>())
  const call = Effect.zipRight(Deferred.succeed(gate, undefined), Catalog.anime.get({ id: 1 }))
  await Effect.runPromise(Effect.provide(Effect.zipRight(call, call), Layer.merge(layer, Credentials.none)))
  expect(sent).toHaveLength(2)
})

describe("what is around a call stays as it was", () => {
  const layers = (layer: Layer.Layer<HttpClient.HttpClient>) => Layer.merge(layer, Credentials.none)
  const derived = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) => HttpClient.mapRequest(client, (request) => request))
  )

  test.each([
    ["the platform's", FetchHttpClient.layer],
    ["our", Transport.layerFetch],
    ["a derived", Layer.provide(derived, FetchHttpClient.layer)],
    ["a client derived from our", Layer.provide(derived, Transport.layerFetch)]
  ])("what somebody has said of their fetch is kept by %s client, wherever it was said", async (_, client) => {
    const said: Array<RequestInit> = []
    const fetch = Layer.succeed(FetchHttpClient.Fetch, (_: unknown, init?: RequestInit) => {
      said.push(init ?? {})
      return Promise.resolve(json(anime))
    })
    const init = { credentials: "include", redirect: "follow" } as const
    const inLayer = Layer.provide(client, [fetch, Layer.succeed(FetchHttpClient.RequestInit, init)])
    const get = Catalog.anime.get({ id: 1 })
    await Effect.runPromise(Effect.provide(get, layers(inLayer)))
    await Effect.runPromise(
      get.pipe(
        Effect.provideService(FetchHttpClient.RequestInit, { credentials: "omit" }),
        Effect.provide(layers(Layer.provide(client, fetch)))
      )
    )
    expect(said.map(({ credentials, redirect }) => [credentials, redirect])).toEqual([
      ["include", "manual"],
      ["omit", "manual"]
    ])
  })

  test("nothing of it is left in the context of the caller", async () => {
    const { layer } = recording(() => json(anime))
    const after = Effect.zipRight(
      Catalog.anime.get({ id: 1 }, { timeout: 0 }),
      Effect.map(Effect.context<never>(), Context.getOption(FetchHttpClient.RequestInit))
    )
    expect(await Effect.runPromise(Effect.provide(after, layers(layer)))).toEqual(Option.none())
  })

  test("an error that is handled is no unhandled one in the log", async () => {
    const { layer } = recording(() => json({}, { status: 404 }))
    const logged: Array<unknown> = []
    const logger = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ message }) => logged.push(message))
    )
    await Effect.runPromise(
      Effect.ignore(Catalog.anime.get({ id: 1 })).pipe(
        Logger.withMinimumLogLevel(LogLevel.All),
        Effect.provide(Layer.merge(layers(layer), logger))
      )
    )
    expect(logged).toEqual([[expect.stringContaining("catalog.anime.get: GET")]])
  })

  test("a FiberRef that a transport or a slot changes is changed for the caller", async () => {
    const seen = FiberRef.unsafeMake(0)
    const { layer } = recording(() => json(anime))
    const counting = Layer.effect(
      HttpClient.HttpClient,
      Effect.map(
        HttpClient.HttpClient,
        HttpClient.tapRequest(() => FiberRef.update(seen, (n) => n + 1))
      )
    )
    const { signal } = new AbortController()
    const program = Effect.zipRight(Catalog.anime.get({ id: 1 }, { signal }), FiberRef.get(seen))
    expect(await Effect.runPromise(Effect.provide(program, layers(Layer.provide(counting, layer))))).toBe(1)
  })

  test("many calls may share one signal", async () => {
    const { layer } = recording(() => json(anime))
    const controller = new AbortController()
    let listeners = 0
    const add = controller.signal.addEventListener.bind(controller.signal)
    controller.signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++
      add(...args)
    }
    const calls = Effect.forEach(
      Array.from({ length: 50 }),
      () => Effect.either(Catalog.anime.get({ id: 1 }, { signal: controller.signal })),
      { concurrency: "unbounded" }
    )
    await Effect.runPromise(Effect.provide(calls, layers(layer)))
    expect(listeners).toBeLessThan(11)
    const stuck = recording(() => new Promise<Response>(() => {}))
    const outcomes = Effect.runPromise(Effect.provide(calls, layers(stuck.layer)))
    setTimeout(() => controller.abort(), 20)
    expect((await outcomes).map((outcome) => outcome._tag)).toEqual(Array.from({ length: 50 }, () => "Left"))
  })

  test("a reason whose members throw is a reason all the same", async () => {
    const { layer } = recording(() => new Promise<Response>(() => {}))
    const controller = new AbortController()
    const reason = new Error("outer", { cause: new Error("inner") })
    const broken = Object.defineProperty({}, "message", {
      get() {
        throw new Error("no")
      }
    })
    for (const [given, message] of [
      [reason, "outer"],
      [broken, ""]
    ] as const) {
      const own = new AbortController()
      setTimeout(() => own.abort(given), 5)
      const call = Effect.flip(Catalog.anime.get({ id: 1 }, { signal: own.signal }))
      expect(await Effect.runPromise(Effect.provide(call, layers(layer)))).toMatchObject({ cause: { message } })
    }
    controller.abort()
  })

  test("inputs that change later do not change the operation", async () => {
    const { sent, layer } = recording(() => json(anime))
    const params = { id: 1 }
    const options = { fields: "mean" }
    const call = Catalog.anime.get(params, options)
    params.id = 2
    options.fields = "rank"
    await Effect.runPromise(Effect.provide(call, layers(layer)))
    expect(sent[0]?.url.pathname + String(sent[0]?.url.search)).toBe("/v2/anime/1?fields=mean")
  })

  test("nor do arrays in them", async () => {
    const { sent, layer } = recording(() => json({ ...anime, status: "watching" }))
    const fields = ["mean"]
    const tags = ["one"]
    const asked: Array<string> = []
    const policies: Array<Policy> = [
      (call, attempt) => {
        asked.push(call.operation)
        return attempt
      }
    ]
    const get = Catalog.anime.get({ id: 1 }, { fields, policies })
    const write = Catalog.anime.updateMyListStatus({ id: 1, tags })
    fields.push("rank")
    tags[0] = "two"
    policies.length = 0
    await Effect.runPromise(
      Effect.provide(Effect.zipRight(get, write), [layer, Credentials.layer({ accessToken: "t" })])
    )
    expect(sent[0]?.url.searchParams.get("fields")).toBe("mean")
    expect(sent[1]?.body).toBe("tags=one")
    expect(asked).toEqual(["catalog.anime.get"])
  })

  test("inputs may be instances of a class, whose accessors count", async () => {
    class Query {
      readonly #word: string
      constructor(word: string) {
        this.#word = word
      }
      get q() {
        return this.#word
      }
      get limit() {
        return 7
      }
    }
    class Patient {
      get timeout() {
        return 0
      }
      get fields() {
        return ["mean"]
      }
    }
    class Cancelled extends Patient {
      get signal() {
        return AbortSignal.abort("long ago")
      }
    }
    const { sent, layer } = recording(() => json({ data: [] }))
    await using catalog = createCatalog({ transport: layer })
    const { search } = catalog.anime
    await search(new Query("x"), new Patient())
    await Effect.runPromise(Effect.provide(Catalog.anime.search(new Query("x"), new Patient()), layers(layer)))
    await search.collect(
      new Query("x"),
      Object.create(new Patient(), { max: { value: 3, enumerable: true } }) as { readonly max: number }
    )
    const query = { q: "x", limit: "7", fields: "mean" }
    expect(sent.map(({ url }) => Object.fromEntries(url.searchParams))).toEqual([query, query, query])
    await expect(search(new Query("x"), new Cancelled())).rejects.toMatchObject({
      reason: "Cancelled",
      cause: { message: "long ago" }
    })
    await expect(search(new Query(" "))).rejects.toMatchObject({ _tag: "ClientValidationError" })
    expect(sent).toHaveLength(3)
  })

  test("an operation has its name", () => {
    expect(Catalog.anime.get.name).toBe("catalog.anime.get")
  })
})

describe("credentials that take their time", () => {
  const never = Credentials.layerEffect({ accessToken: Effect.never })

  test("end with the signal, and with an interruption", async () => {
    const { sent, layer } = recording(() => json(anime))
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 10)
    const call = (options: object) => Effect.provide(Catalog.anime.get({ id: 1 }, options), Layer.merge(layer, never))
    expect(await Effect.runPromise(Effect.flip(call({ signal: controller.signal })))).toMatchObject({
      reason: "Cancelled"
    })
    const fiber = Effect.runFork(call({}))
    expect(Exit.isInterrupted(await Effect.runPromise(Fiber.interrupt(fiber)))).toBe(true)
    expect(sent).toEqual([])
  })

  test("take what they need from where they were built, and the rest from the call", async () => {
    class Store extends Context.Tag("Store")<Store, string>() {}
    class Names extends Context.Tag("Names")<Names, string>() {}
    const { sent, layer } = recording(() => json(anime))
    let baseUrl: string | undefined
    const credentials = Credentials.layerEffect({
      accessToken: Effect.map(Store, (token) => Option.some(Redacted.make(token))),
      clientId: Effect.flatMap(CatalogConfig, (config) => {
        baseUrl = config.baseUrl
        return Effect.map(Names, (name) => Option.some(Redacted.make(name)))
      })
    })
    const needs = Layer.merge(Layer.succeed(Store, "t"), Layer.succeed(Names, "c"))
    await Effect.runPromise(
      CatalogConfig.with({ baseUrl: "http://here.example" })(Catalog.anime.get({ id: 1 })).pipe(
        Effect.provide(Layer.merge(layer, Layer.provide(credentials, needs)))
      )
    )
    expect(baseUrl).toBe("http://here.example")
    expect(sent[0]?.headers).toMatchObject({ authorization: "Bearer t", "x-mal-client-id": "c" })
  })
})

describe("a slot that calls an operation under its own credentials", () => {
  const { sent, layer } = recording(() => json({ categories: [] }))
  const boards = Effect.as(Catalog.forum.boards(), Option.none())

  const expectMistake = async (credentials: Layer.Layer<Credentials>) => {
    const exit = await Effect.runPromiseExit(Effect.provide(Catalog.anime.get({ id: 1 }), [layer, credentials]))
    const error: unknown = Exit.isFailure(exit) && Cause.squash(exit.cause)
    expect(error).toBeInstanceOf(TypeError)
    expect((error as Error).message).toMatch(/^catalog\.forum\.boards: .*credential slot.*Credentials\.none/)
    expect(sent).toEqual([])
  }

  test("is told so, also where the credentials are made anew each time", async () => {
    // By its type, a slot has all that it needs; here, that is what the call has.
    const recursive = boards as unknown as CredentialSlot
    await expectMistake(Layer.succeed(Credentials, Credentials.make({ accessToken: recursive })))
    await expectMistake(Layer.succeed(Credentials, Credentials.make({ clientId: recursive })))
    const anew: Layer.Layer<Credentials> = Layer.suspend(() =>
      Credentials.layerEffect({ accessToken: Effect.provide(boards, [layer, anew]) })
    )
    await expectMistake(anew)
  })

  test("may call one with others, and in a fiber that goes on after it has answered", async () => {
    const { sent, layer } = recording(() => json({ ...anime, categories: [] }))
    const background: Array<Fiber.Fiber<unknown, unknown>> = []
    const credentials: Layer.Layer<Credentials> = Layer.suspend(() =>
      Credentials.layerEffect({
        accessToken: Effect.gen(function* () {
          yield* Effect.provide(boards, [layer, Credentials.none])
          if (background.length < 40) {
            const refresh = Effect.zipRight(
              Effect.sleep(1),
              Effect.provide(Catalog.anime.get({ id: 2 }), [layer, credentials])
            )
            background.push(yield* Effect.forkDaemon(refresh))
          }
          return Option.some(Redacted.make("t"))
        })
      })
    )
    await Effect.runPromise(Effect.provide(Catalog.anime.get({ id: 1 }), [layer, credentials]))
    for (let index = 0; index < background.length; index++) {
      await Effect.runPromise(Fiber.join(background[index] ?? Fiber.void))
    }
    expect(background).toHaveLength(40)
    expect(sent.filter(({ headers }) => headers["authorization"] === "Bearer t")).toHaveLength(41)
  })
})

describe("credentials that are refreshed over a transport of their own", () => {
  const answering = (who: string, seen: Array<string>) =>
    Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make((request) => {
        seen.push(`${who} ${request.url}`)
        return Effect.succeed(HttpClientResponse.fromWeb(request, json({ id: 1, name: "One", access_token: "fresh" })))
      })
    )
  class Vault extends Context.Tag("Vault")<Vault, string>() {}

  test("ask that one, and not the one of the call", async () => {
    const seen: Array<string> = []
    const credentials = Credentials.layerEffect({
      accessToken: Effect.gen(function* () {
        const client = yield* HttpClient.HttpClient
        yield* Effect.orDie(client.get("http://auth.example/token"))
        return Option.some(Redacted.make(yield* Vault))
      })
    })
    const refreshing = Layer.provide(credentials, [answering("auth", seen), Layer.succeed(Vault, "built")])
    await Catalog.user
      .me()
      .pipe(
        Effect.provideService(Vault, "another's"),
        Effect.provide([
          answering("catalog", seen),
          refreshing,
          CatalogConfig.layer({ baseUrl: "http://api.example" })
        ]),
        Effect.runPromise
      )
    expect(seen).toEqual(["auth http://auth.example/token", "catalog http://api.example/users/@me"])
  })
})

test("a deletion is done when the service says so, also where its body does not come", async () => {
  const { layer } = recording(() => new Response(new ReadableStream({ start: () => {} })))
  const call = Catalog.anime.deleteFromList({ id: 1 }, { timeout: 400 })
  const exit = await Effect.runPromiseExit(
    Effect.provide(call, Layer.merge(layer, Credentials.layer({ accessToken: "t" })))
  )
  expect(exit).toEqual(Exit.void)
})
