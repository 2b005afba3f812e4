/**
 * The service that keeps the tokens of a rate limit.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as store from "./store.js"
import type { RateLimitBucket, RateLimitStore as RateLimitStoreService } from "./store.js"

/**
 * Where the tokens of a `Resilience.sharedRateLimit` are kept. A store that several processes use, like the Layer of
 * `@catalog-client/node/redis` or `@catalog-client/node/sql`, lets them share one quota.
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 * import { Effect, Layer } from "effect"
 *
 * // One that never has a token: nothing is sent.
 * const Closed = Layer.succeed(Resilience.RateLimitStore, { take: () => Effect.succeed(60_000), hold: () => Effect.void })
 *
 * export const layer = CatalogPolicy.layer(Resilience.sharedRateLimit({ limit: 1, interval: "1 second" })).pipe(
 *   Layer.provide(Closed)
 * )
 * ```
 */
export class RateLimitStore extends Context.Tag("@catalog-client/core/RateLimitStore")<
  RateLimitStore,
  RateLimitStore.Service
>() {
  /** A store in memory: the rate limits that get it share their tokens. */
  static readonly layerMemory: Layer.Layer<RateLimitStore> = Layer.sync(this, store.memory)
}

export declare namespace RateLimitStore {
  export { type RateLimitBucket as Bucket, type RateLimitStoreService as Service }
}
