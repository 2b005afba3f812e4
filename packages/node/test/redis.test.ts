/**
 * The rate limit that processes share: a real Redis, each process with its connection, and a service that counts.
 */
// Not over the bundle: its policies and stores are Effects, made by those of core.
import { serve } from "catalog-client/testing"
import { Catalog, CatalogConfig, CatalogPolicy, Credentials, Resilience } from "@catalog-client/core"
import * as CatalogNode from "@catalog-client/node"
import type { Fault, ReceivedRequest } from "@catalog-client/testing"
import * as RedisStore from "@catalog-client/node/redis"
import { Cause, Effect, Exit, Layer, ManagedRuntime } from "effect"
import { Redis } from "ioredis"
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { freePort } from "../../../test/freePort.mjs"
import { runProgram } from "./support/program.js"
import { type RedisServer, startRedis } from "./support/redis.js"
import { rejection, sleep } from "../../core/test/support/eventually.js"

let redis: RedisServer

beforeAll(async () => {
  redis = await startRedis()
})
afterEach(() => void vi.restoreAllMocks())
afterAll(() => (redis as RedisServer | undefined)?.stop())

const opened = <A extends AsyncDisposable>(value: A): A => {
  onTestFinished(() => value[Symbol.asyncDispose]())
  return value
}

/** A service that knows when it was asked by whom. */
const counting = async (faults: ReadonlyArray<Fault> = []) => {
  const requests: Array<{ readonly at: number; readonly by: string | undefined }> = []
  const onRequest = ({ headers }: ReceivedRequest) => {
    requests.push({ at: performance.now(), by: headers["x-process"] })
  }
  return { requests, url: opened(await serve({ faults, onRequest })).url }
}

let keys = 0
/** A name of a quota that no other test has. */
const newKey = () => `test-${keys++}`

type Limit = Resilience.SharedRateLimitOptions

type Store = Layer.Layer<Resilience.RateLimitStore>

/** Calls under a rate limit. */
const catalogUnder = (url: string, limit: Limit, store: Store) => {
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(
      CatalogNode.layer,
      Credentials.layerNone,
      CatalogConfig.layer({ baseUrl: url }),
      Layer.provide(CatalogPolicy.layer(Resilience.sharedRateLimit(limit)), store)
    )
  )
  const built = runtime.runPromise(Effect.void)
  const boards = async (options: CatalogNode.Operation.Options = {}) => {
    await built
    const exit = await runtime.runPromiseExit(Catalog.forum.boards(options))
    if (Exit.isFailure(exit)) {
      throw Cause.squash(exit.cause)
    }
    return exit.value
  }
  const close = () => runtime.dispose()
  return opened({ forum: { boards }, close, [Symbol.asyncDispose]: close })
}

/** A catalog as one process of a fleet has it: with its own connection. */
const process = (url: string, limit: Limit, options: RedisStore.RateLimitStoreOptions) =>
  catalogUnder(url, limit, RedisStore.layer({ port: redis.port, ...options }))

/** Milliseconds from a time on, which is that of the first request unless given. */
const times = (requests: ReadonlyArray<{ readonly at: number }>, since = requests[0]?.at ?? 0) =>
  requests.map(({ at }) => at - since)

/** What the clocks of two processes can differ by. */
const slack = 5

/** No call is early: with a bucket that was made after a time, the n-th request does not come before its token. */
const expectQuota = (
  requests: ReadonlyArray<{ readonly at: number }>,
  since: number,
  { limit, interval }: { readonly limit: number; readonly interval: number }
) => {
  for (const [index, time] of times(requests, since).entries()) {
    expect(time).toBeGreaterThan(((index + 1 - limit) * interval) / limit - slack)
  }
}

/**
 * The calls come one by one, and not in pairs, which would make every other gap short. On a slow machine a call can come
 * late, and then the next one soon after it.
 */
const expectEven = (
  requests: ReadonlyArray<{ readonly at: number }>,
  limit: { readonly limit: number; readonly interval: number }
) => {
  const at = times(requests)
  const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0))
  expect(gaps.filter((gap) => gap < limit.interval / 2).length).toBeLessThan(gaps.length / 3)
  expect(at.at(-1)).toBeGreaterThan((at.length - 1) * limit.interval - limit.interval / 2)
}

describe("quota", () => {
  test("is separate for each key", async () => {
    const limit = { limit: 1, interval: "1 hour" } as const
    const { requests, url } = await counting()
    const [key, other] = [newKey(), newKey()]
    await process(url, limit, { key }).forum.boards()
    await process(url, limit, { key: other }).forum.boards()
    const late = process(url, limit, { key }).forum.boards({ totalTimeout: 200 })
    await expect(late).rejects.toMatchObject({ reason: "Timeout", timeoutMs: 200 })
    expect(requests).toHaveLength(2)
  })

  test("need not be a whole number of milliseconds for a token", async () => {
    const { requests, url } = await counting()
    const limit = { limit: 7, interval: 500 }
    const catalog = process(url, limit, { key: newKey() })
    const since = performance.now()
    await Promise.all(Array.from({ length: 14 }, () => catalog.forum.boards()))
    expectQuota(requests, since, limit)
    expect(times(requests, since).at(-1)).toBeLessThan(3000)
  })

  test("loses no token to a cancelled call: its place is the next one's", async () => {
    const { requests, url } = await counting()
    const limit = { limit: 1, interval: 400 }
    const catalog = process(url, limit, { key: newKey() })
    const since = performance.now()
    await catalog.forum.boards()
    const controller = new AbortController()
    const leaving = Array.from({ length: 5 }, () => catalog.forum.boards({ signal: controller.signal }))
    await sleep(100)
    const staying = catalog.forum.boards()
    controller.abort()
    expect((await Promise.allSettled(leaving)).map(({ status }) => status)).toEqual(leaving.map(() => "rejected"))
    await staying
    expect(requests).toHaveLength(2)
    expectQuota(requests, since, limit)
    // If each had taken a token along it would be the seventh one's.
    expect(times(requests, since)[1]).toBeLessThan(6 * 400)
  })
})

test("processes with a limit of one are spaced evenly, whenever each of them asks", async () => {
  const { requests, url } = await counting()
  const limit = { limit: 1, interval: 300 }
  const key = newKey()
  const processes = Array.from({ length: 3 }, () => process(url, limit, { key }))
  // With connections that are open, so that the service sees calls as they are sent.
  for (const each of processes) {
    await each.forum.boards()
  }
  await sleep(700)
  requests.length = 0
  const calls = async (catalog: ReturnType<typeof process>, after: number) => {
    await sleep(after)
    for (let made = 0; made < 6; made++) {
      await catalog.forum.boards()
    }
  }
  await Promise.all(processes.map((each, index) => calls(each, index * 105)))
  expectEven(requests, limit)
})

test("a hold is for all processes, for calls that wait and for later ones", async () => {
  const { requests, url } = await counting([{ status: 429, headers: { "retry-after": "1" }, times: 1 }])
  const key = newKey()
  const limit = { limit: 5, interval: 250 }
  const [one, other] = [process(url, limit, { key }), process(url, limit, { key })]
  await expect(one.forum.boards()).rejects.toMatchObject({ status: 429 })
  await Promise.all([one, other, one, other].map((catalog) => catalog.forum.boards()))
  const [first, ...others] = times(requests)
  expect(first).toBe(0)
  expect(Math.min(...others)).toBeGreaterThan(1000 - slack)
  expect(others).toHaveLength(4)
  // One by one, and not in the burst that the bucket would have had by then.
  expect(Math.max(...others)).toBeGreaterThan(1000 + 2 * 50 - slack)
})

test("a hold delays a call that has taken its token in advance and waits for it", async () => {
  const { requests, url } = await counting([{ status: 429, headers: { "retry-after": "2" }, times: 1 }])
  const catalog = process(url, { limit: 1, interval: "1 second" }, { key: newKey() })
  const [held, ...delayed] = await Promise.allSettled([catalog.forum.boards(), catalog.forum.boards()])
  expect([held.status, ...delayed.map(({ status }) => status)]).toEqual(["rejected", "fulfilled"])
  expect(times(requests)[1]).toBeGreaterThan(2000 - slack)
})

test("holds at the same time are not added up", async () => {
  // Late enough that all are on their way before one is answered.
  const { requests, url } = await counting([{ status: 429, headers: { "retry-after": "1" }, delay: 1500, times: 6 }])
  const catalog = process(url, { limit: 10, interval: 250 }, { key: newKey() })
  await Promise.allSettled(Array.from({ length: 6 }, () => catalog.forum.boards()))
  await catalog.forum.boards()
  expect(requests).toHaveLength(7)
  expect(times(requests)[5]).toBeLessThan(1500)
  expect(times(requests)[6]).toBeGreaterThan(2500 - slack)
  expect(times(requests)[6]).toBeLessThan(4000)
})

test("a clock of Redis that is set back makes no wait longer", async () => {
  const key = newKey()
  const limit = { limit: 1, interval: 5_000 }
  const bucket = `catalog-client:bucket:${key}`
  const connection = new Redis({ port: redis.port })
  onTestFinished(() => connection.disconnect())
  /** Leaves the bucket as a clock that was later has left it. */
  const setBack = async (millis: number) => {
    for (const time of await connection.hkeys(bucket)) {
      await connection.hincrbyfloat(bucket, time, millis)
    }
  }
  const store = () => {
    const runtime = ManagedRuntime.make(RedisStore.layer({ port: redis.port, key }))
    onTestFinished(() => runtime.dispose())
    return runtime.runPromise(Resilience.RateLimitStore)
  }
  const [one, other] = [await store(), await store()]
  const take = (from = one) => Effect.runPromise(from.take(limit))

  expect(await take()).toBe(0)
  for (const millis of [3_600_000, 3_000_000_000_000]) {
    await setBack(millis)
    expect(await take(other)).toBeLessThanOrEqual(40_000)
    expect(await take()).toBeLessThanOrEqual(40_000)
  }
  // A hold continues, and ends when it would have.
  await Effect.runPromise(one.hold(limit, 600_000))
  expect(await take()).toBeGreaterThan(500_000)
  await setBack(3_600_000)
  expect(await take()).toBeGreaterThan(500_000)
  expect(await take(other)).toBeLessThanOrEqual(640_000)
})

describe("a Redis that", () => {
  const limit = { limit: 100, interval: "1 second" } as const
  const failed = { _tag: "ClientNetworkError", reason: "RateLimitStore", attempts: 0 }
  const works = (catalog: ReturnType<typeof process>) =>
    expect.poll(() => catalog.forum.boards().catch(() => undefined)).toBeDefined()
  test("is down is a separate error and no throttle, and is used when it is up, the first time and again", async () => {
    // ioredis says on the console that it has no connection.
    vi.spyOn(console, "error").mockReturnValue()
    const { requests, url } = await counting()
    const port = await freePort()
    const catalog = process(url, limit, { port, key: newKey() })
    const error = await rejection(catalog.forum.boards())
    expect(error).toMatchObject({ ...failed, cause: { message: expect.stringMatching(/./) } })
    expect(requests).toHaveLength(0)
    const first = await startRedis(port)
    await works(catalog)
    await first.stop()
    await expect(catalog.forum.boards()).rejects.toMatchObject(failed)
    const back = await startRedis(port)
    await works(catalog)
    await back.stop()
  })

  test("hangs is not waited for after a second, by the whole line at once", async () => {
    const { requests, url } = await counting()
    const hanging = await startRedis()
    const catalog = process(url, limit, { port: hanging.port, key: newKey() })
    await catalog.forum.boards()
    hanging.pause()
    const started = performance.now()
    const calls = Array.from({ length: 10 }, () => rejection(catalog.forum.boards()))
    for (const error of await Promise.all(calls)) {
      expect(error).toMatchObject({ ...failed, cause: { message: "Command timed out" } })
    }
    // One after the other, they would take ten seconds.
    expect(performance.now() - started).toBeLessThan(8000)
    expect(requests).toHaveLength(1)
    hanging.resume()
    await works(catalog)
    await catalog.close()
    await hanging.stop()
  })

  test("was closed with its Layer fails; one that was never asked has no connection to close", async () => {
    const { url } = await counting()
    const runtime = ManagedRuntime.make(RedisStore.layer({ port: redis.port, key: newKey() }))
    const store = await runtime.runPromise(Resilience.RateLimitStore)
    const catalog = catalogUnder(url, limit, Layer.succeed(Resilience.RateLimitStore, store))
    await catalog.forum.boards()
    await runtime.dispose()
    await expect(catalog.forum.boards()).rejects.toMatchObject(failed)
    await Effect.runPromise(Effect.provide(Effect.void, RedisStore.layer({ port: 1 })))
  })
})

test("a program ends when the Layer of its store does", async () => {
  const { url } = await counting()
  const program = `
    import { Catalog, CatalogConfig, CatalogPolicy, Credentials, Resilience } from "@catalog-client/core"
    import * as CatalogNode from "@catalog-client/node"
    import { Effect, Layer } from "effect"
    import * as RedisStore from "@catalog-client/node/redis"
    const limit = CatalogPolicy.layer(Resilience.sharedRateLimit({ limit: 1, interval: 1 })).pipe(
      Layer.provide(RedisStore.layer({ port: ${redis.port} }))
    )
    const layers = [CatalogNode.layer, Credentials.layerNone, CatalogConfig.layer({ baseUrl: "${url}" }), limit]
    console.log((await Effect.runPromise(Effect.provide(Catalog.anime.get({ id: 1 }), layers))).id)`
  expect(await runProgram(program)).toEqual(["1", 0])
})
