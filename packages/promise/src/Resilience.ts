/**
 * The policies of the client. The store of a rate limit is one of promises.
 */
import * as Effect from "effect/Effect"
import type { Policy } from "#core/internal/policies/policy.js"
import { memoize } from "#core/internal/common/memoize.js"
import { hasMethod } from "#core/internal/common/values.js"
import * as core from "#core/Resilience.js"
import { isEffect } from "./effects.js"

export {
  breaker,
  type BreakerOptions,
  type Cache,
  cache,
  type CacheOptions,
  dedupe,
  type FailedAttempt,
  type RateLimitBucket,
  type RateLimitOptions,
  type RateLimitStore,
  retry,
  type RetryOptions
} from "#core/Resilience.js"

/** A store of Effect is a mistake, and not a failure that `onStoreFailure` decides about. */
const asked = <A>(ask: () => unknown): Effect.Effect<A, unknown> =>
  Effect.flatMap(Effect.tryPromise({ try: async () => ask(), catch: (error) => error }), (reply) =>
    isEffect(reply)
      ? Effect.die(
          new TypeError(
            "Resilience.rateLimit: store must return numbers or promises, but it returned an Effect: stores of @catalog-client packages are for Effect programs"
          )
        )
      : Effect.succeed(reply as A)
  )

/** Rate limits with one store share its line, so it is the same object each time. */
const adapted = /*#__PURE__*/ memoize((store: core.RateLimitStore): core.RateLimitStore => ({
  take: (bucket) => asked(() => store.take(bucket)),
  hold: (bucket, millis) => asked(() => store.hold(bucket, millis))
}))

/** As core takes it. What is no store is refused there. */
const storeOf = (store: core.RateLimitStore): core.RateLimitStore =>
  hasMethod(store, "take") && hasMethod(store, "hold") ? adapted(store) : store

/**
 * Spaces exchanges: `limit` in each `interval` in the long run, and no more than `limit` at once after an idle time (a
 * token bucket). All calls that go through the value share it, first come, first served. For even spacing use `{ limit: 1,
 * interval: "1 second" }` rather than `{ limit: 60, interval: "1 minute" }`.
 *
 * After a response that means "too many requests" every call that waits is held, for `Retry-After` or for `hold`; then the
 * calls go one by one. The call that got the response fails with it: only {@link retry} sends it again. The wait counts
 * towards `totalTimeout`, not `timeout`. In Cloudflare Workers there is no line. Throws a `TypeError` for an invalid option.
 *
 * @example
 * ```ts
 * import { createCatalog, Resilience } from "catalog-client"
 *
 * export const catalog = createCatalog({ policies: [Resilience.rateLimit({ limit: 1, interval: "1 second" })] })
 * ```
 */
export const rateLimit = (options: core.RateLimitOptions): Policy =>
  core.rateLimit(options?.store ? { ...options, store: storeOf(options.store) } : options)
