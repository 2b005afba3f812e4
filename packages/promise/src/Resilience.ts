/**
 * Policies, which say what a catalog does besides sending: retry, limit, cache, share or refuse. None is active by default.
 */
import * as Effect from "effect/Effect"
import type { Policy } from "#core/internal/policies/policy.js"
import { memoize } from "#core/internal/common/memoize.js"
import { hasMethod } from "#core/internal/common/values.js"
import * as core from "#core/resilience/rateLimit.js"
import type { RateLimitStoreError } from "#core/resilience/RateLimitStoreError.js"
import { memory, type RateLimitStore } from "#core/resilience/store.js"
import { show } from "#core/internal/common/mistakes.js"
import { isEffect } from "./effects.js"

export { breaker, type BreakerOptions } from "#core/resilience/breaker.js"
export type { Cache } from "#core/internal/policies/policy.js"
export { cache, type CacheOptions } from "#core/resilience/cache.js"
export { dedupe } from "#core/resilience/dedupe.js"
export { type FailedAttempt, retry, type RetryOptions } from "#core/resilience/retry.js"
export type { RateLimitBucket, RateLimitStore } from "#core/resilience/store.js"

interface Stored {
  /** Where the tokens are kept; in memory, if you set none. */
  readonly store?: RateLimitStore | undefined
}

/** Options of {@link rateLimit}. */
export interface RateLimitOptions extends core.SharedRateLimitOptions, Stored {}

/**
 * Calls the program's store. An Effect that it returns is a mistake, and no failure for `onStoreFailure`. Core reads nothing but
 * the cause of an error, so a page does not pay for its class.
 */
const ask = <A>(run: () => unknown): Effect.Effect<A, RateLimitStoreError> =>
  Effect.flatMap(
    Effect.tryPromise({ try: async () => run(), catch: (cause) => ({ cause }) as RateLimitStoreError }),
    (reply) =>
      isEffect(reply)
        ? Effect.die(
            new TypeError(
              "Resilience.rateLimit: store must return numbers or promises, but it returned an Effect: stores of @catalog-client packages are for Effect programs"
            )
          )
        : Effect.succeed(reply as A)
  )

/** A store as core takes it: always the same object for one store, because rate limits over one store share its line. */
const adapt = /*#__PURE__*/ memoize((store: RateLimitStore): RateLimitStore => ({
  take: (bucket) => ask(() => store.take(bucket)),
  hold: (bucket, millis) => ask(() => store.hold(bucket, millis))
}))

const adaptStore = (store: RateLimitStore): RateLimitStore => {
  if (!hasMethod(store, "take") || !hasMethod(store, "hold")) {
    throw new TypeError(
      `Resilience.rateLimit: store must be an object with the functions take and hold, but it is ${show(store)}`
    )
  }
  return adapt(store)
}

/**
 * Spaces requests: `limit` in each `interval` in the long run, and no more than `limit` at once after an idle time (a
 * token bucket). All calls that go through the value share it, first come, first served. For even spacing use `{ limit: 1,
 * interval: "1 second" }` rather than `{ limit: 60, interval: "1 minute" }`.
 *
 * After a response that means "too many requests" every call that waits is held, for `Retry-After` or for `hold`; then the
 * calls go one by one. The call that got the response fails with it: only {@link retry} sends it again. The wait counts
 * toward `totalTimeout`, not `timeout`. On Cloudflare Workers, calls are not queued. Throws a `TypeError` for an invalid
 * option.
 *
 * @example
 * ```ts
 * import { createCatalog, Resilience } from "catalog-client"
 *
 * export const catalog = createCatalog({ policies: [Resilience.rateLimit({ limit: 1, interval: "1 second" })] })
 * ```
 */
export const rateLimit = (options: RateLimitOptions): Policy => {
  const make = core.makeRateLimit(options, { store: undefined })
  const store = options?.store ?? undefined
  return make(store === undefined ? memory() : adaptStore(store))
}
