// Not over the bundle: its policies and stores are Effects, made by those of core.
import { Catalog, CatalogPolicy, type ClientRestError, Resilience } from "@catalog-client/core"
import { it } from "@effect/vitest"
import { Clock, Effect, Either, Exit, Layer, Option, TestClock } from "effect"
import { describe, expect } from "vitest"
import { type StubResponse, stubService, times, underPolicy } from "../support/stubService.js"
import * as Fibers from "../support/fibers.js"
import { recordingLogger } from "../support/telemetry.js"
import { type ReceivedRequest, made, limitOver } from "../support/faces.js"

const get = (id: number, options: object = {}) => Catalog.anime.get({ id }, options)

const start = (limit: Resilience.RateLimitOptions, ...responses: ReadonlyArray<StubResponse>) =>
  underPolicy(made(Resilience.rateLimit(limit)), ...responses)

const startOver = (
  store: Resilience.RateLimitStore.Service,
  limit: Resilience.SharedRateLimitOptions,
  ...responses: ReadonlyArray<StubResponse>
) => underPolicy(limitOver(store, limit), ...responses)

/** Which anime were asked for, in order. */
const ids = (requests: ReadonlyArray<ReceivedRequest>) => requests.map(({ path }) => Number(path.split("/").at(-1)))

const many = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe("spacing", () => {
  it.effect.each([
    [4, "1 second", [0, 0, 0, 0, 250, 500, 750, 1000, 1250, 1500]],
    [3, 1000, [0, 0, 0, 334, 667, 1000, 1334, 1667, 2000, 2334]],
    [7, 1000, [0, 0, 0, 0, 0, 0, 0, 143, 286, 429]],
    [1, 0.5, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]
  ] as const)(
    "sends %d calls at once, and as many more in each %o, one for each new token",
    ([limit, interval, expected]) =>
      Effect.gen(function* () {
        const { requests, fork } = start({ limit, interval })
        yield* Effect.forEach(many(10), (id) => fork(get(id)))
        yield* TestClock.adjust("1 minute")
        expect(times(requests)).toEqual(expected)
        expect(ids(requests)).toEqual(many(10))
      })
  )

  it.effect("keeps no more tokens than limit after any pause", () =>
    Effect.gen(function* () {
      const { requests, fork } = start({ limit: 2, interval: 1000 })
      yield* TestClock.adjust("1 day")
      const day = 86_400_000
      yield* Effect.forEach(many(4), (id) => fork(get(id)))
      yield* TestClock.adjust("1 minute")
      expect(times(requests)).toEqual([day, day, day + 500, day + 1000])
    })
  )

  it.effect("is shared by catalogs and calls with the value, and two values share nothing", () =>
    Effect.gen(function* () {
      const limit = () => made(Resilience.rateLimit({ limit: 1, interval: "1 second" }))
      const shared = limit()
      const [one, other] = [start({ limit: 1, interval: "1 hour" }), start({ limit: 1, interval: "1 hour" })]
      for (const policies of [[shared], [shared], [limit()], [Resilience.retry()]]) {
        yield* one.fork(get(1, { policies }))
      }
      yield* other.fork(get(1, { policies: [shared] }))
      yield* TestClock.adjust("10 seconds")
      expect([times(one.requests), times(other.requests)]).toEqual([[0, 0, 0, 1000], [2000]])
    })
  )
})

describe("when the service says stop", () => {
  const stop = (headers: Readonly<Record<string, string>>, status = 429) => ({ status, headers })

  it.effect.each([
    ["429 with a Retry-After", stop({ "retry-after": "7" }), 7000],
    ["503 with a Retry-After", stop({ "retry-after": "7" }, 503), 7000],
    ["403 with a Retry-After", stop({ "retry-after": "7" }, 403), 7000],
    ["429 without one, for the interval", stop({}), 2000],
    ["429 that asks for no time at all: then one by one all the same", stop({ "retry-after": "0" }), 0]
  ] as const)("every call is held: %s", ([, response, held]) =>
    Effect.gen(function* () {
      const { requests, fork } = start({ limit: 10, interval: "2 seconds" }, response, {})
      const first = yield* fork(get(1))
      yield* TestClock.adjust(200)
      expect(yield* Fibers.join(first)).toMatchObject({ left: { status: response.status, attempts: 1 } })
      yield* Effect.forEach(many(4), (id) => fork(get(id)))
      yield* TestClock.adjust("1 hour")
      const at = Math.max(200, held)
      // One token has come meanwhile.
      expect(times(requests)).toEqual(held === 0 ? [0, at, at, 400, 600] : [0, at, at + 200, at + 400, at + 600])
    })
  )

  it.effect("a hold also delays calls that already wait, and keeps their order", () =>
    Effect.gen(function* () {
      const { requests, fork } = start(
        { limit: 1, interval: "1 second" },
        { after: 500, ...stop({ "retry-after": "9" }) },
        {}
      )
      yield* Effect.forEach(many(4), (id) => fork(get(id)))
      yield* TestClock.adjust("1 hour")
      expect(times(requests)).toEqual([0, 9500, 10_500, 11_500])
      expect(ids(requests)).toEqual(many(4))
    })
  )

  it.effect("the longest of several holds counts, and none is longer than maxHold", () =>
    Effect.gen(function* () {
      const { requests, fork } = start(
        { limit: 3, interval: "3 seconds", maxHold: "10 seconds" },
        { after: 1, ...stop({ "retry-after": "86400" }) },
        { after: 1, ...stop({ "retry-after": "5" }) },
        { after: 1, ...stop({ "retry-after": "2" }) },
        {}
      )
      yield* Effect.forEach(many(4), (id) => fork(get(id)))
      yield* TestClock.adjust("1 hour")
      expect(times(requests)).toEqual([0, 0, 0, 10_001])
    })
  )

  it.effect.each([
    [{ status: 418 }, 60_000],
    [stop({ "retry-after": "9" }), 9000]
  ] as const)("hold is the time without a Retry-After, and isThrottle adds errors: %j", ([response, held]) =>
    Effect.gen(function* () {
      const isThrottle = ({ status }: ClientRestError) => status === 418
      const { requests, fork } = start({ limit: 10, interval: 1000, hold: "1 minute", isThrottle }, response, {})
      yield* Effect.forEach(many(2), (id) => Effect.zipRight(fork(get(id)), TestClock.adjust(1)))
      yield* TestClock.adjust("1 hour")
      expect(times(requests)).toEqual([0, held])
    })
  )

  it.effect.each([404, 403, 500, 503])("%d does not hold calls", (status) =>
    Effect.gen(function* () {
      const { requests, fork } = start({ limit: 2, interval: "1 hour" }, { status })
      yield* Effect.forEach(many(2), (id) => Effect.zipRight(fork(get(id)), TestClock.adjust(1)))
      expect(times(requests)).toEqual([0, 1])
    })
  )
})

describe("while a call waits", () => {
  it.effect("the timeout of a waiting call begins with its exchange", () =>
    Effect.gen(function* () {
      const { requests, fork } = start({ limit: 1, interval: "1 minute" }, {}, { after: 1000 })
      yield* fork(get(1))
      const slow = yield* fork(get(2, { timeout: 100 }))
      yield* TestClock.adjust(60_099)
      expect(yield* Fibers.poll(slow)).toEqual(Option.none())
      yield* TestClock.adjust(1)
      expect(yield* Fibers.join(slow)).toMatchObject({ left: { reason: "Timeout", timeoutMs: 100, attempts: 1 } })
      expect(times(requests)).toEqual([0, 60_000])
    })
  )

  it.effect("a waiting call is ended by totalTimeout, its signal and an interruption, and the next calls move up", () =>
    Effect.gen(function* () {
      const { requests, fork } = start({ limit: 1, interval: "1 second" })
      const controller = new AbortController()
      yield* fork(get(1))
      const late = yield* fork(get(2, { totalTimeout: 300 }))
      const cancelled = yield* fork(get(3, { signal: controller.signal }))
      const interrupted = yield* fork(get(4))
      const last = yield* fork(get(5))
      yield* TestClock.adjust(300)
      const message: unknown = expect.stringMatching(
        /timed out after 300 ms before it sent a request \(GET .*\)\. Make fewer calls at once, or raise totalTimeout\. See/
      )
      expect(yield* Fibers.join(late)).toMatchObject({
        left: { reason: "Timeout", timeoutMs: 300, attempts: 0, message }
      })
      controller.abort()
      expect(yield* Fibers.join(cancelled)).toMatchObject({ left: { reason: "Cancelled", attempts: 0 } })
      expect(Exit.isInterrupted(yield* Fibers.interrupt(interrupted))).toBe(true)
      yield* TestClock.adjust(700)
      expect(Either.isRight(yield* Fibers.join(last))).toBe(true)
      expect(ids(requests)).toEqual([1, 5])
      expect(times(requests)).toEqual([0, 1000])
    })
  )

  it.effect("whichever call is cancelled at any time, no other call is forgotten and no token is lost", () =>
    Effect.gen(function* () {
      const { requests, fork } = start({ limit: 1, interval: 10 })
      const fibers = yield* Effect.forEach(many(40), (id) => fork(get(id)))
      for (const [index, fiber] of fibers.entries()) {
        if (index % 3 === 1) {
          yield* TestClock.adjust(index % 2)
          yield* Fibers.interrupt(fiber)
        }
      }
      yield* TestClock.adjust("1 minute")
      const at = times(requests)
      expect(at.every((time, index) => index === 0 || time - (at[index - 1] ?? NaN) === 10)).toBe(true)
      const exits = yield* Effect.forEach(fibers, Fibers.exitOf)
      expect(exits.filter(Exit.isSuccess)).toHaveLength(requests.length)
      expect(exits.filter(Exit.isFailure).every(Exit.isInterrupted)).toBe(true)
      expect(requests.length).toBeGreaterThanOrEqual(26)
    })
  )
})

describe("store", () => {
  const storeThat = (
    take: Effect.Effect<number, Resilience.RateLimitStoreError>,
    hold: Effect.Effect<void, Resilience.RateLimitStoreError> = Effect.void
  ) => {
    const seen = { takes: 0, holds: [] as Array<number>, bucket: {} as object }
    const store: Resilience.RateLimitStore.Service = {
      take: (bucket) =>
        Effect.suspend(() => {
          seen.takes++
          seen.bucket = bucket
          return take
        }),
      hold: (_, millis) =>
        Effect.suspend(() => {
          seen.holds.push(millis)
          return hold
        })
    }
    return { seen, store }
  }
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })
  const down = Effect.fail(new Resilience.RateLimitStoreError({ cause: refused }))

  it.effect.each([
    ["is shared by all limits over it: sharedRateLimit", Resilience.sharedRateLimit, [0, 1000]],
    ["is not used by rateLimit: each build of a Layer has its own tokens", Resilience.rateLimit, [0, 0]]
  ] as const)("%s", ([, limit, expected]) =>
    Effect.gen(function* () {
      const { requests, layer } = stubService()
      const limited = CatalogPolicy.layer(limit({ limit: 1, interval: "1 second" }))
      const calls = many(2).map((id) => Fibers.fork(Effect.provide(get(id), Layer.merge(layer, limited))))
      yield* Effect.provide(Effect.all(calls), Resilience.RateLimitStore.layerMemory)
      yield* TestClock.adjust("1 minute")
      expect(times(requests)).toEqual(expected)
    })
  )

  it.effect("is called until it has a token, one call at a time, and gets holds", () =>
    Effect.gen(function* () {
      let left = 2
      const { seen, store } = storeThat(Effect.sync(() => (left-- > 0 ? 300 : 0)))
      const { requests, fork } = startOver(store, { limit: 5, interval: "1 minute" }, { status: 429 }, {})
      yield* Effect.forEach(many(3), (id) => fork(get(id)))
      yield* TestClock.adjust("1 minute")
      expect(times(requests)).toEqual([600, 600, 600])
      expect(seen).toMatchObject({ takes: 5, holds: [60_000], bucket: { limit: 5, interval: 60_000 } })
    })
  )

  it.effect("is called by one call at a time, also with several values: first come, first served", () =>
    Effect.gen(function* () {
      let asking = 0
      let most = 0
      let next = 0
      const store: Resilience.RateLimitStore.Service = {
        take: () =>
          Effect.gen(function* () {
            most = Math.max(most, ++asking)
            yield* Effect.sleep(1)
            asking--
            const wait = next - (yield* Clock.currentTimeMillis)
            next = wait > 0 ? next : next - wait + 100
            return Math.max(0, wait)
          }),
        hold: () => Effect.void
      }
      const { requests, layer } = stubService()
      for (const id of many(10)) {
        const value = limitOver(store, { limit: 1, interval: 100 })
        yield* Fibers.fork(Effect.provide(get(id), Layer.merge(layer, CatalogPolicy.layer(value))))
        yield* Effect.yieldNow()
      }
      yield* TestClock.adjust("1 minute")
      expect(most).toBe(1)
      expect(ids(requests)).toEqual(many(10))
    })
  )

  it.effect("a store that fails is an error of its own, and does not count as a throttle", () =>
    Effect.gen(function* () {
      const cause = { message: "connect ECONNREFUSED", code: "ECONNREFUSED" }
      for (const onStoreFailure of ["fail", undefined] as const) {
        const { seen, store } = storeThat(down)
        const { requests, fork } = startOver(store, { limit: 1, interval: 1, onStoreFailure })
        const retried = yield* fork(get(1, { policies: [Resilience.retry({ timeouts: true })] }))
        yield* TestClock.adjust("1 minute")
        expect(yield* Fibers.join(retried)).toMatchObject({
          left: { _tag: "ClientNetworkError", reason: "RateLimitStore", attempts: 0, cause }
        })
        expect([requests, seen.holds]).toEqual([[], []])
      }
    })
  )

  it.effect("a failure of the store can be ignored: it is one warning until the store works again", () => {
    const { layer, texts } = recordingLogger()
    return Effect.gen(function* () {
      let isDown = true
      const { store } = storeThat(
        Effect.suspend(() => (isDown ? down : Effect.succeed(0))),
        down
      )
      const limit = { limit: 1, interval: 1, onStoreFailure: "proceed" } as const
      const { requests, fork } = startOver(store, limit, { status: 429 }, {})
      // What the service says stays what it says, though the store could not be told.
      for (const [next, outcome] of [
        [true, { left: { status: 429 } }],
        [true, { _tag: "Right" }],
        [false, { _tag: "Right" }],
        [true, { _tag: "Right" }]
      ] as const) {
        isDown = next
        expect(yield* Effect.flatMap(fork(get(1)), Fibers.join)).toMatchObject(outcome)
        yield* TestClock.adjust("2 seconds")
      }
      const warning =
        "catalog: the rate limit's store failed (ECONNREFUSED). Until it works again, requests are sent without a limit."
      expect(texts).toEqual([warning, warning])
      expect(requests).toHaveLength(4)
    }).pipe(Effect.provide(layer))
  })

  it.effect("a store that fails slowly is not called for each waiting call in turn", () =>
    Effect.gen(function* () {
      const { seen, store } = storeThat(Effect.delay(down, "5 seconds"))
      const { fork } = startOver(store, { limit: 1, interval: 1 })
      const fibers = yield* Effect.forEach(many(20), (id) => fork(get(id)))
      yield* TestClock.adjust("5 seconds")
      expect((yield* Effect.forEach(fibers, Fibers.poll)).every(Option.isSome)).toBe(true)
      expect(seen.takes).toBe(1)
      // A second later it is asked again.
      yield* fork(get(1))
      yield* TestClock.adjust(999)
      yield* fork(get(1))
      expect(seen.takes).toBe(1)
      yield* TestClock.adjust(1)
      yield* fork(get(1))
      yield* TestClock.adjust(0)
      expect(seen.takes).toBe(2)
    })
  )

  it.effect("totalTimeout ends a call whose store hangs", () =>
    Effect.gen(function* () {
      const { store } = storeThat(Effect.never)
      const { fork } = startOver(store, { limit: 1, interval: 1 })
      const fiber = yield* fork(get(1, { totalTimeout: 50 }))
      yield* TestClock.adjust(50)
      expect(yield* Fibers.join(fiber)).toMatchObject({ left: { reason: "Timeout", timeoutMs: 50 } })
    })
  )
})

it.effect("a rate limit runs nothing between calls", () =>
  Effect.gen(function* () {
    const { fork } = start({ limit: 1, interval: "1 second" })
    yield* Effect.forEach(many(3), (id) => fork(get(id, { timeout: 0 })))
    yield* TestClock.adjust("3 seconds")
    expect(yield* TestClock.sleeps()).toHaveLength(0)
  })
)
