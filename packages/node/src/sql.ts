/**
 * A rate limit that several processes share in a SQL database.
 *
 * Needs a driver for `@effect/sql`, for example `@effect/sql-pg`.
 *
 * @since 0.2.0
 */
import type { Resilience } from "@catalog-client/core"
import { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { setBack } from "./redisBucket.js"
import { transactionOf } from "./transaction.js"

/** Options of {@link rateLimitStore}. */
export interface RateLimitStoreOptions {
  /** The name of the quota: all stores with the same name in one database share it. `quota` by default. */
  readonly key?: string | undefined
  /** How long to wait for the database before the store fails: 5 seconds by default. A number is in milliseconds. */
  readonly timeout?: DurationInput | undefined
}

/** A bucket after a statement: times in milliseconds of the database's clock. */
interface Bucket {
  /** When the bucket will be full again. */
  readonly full_at: number
  /** When the last hold ends. */
  readonly held_at: number
  /** The time of the statement. */
  readonly asked_at: number
}

/** The longest wait for a token, after which the call asks again: milliseconds. Timers of JavaScript end at 24 days. */
const maxWait = 3_600_000

/** The database's clock in milliseconds, and its name for the greater of two numbers. */
const dialects = {
  sqlite: { now: "unixepoch('now', 'subsec') * 1000.0", greatest: "MAX" },
  pg: { now: "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS DOUBLE PRECISION)", greatest: "GREATEST" }
}

const dialectOf = (sql: SqlClient, where: string) =>
  sql.onDialectOrElse({
    sqlite: () => dialects.sqlite,
    pg: () => dialects.pg,
    orElse: () => {
      throw new TypeError(`${where}: the SqlClient must be one for SQLite or PostgreSQL`)
    }
  })

/** PostgreSQL can refuse one of two processes that create the same table at the same time. */
const createTable = <A, E>(statement: Effect.Effect<A, E>) => Effect.retry(statement, { times: 3 })

/** Fails inside a transaction of the program. */
const outside = <A>(sql: SqlClient, where: string, effect: Effect.Effect<A, unknown>): Effect.Effect<A, unknown> =>
  Effect.flatMap(Effect.serviceOption(transactionOf(sql)), (transaction) =>
    Option.isNone(transaction)
      ? effect
      : Effect.fail(
          Object.assign(new Error(`${where}: the call is inside a transaction. Make it before or after that.`), {
            code: "InsideTransaction"
          })
        )
  )

/** The statements about the bucket of a key. */
const bucketOf = (sql: SqlClient, dialect: (typeof dialects)["pg"], key: string) => {
  const [now, greatest] = [sql.literal(dialect.now), sql.literal(dialect.greatest)]
  // How far the clock was set back since the row was written. The row's times move back by that.
  const shift = sql.literal(
    `CASE WHEN quota.asked_at > excluded.asked_at + ${setBack} THEN quota.asked_at - excluded.asked_at ELSE 0 END`
  )
  const [fullAt, heldAt] = [sql`(quota.full_at - ${shift})`, sql`(quota.held_at - ${shift})`]
  // A token that was taken in advance is taken again if a hold came after it, if it is too old, or if the clock was set back.
  const take = (step: number, interval: number, due: number | null) => sql<Bucket>`
    INSERT INTO catalog_client_quota AS quota (name, full_at, held_at, asked_at)
    SELECT ${key}, clock.now + ${step}, 0, clock.now FROM (SELECT ${now} AS now) AS clock WHERE true
    ON CONFLICT (name) DO UPDATE SET
      full_at = CASE
        WHEN ${due} >= ${heldAt} AND ${due} >= excluded.asked_at - ${interval} AND ${due} <= ${fullAt} - ${interval}
        THEN ${fullAt}
        ELSE ${greatest}(${fullAt}, excluded.asked_at) + ${step}
      END,
      held_at = ${heldAt},
      asked_at = excluded.asked_at
    RETURNING full_at, held_at, asked_at`
  // The first token is available at the end of the hold.
  const hold = (step: number, interval: number, millis: number) => sql`
    INSERT INTO catalog_client_quota AS quota (name, full_at, held_at, asked_at)
    SELECT ${key}, clock.now + ${millis + interval - step}, clock.now + ${millis}, clock.now
    FROM (SELECT ${now} AS now) AS clock WHERE true
    ON CONFLICT (name) DO UPDATE SET
      full_at = ${greatest}(${fullAt}, excluded.full_at),
      held_at = ${greatest}(${heldAt}, excluded.held_at),
      asked_at = excluded.asked_at`
  return { take, hold }
}

/**
 * Keeps the tokens of a rate limit in a row of a SQL database: all processes that name the same `key` (and the same `limit`
 * and `interval`) share one quota, and a hold applies to all of them. A program that is killed and started again does not send
 * early. Each wait for a token costs two small statements.
 *
 * Takes SQLite (3.42 or later) and PostgreSQL, through the program's own `SqlClient`: for example `PgClient.layer` of
 * `@effect/sql-pg`. Any other is a defect. It creates the table `catalog_client_quota` if there is none. The clock is the
 * database's, which may be set back.
 *
 * The store fails if the database does, if it does not respond within `timeout`, and for a call inside `withTransaction`, which
 * would keep the row locked. Then the rate limit's `onStoreFailure` decides.
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 * import { rateLimitStore } from "@catalog-client/node/sql"
 * import { Effect } from "effect"
 *
 * // Needs a SqlClient.
 * export const layer = CatalogPolicy.layer(
 *   Effect.map(rateLimitStore({ key: "my-client-id" }), (store) =>
 *     Resilience.rateLimit({ limit: 1, interval: "1 second", store })
 *   )
 * )
 * ```
 */
export const rateLimitStore = (
  options: RateLimitStoreOptions = {}
): Effect.Effect<Resilience.RateLimitStore, SqlError, SqlClient> =>
  Effect.gen(function* () {
    const { key = "quota", timeout = "5 seconds" } = options
    const sql = (yield* SqlClient).withoutTransforms()
    const { hold, take } = bucketOf(sql, dialectOf(sql, "rateLimitStore"), key)
    yield* createTable(sql`CREATE TABLE IF NOT EXISTS catalog_client_quota (
      name TEXT PRIMARY KEY,
      full_at DOUBLE PRECISION NOT NULL,
      held_at DOUBLE PRECISION NOT NULL,
      asked_at DOUBLE PRECISION NOT NULL
    )`)

    const checked = <A>(statement: Effect.Effect<A, unknown>): Effect.Effect<A, unknown> =>
      outside(
        sql,
        "rateLimitStore",
        Effect.timeoutFail(statement, {
          duration: timeout,
          onTimeout: () => new Error("rateLimitStore: the database did not respond in time.")
        })
      )

    /** When this process's token may be used, by the first call in its line. */
    let due: number | null = null

    return {
      take: ({ interval, limit }) =>
        checked(
          Effect.gen(function* () {
            const [bucket] = yield* take(interval / limit, interval, due)
            if (bucket === undefined) {
              return yield* Effect.fail(new Error("rateLimitStore: the database returned no row."))
            }
            const { asked_at, full_at, held_at } = bucket
            const isKept = due !== null && due >= held_at && due >= asked_at - interval && due <= full_at - interval
            // Also if the call leaves before the token is due: the next call uses the token.
            const taken = isKept && due !== null ? due : full_at - interval
            const wait = Math.ceil(taken - asked_at)
            due = wait > 0 ? taken : null
            return Math.min(maxWait, Math.max(0, wait))
          })
        ),
      hold: ({ interval, limit }, millis) => checked(Effect.asVoid(hold(interval / limit, interval, millis)))
    }
  })
