/**
 * The rate limit that processes share through a SQL database: SQLite and PostgreSQL, and a service that counts.
 */
import { Catalog, CatalogConfig, CatalogPolicy, Credentials, Resilience } from "@catalog-client/core"
import type { Fault } from "@catalog-client/core/testing"
import { layer as transport } from "@catalog-client/node"
import { rateLimitStore } from "@catalog-client/node/sql"
import { SqlClient } from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { clientOf, databaseOf } from "../src/Engine.js"
import { directory, isQuick, items, serviceOf } from "./support/mirror.js"
import { type Postgres, programs, startPostgres } from "./support/postgres.js"

let postgres: Postgres | undefined
beforeAll(async () => {
  if (isQuick) {
    return
  }
  if (programs !== undefined) {
    postgres = await startPostgres()
  } else {
    console.log("Skipped on PostgreSQL, which is not here: apt-get install postgresql")
  }
})
afterAll(() => postgres?.stop())

/** What the clocks of two processes can differ by. */
const slack = 10

describe.each(["SQLite", ...(isQuick || programs === undefined ? [] : ["PostgreSQL"])])("over %s", (kind) => {
  const newDatabase = () => databaseOf(kind === "SQLite" ? `${directory()}/quota.db` : (postgres?.database() ?? ""))

  /** A client of the database, as one process has it. */
  const connect = async (database: ReturnType<typeof newDatabase>) => {
    const scope = await Effect.runPromise(Scope.make())
    onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
    return Effect.runPromise(
      Scope.extend(Layer.build(clientOf(database)), scope).pipe(Effect.map(Context.get(SqlClient)))
    )
  }

  const storeOf = async (database: ReturnType<typeof newDatabase>, key?: string) => {
    const sql = await connect(database)
    const store = await Effect.runPromise(rateLimitStore({ key }).pipe(Effect.provideService(SqlClient, sql)))
    return { sql, store }
  }

  /** A catalog over a store of its own. */
  const processOf = async (
    url: string,
    database: ReturnType<typeof newDatabase>,
    limit: { readonly limit: number; readonly interval: number },
    key?: string
  ) => {
    const { sql, store } = await storeOf(database, key)
    const context = Layer.mergeAll(
      CatalogConfig.layer({ baseUrl: url }),
      CatalogPolicy.layer(Resilience.rateLimit({ ...limit, store })),
      Credentials.layer({ clientId: "embedded-client" }),
      transport
    )
    const call = Effect.provide(Catalog.forum.boards({ totalTimeout: 30_000 }), context)
    return { call: () => Effect.runPromiseExit(call), inside: () => Effect.runPromiseExit(sql.withTransaction(call)) }
  }

  const counting = async (faults: ReadonlyArray<Fault> = []) => {
    const { requests, url } = await serviceOf(items(1, 1), { faults })
    const times = () => requests.map(({ at }) => at)
    return { times, url }
  }

  test("processes share a quota, evenly and without pairs", async () => {
    const { times, url } = await counting()
    const database = newDatabase()
    const limit = { limit: 1, interval: 150 }
    const processes = [await processOf(url, database, limit), await processOf(url, database, limit)]
    const calls = async ({ call }: (typeof processes)[number]) => {
      for (let made = 0; made < 8; made++) {
        expect(Exit.isSuccess(await call())).toBe(true)
      }
    }
    await Promise.all(processes.map(calls))
    expect(times()).toHaveLength(16)
    const [first = 0] = times()
    for (const [index, at] of times().entries()) {
      expect(at - first).toBeGreaterThan((index - 0.8) * 150)
    }
  })

  test("a burst is as large as the limit; another key is another quota", async () => {
    const database = newDatabase()
    const bucket = { limit: 3, interval: 3_600_000 }
    const [{ store }, { store: same }, { store: other }] = [
      await storeOf(database, "a"),
      await storeOf(database, "a"),
      await storeOf(database, "b")
    ]
    const take = (from: typeof store) => Effect.runPromise(from.take(bucket))
    expect([await take(store), await take(same), await take(store)]).toEqual([0, 0, 0])
    expect(await take(same)).toBeGreaterThan(bucket.interval / 3 - 60_000)
    expect(await take(other)).toBe(0)
  })

  test("a token in advance is kept for the next call, and is due when it said", async () => {
    const { store } = await storeOf(newDatabase())
    const bucket = { limit: 1, interval: 300 }
    const take = () => Effect.runPromise(store.take(bucket))
    expect(await take()).toBe(0)
    const wait = await take()
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(300)
    // The same token, not another one.
    expect(await take()).toBeLessThanOrEqual(wait)
    await new Promise((resolve) => setTimeout(resolve, wait))
    expect(await take()).toBe(0)
  })

  test("a hold is for all processes, and takes back tokens in advance", async () => {
    const { times, url } = await counting([{ status: 429, headers: { "retry-after": "1" }, times: 1 }])
    const database = newDatabase()
    const limit = { limit: 5, interval: 250 }
    const [one, other] = [await processOf(url, database, limit), await processOf(url, database, limit)]
    expect(Exit.isFailure(await one.call())).toBe(true)
    for (const exit of await Promise.all([one, other, one, other].map(({ call }) => call()))) {
      expect(Exit.isSuccess(exit)).toBe(true)
    }
    const [first = 0, ...later] = times()
    expect(Math.min(...later) - first).toBeGreaterThan(1000 - slack)
    // One by one, and not in the burst that the bucket would have had by then.
    expect(Math.max(...later) - first).toBeGreaterThan(1000 + 2 * 50 - slack)

    const { store } = await storeOf(newDatabase())
    const bucket = { limit: 1, interval: 100 }
    await Effect.runPromise(store.take(bucket))
    expect(await Effect.runPromise(store.take(bucket))).toBeLessThanOrEqual(100)
    await Effect.runPromise(store.hold(bucket, 60_000))
    expect(await Effect.runPromise(store.take(bucket))).toBeGreaterThan(50_000)
  })

  test("the quota outlives its process", async () => {
    const database = newDatabase()
    const bucket = { limit: 1, interval: 3_600_000 }
    expect(await Effect.runPromise((await storeOf(database)).store.take(bucket))).toBe(0)
    expect(await Effect.runPromise((await storeOf(database)).store.take(bucket))).toBeGreaterThan(3_000_000)
  })

  test("a clock that is set back makes no wait longer, and is logged once", async () => {
    const database = newDatabase()
    const bucket = { limit: 1, interval: 200 }
    const { sql, store } = await storeOf(database)
    const logged: Array<string> = []
    const logger = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ message }) => void logged.push(String(message)))
    )
    const take = (from = store) => Effect.runPromise(Effect.provide(from.take(bucket), logger))
    const setBack = (millis: number) =>
      Effect.runPromise(
        sql`UPDATE catalog_client_quota
          SET full_at = full_at + ${millis}, held_at = held_at + ${millis}, asked_at = asked_at + ${millis}`
      )
    await take()
    // The row as the clock of an hour later, and of a century later, has left it.
    for (const millis of [3_600_000, 3_000_000_000_000]) {
      await setBack(millis)
      const { store: later } = await storeOf(database)
      const waits = [await take(later), await take(later), await take(later)]
      expect(Math.max(...waits)).toBeLessThanOrEqual(1_000)
    }
    expect(logged).toHaveLength(2)
    expect(logged[0]).toMatch(/set back by 3\d{3} s/)

    // A hold goes on, and a token that another process had in advance does not last until the old time.
    expect(await take()).toBeGreaterThan(0)
    await setBack(3_600_000)
    await take((await storeOf(database)).store)
    expect(await take()).toBeLessThanOrEqual(1_600)
    await Effect.runPromise(store.hold(bucket, 60_000))
    await setBack(3_600_000)
    const held = await take()
    expect(held).toBeGreaterThan(50_000)
    expect(held).toBeLessThanOrEqual(60_000)
  })

  test("a wait is no longer than a timer can be", async () => {
    const { store } = await storeOf(newDatabase())
    const bucket = { limit: 1, interval: 2 ** 32 }
    await Effect.runPromise(store.take(bucket))
    expect(await Effect.runPromise(store.take(bucket))).toBe(3_600_000)
  })

  test("a call inside a transaction fails and says so", async () => {
    const { times, url } = await counting()
    const { inside } = await processOf(url, newDatabase(), { limit: 1, interval: 10 })
    const exit = await inside()
    expect(exit).toMatchObject({
      cause: {
        error: { reason: "RateLimitStore", cause: { message: expect.stringContaining("inside a transaction") } }
      }
    })
    expect(times()).toEqual([])
  })
})

test("a database of another kind is a mistake", async () => {
  const sql = { withoutTransforms: () => ({ onDialectOrElse: ({ orElse }: { orElse: () => unknown }) => orElse() }) }
  const exit = await Effect.runPromiseExit(
    rateLimitStore().pipe(Effect.provideService(SqlClient, sql as unknown as SqlClient))
  )
  expect(exit).toMatchObject({ cause: { defect: { message: expect.stringContaining("SQLite or PostgreSQL") } } })
})
