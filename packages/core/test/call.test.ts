/**
 * What ends a call before its answer, and what stands around its exchange.
 */
import { Catalog, CatalogConfig, CatalogPolicy, ClientNetworkError, Credentials } from "@catalog-client/core"
import type { CatalogCall } from "@catalog-client/core"
import { HttpClient, type HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { it } from "@effect/vitest"
import { Cause, Deferred, Effect, Equal, Exit, Fiber, Layer, Option, Redacted, TestClock, Tracer } from "effect"
import { describe, expect, test } from "vitest"
import { faces, failure, json, recording, value } from "./support/faces.js"

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
                text: { value: track(Effect.as(Effect.sleep(bodyAfter), JSON.stringify(anime))) }
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
      Effect.provide(Catalog.anime.get({ id: 1 }, { fields: "mean" }), Layer.merge(layers(layer), policy))
    )
    expect(got).toEqual(anime)
    expect(sent).toHaveLength(2)
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatchObject({
      operation: "catalog.anime.get",
      method: "GET",
      url: "https://api.myanimelist.net/v2/anime/1?fields=mean",
      params: { id: 1 },
      idempotent: true
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
    const names: Array<string> = []
    const tracer = Tracer.make({
      span: (name, parent, context, links, startTime, kind) => {
        names.push(name)
        return new (Object.getPrototypeOf(defaultSpan).constructor)(name, parent, context, links, startTime, kind)
      },
      context: (run) => run()
    })
    const defaultSpan = Effect.runSync(Effect.makeSpan("x"))
    return Effect.as(Effect.withTracer(effect, tracer), names)
  }

  test("there is one for the operation where somebody listens, and none of the transport's", async () => {
    const { sent, layer } = recording(() => json(anime))
    const call = Effect.provide(Catalog.anime.get({ id: 1 }), Layer.merge(layer, Credentials.none))
    expect(await Effect.runPromise(traced(call))).toEqual(["catalog.anime.get"])
    expect(sent[0]?.headers).not.toHaveProperty("traceparent")
  })

  test("with propagation, the operation's own span is what the service hears of", async () => {
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

test("an operation is a value: the same one can be run again", async () => {
  const { sent, layer } = recording(() => json(anime))
  const gate = await Effect.runPromise(Deferred.make<void>())
  const call = Effect.zipRight(Deferred.succeed(gate, undefined), Catalog.anime.get({ id: 1 }))
  await Effect.runPromise(Effect.provide(Effect.zipRight(call, call), Layer.merge(layer, Credentials.none)))
  expect(sent).toHaveLength(2)
})
