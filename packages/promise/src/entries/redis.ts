/**
 * A rate limit and tokens in Redis, which several processes share.
 */
import type { RateLimitOptions } from "../Resilience.js"
import type { RateLimitStore } from "#core/resilience/store.js"
import type { Evaluate } from "#core/internal/common/databases.js"
import { show } from "#core/internal/common/mistakes.js"
import { hasMethod } from "#core/internal/common/values.js"
import { checkNames } from "#core/internal/common/options.js"
import { makeBucket } from "#node/redisBucket.js"
import { tokenStoresOver } from "#oauth/stores/redisTokens.js"
import type { TokenStoreService } from "#oauth/TokenStore.js"
import { rateLimitStoreOver } from "../internal/rateLimitStore.js"

/** A connection of ioredis, or a cluster of it, by its shape. */
export interface IoRedisConnection {
  evalsha(...args: never): unknown
  eval(script: string, keys: number, ...args: Array<string>): Promise<unknown>
}

/** A client of node-redis (the package `redis`), or a cluster, a pool or a sentinel of it, by its shape. */
export interface NodeRedisConnection {
  evalSha(...args: never): unknown
  eval(script: string, options: { keys: Array<string>; arguments: Array<string> }): Promise<unknown>
}

/** Options of {@link rateLimitStore}. */
export interface RateLimitStoreOptions {
  /**
   * The name of the quota: stores with the same name, `limit` and `interval` share it.
   *
   * @default "quota"
   */
  readonly key?: string | undefined
  /**
   * How long Redis may take to respond. `0` and `Infinity` mean no limit.
   *
   * @default "1 second"
   */
  readonly timeout?: RateLimitOptions["interval"] | undefined
}

const isNodeRedis = (value: object): value is NodeRedisConnection => hasMethod(value, "evalSha")

const evaluateOn = (connection: IoRedisConnection | NodeRedisConnection, calledAs: string): Evaluate => {
  if (!hasMethod(connection, "eval") || !(hasMethod(connection, "evalSha") || hasMethod(connection, "evalsha"))) {
    const hint = hasMethod(connection, "then")
      ? "a promise: await it first"
      : `${show(connection)}, for example new Redis() of ioredis`
    throw new TypeError(`${calledAs} takes a connection of ioredis or of node-redis, but got ${hint}`)
  }
  return isNodeRedis(connection)
    ? async (script, key, args) => connection.eval(script, { keys: [key], arguments: [...args] })
    : async (script, key, args) => connection.eval(script, 1, key, ...args)
}

/**
 * Keeps the tokens of a rate limit in Redis: all processes share one quota.
 *
 * It takes the program's own connection, of ioredis or of node-redis, and does not close it. A client of node-redis must be
 * connected. If Redis does not respond within the `timeout`, the rate limit's `onStoreFailure` decides. Needs Redis 5 or later.
 *
 * Throws a `TypeError` for a value that is no connection, and for an invalid option.
 *
 * @example
 * ```ts
 * import { createCatalog, Resilience } from "catalog-client"
 * import { type IoRedisConnection, rateLimitStore } from "catalog-client/redis"
 *
 * export const catalogOver = (connection: IoRedisConnection) => {
 *   const store = rateLimitStore(connection, { key: "my-client-id" })
 *   const shared = Resilience.rateLimit({ limit: 1, interval: "1 second", store, onStoreFailure: "proceed" })
 *   return createCatalog({ clientId: "my-client-id", policies: [shared] })
 * }
 * ```
 */
export const rateLimitStore = (
  connection: IoRedisConnection | NodeRedisConnection,
  options: RateLimitStoreOptions = {}
): RateLimitStore => {
  const calledAs = "rateLimitStore"
  const evaluate = evaluateOn(connection, calledAs)
  const given = options ?? {}
  checkNames(calledAs, given, { key: 1, timeout: 1 })
  return rateLimitStoreOver(given, { name: "Redis", patience: 1_000 }, (key) => makeBucket(evaluate, key))
}

/**
 * Keeps the tokens of users in Redis, for sessions of several processes: returns a function from a user to the user's store. If
 * the process of a refresh is killed, another one takes over within 8 seconds.
 *
 * It takes the program's own connection, as {@link rateLimitStore} does, and throws a `TypeError` for anything else. Rows are
 * hashes with the prefix `catalog-client:tokens:`, and contain secrets.
 *
 * @example
 * ```ts
 * import { createSessions } from "catalog-client/oauth"
 * import { type IoRedisConnection, tokenStores } from "catalog-client/redis"
 *
 * export const sessionsOver = (connection: IoRedisConnection) =>
 *   createSessions({
 *     client: { clientId: "my-client-id", redirectUri: "https://app.example/callback" },
 *     store: tokenStores(connection)
 *   })
 * ```
 */
export const tokenStores = (
  connection: IoRedisConnection | NodeRedisConnection
): ((user: string) => TokenStoreService<"processes">) => tokenStoresOver(evaluateOn(connection, "tokenStores"))
