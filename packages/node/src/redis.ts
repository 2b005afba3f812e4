/**
 * A rate limit that several processes share in Redis.
 *
 * Needs `ioredis`, which is an optional peer of this package.
 *
 * @since 0.2.0
 */
import { Resilience } from "@catalog-client/core"
import { Databases } from "@catalog-client/core/internal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Redis, type RedisOptions } from "ioredis"
import { makeBucket } from "./redisBucket.js"

/** Options of {@link layer}: `key`, and what ioredis takes (`host`, `port`, `password`, `tls` and so on). */
export interface RateLimitStoreOptions extends RedisOptions {
  /**
   * The name of the quota: stores with the same name, `limit` and `interval` share it.
   *
   * @default "quota"
   */
  readonly key?: string | undefined
}

/**
 * A `Resilience.RateLimitStore` that keeps the tokens in Redis: all processes share one quota.
 *
 * The store has its own connection: it connects when the first call uses it, and the scope of the Layer closes it. By default a
 * command times out after a second (`commandTimeout`) and is tried twice (`maxRetriesPerRequest`); then the rate limit's
 * `onStoreFailure` decides. Needs Redis 5 or later.
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 * import * as RedisStore from "@catalog-client/node/redis"
 * import { Layer } from "effect"
 *
 * export const Shared = CatalogPolicy.layer(
 *   Resilience.sharedRateLimit({ limit: 1, interval: "1 second", onStoreFailure: "proceed" })
 * ).pipe(Layer.provide(RedisStore.layer({ host: "localhost", key: "my-client-id" })))
 * ```
 */
export const layer = (options: RateLimitStoreOptions = {}): Layer.Layer<Resilience.RateLimitStore> => {
  const { key, ...settings } = options
  const defaults = { commandTimeout: 1_000, maxRetriesPerRequest: 1 }
  const connection = Effect.acquireRelease(
    Effect.sync(() => Databases.redisOver(() => new Redis({ ...defaults, ...settings }))),
    ({ close }) => Effect.promise(close)
  )
  const store = Effect.map(connection, ({ evaluate }): Resilience.RateLimitStore.Service => {
    const bucket = makeBucket(evaluate, key)
    return {
      take: (rate) => ask(() => bucket.take(rate)),
      hold: (rate, millis) => ask(() => bucket.hold(rate, millis))
    }
  })
  return Layer.scoped(Resilience.RateLimitStore, store)
}

const ask = <A>(send: () => Promise<A>): Effect.Effect<A, Resilience.RateLimitStoreError> =>
  Effect.tryPromise({ try: send, catch: (cause) => new Resilience.RateLimitStoreError({ cause }) })
