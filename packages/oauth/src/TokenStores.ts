/**
 * Where the sessions of many users keep their tokens.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { TokenStore, type TokenStoreService } from "./TokenStore.js"

/** The interface of {@link TokenStores}. */
export interface TokenStoresService {
  /** Returns the store of a key: a user, or `<user>.pending` for a sign-in that was started. */
  readonly storeOf: (key: string) => TokenStoreService
}

/**
 * Where `OAuthSessions` keeps the tokens of its users: a {@link TokenStore} for each key. `layer` of
 * `@catalog-client/oauth/redis` and `@catalog-client/oauth/sql` provides it over a database that several processes share.
 *
 * @example
 * ```ts
 * import { TokenStore, TokenStores } from "@catalog-client/oauth"
 * import { KeyValueStore } from "@effect/platform"
 * import { Effect, Layer } from "effect"
 *
 * // For one process. Needs a KeyValueStore.
 * export const layer = Layer.effect(
 *   TokenStores,
 *   Effect.map(KeyValueStore.KeyValueStore, (rows) => ({
 *     storeOf: (key) =>
 *       TokenStore.from({
 *         get: () => rows.get(key),
 *         set: (text) => rows.set(key, text),
 *         remove: () => rows.remove(key)
 *       })
 *   }))
 * )
 * ```
 */
export class TokenStores extends Context.Tag("@catalog-client/oauth/TokenStores")<TokenStores, TokenStoresService>() {
  /** Stores in memory: the tokens end with the process. */
  static readonly layerMemory: Layer.Layer<TokenStores> = Layer.sync(TokenStores, () => {
    const stores = new Map<string, TokenStoreService>()
    return {
      storeOf: (key) => {
        const store = stores.get(key) ?? TokenStore.memory()
        stores.set(key, store)
        return store
      }
    }
  })
}

export declare namespace TokenStores {
  export { type TokenStoresService as Service }
}
