/**
 * The tokens of signed-in users in Redis, for sessions of several processes.
 *
 * Needs `ioredis`, which is an optional peer of this package.
 *
 * @since 0.2.0
 */
import { Databases } from "@catalog-client/core/internal"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { Redis, type RedisOptions } from "ioredis"
import type { TokenStoreService } from "../TokenStore.js"
import { tokenStoresOver } from "./redisTokens.js"

/**
 * Keeps the tokens of users in Redis, for sessions of several processes: a function from a user to the user's store. If the
 * process of a refresh is killed, another one takes over within 8 seconds.
 *
 * Takes the options of ioredis. The first use connects, and the scope closes the connection. By default a command times out
 * after a second (`commandTimeout`) and is tried twice (`maxRetriesPerRequest`). Rows are hashes with the prefix
 * `catalog-client:tokens:`, and contain secrets. Needs Redis 5 or later.
 *
 * @example
 * ```ts
 * import { OAuthSessions } from "@catalog-client/oauth"
 * import { tokenStores } from "@catalog-client/oauth/redis"
 * import { Effect, Layer } from "effect"
 *
 * // Needs an HttpClient.
 * export const layer = Layer.unwrapScoped(
 *   Effect.map(tokenStores({ host: "localhost" }), (store) =>
 *     OAuthSessions.layer({
 *       client: { clientId: "my-client-id", redirectUri: "https://app.example/callback" },
 *       store
 *     })
 *   )
 * )
 * ```
 */
export const tokenStores = (
  options: RedisOptions = {}
): Effect.Effect<(user: string) => TokenStoreService<"processes">, never, Scope> => {
  const defaults = { commandTimeout: 1_000, maxRetriesPerRequest: 1 }
  const connection = Effect.acquireRelease(
    Effect.sync(() => Databases.redisOver(() => new Redis({ ...defaults, ...options }))),
    ({ close }) => Effect.promise(close)
  )
  return Effect.map(connection, ({ evaluate }) => tokenStoresOver(evaluate))
}
