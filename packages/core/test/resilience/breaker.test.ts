// Not over the bundle: its policies and stores are Effects, made by those of core.
import { Catalog, CatalogPolicy, Resilience } from "@catalog-client/core"
import { it } from "@effect/vitest"
import { Effect, Either, Exit, TestClock } from "effect"
import { describe, expect } from "vitest"
import { anime, type StubResponse, stubService, underPolicy } from "../support/stubService.js"
import * as Fibers from "../support/fibers.js"
import { limitOver, made } from "../support/faces.js"

const get = Catalog.anime.get({ id: 1 }, { timeout: 1000, maxResponseBytes: 1000 })
const refused = {
  left: { _tag: "ClientNetworkError", reason: "CircuitOpen", operation: "catalog.anime.get", attempts: 0 }
}
const isAnswered = Either.isRight

/** Calls of a service whose response a test changes as it goes. */
const start = (options: Resilience.BreakerOptions) => {
  const service = { response: {} as StubResponse }
  const { requests, fork } = underPolicy(made(Resilience.breaker(options)), () => service.response)
  const call = Effect.flatMap(fork(get), (fiber) => Effect.zipRight(TestClock.adjust(1000), Fibers.join(fiber)))
  const respond = (response: StubResponse, times = 1) =>
    Effect.suspend(() => {
      service.response = response
      return Effect.replicateEffect(call, times)
    })
  return { service, requests, fork, call, respond }
}

describe("failures", () => {
  const failures: ReadonlyArray<readonly [string, StubResponse]> = [
    ...[500, 501, 502, 503, 504, 520, 530, 302, 307].map((status) => [String(status), { status }] as const),
    ["a redirect that a browser hides", { status: 0 }],
    ["503 with a Retry-After", { status: 503, headers: { "retry-after": "1" } }],
    ["a connection that breaks", { drops: true }],
    ["a timeout", { after: 2000 }]
  ]

  it.effect.each(failures)("failures open the circuit after a number in a row: %s", ([, response]) =>
    Effect.gen(function* () {
      const { requests, respond, call } = start({ failures: 3, cooldown: "1 hour" })
      expect((yield* respond(response, 3)).some(isAnswered)).toBe(false)
      expect(requests).toHaveLength(3)
      expect(yield* call).toMatchObject(refused)
      expect(yield* call).toMatchObject(refused)
      expect(requests).toHaveLength(3)
    })
  )

  const works: ReadonlyArray<readonly [string, StubResponse]> = [
    ...[301, 400, 401, 403, 404, 408, 429].map((status) => [String(status), { status }] as const),
    ["a body that is no reply", { body: "<html>" }],
    ["a body that is too large", { body: "x".repeat(2000) }],
    ["a success", {}]
  ]

  it.effect.each(works)("failures in a row are counted: %s resets the count", ([, response]) =>
    Effect.gen(function* () {
      const { requests, respond } = start({ failures: 2, cooldown: "1 hour" })
      for (const next of [{ status: 500 }, response, { status: 500 }, response, response, response]) {
        yield* respond(next)
      }
      expect(requests).toHaveLength(6)
    })
  )

  it.effect("five failures in a row open the circuit for 30 seconds, by default", () =>
    Effect.gen(function* () {
      const { requests, respond, call } = start({})
      yield* respond({ status: 500 }, 6)
      expect(requests).toHaveLength(5)
      // The fifth was answered, and the clock went on, a second before the call that was refused.
      yield* TestClock.adjust(30_000 - 1000 - 1001)
      expect(yield* call).toMatchObject(refused)
      yield* call
      expect(requests).toHaveLength(6)
    })
  )

  it.effect("refused calls have the failure as their cause, and the time until the next call", () =>
    Effect.gen(function* () {
      const { respond, call, fork, service } = start({ failures: 1, cooldown: "10 seconds" })
      const message = Effect.map(call, Either.match({ onLeft: (error) => error.message, onRight: () => "a response" }))
      yield* respond({ status: 500 })
      const why = "catalog.anime.get was not sent, because the circuit breaker is open"
      expect(yield* message).toContain(why)
      expect(yield* message).toMatch(/: the last call ended with 500, and the next one is allowed in 8 s\. See /)
      yield* TestClock.adjust("10 seconds")
      yield* respond({ drops: true })
      expect(yield* message).toMatch(/: the last call ended with Transport, and the next one is allowed in 9 s\. See /)
      yield* TestClock.adjust("10 seconds")
      service.response = { after: 5000 }
      yield* fork(Catalog.forum.boards())
      expect(yield* message).toMatch(/: the last call ended with Transport, and a trial call is running\. See /)
    })
  )

  it.effect("failures of a retried call count by attempt, and an open circuit ends it at once", () =>
    Effect.gen(function* () {
      const { requests, layer } = stubService({ status: 500 })
      const policies = CatalogPolicy.layer(
        Resilience.retry({ attempts: 9, baseDelay: 1 }),
        made(Resilience.breaker({ failures: 2 }))
      )
      const fiber = yield* Fibers.fork(Effect.either(get).pipe(Effect.provide([layer, policies])))
      yield* TestClock.adjust("1 hour")
      expect(yield* Fibers.join(fiber)).toMatchObject({ left: { reason: "CircuitOpen", attempts: 2 } })
      expect(requests).toHaveLength(2)
    })
  )
})

describe("after the cooldown", () => {
  const opened = Effect.gen(function* () {
    const started = start({ failures: 1, cooldown: "10 seconds" })
    yield* started.respond({ status: 500 })
    yield* TestClock.adjust("10 seconds")
    return started
  })

  it.effect("one call is sent while the others are refused; if it succeeds, all are sent", () =>
    Effect.gen(function* () {
      const { service, requests, fork, respond } = yield* opened
      service.response = { after: 500 }
      const probe = yield* fork(get)
      expect(yield* Fibers.join(yield* fork(get))).toMatchObject(refused)
      yield* TestClock.adjust(500)
      expect(yield* Fibers.join(probe)).toEqual(Either.right(anime))
      expect((yield* respond({}, 3)).every(isAnswered)).toBe(true)
      expect(requests).toHaveLength(5)
    })
  )

  it.effect("a trial call that fails begins the cooldown again", () =>
    Effect.gen(function* () {
      const { requests, respond, call } = yield* opened
      yield* respond({ status: 503 })
      yield* TestClock.adjust(8000)
      expect(yield* call).toMatchObject(refused)
      expect(isAnswered((yield* respond({}))[0] as Effect.Effect.Success<typeof call>)).toBe(true)
      expect(requests).toHaveLength(3)
    })
  )

  it.effect("a cancelled call decides nothing: the next one is sent", () =>
    Effect.gen(function* () {
      const { service, requests, fork, respond } = yield* opened
      service.response = { after: 60_000 }
      const controller = new AbortController()
      const slow = { timeout: 0, signal: controller.signal }
      for (const end of [
        (fiber: Fibers.Running<unknown, unknown>) => Effect.map(Fibers.interrupt(fiber), Exit.isInterrupted),
        (fiber: Fibers.Running<unknown, unknown>) => {
          controller.abort()
          return Effect.as(Fibers.join(fiber), true)
        }
      ]) {
        const probe = yield* fork(Catalog.anime.get({ id: 1 }, slow))
        expect(yield* Fibers.join(yield* fork(get))).toMatchObject(refused)
        expect(yield* end(probe)).toBe(true)
      }
      expect((yield* respond({})).every(isAnswered)).toBe(true)
      expect(requests).toHaveLength(4)
    })
  )

  it.effect("a call that never got a token decides nothing", () =>
    Effect.gen(function* () {
      let isDown = false
      const store: Resilience.RateLimitStore.Service = {
        take: () =>
          Effect.suspend(() =>
            isDown ? Effect.fail(new Resilience.RateLimitStoreError({ cause: new Error("down") })) : Effect.succeed(0)
          ),
        hold: () => Effect.void
      }
      const { requests, layer } = stubService({ status: 500 }, {})
      const policies = CatalogPolicy.layer(
        made(Resilience.breaker({ failures: 1, cooldown: 10 })),
        limitOver(store, { limit: 1, interval: 1 })
      )
      const call = Effect.either(get).pipe(Effect.provide([layer, policies]))
      const next = Effect.flatMap(Fibers.fork(call), (fiber) =>
        Effect.zipRight(TestClock.adjust(2000), Fibers.join(fiber))
      )
      yield* next
      isDown = true
      expect(yield* next).toMatchObject({ left: { reason: "RateLimitStore" } })
      expect(yield* next).toMatchObject({ left: { reason: "RateLimitStore" } })
      isDown = false
      expect(isAnswered(yield* next)).toBe(true)
      expect(requests).toHaveLength(2)
    })
  )
})

it.effect("calls that began before the circuit opened do not count", () =>
  Effect.gen(function* () {
    const { service, requests, fork, call } = start({ failures: 1, cooldown: "10 seconds" })
    service.response = { after: 5000 }
    const early = yield* fork(Catalog.anime.get({ id: 1 }))
    service.response = { status: 500, after: 20_000 }
    const late = yield* fork(Catalog.anime.get({ id: 1 }))
    service.response = { status: 500 }
    yield* call
    // A success from before does not close it.
    yield* TestClock.adjust(4000)
    expect(isAnswered(yield* Fibers.join(early))).toBe(true)
    expect(yield* call).toMatchObject(refused)
    yield* TestClock.adjust("10 seconds")
    service.response = {}
    expect(isAnswered(yield* call)).toBe(true)
    // And a failure from before does not open it.
    yield* TestClock.adjust("10 seconds")
    expect(isAnswered(yield* Fibers.join(late))).toBe(false)
    expect(isAnswered(yield* call)).toBe(true)
    expect(requests).toHaveLength(5)
  })
)
