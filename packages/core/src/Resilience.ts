/**
 * Policies for `CatalogPolicy.layer`, and for the option `policies` of one call. None is active by
 * default: a call is one exchange.
 *
 * Whatever their order in the list, they are applied in this order, outermost first: {@link cache}, {@link dedupe},
 * {@link retry}, {@link breaker}, {@link rateLimit}, the call's `timeout`. A policy holds its own state, and nothing runs in
 * the background. A page that imports one from `@catalog-client/core/resilience` bundles no other.
 *
 * @since 0.2.0
 */
export { breaker, type BreakerOptions } from "./resilience/breaker.js"
export { type Cache, cache, type CacheOptions } from "./resilience/cache.js"
export { dedupe } from "./resilience/dedupe.js"
export { rateLimit, type RateLimitOptions } from "./resilience/rateLimit.js"
export { type FailedAttempt, retry, type RetryOptions } from "./resilience/retry.js"
export type { RateLimitBucket, RateLimitStore } from "./resilience/store.js"
