// Not over the bundle: its policies and stores are Effects, made by those of core.
import { createCatalog } from "catalog-client"
import { Catalog, CatalogConfig, CatalogPolicy, Credentials, Resilience } from "@catalog-client/core"
import { HttpClient, HttpClientError, HttpClientResponse } from "@effect/platform"
import { it } from "@effect/vitest"
import { Deferred, Effect, Either, Exit, Layer, ManagedRuntime, Redacted, TestClock } from "effect"
import { describe, expect, test } from "vitest"
import { anime, type Services, type StubResponse, stubService, underPolicy } from "../support/stubService.js"
import * as Fibers from "../support/fibers.js"
import { sleep } from "../support/eventually.js"
import { made } from "../support/faces.js"
import { onlyEffect3 } from "../support/only.js"

const { right } = Either
const get = (options: object = {}) => Catalog.anime.get({ id: 1 }, { timeout: 1000, ...options })

/** Calls through one value. A response takes 100 ms, unless a test has its own. */
const start = (...responses: ReadonlyArray<StubResponse>) =>
  underPolicy(made(Resilience.dedupe()), ...(responses.length === 0 ? [{ after: 100 }] : responses))

describe("equal reads in flight", () => {
  it.effect.each([
    [{}, { right: anime }],
    [{ status: 404 }, { left: { status: 404, attempts: 1 } }],
    [{ drops: true }, { left: { reason: "Transport", attempts: 1 } }]
  ] as const)("equal reads in flight have one exchange and one outcome: %j", ([response, outcome]) =>
    Effect.gen(function* () {
      const { requests, fork } = start({ ...response, after: 100 })
      const fibers = yield* Effect.replicateEffect(fork(get()), 5)
      yield* TestClock.adjust(100)
      const outcomes = yield* Effect.forEach(fibers, (fiber) => Fibers.join(fiber))
      expect(outcomes).toMatchObject([outcome, outcome, outcome, outcome, outcome])
      const replies = new Set(outcomes.map((one) => (Either.isRight(one) ? one.right : undefined)))
      expect([...replies].map(Object.isFrozen)).toEqual([true])
      expect(requests).toHaveLength(1)
    })
  )

  it.effect("a read that begins after an exchange has ended has its own", () =>
    Effect.gen(function* () {
      const { requests, fork } = start({ status: 500 }, {})
      expect(yield* Fibers.join(yield* fork(get()))).toMatchObject({ left: { status: 500 } })
      expect(yield* Fibers.join(yield* fork(get()))).toEqual(right(anime))
      expect(yield* Fibers.join(yield* fork(get()))).toEqual(right(anime))
      expect(requests).toHaveLength(3)
    })
  )

  it.effect("equal reads in flight share the policies inside: one retry serves all", () =>
    Effect.gen(function* () {
      const { requests, layer } = stubService({ status: 503 }, { status: 503 }, {})
      const policies = CatalogPolicy.layer(Resilience.retry({ baseDelay: 10 }), made(Resilience.dedupe()))
      const call = Effect.provide(get(), Layer.merge(layer, policies))
      const fiber = yield* Fibers.fork(Effect.all([call, call, call], { concurrency: "unbounded" }))
      yield* TestClock.adjust("1 minute")
      expect(yield* Fibers.join(fiber)).toEqual([anime, anime, anime])
      expect(requests).toHaveLength(3)
    })
  )

  test.each([0, 20])(
    "of two catalogs share, too, and closing one after %d ms ends its own call only",
    async (after) => {
      const dedupe = made(Resilience.dedupe())
      let requests = 0
      const fetch = () => {
        requests++
        return new Promise<Response>((resolve) => setTimeout(() => resolve(Response.json(anime)), 60))
      }
      const catalogs = [1, 2].map(() => createCatalog({ fetch, clientId: "same", policies: [dedupe] }))
      const calls = catalogs.map((catalog) => catalog.anime.get({ id: 1 }).catch((error: unknown) => error))
      await sleep(after)
      await catalogs[0]?.close()
      const [first, second] = await Promise.all(calls)
      expect(first).toMatchObject({ reason: "Cancelled" })
      expect(second).toEqual(anime)
      expect(requests).toBe(1)
      await catalogs[1]?.close()
    }
  )
})

describe("reads that differ are sent separately", () => {
  it.effect("another item, operation, option, credential, header or treatment of mismatches", () =>
    Effect.gen(function* () {
      const { requests, fork } = start()
      const as = (accessToken: string, clientId: string) =>
        Effect.provide(get(), Credentials.layer({ accessToken: Redacted.make(accessToken), clientId }))
      const calls: ReadonlyArray<Effect.Effect<unknown, unknown, Services>> = [
        get(),
        Catalog.anime.get({ id: 2 }, { timeout: 1000 }),
        Catalog.manga.get({ id: 1 }, { timeout: 1000 }),
        get({ fields: ["mean"] }),
        get({ timeout: 1001 }),
        get({ maxResponseBytes: 1000 }),
        CatalogConfig.with({ headers: { cookie: "a" } })(get()),
        CatalogConfig.with({ headers: { cookie: "b" } })(get()),
        CatalogConfig.with({ mismatch: "fail" })(get()),
        as("a", "b"),
        as("a", "c"),
        as("b", "b")
      ]
      yield* Effect.forEach([...calls, ...calls], fork)
      expect(requests).toHaveLength(calls.length)
    })
  )

  it.effect("writes", () =>
    Effect.gen(function* () {
      const { requests, fork } = start({ after: 100, body: { score: 1 } })
      const write = Catalog.anime.updateMyListStatus({ id: 1, score: 1 })
      const remove = Catalog.anime.deleteFromList({ id: 1 })
      const writes: ReadonlyArray<Effect.Effect<unknown, unknown, Services>> = [write, write, remove, remove]
      yield* Effect.forEach(writes, fork)
      expect(requests).toHaveLength(4)
    })
  )

  it.effect("a read that begins after a write has ended, and one that began before", () =>
    Effect.gen(function* () {
      const slow = { after: 1000 }
      const { requests, fork } = start(slow, { body: { score: 1 } }, slow, { status: 400 }, slow)
      const write = Catalog.anime.updateMyListStatus({ id: 1, score: 1 })
      const patient = get({ timeout: 0 })
      yield* fork(patient)
      yield* fork(write)
      yield* fork(patient)
      expect(requests.map(({ method }) => method)).toEqual(["GET", "PATCH", "GET"])
      // One that was refused has changed nothing.
      yield* fork(write)
      yield* fork(patient)
      expect(requests.map(({ method }) => method)).toEqual(["GET", "PATCH", "GET", "PATCH"])
    })
  )
})

describe("a caller that cancels", () => {
  it.effect.each([0, 1, 2])("a caller that cancels does not end the exchange of the others: caller %d", (leaving) =>
    Effect.gen(function* () {
      const { requests, state, fork } = start()
      const controllers = Array.from({ length: 3 }, () => new AbortController())
      const fibers = yield* Effect.forEach(controllers, ({ signal }) => fork(get({ signal })))
      yield* TestClock.adjust(50)
      controllers[leaving]?.abort()
      yield* TestClock.adjust(50)
      for (const [index, fiber] of fibers.entries()) {
        const outcome = yield* Fibers.join(fiber)
        if (index === leaving) {
          expect(outcome).toMatchObject({ left: { reason: "Cancelled" } })
        } else {
          expect(outcome).toEqual(right(anime))
        }
      }
      expect([requests.length, state.interrupted]).toEqual([1, 0])
    })
  )

  it.effect("the last caller that cancels ends the exchange, and the next call begins another", () =>
    Effect.gen(function* () {
      const { requests, state, fork } = start()
      const fibers = yield* Effect.replicateEffect(fork(get()), 3)
      for (const [index, fiber] of fibers.entries()) {
        expect(state.interrupted).toBe(0)
        expect(Exit.isInterrupted(yield* Fibers.interrupt(fiber))).toBe(true)
        expect(requests).toHaveLength(1)
        expect(state.interrupted).toBe(index === 2 ? 1 : 0)
      }
      const next = yield* fork(get())
      yield* TestClock.adjust(100)
      expect(yield* Fibers.join(next)).toEqual(right(anime))
      expect(requests).toHaveLength(2)
    })
  )

  it.effect("the others share another exchange if the first caller that cancels breaks it", () =>
    Effect.gen(function* () {
      const broken = { drops: true, after: 100 } as const
      const { requests, fork, run } = start(broken, broken, { after: 100 })
      const first = yield* fork(get())
      const others = yield* Effect.replicateEffect(Fibers.fork(run(get())), 49)
      yield* TestClock.adjust(50)
      yield* Fibers.interrupt(first)
      yield* TestClock.adjust(50)
      expect(requests).toHaveLength(2)
      // The first or the last of them has begun the other exchange: both are cancelled, too.
      yield* TestClock.adjust(50)
      yield* Effect.forEach([...others.splice(0, 1), ...others.splice(-1)], Fibers.interrupt)
      yield* TestClock.adjust(50)
      expect(requests).toHaveLength(3)
      const late = yield* fork(get())
      yield* TestClock.adjust(100)
      const outcomes = yield* Effect.forEach([...others, late], (fiber) => Fibers.join(fiber))
      expect(outcomes.every((outcome) => Either.isRight(outcome) && outcome.right.id === 1)).toBe(true)
      expect(requests.map(({ at }) => at)).toEqual([0, 100, 200])
    })
  )

  it.effect("the second exchange of a shared read is the last: if it fails, it fails for all", () =>
    Effect.gen(function* () {
      const { requests, fork } = start({ drops: true, after: 100 })
      const first = yield* fork(get())
      const others = yield* Effect.replicateEffect(fork(get()), 20)
      yield* TestClock.adjust(50)
      yield* Fibers.interrupt(first)
      yield* TestClock.adjust(150)
      for (const fiber of others) {
        expect(yield* Fibers.join(fiber)).toMatchObject({ left: { reason: "Transport" } })
      }
      expect(requests).toHaveLength(2)
    })
  )

  it.effect("differs from an interrupted exchange: the others share another one", () =>
    Effect.gen(function* () {
      let requests = 0
      const client = HttpClient.make((request) =>
        Effect.suspend(() =>
          requests++ === 0
            ? Effect.delay(Effect.interrupt, 100)
            : Effect.delay(Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(anime))), 100)
        )
      )
      const services = Layer.mergeAll(
        Layer.succeed(HttpClient.HttpClient, client),
        Credentials.layerNone,
        CatalogPolicy.layer(made(Resilience.dedupe()))
      )
      const fibers = yield* Effect.replicateEffect(
        Effect.zipLeft(Fibers.fork(Effect.provide(get(), services)), TestClock.adjust(0)),
        50
      )
      yield* TestClock.adjust(200)
      const exits = yield* Effect.forEach(fibers, Fibers.exitOf)
      expect(exits.slice(0, 1).every(Exit.isInterrupted)).toBe(true)
      expect(exits.slice(1)).toEqual(exits.slice(1).map(() => Exit.succeed(anime)))
      expect(requests).toBe(2)
    })
  )

  // In Effect 4, a ManagedRuntime that is disposed interrupts its fibers.
  onlyEffect3(test)("disposing one runtime fails no other runtime's calls", async () => {
    const dedupe = CatalogPolicy.layer(made(Resilience.dedupe()))
    /** A transport whose requests break when it is closed. */
    const transport = Layer.scoped(
      HttpClient.HttpClient,
      Effect.gen(function* () {
        const closed = yield* Deferred.make<void>()
        yield* Effect.addFinalizer(() => Deferred.succeed(closed, undefined))
        return HttpClient.make((request) => {
          const broken = new HttpClientError.RequestError({ request, reason: "Transport", cause: new Error("closed") })
          const response = Effect.delay(Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(anime))), 200)
          return Effect.raceFirst(response, Effect.zipRight(Deferred.await(closed), Effect.fail(broken)))
        })
      })
    )
    const runtimeOf = () => ManagedRuntime.make(Layer.mergeAll(Layer.fresh(transport), Credentials.layerNone, dedupe))
    const [leader, other] = [runtimeOf(), runtimeOf()]
    const call = (runtime: typeof leader) => runtime.runPromise(Effect.either(get()))
    const first = call(leader)
    await sleep(20)
    const others = [call(other), call(other)]
    await sleep(20)
    await leader.dispose()
    expect(await first).toMatchObject({ left: { reason: "Transport" } })
    expect(await Promise.all(others)).toEqual([right(anime), right(anime)])
    await other.dispose()
  })

  it.effect("a later caller that cancels does not affect the first, whose call fails if the exchange breaks", () =>
    Effect.gen(function* () {
      const { requests, fork } = start({ drops: true, after: 100 }, {})
      const [first, second] = [yield* fork(get()), yield* fork(get())]
      yield* TestClock.adjust(50)
      yield* Fibers.interrupt(second)
      yield* TestClock.adjust(50)
      expect(yield* Fibers.join(first)).toMatchObject({ left: { reason: "Transport", attempts: 1 } })
      expect(requests).toHaveLength(1)
    })
  )

  it.effect("a shared call in an uninterruptible region can still be ended by its signal", () =>
    Effect.gen(function* () {
      const { state, fork } = start()
      const controller = new AbortController()
      const fiber = yield* fork(Effect.uninterruptible(get({ timeout: 0, signal: controller.signal })))
      controller.abort()
      expect(yield* Fibers.join(fiber)).toMatchObject({ left: { reason: "Cancelled" } })
      expect(state.interrupted).toBe(1)
    })
  )

  it.effect("a single caller has its own timeout", () =>
    Effect.gen(function* () {
      const { state, fork } = start({ after: 5000 })
      const fibers = yield* Effect.replicateEffect(fork(get()), 2)
      yield* TestClock.adjust(1000)
      for (const fiber of fibers) {
        expect(yield* Fibers.join(fiber)).toMatchObject({ left: { reason: "Timeout", timeoutMs: 1000 } })
      }
      expect(state.interrupted).toBe(1)
    })
  )
})
