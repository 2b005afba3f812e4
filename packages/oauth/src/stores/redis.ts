/**
 * The tokens of signed-in users in Redis, for sessions of several processes.
 *
 * Needs `ioredis`, which is an optional peer of this package.
 *
 * @since 0.2.0
 */
import { Databases } from "@catalog-client/core/internal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Redis, type RedisOptions } from "ioredis"
import { TokenStores } from "../TokenStores.js"
import { tokenStoresOver } from "./redisTokens.js"

/**
 * `TokenStores` in Redis, for sessions of several processes. If the process of a refresh is killed, another one takes over
 * within 8 seconds.
 *
 * Takes the options of ioredis. The first use connects, and the scope of the Layer closes the connection. Rows are hashes with
 * the prefix `catalog-client:tokens:`, and contain secrets. Needs Redis 5 or later.
 *
 * @example
 * ```ts
 * import { OAuthSessions } from "@catalog-client/oauth"
 * import * as RedisTokenStores from "@catalog-client/oauth/redis"
 * import { Layer } from "effect"
 *
 * // Needs an HttpClient.
 * export const Sessions = OAuthSessions.layerConfig().pipe(
 *   Layer.provide(RedisTokenStores.layer({ host: "localhost" }))
 * )
 * ```
 */
export const layer = (options: RedisOptions = {}): Layer.Layer<TokenStores> => {
  const defaults = { commandTimeout: 1_000, maxRetriesPerRequest: 1 }
  const connection = Effect.acquireRelease(
    Effect.sync(() => Databases.redisOver(() => new Redis({ ...defaults, ...options }))),
    ({ close }) => Effect.promise(close)
  )
  return Layer.scoped(
    TokenStores,
    Effect.map(connection, ({ evaluate }) => ({ storeOf: tokenStoresOver(evaluate) }))
  )
}
