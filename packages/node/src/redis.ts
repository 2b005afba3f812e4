/**
 * A rate limit that several processes share in Redis.
 *
 * Needs `ioredis`, which is an optional peer of this package.
 *
 * @since 0.2.0
 */
import type { Resilience } from "@catalog-client/core"
import { Databases } from "@catalog-client/core/internal"
import * as Effect from "effect/Effect"
import { Redis, type RedisOptions } from "ioredis"
import { makeBucket } from "./redisBucket.js"

/** Options of {@link rateLimitStore}: `key`, and what ioredis takes (`host`, `port`, `password`, `tls` and so on). */
export interface RateLimitStoreOptions extends RedisOptions {
  /** The name of the quota: all stores with the same name share it. `quota` by default. */
  readonly key?: string | undefined
}

/** A store with its own connection. The connection keeps the process alive until the store is closed. */
export interface RedisRateLimitStore extends Resilience.RateLimitStore, AsyncDisposable {
  /** Closes the connection. Closing twice is fine; using the store afterwards fails. */
  readonly close: () => Promise<void>
}

/**
 * Keeps the tokens of a rate limit in Redis: all processes that name the same `key` (and the same `limit` and `interval`)
 * share one quota, and a hold applies to all of them. Tokens are issued in order of request.
 *
 * The store connects when the first call uses it. By default a command times out after a second (`commandTimeout`) and is
 * tried twice (`maxRetriesPerRequest`); then the rate limit's `onStoreFailure` decides. The clock is Redis's, so the
 * clocks of the processes need not agree, and it may be set back. While there is no connection, ioredis reports it on the
 * console. Needs Redis 5 or later.
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 * import { rateLimitStore } from "@catalog-client/node/redis"
 * import { Effect } from "effect"
 *
 * // The connection is closed with the Layer.
 * export const Shared = CatalogPolicy.layer(
 *   Effect.map(
 *     Effect.acquireRelease(
 *       Effect.sync(() => rateLimitStore({ host: "localhost", key: "my-client-id" })),
 *       ({ close }) => Effect.promise(close)
 *     ),
 *     (store) => Resilience.rateLimit({ limit: 1, interval: "1 second", store, onStoreFailure: "proceed" })
 *   )
 * )
 * ```
 */
export const rateLimitStore = (options: RateLimitStoreOptions = {}): RedisRateLimitStore => {
  const { key, ...settings } = options
  const defaults = { commandTimeout: 1_000, maxRetriesPerRequest: 1 }
  const { close, evaluate } = Databases.redisOver(() => new Redis({ ...defaults, ...settings }))
  const bucket = makeBucket(evaluate, key)
  return {
    take: (rate) => ask(() => bucket.take(rate)),
    hold: (rate, millis) => ask(() => bucket.hold(rate, millis)),
    close,
    [Symbol.asyncDispose]: close
  }
}

const ask = <A>(send: () => Promise<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: send, catch: (cause) => cause })
