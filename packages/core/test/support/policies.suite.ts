/**
 * Policies against the embedded service's faults over a real connection, on both faces: the same in Node and in a browser.
 */
import { ClientNetworkError, Resilience } from "@catalog-client/core"
import type { CatalogPolicy } from "@catalog-client/core"
import { HttpClient } from "@effect/platform"
import { Effect, Layer, ManagedRuntime } from "effect"
import { afterAll, describe, expect, test } from "vitest"
import { faces, failure, promiseCatalog, type Transport, value, made } from "./faces.js"
import { type FaultName, meeting, meetingFirst } from "./serviceFaults.js"
import { rejection, sleep } from "./eventually.js"

interface Platform {
  readonly transport: Transport
  /** The embedded service, with `faulty` as its options. */
  readonly url: string
  /** How many requests have been sent. */
  readonly requests: () => number
  /** A browser sends again by itself what was dropped. */
  readonly isBrowser: boolean
  /** The faces that are tested; both, unless given. */
  readonly only?: ReadonlyArray<(typeof faces)[number]>
}

export const underFaults = ({ transport, url, requests, isBrowser, only = faces }: Platform): void =>
  describe.each(only)("under faults, on the %s face", (_, face) => {
    const signedIn = { baseUrl: url, accessToken: "embedded-token", clientId: "embedded-client" }
    const call = (policies: ReadonlyArray<CatalogPolicy.Policy>, headers = {}) =>
      face(transport, { ...signedIn, policies, headers })
    const runtime = ManagedRuntime.make(transport.layer)
    afterAll(() => runtime.dispose())
    const one: Transport = {
      layer: Layer.effect(
        HttpClient.HttpClient,
        Effect.promise(() => runtime.runPromise(HttpClient.HttpClient))
      ),
      fetch: transport.fetch ?? "global"
    }
    /** Calls over one client, or one fetch: over another one nothing is shared. */
    const callOverOne = (policies: ReadonlyArray<CatalogPolicy.Policy>, headers = {}) =>
      face(one, { ...signedIn, policies, headers })

    /** How many requests something takes. */
    const counted = async <A>(run: () => Promise<A>) => {
      const before = requests()
      const result = await run()
      return { result, requests: requests() - before }
    }

    describe("retry", () => {
      const retry = (options: Resilience.RetryOptions = {}) => [Resilience.retry({ baseDelay: 1, ...options })]

      test.each<FaultName>(["failing", "overloaded", "too-many", "redirect-302", "redirect-307"])(
        "succeeds after two times %s, and after a third fails with the number of attempts",
        async (fault) => {
          const { result, requests } = await counted(() =>
            call(retry(), meetingFirst(2, fault))("anime.get", { id: 30230 })
          )
          expect(value(result)).toMatchObject({ id: 30230 })
          expect(requests).toBe(3)
          const error = failure(await call(retry(), meeting(fault))("anime.get", { id: 30230 }))
          expect(error).toMatchObject({ _tag: "ClientRestError", attempts: 3 })
        }
      )

      test("waits as long as Retry-After says", async () => {
        const started = performance.now()
        value(await call(retry({ baseDelay: 60_000 }), meetingFirst(1, "busy"))("forum.boards"))
        expect(performance.now() - started).toBeGreaterThan(990)
      })

      test.each<FaultName>(["drop-before-headers", "drop-in-body"])("tries again after %s", async (fault) => {
        const error = failure(await call(retry(), meeting(fault))("anime.get", { id: 30230 }))
        expect(error).toMatchObject({ _tag: "ClientNetworkError", reason: "Transport", attempts: 3 })
        if (!isBrowser) {
          value(await call(retry(), meetingFirst(2, fault))("anime.get", { id: 30230 }))
        }
      })

      test.each<FaultName>(["stall-before-headers", "stall-in-body"])(
        "tries again after %s if asked",
        async (fault) => {
          const stalled = { timeout: 500 }
          // On a busy machine, a response may be late, too.
          const patient = retry({ timeouts: true, attempts: 10 })
          value(await call(patient, meetingFirst(1, fault))("anime.get", { id: 30230 }, stalled))
          const error = failure(await call(retry(), meeting(fault))("anime.get", { id: 30230 }, stalled))
          expect(error).toMatchObject({ reason: "Timeout", timeoutMs: 500, attempts: 1 })
        }
      )

      test("when decides about reads, but repeats no write whose outcome is unknown", async () => {
        const when: Resilience.RetryOptions["when"] = (error, { attempt, byDefault }) =>
          !byDefault && attempt < 3 && error._tag === "ClientRestError"
        const missing = await counted(() => call(retry({ when, attempts: 9 }))("anime.get", { id: 999_999 }))
        expect(failure(missing.result)).toMatchObject({ status: 404, attempts: 3 })
        expect(missing.requests).toBe(3)
        const always = retry({ when: () => true })
        const headers = meeting("overloaded")
        const write = await counted(() => call(always, headers)("anime.updateMyListStatus", { id: 30230, score: 1 }))
        expect(failure(write.result)).toMatchObject({ status: 503, attempts: 1 })
        expect(write.requests).toBe(1)
      })

      test("the wait of a retry ends with the catalog", async () => {
        const patient = [Resilience.retry({ isThrottle: () => true, baseDelay: "1 hour", maxDelay: "1 hour" })]
        const catalog = promiseCatalog(transport, { ...signedIn, policies: patient, headers: meeting("failing") })
        const closed = rejection(catalog.forum.boards())
        await sleep(200)
        await catalog.close()
        expect(await closed).toBeInstanceOf(ClientNetworkError)
      })
    })

    test("rateLimit: delays every call when the service responds with 429", async () => {
      const policies = [made(Resilience.rateLimit({ limit: 100, interval: 100, hold: 400 }))]
      const started = performance.now()
      expect(failure(await call(policies, meeting("too-many"))("forum.boards"))).toMatchObject({ status: 429 })
      await Promise.all([1, 2, 3].map(async () => value(await call(policies)("forum.boards"))))
      expect(performance.now() - started).toBeGreaterThan(390)
    })

    test("dedupe: equal reads in flight are one request, whichever call is cancelled", async () => {
      const policies = [made(Resilience.dedupe())]
      const controller = new AbortController()
      const headers = meetingFirst(1, "stall-before-headers")
      // The first one stalls: all wait for it, until its timeout ends it for all.
      const read = (options = {}, group = headers) =>
        callOverOne(policies, group)("anime.get", { id: 30230 }, { timeout: 2000, ...options })
      const { result, requests } = await counted(async () => {
        const calls = [read(), read({ signal: controller.signal }), read({ totalTimeout: 1000 }), read()]
        await sleep(500)
        controller.abort()
        return Promise.all(calls)
      })
      expect(requests).toBe(1)
      expect(result.map(failure)).toMatchObject([
        { reason: "Timeout", timeoutMs: 2000 },
        { reason: "Cancelled" },
        { reason: "Timeout", timeoutMs: 1000 },
        { reason: "Timeout", timeoutMs: 2000 }
      ])
      // The first one goes with its catalog, or its runtime: the other is answered.
      const another = meetingFirst(1, "slow")
      const patient = { timeout: 20_000 }
      const leaving = read({ ...patient, signal: AbortSignal.timeout(100) }, another)
      const staying = read(patient, another)
      failure(await leaving)
      value(await staying)
      const again = await counted(() => Promise.all([read(patient), read(patient), read(patient)]))
      expect(again.requests).toBe(1)
      expect(new Set(again.result.map(value)).size).toBe(1)
    })

    test("all policies work together", async () => {
      const policies = [
        made(Resilience.rateLimit({ limit: 5, interval: 250 })),
        made(Resilience.breaker({ failures: 3, cooldown: 1500 })),
        Resilience.retry({ baseDelay: 1 }),
        made(Resilience.dedupe()),
        made(Resilience.cache({ capacity: 10, timeToLive: "1 minute" }))
      ]
      // Two failures, which the retries of one shared exchange get through; then nothing is asked for again.
      const headers = meetingFirst(2, "overloaded")
      const ranking = () => callOverOne(policies, headers)("anime.ranking", { rankingType: "all", limit: 3 })
      const shared = await counted(() => Promise.all([ranking(), ranking(), ranking()]))
      expect(new Set(shared.result.map(value)).size).toBe(1)
      expect(shared.requests).toBe(3)
      expect((await counted(ranking)).requests).toBe(0)
      // Three failures open the circuit, within one call; what is in the cache is there all the same.
      const failing = await counted(() => callOverOne(policies, meeting("overloaded"))("forum.boards"))
      expect(failure(failing.result)).toMatchObject({ status: 503, attempts: 3 })
      expect(failing.requests).toBe(3)
      const refused = await counted(() => callOverOne(policies)("forum.boards"))
      expect(failure(refused.result)).toMatchObject({ reason: "CircuitOpen", attempts: 0 })
      expect(refused.requests).toBe(0)
      value(await ranking())
      await sleep(1550)
      value(await callOverOne(policies)("forum.boards"))
      // Cancelled waiting calls end at once; nothing is sent.
      const exhausted = [...policies.slice(1), made(Resilience.rateLimit({ limit: 1, interval: "1 hour" }))]
      value(await call(exhausted)("anime.get", { id: 30230 }))
      const leaving = await counted(async () => {
        const controller = new AbortController()
        const calls = Array.from({ length: 20 }, (_, index) =>
          call(exhausted)("anime.get", { id: index + 1 }, { signal: controller.signal, totalTimeout: 60_000 })
        )
        setTimeout(() => controller.abort(), 50)
        return (await Promise.all(calls)).map(failure)
      })
      expect(leaving.result).toEqual(leaving.result.map(() => expect.objectContaining({ reason: "Cancelled" })))
      expect(leaving.requests).toBe(0)
    })
  })
