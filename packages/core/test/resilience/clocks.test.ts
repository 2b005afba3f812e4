/**
 * Policies under other clocks than the live one: fake timers, a wall clock that jumps, and several clocks for one value.
 */
// Not over the bundle: its policies and stores are Effects, made by those of core.
import { createCatalog } from "catalog-client"
import { Catalog, CatalogPolicy, Resilience } from "@catalog-client/core"
import { Effect, Either, Layer, TestClock, TestContext } from "effect"
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest"
import { type StubResponse, stubService, underPolicy } from "../support/stubService.js"
import * as Fibers from "../support/fibers.js"
import { labelled, measured } from "../support/telemetry.js"
import { eventually, sleep } from "../support/eventually.js"
import { made } from "../support/faces.js"

const day = 86_400_000

/** A catalog of promises that counts its requests. Its service responds with the next status each time. */
const counting = (policy: CatalogPolicy.Policy, ...statuses: ReadonlyArray<number>) => {
  const service = { requests: 0, delay: 0 }
  const fetch = async () => {
    const status = statuses[service.requests++] ?? 200
    if (service.delay > 0) {
      await sleep(service.delay)
    }
    return Response.json({ id: 1, title: "One" }, { status })
  }
  const catalog = createCatalog({ fetch, policies: [policy] })
  const get = () =>
    catalog.anime.get({ id: 1 }).then(
      () => "answered",
      (error: { readonly status?: number; readonly reason?: string }) => error.status ?? error.reason
    )
  return { service, get }
}

describe.each([
  ["vitest's own selection of fake timers", undefined],
  ["every clock faked", ["setTimeout", "clearTimeout", "Date", "performance", "hrtime"] as const]
])("%s", (_, toFake) => {
  beforeEach(() => {
    vi.useFakeTimers(toFake && { toFake: [...toFake] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const advance = (millis: number) => vi.advanceTimersByTimeAsync(millis)
  const setBack = () => vi.setSystemTime(Date.now() - day)

  test("retry waits as long as Retry-After says", async () => {
    const { service, get } = counting(Resilience.retry({ baseDelay: 1000, maxDelay: 1000 }), 503)
    const call = get()
    await advance(0)
    expect(service.requests).toBe(1)
    setBack()
    await advance(1000)
    expect(service.requests).toBe(2)
    expect(await call).toBe("answered")
  })

  test("rateLimit waits no longer than an interval or a hold after the clock was set back", async () => {
    const { service, get } = counting(
      made(Resilience.rateLimit({ limit: 1, interval: "1 second", hold: "5 seconds" })),
      200,
      429
    )
    await get()
    setBack()
    const second = get()
    await advance(1000)
    expect(service.requests).toBe(2)
    expect(await second).toBe(429)
    setBack()
    const third = get()
    await advance(5000)
    expect(await third).toBe("answered")
    // Set back while a call waits: at most as long again.
    const fourth = get()
    await advance(500)
    setBack()
    await advance(2000)
    expect(await fourth).toBe("answered")
  })

  test("rateLimit has no more than a full bucket after the clock was set forward", async () => {
    const { service, get } = counting(made(Resilience.rateLimit({ limit: 2, interval: "1 second" })))
    await get()
    vi.setSystemTime(Date.now() + day)
    const calls = Array.from({ length: 4 }, get)
    await advance(0)
    expect(service.requests).toBe(3)
    await advance(1000)
    expect(await Promise.all(calls)).toHaveLength(4)
  })

  test("breaker sends a call after its cooldown, also if the clock was set back", async () => {
    const { service, get } = counting(made(Resilience.breaker({ failures: 2, cooldown: "30 seconds" })), 500, 500)
    expect([await get(), await get(), await get()]).toEqual([500, 500, "CircuitOpen"])
    await advance(29_999)
    expect(await get()).toBe("CircuitOpen")
    setBack()
    expect(await get()).toBe("CircuitOpen")
    await advance(30_000)
    expect(await get()).toBe("answered")
    expect(service.requests).toBe(3)
  })

  test("dedupe shares reads in flight", async () => {
    const { service, get } = counting(made(Resilience.dedupe()))
    service.delay = 1000
    const calls = [get(), get()]
    await advance(500)
    calls.push(get())
    setBack()
    await advance(500)
    expect(await Promise.all(calls)).toEqual(["answered", "answered", "answered"])
    expect(service.requests).toBe(1)
  })

  test("cache keeps a reply for its time, and no longer if the clock was set back", async () => {
    const { service, get } = counting(made(Resilience.cache({ capacity: 9, timeToLive: "1 minute" })))
    const asked = async () => {
      await get()
      return service.requests
    }
    expect(await asked()).toBe(1)
    await advance(59_999)
    expect(await asked()).toBe(1)
    await advance(1)
    expect(await asked()).toBe(2)
    setBack()
    expect(await asked()).toBe(3)
    expect(await asked()).toBe(3)
    await advance(60_000)
    expect(await asked()).toBe(4)
  })
})

describe("where Date stands still", () => {
  beforeEach(() => {
    vi.setSystemTime(1_000_000)
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test("the waits of rateLimit end", async () => {
    const { get } = counting(made(Resilience.rateLimit({ limit: 1, interval: 10, hold: 20 })), 200, 429)
    expect(await Promise.all([get(), get(), get(), get()])).toEqual(["answered", 429, "answered", "answered"])
  })

  test("breaker sends a call after its cooldown", async () => {
    const { get } = counting(made(Resilience.breaker({ failures: 1, cooldown: 1000 })), 500)
    expect([await get(), await get()]).toEqual([500, "CircuitOpen"])
    await eventually("a call is sent", async () => (await get()) === "answered")
  })
})

test("a wait of rateLimit ends with its timer, also if nothing but timers is faked", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  onTestFinished(() => void vi.useRealTimers())
  const { get } = counting(made(Resilience.rateLimit({ limit: 1, interval: "1 hour" })))
  const calls = [get(), get()]
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(await Promise.all(calls)).toEqual(["answered", "answered"])
})

test("the metric of durations has no negative time if the clock was set back", async () => {
  const labels = { test: "set back" }
  const { layer } = stubService({ after: 20 })
  const set = Effect.sync(() => vi.setSystemTime(Date.now() - day))
  const policy: CatalogPolicy.Policy = (_, attempt) => Effect.zipLeft(attempt, set)
  const services = Layer.merge(
    layer,
    CatalogPolicy.layer(policy, made(Resilience.rateLimit({ limit: 1, interval: 50 })))
  )
  vi.useFakeTimers({ toFake: ["Date"] })
  try {
    const call = Effect.provide(Catalog.anime.get({ id: 1 }), services)
    await Effect.runPromise(labelled(labels)(call))
  } finally {
    vi.useRealTimers()
  }
  const sums = measured().flatMap(({ name, labels, sum }) =>
    sum !== undefined && labels.some(([key]) => key === "test") ? [[name, sum] as const] : []
  )
  expect(sums.map(([name]) => name).sort()).toEqual([
    "catalog_rate_limit_wait_seconds",
    "catalog_request_duration_seconds"
  ])
  for (const [name, sum] of sums) {
    expect(sum).toBeGreaterThanOrEqual(name === "catalog_request_duration_seconds" ? 0.015 : 0)
    expect(sum).toBeLessThan(20)
  }
})

describe("one value under several clocks", () => {
  const get = Catalog.anime.get({ id: 1 }, { timeout: 1000 })

  /** Calls through one value. Each run can be under another clock. */
  const start = (policy: CatalogPolicy.Policy, ...responses: ReadonlyArray<StubResponse | (() => StubResponse)>) => {
    const { fork, requests, run } = underPolicy(policy, ...responses)
    const call = run(get)
    return {
      requests,
      live: (times = 1) => Effect.runPromise(Effect.replicateEffect(call, times)),
      /** Under its own `TestClock`. */
      testing: <A, E>(use: (call: ReturnType<typeof fork>) => Effect.Effect<A, E>) =>
        Effect.runPromise(Effect.provide(use(fork(get)), TestContext.TestContext))
    }
  }

  /** Whether a call ends within so many milliseconds of a fresh `TestClock`. */
  const within = (millis: number, { testing }: ReturnType<typeof start>, from = 0) =>
    testing((fork) =>
      Effect.gen(function* () {
        yield* TestClock.adjust(from)
        const fiber = yield* fork
        yield* TestClock.adjust(millis)
        const isOver = (yield* Fibers.poll(fiber))._tag === "Some"
        yield* Fibers.interrupt(fiber)
        return isOver
      })
    )

  test("rateLimit waits no longer than an interval", async () => {
    const interval = 500
    const paced = start(made(Resilience.rateLimit({ limit: 1, interval })))
    await paced.live()
    expect(await within(interval, paced)).toBe(true)
    expect(await within(interval, paced, day)).toBe(true)
    expect(await within(interval, paced)).toBe(true)
    const started = performance.now()
    await paced.live()
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(paced.requests).toHaveLength(5)
  })

  test("rateLimit counts under one clock the exchanges under another", async () => {
    const paced = start(made(Resilience.rateLimit({ limit: 1, interval: 5000 })))
    await paced.live()
    expect(await within(4999, paced)).toBe(false)
  })

  test("rateLimit waits no longer than a hold", async () => {
    const responses = [{ status: 429 }, {}, { status: 429 }, {}] satisfies ReadonlyArray<StubResponse>
    const paced = start(made(Resilience.rateLimit({ limit: 9, interval: 100, hold: 60_000 })), ...responses)
    await paced.live()
    expect(await within(60_000, paced)).toBe(true)
    expect(await within(60_000, paced, day)).toBe(true)
    expect(await within(59_000, paced)).toBe(false)
    expect(await within(60_000, paced)).toBe(true)
  })

  test("breaker refuses no longer than its cooldown", async () => {
    let status = 500
    const guarded = start(made(Resilience.breaker({ failures: 1, cooldown: 30_000 })), () => ({ status }))
    /** Whether a call is answered that begins after so many milliseconds of a fresh clock, where one began before. */
    const answered = (after: number, from = 0) =>
      guarded.testing((fork) =>
        Effect.gen(function* () {
          yield* TestClock.adjust(from)
          const early = yield* Fibers.join(yield* fork)
          yield* TestClock.adjust(after)
          const late = yield* Fibers.join(yield* fork)
          return [Either.isRight(early), Either.isRight(late)]
        })
      )
    await guarded.live()
    status = 200
    expect(await answered(29_999)).toEqual([false, false])
    expect(await answered(30_000)).toEqual([false, true])
    status = 500
    expect(await answered(0, day)).toEqual([false, false])
    status = 200
    expect(await answered(30_000)).toEqual([false, true])
    expect((await guarded.live()).every(Either.isRight)).toBe(true)
  })

  test("dedupe shares nothing with a call under another clock, which may stand still", async () => {
    let after = 500
    const shared = start(made(Resilience.dedupe()), () => ({ after }))
    await shared.testing((fork) =>
      Effect.gen(function* () {
        const still = yield* fork
        after = 0
        const [outcome] = yield* Effect.promise(() => shared.live())
        expect(outcome).toMatchObject({ _tag: "Right" })
        expect(shared.requests).toHaveLength(2)
        yield* TestClock.adjust(500)
        expect(yield* Fibers.join(still)).toMatchObject({ _tag: "Right" })
      })
    )
  })

  test("cache returns no reply of unknown age", async () => {
    const kept = start(made(Resilience.cache({ capacity: 9, timeToLive: 60_000 })))
    await kept.live(2)
    expect(kept.requests).toHaveLength(1)
    for (const [from, expected] of [
      [0, 2],
      [day, 3],
      [0, 4]
    ] as const) {
      expect(await within(0, kept, from)).toBe(true)
      expect(kept.requests).toHaveLength(expected)
    }
    await kept.live(2)
    expect(kept.requests).toHaveLength(5)
  })

  test("retry waits by the clock of its call", async () => {
    const retried = start(Resilience.retry({ attempts: 2 }), { status: 503, headers: { "retry-after": "9" } }, {})
    expect(await within(9000, retried)).toBe(true)
    expect(retried.requests.map(({ at }) => at)).toEqual([0, 9000])
    expect((await retried.live()).every(Either.isRight)).toBe(true)
  })
})
