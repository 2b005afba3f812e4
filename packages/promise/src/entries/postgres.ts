/**
 * A rate limit and tokens in PostgreSQL, which several processes share.
 */
import * as Effect from "effect/Effect"
import type { RateLimitStore } from "#core/resilience/store.js"
import { numbered, postgres, type Sql } from "#core/internal/common/databases.js"
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

/** A pool of connections, by its shape: of `pg`, Neon, Vercel and so on, or a database of PGlite. */
export interface PostgresPool {
  query(statement: string, values: Array<unknown>): Promise<{ readonly rows: ReadonlyArray<unknown> }>
}

const sqlOver = (pool: PostgresPool, calledAs: string): Sql => {
  // A client of pg can escape names, a pool cannot.
  const isClient = hasMethod(pool, "escapeIdentifier")
  if (isClient || !hasMethod(pool, "query")) {
    const hint = hasMethod(pool, "then")
      ? "a promise: await it first"
      : isClient
        ? "a client, on which your transactions would contain its statements"
        : `${show(pool)}, for example new Pool() of pg`
    throw new TypeError(`${calledAs} takes a pool of connections to PostgreSQL, but got ${hint}`)
  }
  const run: Sql["run"] = (statement, ...values) =>
    Effect.tryPromise({
      try: async () => (await pool.query(numbered(statement), [...values])).rows,
      catch: (error) => error
    })
  return { ...postgres, run }
}

/**
 * Keeps the tokens of a rate limit in a row of PostgreSQL: all processes share one quota.
 *
 * It takes the program's own pool, of `pg` or of the same shape, and does not close it. If the database does not respond within
 * the `timeout`, the rate limit's `onStoreFailure` decides.
 *
 * Throws a `TypeError` for a value that is no pool, and for an invalid option.
 *
 * @example
 * ```ts
 * import { createCatalog, Resilience } from "catalog-client"
 * import { type PostgresPool, rateLimitStore } from "catalog-client/postgres"
 *
 * export const catalogOver = (pool: PostgresPool) => {
 *   const store = rateLimitStore(pool, { key: "my-client-id" })
 *   const shared = Resilience.rateLimit({ limit: 1, interval: "1 second", store, onStoreFailure: "proceed" })
 *   return createCatalog({ clientId: "my-client-id", policies: [shared] })
 * }
 * ```
 */
export const rateLimitStore = (pool: PostgresPool, options: RateLimitStoreOptions = {}): RateLimitStore =>
  sqlRateLimitStore(sqlOver(pool, "rateLimitStore"), options)

/**
 * Keeps the tokens of users in PostgreSQL, for sessions of several processes: returns a function from a user to the user's
 * store. If the process of a refresh is killed, another one takes over within 8 seconds.
 *
 * It takes the program's own pool, as {@link rateLimitStore} does, and throws a `TypeError` for anything else. It creates the
 * table `catalog_client_tokens`, whose rows contain secrets.
 *
 * @example
 * ```ts
 * import { createSessions } from "catalog-client/oauth"
 * import { type PostgresPool, tokenStores } from "catalog-client/postgres"
 *
 * export const sessionsOver = (pool: PostgresPool) =>
 *   createSessions({
 *     client: { clientId: "my-client-id", redirectUri: "https://app.example/callback" },
 *     store: tokenStores(pool)
 *   })
 * ```
 */
export const tokenStores = (
  pool: PostgresPool,
  options: TokenStoresOptions = {}
): ((user: string) => TokenStoreService<"processes">) => sqlTokenStores(sqlOver(pool, "tokenStores"), options)
