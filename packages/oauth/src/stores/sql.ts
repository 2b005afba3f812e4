/**
 * The tokens of signed-in users in a SQL database, for sessions of several processes.
 *
 * Needs a driver for `@effect/sql`, for example `@effect/sql-pg`.
 *
 * @since 0.2.0
 */
import { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { TokenStore, type TokenStoreService } from "../TokenStore.js"
import { type LeasedRow, leaseMillis, updateLeased } from "./lease.js"
import { transactionOf } from "./transaction.js"

/** The database's clock in milliseconds. */
const clocks = {
  sqlite: "unixepoch('now', 'subsec') * 1000.0",
  pg: "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS DOUBLE PRECISION)"
}

const clockOf = (sql: SqlClient): string =>
  sql.onDialectOrElse({
    sqlite: () => clocks.sqlite,
    pg: () => clocks.pg,
    orElse: () => {
      throw new TypeError("tokenStores: the SqlClient must be one for SQLite or PostgreSQL")
    }
  })

/** Fails inside a transaction of the program. */
const outside = <A>(sql: SqlClient, effect: Effect.Effect<A, unknown>): Effect.Effect<A, unknown> =>
  Effect.flatMap(Effect.serviceOption(transactionOf(sql)), (transaction) =>
    Option.isNone(transaction)
      ? effect
      : Effect.fail(
          Object.assign(new Error("tokenStores: the call is inside a transaction. Make it before or after that."), {
            // A session shows no more of a store's error.
            code: "InsideTransaction"
          })
        )
  )

/** A row of the table of tokens. */
const rowOf = (sql: SqlClient, now: string, user: string) => {
  const clock = sql`(SELECT ${sql.literal(now)} AS now) AS clock`
  const owned = (owner: string) => sql`name = ${user} AND lease_owner = ${owner}`
  const leased: LeasedRow = {
    // If a lease ends later than one that begins now, the clock was set back.
    acquire: (owner) =>
      Effect.map(
        sql<{ readonly value: string | null }>`
          INSERT INTO catalog_client_tokens AS tokens (name, lease_owner, lease_until)
          SELECT ${user}, ${owner}, clock.now + ${leaseMillis} FROM ${clock} WHERE true
          ON CONFLICT (name) DO UPDATE SET lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
          WHERE tokens.lease_until <= excluded.lease_until - ${leaseMillis} OR tokens.lease_until > excluded.lease_until
          RETURNING value`,
        ([row]) => row && { text: row.value ?? undefined }
      ),
    renew: (owner) => sql`
      UPDATE catalog_client_tokens SET lease_until = ${sql.literal(now)} + ${leaseMillis} WHERE ${owned(owner)}`,
    write: (owner, text) =>
      Effect.map(
        text === undefined
          ? sql`DELETE FROM catalog_client_tokens WHERE ${owned(owner)} RETURNING name`
          : sql`
              UPDATE catalog_client_tokens SET value = ${text}, lease_owner = NULL, lease_until = 0
              WHERE ${owned(owner)} RETURNING name`,
        (rows) => rows.length === 1
      ),
    release: (owner) =>
      Effect.zipRight(
        sql`DELETE FROM catalog_client_tokens WHERE ${owned(owner)} AND value IS NULL`,
        sql`UPDATE catalog_client_tokens SET lease_owner = NULL, lease_until = 0 WHERE ${owned(owner)}`
      )
  }
  return {
    ...leased,
    get: Effect.map(
      sql<{ readonly value: string | null }>`SELECT value FROM catalog_client_tokens WHERE name = ${user}`,
      ([row]) => row?.value
    ),
    insert: (text: string) =>
      sql`INSERT INTO catalog_client_tokens (name, value, lease_until) VALUES (${user}, ${text}, 0)`
  }
}

/**
 * Keeps the tokens of users in a SQL database, for sessions of several processes: a function from a user to the user's store. A
 * refresh has a lease of some seconds in the row, and no connection or transaction. If its process is killed, another
 * process takes over within 8 seconds; a process that was suspended for so long writes nothing.
 *
 * Takes SQLite (3.42 or later) and PostgreSQL, through the program's own `SqlClient`: for example `PgClient.layer` of
 * `@effect/sql-pg`. Any other is a defect. It creates the table `catalog_client_tokens` if there is none. Its rows contain secrets. A change is never part of a transaction of the caller. A client for SQLite has one connection: inside a
 * transaction, a sign-in or sign-out is not stored, and a call that has to read the store waits for its timeout. Make them
 * before or after it.
 *
 * @example
 * ```ts
 * import { OAuthSessions } from "@catalog-client/oauth"
 * import { tokenStores } from "@catalog-client/oauth/sql"
 * import { Effect, Layer } from "effect"
 *
 * // Needs a SqlClient and an HttpClient.
 * export const layer = Layer.unwrapEffect(
 *   Effect.map(tokenStores, (store) =>
 *     OAuthSessions.layer({
 *       client: { clientId: "my-client-id", redirectUri: "https://app.example/callback" },
 *       store
 *     })
 *   )
 * )
 * ```
 */
export const tokenStores: Effect.Effect<(user: string) => TokenStoreService<"processes">, SqlError, SqlClient> =
  Effect.gen(function* () {
    const sql = (yield* SqlClient).withoutTransforms()
    const now = clockOf(sql)
    const createTable = sql`CREATE TABLE IF NOT EXISTS catalog_client_tokens (
      name TEXT PRIMARY KEY,
      value TEXT,
      lease_owner TEXT,
      lease_until DOUBLE PRECISION NOT NULL
    )`
    // PostgreSQL can refuse one of two processes that create the same table at the same time.
    yield* Effect.retry(createTable, { times: 3 })
    // A client for SQLite has one connection, which the transaction keeps.
    const apart = <A>(effect: Effect.Effect<A, unknown>): Effect.Effect<A, unknown> =>
      now === clocks.sqlite
        ? outside(sql, effect)
        : Effect.mapInputContext(effect, (context: Context.Context<never>) => Context.omit(transactionOf(sql))(context))
    return (user) => {
      const row = rowOf(sql, now, user)
      return TokenStore.from({
        get: () => apart(row.get),
        update: (step) => apart(updateLeased(row)(step)),
        keep: (text, id) => rowOf(sql, now, `${user}.aside.${id}`).insert(text)
      })
    }
  })
