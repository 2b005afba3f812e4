// Not over the bundle: its policies and stores are Effects, made by those of core.
import { Catalog, Resilience } from "@catalog-client/core"
import { it } from "@effect/vitest"
import { Cause, Effect, Either, Exit, Option, Random, TestClock } from "effect"
import { describe, expect } from "vitest"
import { anime, type Services, type StubResponse, times, underPolicy } from "../support/stubService.js"
import * as Fibers from "../support/fibers.js"

const get = Catalog.anime.get({ id: 1 })
const write = Catalog.anime.updateMyListStatus({ id: 1, score: 1 })
const remove = Catalog.anime.deleteFromList({ id: 1 })

/** Runs an operation to its end, however long its waits are. */
const outcome = <A, E>(
  operation: Effect.Effect<A, E, Services>,
  options: Resilience.RetryOptions,
  ...responses: ReadonlyArray<StubResponse>
) =>
  Effect.gen(function* () {
    const { requests, fork } = underPolicy(Resilience.retry(options), ...responses)
    const fiber = yield* fork(operation)
    yield* TestClock.adjust("1 day")
    return { requests, times: times(requests), result: yield* Fibers.join(fiber) }
  })

const { right } = Either
const left = (error: object) => ({ _tag: "Left", left: error })

/** A condition that notes what is decided without it, and retries nothing. */
const noting =
  (seen: Array<boolean>): Resilience.RetryOptions["when"] =>
  (_, { byDefault }) => {
    seen.push(byDefault)
    return false
  }

/** What a seed draws. */
const drawn = (seed: string, count: number) =>
  Effect.withRandom(Effect.replicateEffect(Random.next, count), Random.make(seed))

describe("retried calls", () => {
  const passing: ReadonlyArray<readonly [string, StubResponse]> = [
    ...[408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 530, 302, 307].map(
      (status) => [String(status), { status }] as const
    ),
    ["a redirect that a browser hides", { status: 0 }],
    ["403 with a Retry-After", { status: 403, headers: { "retry-after": "1" } }],
    ["a connection that breaks", { drops: true }]
  ]

  it.effect.each(passing)(
    "GET and DELETE are sent again after %s; PATCH if it was refused, or with writes: true",
    ([, response]) =>
      Effect.gen(function* () {
        const read = yield* outcome(get, {}, response, {})
        expect(read.result).toEqual(right(anime))
        expect(read.requests).toHaveLength(2)
        const deletion = yield* outcome(remove, {}, response, {})
        expect(deletion.result).toEqual(right(undefined))
        expect(deletion.requests.map(({ method }) => method)).toEqual(["DELETE", "DELETE"])
        const isRefused = response.status !== undefined && response.status >= 400 && response.status < 500
        expect((yield* outcome(write, {}, response, { body: { score: 1 } })).requests).toHaveLength(isRefused ? 2 : 1)
        const { requests, result } = yield* outcome(write, { writes: true }, response, { body: { score: 1 } })
        expect(requests).toHaveLength(2)
        expect(result).toEqual(right({ score: 1 }))
      })
  )

  const final = [301, 303, 400, 401, 403, 404, 405, 501, 505, 525].map((status): StubResponse => ({ status }))
  it.effect.each([...final, { body: "<html>" }])("no call is sent again after %j", (response) =>
    Effect.gen(function* () {
      const { requests, result } = yield* outcome(get, { writes: true, timeouts: true }, response, {})
      expect(requests).toHaveLength(1)
      expect(result).toMatchObject(left({ status: response.status ?? 200, attempts: 1 }))
    })
  )

  it.effect("a call is sent again after a timeout only with timeouts: true", () =>
    Effect.gen(function* () {
      const hurried = Catalog.anime.get({ id: 1 }, { timeout: 10 })
      const once = yield* outcome(hurried, {}, { after: 20 }, {})
      expect(once.requests).toHaveLength(1)
      expect(once.result).toMatchObject(left({ reason: "Timeout", timeoutMs: 10, attempts: 1 }))
      const twice = yield* outcome(hurried, { timeouts: true }, { after: 20 }, {})
      expect(twice.requests).toHaveLength(2)
      expect(twice.result).toEqual(right(anime))
    })
  )

  it.effect("a call is sent again after the errors that isThrottle adds", () =>
    Effect.gen(function* () {
      const slowDown = { status: 420, body: { error: "slow_down" } }
      const seen: Array<unknown> = []
      const isThrottle: Resilience.RetryOptions["isThrottle"] = (error, call) => {
        seen.push([error.code, call.operation])
        return error.code === "slow_down"
      }
      expect((yield* outcome(get, { isThrottle }, slowDown, {})).requests).toHaveLength(2)
      expect((yield* outcome(get, {}, slowDown, {})).requests).toHaveLength(1)
      expect(seen).toEqual([["slow_down", "catalog.anime.get"]])
    })
  )

  it.effect("a 404 is a success only for a DELETE whose first response was lost", () =>
    Effect.gen(function* () {
      const lost = yield* outcome(remove, {}, { drops: true }, { status: 503 }, { status: 404 })
      expect(lost.result).toEqual(right(undefined))
      expect(lost.requests).toHaveLength(3)
      expect((yield* outcome(remove, {}, { status: 404 })).result).toMatchObject(left({ status: 404, attempts: 1 }))
      expect((yield* outcome(get, {}, { status: 500 }, { status: 404 })).result).toMatchObject(
        left({ status: 404, attempts: 2 })
      )
      const refused = yield* outcome(remove, {}, { status: 429 }, { status: 404 })
      expect(refused.result).toMatchObject(left({ status: 404, attempts: 2 }))
      const both = yield* outcome(remove, {}, { drops: true }, { status: 429 }, { status: 404 })
      expect(both.result).toEqual(right(undefined))
    })
  )
})

describe("how often", () => {
  it.effect("sends three times by default, and fails with the last error and the number of attempts", () =>
    Effect.gen(function* () {
      const three = yield* outcome(get, {}, { status: 500 }, { status: 502 }, { status: 503 })
      expect(three.requests).toHaveLength(3)
      expect(three.result).toMatchObject(left({ status: 503, attempts: 3 }))
      const five = yield* outcome(get, { attempts: 5 }, { status: 500 })
      expect(five.result).toMatchObject(left({ attempts: 5 }))
      const one = yield* outcome(get, { attempts: 1 }, { status: 500 })
      expect(one.result).toMatchObject(left({ attempts: 1 }))
      const broken = yield* outcome(get, {}, { drops: true })
      expect(broken.result).toMatchObject(left({ reason: "Transport", attempts: 3, cause: { code: "ECONNRESET" } }))
      const ended = yield* outcome(get, {}, { status: 500 }, { status: 400 })
      expect(ended.result).toMatchObject(left({ status: 400, attempts: 2 }))
    })
  )
})

describe("with a condition", () => {
  it.effect("when decides: it gets the error, the number of the attempt, and what is decided without it", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const when: Resilience.RetryOptions["when"] = (error, { attempt, byDefault }) => {
        seen.push([error._tag === "ClientRestError" ? error.status : error.reason, attempt, byDefault])
        return byDefault || (error._tag === "ClientRestError" && error.status === 404 && attempt < 3)
      }
      const missing = yield* outcome(get, { when, attempts: 5 }, { status: 503 }, { drops: true }, { status: 404 })
      expect(missing.result).toMatchObject(left({ status: 404, attempts: 3 }))
      const found = yield* outcome(get, { when }, { status: 404 }, {})
      expect(found.result).toEqual(right(anime))
      expect(seen).toEqual([
        [503, 1, true],
        ["Transport", 2, true],
        [404, 3, false],
        [404, 1, false]
      ])
      const never = yield* outcome(get, { when: () => false }, { status: 503 }, {})
      expect(never.result).toMatchObject(left({ status: 503, attempts: 1 }))
      const seconds = { status: 503, headers: { "retry-after": "7" } }
      expect((yield* outcome(get, { when: () => true }, seconds, {})).times).toHaveLength(2)
    })
  )

  it.effect("byDefault follows timeouts and isThrottle", () =>
    Effect.gen(function* () {
      const hurried = Catalog.anime.get({ id: 1 }, { timeout: 10 })
      for (const timeouts of [false, true]) {
        const seen: Array<boolean> = []
        const options = { timeouts, isThrottle: () => timeouts, when: noting(seen) }
        yield* outcome(hurried, options, { after: 20 }, {})
        yield* outcome(get, options, { status: 403 }, {})
        expect(seen).toEqual([timeouts, timeouts])
      }
    })
  )

  it.effect("when is not asked where attempts, writes or maxRetryAfter forbid a retry", () =>
    Effect.gen(function* () {
      const when = () => true
      const asked: Array<boolean> = []
      for (const response of [{ status: 503 }, { drops: true }, { body: "<html>" }] satisfies Array<StubResponse>) {
        expect((yield* outcome(write, { when }, response, {})).requests).toHaveLength(1)
        yield* outcome(write, { when: noting(asked) }, response, {})
      }
      yield* outcome(get, { when: noting(asked), attempts: 1 }, { status: 503 }, {})
      yield* outcome(get, { when: noting(asked) }, { status: 503, headers: { "retry-after": "61" } }, {})
      expect(asked).toEqual([])
      expect((yield* outcome(write, { when }, { status: 404 }, { body: { score: 1 } })).requests).toHaveLength(2)
      const refusedTwice = yield* outcome(write, { when, writes: true, attempts: 2 }, { status: 503 })
      expect(refusedTwice.requests).toHaveLength(2)
    })
  )

  it.effect("a condition that throws, or returns no boolean, is a mistake of the program", () =>
    Effect.gen(function* () {
      const broken = () => {
        throw new Error("broken")
      }
      for (const [when, message] of [
        [broken, "broken"],
        [async () => false, "Resilience.retry: when must return true or false, but it returned a promise (await it)"],
        [() => undefined, "Resilience.retry: when must return true or false, but it returned undefined"]
      ] as const) {
        const { requests, fork } = underPolicy(Resilience.retry({ when: when as never }), { status: 503 }, {})
        const thrown = Effect.map(Effect.exit(get), (exit) => Exit.isFailure(exit) && Cause.squash(exit.cause))
        expect(yield* Fibers.join(yield* fork(thrown))).toEqual(right(expect.objectContaining({ message })))
        expect(requests).toHaveLength(1)
      }
    })
  )
})

describe("how long it waits", () => {
  it.effect.each(["a", "b", "c"])("waits for a random part of a maximum that doubles up to a limit: seed %s", (seed) =>
    Effect.gen(function* () {
      const bounds = [100, 200, 400, 500, 500]
      const shares = yield* drawn(seed, bounds.length)
      const options = { attempts: 6, baseDelay: 100, maxDelay: 500 }
      const run = yield* Effect.withRandom(outcome(get, options, { status: 500 }), Random.make(seed))
      let at = 0
      expect(run.times).toEqual([
        0,
        ...bounds.map((bound, index) => (at += Math.round(bound * (shares[index] ?? NaN))))
      ])
    })
  )

  it.effect("waits at most 500 ms before the second attempt and 30 s before any other, by default", () =>
    Effect.gen(function* () {
      const always = Random.fixed([0.999999])
      const { times } = yield* Effect.withRandom(outcome(get, { attempts: 9 }, { status: 500 }), always)
      const waits = times.slice(1).map((time, index) => time - (times[index] ?? NaN))
      expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
    })
  )

  it.effect("waits exactly as long as Retry-After says, in seconds or as a date", () =>
    Effect.gen(function* () {
      const seconds = yield* outcome(get, {}, { status: 503, headers: { "retry-after": "7" } }, {})
      expect(seconds.times).toEqual([0, 7000])
      // Each run begins where the one before has put the clock.
      const now = yield* TestClock.currentTimeMillis
      const date = new Date(now + 9000).toUTCString()
      const dated = yield* outcome(get, {}, { status: 429, headers: { "retry-after": date } }, {})
      expect(dated.times).toEqual([now, now + 9000])
      const none = yield* outcome(get, {}, { status: 500, headers: { "retry-after": "0" } }, {})
      expect(new Set(none.times).size).toBe(1)
    })
  )

  it.effect("fails at once if Retry-After is beyond the limit", () =>
    Effect.gen(function* () {
      for (const [options, seconds, requests] of [
        [{}, 60, 2],
        [{}, 61, 1],
        [{ maxRetryAfter: "2 seconds" }, 2, 2],
        [{ maxRetryAfter: 2000 }, 3, 1]
      ] as const) {
        const headers = { "retry-after": String(seconds) }
        const run = yield* outcome(get, options, { status: 429, headers }, {})
        expect(run.requests).toHaveLength(requests)
        if (requests === 1) {
          expect(run.result).toMatchObject(left({ status: 429, retryAfter: seconds * 1000, attempts: 1 }))
        }
      }
    })
  )
})

describe("while it waits", () => {
  const waiting = (options: { readonly totalTimeout?: number; readonly signal?: AbortSignal }) =>
    Effect.gen(function* () {
      const { requests, fork } = underPolicy(Resilience.retry(), { status: 503, headers: { "retry-after": "10" } }, {})
      const fiber = yield* fork(Catalog.anime.get({ id: 1 }, { timeout: 50, ...options }))
      yield* TestClock.adjust(5000)
      expect(yield* Fibers.poll(fiber)).toEqual(Option.none())
      return { requests, fiber }
    })

  it.effect("no timeout of an attempt runs while a retry waits", () =>
    Effect.gen(function* () {
      const { fiber } = yield* waiting({})
      yield* TestClock.adjust(5000)
      expect(yield* Fibers.join(fiber)).toEqual(right(anime))
    })
  )

  it.effect("totalTimeout ends the wait of a retry, with the number of attempts and the last response", () =>
    Effect.gen(function* () {
      const { requests, fiber } = yield* waiting({ totalTimeout: 6000 })
      yield* TestClock.adjust(1000)
      const message: unknown = expect.stringMatching(
        /timed out after 6000 ms \(GET .*\): attempt 1 returned 503\. Try again, or raise .* totalTimeout/
      )
      expect(yield* Fibers.join(fiber)).toMatchObject(
        left({ reason: "Timeout", timeoutMs: 6000, attempts: 1, message })
      )
      yield* TestClock.adjust("1 hour")
      expect(requests).toHaveLength(1)
    })
  )

  it.effect("a signal and an interruption end the wait of a retry at once", () =>
    Effect.gen(function* () {
      const controller = new AbortController()
      const cancelled = yield* waiting({ signal: controller.signal })
      controller.abort(new Error("enough"))
      expect(yield* Fibers.join(cancelled.fiber)).toMatchObject(
        left({ reason: "Cancelled", attempts: 1, cause: { message: "enough" } })
      )
      const interrupted = yield* waiting({})
      expect(Exit.isInterrupted(yield* Fibers.interrupt(interrupted.fiber))).toBe(true)
      yield* TestClock.adjust("1 hour")
      expect([cancelled.requests.length, interrupted.requests.length]).toEqual([1, 1])
    })
  )
})
