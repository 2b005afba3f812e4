/**
 * A rate limit that several processes share: its tokens are kept in Redis.
 *
 * Needs `ioredis` and `@effect/experimental`, which are optional peers of this package.
 *
 * @since 0.1.0
 */
import type { Resilience } from "@catalog-client/core"
import * as RateLimiterRedis from "@effect/experimental/RateLimiter/Redis"
import type { RateLimiterStore } from "@effect/experimental/RateLimiter"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { RedisOptions } from "ioredis"

/** Options of {@link rateLimitStore}: `key`, and what ioredis takes (`host`, `port`, `password`, `tls` and so on). */
export interface RateLimitStoreOptions extends RedisOptions {
  /** The name of the quota: all stores with the same name share it. `quota` by default. */
  readonly key?: string | undefined
}

/** A store with a connection of its own. The connection keeps the process alive until the store is closed. */
export interface RedisRateLimitStore extends Resilience.RateLimitStore, AsyncDisposable {
  /** Closes the connection. Closing twice is fine; asking the store afterwards fails. */
  readonly close: () => Promise<void>
}

type Settings = Parameters<typeof RateLimiterRedis.make>[0]

/** What all keys begin with. */
const prefix = "catalog-client:"

/** Milliseconds to which a hold is kept. */
const tick = 100

const now: Effect.Effect<number> = /*#__PURE__*/ Effect.map(Clock.currentTimeNanos, (nanos) => Number(nanos) / 1e6)

/**
 * Keeps the tokens of a rate limit in Redis: all processes that name the same `key` (and the same `limit` and
 * `interval`) share one quota, and are held together. In each process one call at a time waits for a token; between
 * processes the one that asked first is first.
 *
 * The store connects when the first call asks it. Unless the options say otherwise, a command may take a second
 * (`commandTimeout`) and is tried twice (`maxRetriesPerRequest`); then the rate limit's `onStoreFailure` decides. The
 * clocks of the processes must agree, as synchronised clocks do. While there is no connection, ioredis says so on the
 * console.
 *
 * @example
 * ```ts
 * import { Resilience } from "@catalog-client/core"
 * import { createCatalog } from "@catalog-client/node"
 * import { rateLimitStore } from "@catalog-client/node/redis"
 *
 * const store = rateLimitStore({ host: "localhost", key: "my-client-id" })
 * const shared = Resilience.rateLimit({ limit: 1, interval: "1 second", store, onStoreFailure: "proceed" })
 * const catalog = createCatalog({ clientId: "my-client-id", policies: [shared] })
 *
 * console.log((await catalog.anime.get({ id: 30230 })).title)
 * await catalog.close()
 * await store.close()
 * ```
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 * import { rateLimitStore } from "@catalog-client/node/redis"
 * import { Effect, Layer } from "effect"
 *
 * export const layer = Layer.unwrapScoped(
 *   Effect.map(
 *     Effect.acquireRelease(
 *       Effect.sync(() => rateLimitStore({ host: "localhost" })),
 *       (store) => Effect.promise(store.close)
 *     ),
 *     (store) => CatalogPolicy.layer(Resilience.rateLimit({ limit: 1, interval: "1 second", store }))
 *   )
 * )
 * ```
 */
export const rateLimitStore = (options: RateLimitStoreOptions = {}): RedisRateLimitStore => {
  const { key = "quota" } = options
  // The same options, of which its declaration says that none may be undefined.
  const settings = { commandTimeout: 1_000, maxRetriesPerRequest: 1, ...options, prefix } as Settings
  const scope = Effect.runSync(Scope.make())
  let connected: RateLimiterStore["Type"] | undefined
  const connect = () => (connected ??= Effect.runSync(Scope.extend(RateLimiterRedis.make(settings), scope)))

  /** Takes tokens of a bucket, also more than there are; how many are left. */
  const take = (name: string, tokens: number, limit: number, refillMillis: number) =>
    Effect.mapError(
      Effect.suspend(() =>
        connect().tokenBucket({
          key: `${key}${name}`,
          tokens,
          limit,
          refillRate: Duration.millis(refillMillis),
          allowOverflow: true
        })
      ),
      (error) => ("cause" in error ? error.cause : error)
    )
  /** A bucket that is full with nothing in it: what it lacks is the time of a hold. */
  const takeTicks = (ticks: number) => take(":hold", ticks, 0, tick)

  /** When the token may be used that this process has taken: it is that of the first in its line, whoever that is. */
  let due: number | undefined
  const oneHold = Effect.unsafeMakeSemaphore(1)
  let closing: Promise<void> | undefined
  const close = () =>
    (closing ??= Effect.runPromise(
      // A server that has gone cannot be told.
      Effect.catchAllCause(Scope.close(scope, Exit.void), () => Effect.void)
    ))

  return {
    take: ({ limit, interval }) =>
      Effect.gen(function* () {
        if (due === undefined) {
          const left = yield* take("", 1, limit, interval / limit)
          due = (yield* now) + Math.max(0, -left) * (interval / limit)
        }
        const wait = due - (yield* now)
        if (wait > 0) {
          return Math.ceil(wait)
        }
        // Somebody may have been told to stop meanwhile.
        const held = yield* takeTicks(0)
        due = undefined
        return -held * tick
      }),
    hold: ({ limit, interval }, millis) =>
      Effect.gen(function* () {
        const held = yield* takeTicks(0)
        // One more than there are: the first can be over in no time.
        const missing = Math.ceil(millis / tick) + 1 + held
        if (missing > 0) {
          yield* takeTicks(missing)
        }
        const left = yield* take("", 0, limit, interval / limit)
        if (left > 0) {
          yield* take("", left, limit, interval / limit)
        }
      }).pipe(oneHold.withPermits(1)),
    close,
    [Symbol.asyncDispose]: close
  }
}
