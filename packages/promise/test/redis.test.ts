/**
 * The rate limit that processes share, over the program's own connection: a real Redis, with ioredis and with node-redis.
 */
import { createCatalog, Resilience } from "catalog-client"
import { createSession, Tokens } from "catalog-client/oauth"
import { rateLimitStore, type RateLimitStoreOptions, tokenStores } from "catalog-client/redis"
import { Catalog, CatalogPolicy, Credentials, Resilience as CoreResilience, Transport } from "@catalog-client/core"
import { layer as ofNode } from "@catalog-client/node/redis"
import { FetchHttpClient } from "@effect/platform"
import { createClient, createClientPool } from "@redis/client"
import { Effect, Layer } from "effect"
import { Redis } from "ioredis"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { freePort } from "../../../test/freePort.mjs"
import { type RedisServer, startRedis } from "../../node/test/support/redis.js"
import { sleep } from "../../core/test/support/eventually.js"

let redis: RedisServer
const ends: Array<() => unknown> = []

beforeAll(async () => {
  redis = await startRedis()
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) {
    await end()
  }
})
afterAll(() => (redis as RedisServer | undefined)?.stop())

type Connection = Parameters<typeof rateLimitStore>[0]

const io = async (port: number): Promise<Connection> => {
  const connection = new Redis({ port, lazyConnect: true })
  connection.on("error", () => undefined)
  ends.push(() => connection.disconnect())
  return connection
}

const node =
  (create: typeof createClient | typeof createClientPool) =>
  async (port: number): Promise<Connection> => {
    const connection = create({ url: `redis://127.0.0.1:${port}` })
    connection.on("error", () => undefined)
    await connection.connect()
    ends.push(() => connection.destroy())
    return connection
  }

let keys = 0
/** A name of a quota that no other test has. */
const newKey = () => `promise-${keys++}`

/** A service that notes when it was asked. */
const counting = (replies: ReadonlyArray<() => Response> = []) => {
  const requests: Array<number> = []
  const fetch = async () => {
    requests.push(performance.now())
    return (replies[requests.length - 1] ?? (() => new Response('{"categories":[]}')))()
  }
  return { requests, fetch }
}

const slack = 5

const tooMany = () => new Response("{}", { status: 429, headers: { "retry-after": "1" } })

describe.each([
  ["ioredis", io],
  ["node-redis", node(createClient)],
  ["a pool of node-redis", node(createClientPool)]
])("with %s", (_, connect) => {
  /** A catalog as one process of a fleet has it. */
  const catalogOver = async (
    fetch: () => Promise<Response>,
    limit: Omit<Resilience.RateLimitOptions, "store">,
    options: RateLimitStoreOptions,
    port = redis.port
  ) => {
    const store = rateLimitStore(await connect(port), options)
    return createCatalog({ fetch, clientId: "c", policies: [Resilience.rateLimit({ ...limit, store })] })
  }

  test("processes share the tokens of a user, refresh them once, and keep what they cannot read", async () => {
    let refreshes = 0
    const fetch = async (url: URL | RequestInfo) => {
      const isToken = new Request(url).url.includes("token")
      refreshes += isToken ? 1 : 0
      return Response.json(
        isToken ? { access_token: `access-${refreshes}`, refresh_token: "r", expires_in: 3600 } : { id: 1, name: "ann" }
      )
    }
    const user = newKey()
    const expired = Tokens.from({ access_token: "a", refresh_token: "r", expires_in: 1 }, { obtainedAt: 0 })
    const processOf = async () => {
      const stores = tokenStores(await connect(redis.port))
      const session = createSession({ clientId: "c", fetch, store: stores(user) })
      ends.push(() => session.close())
      return { session, catalog: createCatalog({ session, fetch }) }
    }
    const plain = new Redis({ port: redis.port })
    ends.push(() => plain.disconnect())
    await plain.hset(`catalog-client:tokens:${user}`, "value", "not tokens")
    const [one, other] = [await processOf(), await processOf()]
    await one.session.signIn(expired)
    expect(await plain.keys(`catalog-client:tokens:${user}.aside.*`)).toHaveLength(1)
    const names = await Promise.all([one, other, one, other].map(({ catalog }) => catalog.user.me()))
    expect(names.map(({ name }) => name)).toEqual(["ann", "ann", "ann", "ann"])
    expect(refreshes).toBe(1)
    expect(await other.session.tokens()).toEqual(await one.session.tokens())
    await other.session.signOut()
    expect(await plain.exists(`catalog-client:tokens:${user}`)).toBe(0)
    expect(() => tokenStores({} as never)).toThrow(/tokenStores takes a connection of ioredis or of node-redis/)
  })

  test("processes share one quota", async () => {
    const { requests, fetch } = counting()
    const limit = { limit: 2, interval: 400 }
    const key = newKey()
    const [one, other] = [await catalogOver(fetch, limit, { key }), await catalogOver(fetch, limit, { key })]
    const since = performance.now()
    await Promise.all([one, other, one, other, one, other].map((catalog) => catalog.forum.boards({})))
    expect(requests).toHaveLength(6)
    for (const [index, at] of requests.entries()) {
      expect(at - since).toBeGreaterThan((index - 1) * 200 - slack)
    }
  })

  test("a hold is for all processes", async () => {
    const { requests, fetch } = counting([tooMany])
    const key = newKey()
    const limit = { limit: 5, interval: 250 }
    const [one, other] = [await catalogOver(fetch, limit, { key }), await catalogOver(fetch, limit, { key })]
    await expect(one.forum.boards()).rejects.toMatchObject({ status: 429 })
    await Promise.all([other.forum.boards(), one.forum.boards()])
    expect(requests).toHaveLength(3)
    expect(Math.min(...requests.slice(1)) - (requests[0] ?? 0)).toBeGreaterThan(1000 - slack)
  })

  test("a Redis that hangs is not waited for, and its late reply is no lost token", async () => {
    const { requests, fetch } = counting()
    const hanging = await startRedis()
    ends.push(() => hanging.stop())
    const options = { key: newKey(), timeout: 300 }
    const limit = { limit: 1, interval: 100 }
    const catalog = await catalogOver(fetch, limit, options, hanging.port)
    const proceeding = { ...limit, onStoreFailure: "proceed" } as const
    const ignoring = await catalogOver(fetch, proceeding, { ...options, key: newKey() }, hanging.port)
    await Promise.all([catalog.forum.boards(), ignoring.forum.boards()])
    hanging.pause()
    const started = performance.now()
    await expect(catalog.forum.boards()).rejects.toMatchObject({
      reason: "RateLimitStore",
      cause: { message: "Redis did not respond within 300 ms" }
    })
    await ignoring.forum.boards()
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(requests).toHaveLength(3)
    hanging.resume()
    await sleep(1_100)
    await catalog.forum.boards()
  })
})

test("programs with @catalog-client/node/redis share the quota", async () => {
  const { requests, fetch } = counting()
  const limit = { limit: 1, interval: "1 hour" } as const
  const key = newKey()
  const transport = Layer.provide(
    Layer.fresh(Transport.layerFetch),
    Layer.succeed(FetchHttpClient.Fetch, fetch as typeof globalThis.fetch)
  )
  const limited = CatalogPolicy.layer(CoreResilience.sharedRateLimit(limit)).pipe(
    Layer.provide(ofNode({ port: redis.port, key }))
  )
  await Effect.runPromise(Effect.provide(Catalog.forum.boards(), [transport, Credentials.layerNone, limited]))
  const mine = [Resilience.rateLimit({ ...limit, store: rateLimitStore(await io(redis.port), { key }) })]
  const late = createCatalog({ fetch, clientId: "c", policies: mine }).forum.boards({ totalTimeout: 200 })
  await expect(late).rejects.toMatchObject({ reason: "Timeout" })
  expect(requests).toHaveLength(1)
})

test("a connection that was closed is a failure of the store", async () => {
  const { requests, fetch } = counting()
  const connection = createClient({ url: `redis://127.0.0.1:${await freePort()}` })
  const policies = [Resilience.rateLimit({ limit: 1, interval: 1, store: rateLimitStore(connection) })]
  const catalog = createCatalog({ fetch, clientId: "c", policies })
  await expect(catalog.forum.boards()).rejects.toMatchObject({
    _tag: "ClientNetworkError",
    reason: "RateLimitStore",
    cause: { message: expect.stringMatching(/./) }
  })
  expect(requests).toHaveLength(0)
})

test("a wrong connection and invalid options are a TypeError that says what to pass", async () => {
  const made =
    (connection: unknown, ...options: Array<unknown>) =>
    () =>
      Reflect.apply(rateLimitStore, undefined, [connection, ...options])
  for (const wrong of [
    undefined,
    null,
    "redis://127.0.0.1",
    { host: "localhost" },
    Redis,
    { eval: () => undefined },
    []
  ]) {
    expect(made(wrong)).toThrow(TypeError)
    expect(made(wrong)).toThrow(/rateLimitStore takes a connection of ioredis or of node-redis, but got/)
  }
  const connected = createClient({ url: `redis://127.0.0.1:${redis.port}` }).connect()
  expect(made(connected)).toThrow(/a promise: await it first/)
  ;(await connected).destroy()
  const connection = await io(redis.port)
  expect(made(connection, "x")).toThrow(/rateLimitStore takes an object of options/)
  expect(made(connection, { keys: "x" })).toThrow(/rateLimitStore has no option "keys": did you mean "key"/)
  expect(made(connection, { key: "" })).toThrow(/rateLimitStore: key must be a string/)
  expect(made(connection, { timeout: "soon" })).toThrow(/rateLimitStore: timeout must be a number of milliseconds/)
})

test("tokens that cannot be read say why, also if the error of the connection has no code", async () => {
  const failing = { evalsha: async () => [], eval: async () => Promise.reject(new Error("Command timed out")) }
  const warnings: Array<string> = []
  const session = createSession({
    clientId: "c",
    store: tokenStores(failing)("ada"),
    fetch: async () => Response.json({}),
    logger: { warn: (line) => warnings.push(line) }
  })
  await expect(session.tokens()).rejects.toMatchObject({
    reason: "CredentialsUnavailable",
    cause: { name: "Command timed out" }
  })
  expect(warnings.join()).toContain("the token store could not be read (Command timed out)")
  await session.close()
})
