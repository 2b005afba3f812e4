/**
 * A rate limit and tokens in SQLite, which the processes of one machine share.
 */
import * as Effect from "effect/Effect"
import type { RateLimitStore } from "#core/resilience/store.js"
import { type Sql, sqlite } from "#core/internal/common/databases.js"
import { show } from "#core/internal/common/mistakes.js"
import { hasMethod } from "#core/internal/common/values.js"
import type { TokenStoreService } from "#oauth/TokenStore.js"
import {
  type RateLimitStoreOptions,
  sqlRateLimitStore,
  sqlTokenStores,
  type TokenStoresOptions
} from "../internal/sqlStores.js"

export type { RateLimitStoreOptions, TokenStoresOptions }

/** A database of `node:sqlite`, `better-sqlite3` or `bun:sqlite`, by its shape. */
export interface SqliteDatabase {
  prepare(statement: string): { get(...values: Array<string | number>): unknown }
  exec(statement: string): unknown
  /** Whether the program is in a transaction. */
  readonly isTransaction?: boolean
  readonly inTransaction?: boolean
}

/** Milliseconds to wait for the lock of another process, or for the end of the program's own transaction. */
const patience = 5_000

const insideTransaction = "InsideTransaction"

const isLocked = (error: unknown): boolean => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return code === insideTransaction || /\bdatabase (table )?is locked\b/.test(String(message))
}

const sqlOver = (database: SqliteDatabase, calledAs: string): Sql => {
  if (!hasMethod(database, "prepare") || !hasMethod(database, "exec")) {
    const hint = hasMethod(database, "then")
      ? "a promise: await it first"
      : `${show(database)}, for example new DatabaseSync("app.db") of node:sqlite`
    throw new TypeError(`${calledAs} takes a database of node:sqlite, better-sqlite3 or bun:sqlite, but got ${hint}`)
  }
  const query = (statement: string, values: ReadonlyArray<string | number>): ReadonlyArray<unknown> => {
    // The statement would be part of the transaction, and end with it.
    if (database.isTransaction || database.inTransaction) {
      throw Object.assign(new Error(`${calledAs}: the database stays in a transaction of your program`), {
        code: insideTransaction
      })
    }
    if (statement.startsWith("CREATE")) {
      database.exec(statement)
      return []
    }
    const row = database.prepare(statement).get(...values)
    return row ? [row] : []
  }
  const run: Sql["run"] = (statement, ...values) =>
    Effect.suspend(() => {
      const end = performance.now() + patience
      const attempt: Effect.Effect<ReadonlyArray<unknown>, unknown> = Effect.catchAll(
        Effect.try({ try: () => query(statement, values), catch: (error) => error }),
        (error) =>
          isLocked(error) && performance.now() < end
            ? Effect.zipRight(Effect.sleep(5 + 20 * Math.random()), attempt)
            : Effect.fail(error)
      )
      return attempt
    })
  return { ...sqlite, run }
}

/**
 * Keeps the tokens of a rate limit in a row of SQLite: all processes share one quota.
 *
 * It takes the program's own database (SQLite 3.42 or later), and does not close it. While another process writes, or your
 * program is in a transaction, a call waits without blocking the event loop. After the `timeout`, the rate limit's
 * `onStoreFailure` decides.
 *
 * Throws a `TypeError` for a value that is no database, and for an invalid option.
 *
 * @example
 * ```ts
 * import { createCatalog, Resilience } from "catalog-client"
 * import { rateLimitStore, type SqliteDatabase } from "catalog-client/sqlite"
 *
 * export const catalogOver = (database: SqliteDatabase) => {
 *   const store = rateLimitStore(database, { key: "my-client-id" })
 *   return createCatalog({ policies: [Resilience.rateLimit({ limit: 1, interval: "1 second", store })] })
 * }
 * ```
 */
export const rateLimitStore = (database: SqliteDatabase, options: RateLimitStoreOptions = {}): RateLimitStore =>
  sqlRateLimitStore(sqlOver(database, "rateLimitStore"), options)

/**
 * Keeps the tokens of users in SQLite, for sessions of the processes of one machine: returns a function from a user to the
 * user's store. If the process of a refresh is killed, another one takes over within 8 seconds.
 *
 * It takes the program's own database, as {@link rateLimitStore} does, and throws a `TypeError` for anything else. It creates
 * the table `catalog_client_tokens`, whose rows contain secrets.
 *
 * @example
 * ```ts
 * import { createSessions } from "catalog-client/oauth"
 * import { type SqliteDatabase, tokenStores } from "catalog-client/sqlite"
 *
 * export const sessionsOver = (database: SqliteDatabase) =>
 *   createSessions({
 *     client: { clientId: "my-client-id", redirectUri: "https://app.example/callback" },
 *     store: tokenStores(database)
 *   })
 * ```
 */
export const tokenStores = (
  database: SqliteDatabase,
  options: TokenStoresOptions = {}
): ((user: string) => TokenStoreService<"processes">) => sqlTokenStores(sqlOver(database, "tokenStores"), options)
