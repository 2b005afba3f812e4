/**
 * What ends a call before its response: timeouts, signals and interruption.
 */
import { createCatalog } from "catalog-client"
import { Catalog } from "@catalog-client/core"
import { HttpClient, type HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Option, Stream, TestClock } from "effect"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { anonymous, faces, failure, json, recording, value } from "./support/faces.js"
import * as Fibers from "./support/fibers.js"
import { anime } from "./support/stubService.js"
import { rejection } from "./support/eventually.js"

/** A transport whose response takes `headersAfter` ms to begin and `bodyAfter` ms more to end; it records how requests ended. */
const slow = (headersAfter: number, bodyAfter: number) => {
  const ends: Array<"answered" | "interrupted"> = []
  const fetch = (_: URL, { signal }: RequestInit) =>
    new Promise<Response>((_, reject) => {
      signal?.addEventListener("abort", () => {
        ends.push("interrupted")
        reject(signal.reason as Error)
      })
    })
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
  return { ends, fetch, layer: anonymous(layer) }
}

describe("timeout", () => {
  const outcome = (options: { readonly timeout?: number }, headersAfter: number, bodyAfter: number, wait: number) => {
    const { ends, layer } = slow(headersAfter, bodyAfter)
    return Effect.gen(function* () {
      const fiber = yield* Fibers.fork(Effect.provide(Effect.exit(Catalog.anime.get({ id: 1 }, options)), layer))
      yield* TestClock.adjust(wait - 1)
      const before = yield* Fibers.poll(fiber)
      yield* TestClock.adjust(1)
      const after = yield* Fibers.poll(fiber)
      return { before, after: Option.map(after, Exit.flatten), ends }
    })
  }

  const errorOf = (after: Option.Option<Exit.Exit<unknown, unknown>>) =>
    Option.getOrThrow(after).pipe(Exit.causeOption, Option.getOrThrow, Cause.squash)

  it.effect.each([
    ["no headers", 1000, ["interrupted"]],
    ["no body", 40, ["answered", "interrupted"]]
  ] as const)("ends a call that gets %s, to the millisecond", ([, headersAfter, ended]) =>
    Effect.gen(function* () {
      const { before, after, ends } = yield* outcome({ timeout: 50 }, headersAfter, 1000, 50)
      expect(before).toEqual(Option.none())
      expect(errorOf(after)).toMatchObject({
        _tag: "ClientNetworkError",
        reason: "Timeout",
        timeoutMs: 50,
        operation: "catalog.anime.get",
        attempts: 1
      })
      expect(ends).toEqual(ended)
    })
  )

  it.effect("the timeout is 30 seconds by default", () =>
    Effect.gen(function* () {
      const { before, after } = yield* outcome({}, Infinity, 0, 30_000)
      expect(before).toEqual(Option.none())
      expect(errorOf(after)).toMatchObject({ timeoutMs: 30_000 })
    })
  )

  it.effect("a timeout of more than 2^31 ms fires neither early nor late", () =>
    Effect.gen(function* () {
      const { before, after } = yield* outcome({ timeout: 2 ** 33 }, 2 ** 40, 0, 2 ** 33)
      expect(before).toEqual(Option.none())
      expect(errorOf(after)).toMatchObject({ reason: "Timeout" })
    })
  )

  test("a timeout of more than 2^31 ms does not fire early on the live clock", async () => {
    const { layer } = slow(30, 30)
    const call = Catalog.anime.get({ id: 1 }, { timeout: 2 ** 31 + 5 })
    expect(await Effect.runPromise(Effect.provide(call, layer))).toEqual(anime)
  })

  test("a timeout fires on the live clock, also in an uninterruptible region", async () => {
    const { ends, layer } = slow(60_000, 0)
    const call = Effect.uninterruptible(Catalog.anime.get({ id: 1 }, { timeout: 20 }))
    const error = await Effect.runPromise(Effect.flip(Effect.provide(call, layer)))
    expect(error).toMatchObject({ reason: "Timeout", timeoutMs: 20 })
    expect(ends).toEqual(["interrupted"])
  })
})

describe.each(faces)("signal, on the %s face", (_, face) => {
  test("an aborted signal keeps a call from being sent", async () => {
    const { requests, ...transport } = recording(() => json(anime))
    const signal = AbortSignal.abort(new RangeError("enough"))
    for (const call of [
      () => face(transport, {})("anime.get", { id: 1 }, { signal }),
      () => face(transport, { signal })("anime.get", { id: 1 })
    ]) {
      expect(failure(await call())).toMatchObject({
        _tag: "ClientNetworkError",
        reason: "Cancelled",
        cause: { name: "RangeError", message: "enough" }
      })
    }
    expect(requests).toEqual([])
  })

  test.each([
    [undefined, { name: "AbortError", message: "This operation was aborted" }],
    ["a text", { name: "Error", message: "a text" }]
  ])("aborting with %j ends the request at once", async (reason, cause) => {
    const { ends, ...transport } = slow(60_000, 0)
    const controller = new AbortController()
    const outcome = face(transport, {})("anime.get", { id: 1 }, { signal: controller.signal })
    setTimeout(() => controller.abort(reason), 20)
    expect(failure(await outcome)).toMatchObject({ reason: "Cancelled", method: "GET", cause })
    expect(ends).toEqual(["interrupted"])
  })

  test("a listener is removed however the call ends", async () => {
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
    const transport = recording(() => {
      expect(listeners.size).toBe(1)
      return json(anime, { status: answers++ === 0 ? 200 : 500 })
    })
    const call = face(transport, {})
    value(await call("anime.get", { id: 1 }, { signal }))
    expect(listeners.size).toBe(0)
    failure(await call("anime.get", { id: 1 }, { signal }))
    expect(listeners.size).toBe(0)
    expect(answers).toBe(2)
  })

  test("aborting while the request begins ends it, too", async () => {
    const controller = new AbortController()
    const transport = recording(() => {
      controller.abort(new Error("at once"))
      return new Promise<Response>(() => {})
    })
    const outcome = await face(transport, { timeout: 1000 })("anime.get", { id: 1 }, { signal: controller.signal })
    expect(failure(outcome)).toMatchObject({ reason: "Cancelled", cause: { message: "at once" } })
  })

  test("a signal of the call replaces the default", async () => {
    const transport = recording(() => json(anime))
    const { signal } = new AbortController()
    value(await face(transport, { signal: AbortSignal.abort() })("anime.get", { id: 1 }, { signal }))
  })
})

test("rules come before a signal, and before anything else", async () => {
  const { layer } = recording(() => json(anime))
  const error = await Effect.runPromise(
    Effect.flip(Catalog.anime.search({ q: "" }, { signal: AbortSignal.abort() })).pipe(Effect.provide(anonymous(layer)))
  )
  expect(error._tag).toBe("ClientValidationError")
})

describe("interruption", () => {
  it.effect("aborts the request and stays an interruption", () =>
    Effect.gen(function* () {
      const { ends, layer } = slow(1000, 0)
      for (const options of [{}, { timeout: 0 }, { signal: new AbortController().signal }]) {
        const fiber = yield* Fibers.fork(Effect.provide(Catalog.anime.get({ id: 1 }, options), layer))
        yield* TestClock.adjust(1)
        const exit = yield* Fibers.interrupt(fiber)
        expect(Exit.isInterrupted(exit)).toBe(true)
      }
      expect(ends).toEqual(["interrupted", "interrupted", "interrupted"])
    })
  )
})

test("a fetch of another realm than the global AbortController gets a signal that it accepts, and sends once", async () => {
  const { AbortController: Native, AbortSignal: NativeSignal } = globalThis
  // As jsdom's, in Vitest 3 on Node 24.
  class Foreign {
    readonly signal = Object.assign(new EventTarget(), { aborted: false, reason: undefined })
    abort(): void {
      this.signal.aborted = true
    }
  }
  vi.stubGlobal("AbortController", Foreign)
  onTestFinished(() => void vi.unstubAllGlobals())
  const signals: Array<AbortSignal> = []
  let refused = 0
  let reply = () => Promise.resolve(json({ ...anime, score: 1 }))
  await using catalog = createCatalog({
    accessToken: "t",
    fetch: async (_, init) => {
      const signal: unknown = init.signal
      if (!(signal instanceof NativeSignal)) {
        refused++
        throw new TypeError('RequestInit: Expected signal ("AbortSignal {}") to be an instance of AbortSignal.')
      }
      signals.push(signal)
      return reply()
    }
  })
  await catalog.anime.updateMyListStatus({ id: 1, score: 1 })
  await catalog.anime.get({ id: 1 })
  expect([refused, signals.length]).toEqual([1, 2])

  reply = () => new Promise(() => {})
  const controller = new Native()
  const calls = [{ signal: controller.signal }, { timeout: 20 }].map((options) =>
    rejection(catalog.anime.get({ id: 1 }, options))
  )
  await expect.poll(() => signals).toHaveLength(4)
  controller.abort()
  expect(await Promise.all(calls)).toMatchObject([{ reason: "Cancelled" }, { reason: "Timeout" }])
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, true, true])

  // The realm of the globals changes, as between the files of a runner without isolation.
  vi.unstubAllGlobals()
  reply = () => Promise.resolve(json(anime))
  await catalog.anime.get({ id: 1 })
  expect([refused, signals.length]).toEqual([1, 5])
})

test("a fetch that fails with another error is not called again", async () => {
  let requests = 0
  const failing = (error: Error) =>
    createCatalog({
      fetch: () => {
        requests++
        return Promise.reject(error)
      }
    })
  for (const error of [new TypeError("fetch failed"), new Error("AbortSignal"), new DOMException("x", "AbortError")]) {
    requests = 0
    await expect(failing(error).anime.get({ id: 1 })).rejects.toMatchObject({ reason: "Transport" })
    expect(requests).toBe(1)
  }
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
  await Effect.runPromise(Effect.provide(calls, anonymous(layer)))
  expect(listeners).toBeLessThan(11)
  const stuck = recording(() => new Promise<Response>(() => {}))
  const outcomes = Effect.runPromise(Effect.provide(calls, anonymous(stuck.layer)))
  setTimeout(() => controller.abort(), 20)
  expect((await outcomes).map((outcome) => outcome._tag)).toEqual(Array.from({ length: 50 }, () => "Left"))
})

test("a reason may have members that throw", async () => {
  const { layer } = recording(() => new Promise<Response>(() => {}))
  const broken = Object.defineProperty({}, "message", {
    get() {
      throw new Error("no")
    }
  })
  const controller = new AbortController()
  setTimeout(() => controller.abort(broken), 5)
  const call = Effect.flip(Catalog.anime.get({ id: 1 }, { signal: controller.signal }))
  expect(await Effect.runPromise(Effect.provide(call, anonymous(layer)))).toMatchObject({
    cause: { message: "" }
  })
})
