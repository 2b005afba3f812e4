// Not over the bundle: its policies and stores are Effects, made by those of core.
import * as ofPostgres from "catalog-client/postgres"
import * as ofSqlite from "catalog-client/sqlite"
import { serve } from "catalog-client/testing"
import { Catalog, CatalogConfig, CatalogPolicy, Credentials, Resilience } from "@catalog-client/core"
import { layer as transport } from "@catalog-client/node"
import * as SqlStore from "@catalog-client/node/sql"
import { SqlClient } from "@effect/sql/SqlClient"
import { makeCompiler, makeCompilerSqlite } from "@effect/sql/Statement"
import { Effect, Exit, Layer } from "effect"
import { afterAll, describe, expect, onTestFinished, test } from "vitest"
import { closePostgres, type Database, databases } from "./support/sql.js"
import { clientOver, thrownIn } from "./support/sqlClient.js"
import { sleep } from "../../core/test/support/eventually.js"
import { limitOver } from "../../core/test/support/faces.js"

const hour = 3_600_000

afterAll(closePostgres)

const opening = (sql: SqlClient, options?: SqlStore.RateLimitStoreOptions) =>
  Resilience.RateLimitStore.pipe(Effect.provide(SqlStore.layer(options)), Effect.provideService(SqlClient, sql))

const storeOf = (sql: SqlClient, options?: SqlStore.RateLimitStoreOptions) => Effect.runPromise(opening(sql, options))

interface Bucket {
  readonly limit: number
  readonly interval: number
}

/** The store of one process, with promises. */
interface Process {
  readonly take: () => Promise<number>
  readonly hold: (millis: number) => Promise<void>
}

const withEffect = async ({ connect }: Database, bucket: Bucket, key?: string): Promise<Process> => {
  const store = await storeOf(await connect(), { key })
  return {
    take: () => Effect.runPromise(store.take(bucket)),
    hold: (millis: number) => Effect.runPromise(store.hold(bucket, millis))
  }
}

const withDriver = async ({ driver }: Database, bucket: Bucket, key?: string): Promise<Process> => {
  const given = driver()
  const store =
    "pool" in given ? ofPostgres.rateLimitStore(given.pool, { key }) : ofSqlite.rateLimitStore(given.file, { key })
  // To core, a store is one of Effects.
  const { hold, take } = store as unknown as Record<
    "take" | "hold",
    (bucket: Bucket, millis?: number) => Promise<never>
  >
  return { take: () => take(bucket), hold: (millis) => hold(bucket, millis) }
}

describe.each(
  databases.flatMap(([name, newDatabase]) => [
    [name, newDatabase, withEffect] as const,
    [`${name}, by its driver`, newDatabase, withDriver] as const
  ])
)("over %s", (_, newDatabase, processOf) => {
  test("a burst is as large as the limit, whichever process takes it; the next waits for its part of the interval", async () => {
    const database = await newDatabase()
    const bucket = { limit: 3, interval: 1.5 * hour }
    const [one, other] = [await processOf(database, bucket), await processOf(database, bucket)]
    expect([await one.take(), await other.take(), await one.take()]).toEqual([0, 0, 0])
    for (const [nth, { take }] of [one, other].entries()) {
      const wait = await take()
      expect(wait).toBeGreaterThan((nth + 1) * 0.5 * hour - 60_000)
      expect(wait).toBeLessThanOrEqual((nth + 1) * 0.5 * hour)
    }
    // A call asks again after an hour at the latest.
    expect(await one.take()).toBeLessThanOrEqual(0.5 * hour)
    await other.hold(3 * hour)
    expect(await one.take()).toBe(hour)
  })

  test("another key is another quota; a process that starts later finds the quota", async () => {
    const database = await newDatabase()
    const bucket = { limit: 1, interval: hour }
    expect(await (await processOf(database, bucket, "a")).take()).toBe(0)
    expect(await (await processOf(database, bucket, "b")).take()).toBe(0)
    expect(await (await processOf(database, bucket, "a")).take()).toBeGreaterThan(hour - 60_000)
  })

  test("a token in advance is kept for the next call, and is due when it said", async () => {
    const { take } = await processOf(await newDatabase(), { limit: 1, interval: 1_500 })
    expect(await take()).toBe(0)
    const wait = await take()
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(1_500)
    // The same token, not another one.
    expect(await take()).toBeLessThanOrEqual(wait)
    await sleep(wait + 20)
    expect(await take()).toBe(0)
  })

  test("a hold is for all processes, takes back tokens in advance, and is never shortened", async () => {
    const database = await newDatabase()
    const bucket = { limit: 1, interval: 60_000 }
    const [one, other] = [await processOf(database, bucket), await processOf(database, bucket)]
    expect(await one.take()).toBe(0)
    expect(await one.take()).toBeLessThanOrEqual(60_000)
    await other.hold(hour)
    await other.hold(1)
    for (const { take } of [one, other]) {
      expect(await take()).toBeGreaterThan(hour - 60_000)
    }
  })

  test("a hold comes before the first token, too", async () => {
    const { hold, take } = await processOf(await newDatabase(), { limit: 2, interval: 60_000 })
    await hold(hour)
    const wait = await take()
    expect(wait).toBeGreaterThan(hour - 60_000)
    expect(wait).toBeLessThanOrEqual(hour)
  })
})

test.each(databases)(
  "over %s it limits a catalog, and is not part of a transaction of the program",
  async (name, newDatabase) => {
    const service = await serve()
    onTestFinished(service.close)
    const sql = await (await newDatabase()).connect()
    const store = await storeOf(sql)
    const context = Layer.mergeAll(
      CatalogConfig.layer({ baseUrl: service.url }),
      CatalogPolicy.layer(limitOver(store, { limit: 1, interval: hour })),
      Credentials.layer({ clientId: service.clientId }),
      transport
    )
    const call = (totalTimeout: number) => Effect.provide(Catalog.forum.boards({ totalTimeout }), context)
    expect(Exit.isSuccess(await Effect.runPromiseExit(call(30_000)))).toBe(true)
    expect(Exit.isSuccess(await Effect.runPromiseExit(call(300)))).toBe(false)
    expect(await Effect.runPromise(Effect.flip(sql.withTransaction(call(300))))).toMatchObject(
      name === "SQLite"
        ? {
            reason: "RateLimitStore",
            cause: { message: expect.stringContaining("inside a transaction") as string }
          }
        : { reason: "Timeout" }
    )
  }
)

test("a table that another process creates at the same time is used; a failure that stays is the store's", async () => {
  const refused = new Error("duplicate key value violates unique constraint")
  const refusing = (isThere: boolean) =>
    clientOver(makeCompilerSqlite(), (sql) => {
      if (sql.startsWith("CREATE TABLE") || !isThere) {
        throw refused
      }
      return []
    })
  await storeOf(await refusing(true))
  const failure = Effect.flip(opening(await refusing(false)))
  expect(thrownIn(await Effect.runPromise(failure))).toBe(refused)
})

test("the store fails if the database does, or does not respond in time", async () => {
  const bucket = { limit: 1, interval: 1_000 }
  const errorOf = async (query: () => Promise<ReadonlyArray<object>>) => {
    const sql = await clientOver(makeCompilerSqlite(), (text) => (/^(CREATE|SELECT)/.test(text) ? [] : query()))
    const store = await storeOf(sql, { timeout: 50 })
    const error = await Effect.runPromise(Effect.flip(store.take(bucket)))
    expect(error).toBeInstanceOf(Resilience.RateLimitStoreError)
    return error.cause
  }
  const gone = new Error("gone")
  expect(thrownIn(await errorOf(() => Promise.reject(gone)))).toBe(gone)
  expect(await errorOf(() => new Promise(() => {}))).toMatchObject({
    message: "rateLimitStore: the database did not respond in time."
  })
})

test("a database of another kind is a mistake", async () => {
  const unused = () => ["", []] as const
  const compiler = makeCompiler({
    dialect: "mysql",
    placeholder: () => "?",
    onIdentifier: (name) => name,
    onRecordUpdate: unused,
    onCustom: unused
  })
  await expect(storeOf(await clientOver(compiler, () => []))).rejects.toThrow("SQLite or PostgreSQL")
})
