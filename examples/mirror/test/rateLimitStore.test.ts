/**
 * The rate limit that processes share through a SQL database, in SQLite and PostgreSQL; the package for Node tests the rest of it.
 */
import { Resilience } from "@catalog-client/core"
import * as SqlStore from "@catalog-client/node/sql"
import { SqlClient } from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { clientOf, databaseOf } from "../src/Database.js"
import { inBlocks } from "../src/Quota.js"
import { directory, isQuick } from "./support/mirror.js"
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

  const storeOf = async (database: ReturnType<typeof newDatabase>) => {
    const sql = await connect(database)
    const store = await Effect.runPromise(
      Resilience.RateLimitStore.pipe(Effect.provide(SqlStore.layer()), Effect.provideService(SqlClient, sql))
    )
    return { sql, store }
  }

  test("a clock that is set back makes no wait longer", async () => {
    const database = newDatabase()
    const bucket = { limit: 1, interval: 200 }
    const { sql, store } = await storeOf(database)
    const take = (from = store) => Effect.runPromise(from.take(bucket))
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

  test("tokens are taken for a fifth of a second at once, none is early, and a hold is for all of them", async () => {
    const { store } = await storeOf(newDatabase())
    let statements = 0
    const counted = {
      ...store,
      take: (bucket: Resilience.RateLimitStore.Bucket) => Effect.tap(store.take(bucket), () => statements++)
    }
    const [one, other] = [inBlocks(counted), inBlocks(counted)]
    const bucket = { limit: 1, interval: 5 }
    const begun = performance.now()
    const hundred = async (from: Resilience.RateLimitStore.Service) => {
      for (let taken = 0; taken < 100;) {
        const wait = await Effect.runPromise(from.take(bucket))
        taken += wait === 0 ? 1 : 0
        await new Promise((resolve) => (wait === 0 ? resolve(undefined) : setTimeout(resolve, wait)))
      }
    }
    await Promise.all([hundred(one), hundred(other)])
    // Those of the last two blocks may come late, and so together.
    expect(performance.now() - begun).toBeGreaterThan((200 - 80) * 5)
    expect(statements).toBeLessThan(40)
    await Effect.runPromise(one.hold(bucket, 2_000))
    expect(await Effect.runPromise(one.take(bucket))).toBeGreaterThan(1_000)
    // At five requests a second or less, each token is a statement.
    const before = statements
    await Effect.runPromise(inBlocks(counted).take({ limit: 1, interval: 200 }))
    expect(statements).toBe(before + 1)
  })

  test("a wait is no longer than a timer can be", async () => {
    const { store } = await storeOf(newDatabase())
    const bucket = { limit: 1, interval: 2 ** 32 }
    await Effect.runPromise(store.take(bucket))
    expect(await Effect.runPromise(store.take(bucket))).toBe(3_600_000)
  })
})
