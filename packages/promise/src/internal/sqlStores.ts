/**
 * The stores of `catalog-client/postgres` and `catalog-client/sqlite`, which create their tables when they are first used.
 */
import * as Effect from "effect/Effect"
import type { RateLimitOptions } from "../Resilience.js"
import type { RateLimitStore } from "#core/resilience/store.js"
import { createTable, type Sql } from "#core/internal/common/databases.js"
import { checkNames } from "#core/internal/common/options.js"
import * as bucket from "#node/sqlBucket.js"
import * as tokens from "#oauth/stores/sqlTokens.js"
import type { TokenStoreService } from "#oauth/TokenStore.js"
import { checkText, rateLimitStoreOver } from "./rateLimitStore.js"

/** Options of `tokenStores`. */
export interface TokenStoresOptions {
  /**
   * The table, with or without a schema. It is created on first use.
   *
   * @default "catalog_client_tokens"
   */
  readonly table?: string | undefined
}

/** Options of `rateLimitStore`. */
export interface RateLimitStoreOptions {
  /**
   * The name of the quota: stores with the same name, `limit` and `interval` share it.
   *
   * @default "quota"
   */
  readonly key?: string | undefined
  /**
   * The table, with or without a schema. It is created on first use.
   *
   * @default "catalog_client_quota"
   */
  readonly table?: string | undefined
  /**
   * How long the database may take to respond. `0` and `Infinity` mean no limit.
   *
   * @default "5 seconds"
   */
  readonly timeout?: RateLimitOptions["interval"] | undefined
}

/** A database whose table is created before the first statement. */
const withTable = (sql: Sql, calledAs: string, table: string, columns: string): Sql => {
  checkText(calledAs, "table", table, /^[a-z_]\w*([.][a-z_]\w*)?$/i, "the name of a table, for example app.tokens")
  let isCreated = false
  const create = Effect.mapBoth(createTable(sql.run, table, columns), {
    onFailure: (cause) => {
      const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown }
      const why = `it does not exist, and was not created (${String(message)}). Create it: CREATE TABLE ${table} (${columns})`
      return Object.assign(new Error(`${calledAs}: the table ${table} cannot be used: ${why}`, { cause }), {
        // What a session shows of a store's error.
        reason: String(code ?? message)
      })
    },
    onSuccess: () => void (isCreated = true)
  })
  const run: Sql["run"] = (...statement) =>
    Effect.zipRight(
      Effect.suspend(() => (isCreated ? Effect.void : create)),
      sql.run(...statement)
    )
  return { ...sql, run }
}

/** The store of a rate limit in a SQL database. */
export const sqlRateLimitStore = (sql: Sql, options: RateLimitStoreOptions): RateLimitStore => {
  const calledAs = "rateLimitStore"
  const given = options ?? {}
  checkNames(calledAs, given, { key: 1, table: 1, timeout: 1 })
  const { table = bucket.table, ...shared } = given
  const inTable = withTable(sql, calledAs, table, bucket.columns)
  return rateLimitStoreOver(shared, { name: "The database", patience: 5_000 }, (key) => {
    const { hold, take } = bucket.makeSqlBucket(inTable, table, key)
    return {
      take: (rate) => Effect.runPromise(take(rate)),
      hold: (rate, millis) => Effect.runPromise(hold(rate, millis))
    }
  })
}

/** The stores of users in a SQL database. */
export const sqlTokenStores = (
  sql: Sql,
  options: TokenStoresOptions
): ((user: string) => TokenStoreService<"processes">) => {
  const calledAs = "tokenStores"
  const given = options ?? {}
  checkNames(calledAs, given, { table: 1 })
  const { table = tokens.table } = given
  return tokens.sqlTokenStores(withTable(sql, calledAs, table, tokens.columns), table)
}
