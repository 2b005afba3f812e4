/**
 * The tokens of signed-in users in Redis, for sessions of several processes.
 *
 * Needs `ioredis`, which is an optional peer of this package.
 *
 * @since 0.2.0
 */
import { Databases } from "@catalog-client/core/internal"
import { Redis, type RedisOptions } from "ioredis"
import type { TokenStoreService } from "../TokenStore.js"
import { tokenStoresOver } from "./redisTokens.js"

/** The stores of users, by their names, with one connection. It keeps the process alive until the stores are closed. */
export interface RedisTokenStores extends AsyncDisposable {
  (user: string): TokenStoreService<"processes">
  /** Closes the connection. Closing twice is fine; using a store afterwards fails. */
  readonly close: () => Promise<void>
}

/**
 * Keeps the tokens of users in Redis, for sessions of several processes. If the process of a refresh
 * is killed, another one takes over within 8 seconds.
 *
 * Takes the options of ioredis. By default a command times out after a second (`commandTimeout`) and is tried twice
 * (`maxRetriesPerRequest`). Rows are hashes with the prefix `catalog-client:tokens:`, and contain secrets. Needs Redis 5 or
 * later.
 *
 * @example
 * ```ts
 * import { OAuthSessions } from "@catalog-client/oauth"
 * import { tokenStores } from "@catalog-client/oauth/redis"
 * import { Effect, Layer } from "effect"
 *
 * const stores = Effect.acquireRelease(
 *   Effect.sync(() => tokenStores({ host: "localhost" })),
 *   (stores) => Effect.promise(stores.close)
 * )
 *
 * // Needs an HttpClient.
 * export const layer = Layer.unwrapScoped(
 *   Effect.map(stores, (store) =>
 *     OAuthSessions.layer({
 *       client: { clientId: "my-client-id", redirectUri: "https://app.example/callback" },
 *       store
 *     })
 *   )
 * )
 * ```
 */
export const tokenStores = (options: RedisOptions = {}): RedisTokenStores => {
  const defaults = { commandTimeout: 1_000, maxRetriesPerRequest: 1 }
  const { close, evaluate } = Databases.redisOver(() => new Redis({ ...defaults, ...options }))
  return Object.assign(tokenStoresOver(evaluate), { close, [Symbol.asyncDispose]: close })
}
