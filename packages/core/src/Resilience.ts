/**
 * Policies for `CatalogPolicy.layer`, and for the `policies` option of one call. None is active by
 * default: a call sends one request.
 *
 * Whatever their order in the list, they are applied in this order, outermost first: {@link cache}, {@link dedupe},
 * {@link retry}, {@link breaker}, {@link rateLimit}, the call's `timeout`. A policy holds its own state, and nothing runs in
 * the background. A page that imports one from `@catalog-client/core/Resilience` bundles no other.
 *
 * A policy with state is made by an Effect. In `CatalogPolicy.layer`, each build of the Layer makes its own. To share one with
 * several Layers or calls, run the Effect once, and pass its value.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import type { Policy } from "./internal/policies/policy.js"
import { breaker as makeBreaker, type BreakerOptions } from "./resilience/breaker.js"
import { cache as makeCache, type CacheOptions } from "./resilience/cache.js"
import { dedupe as makeDedupe } from "./resilience/dedupe.js"
import { makeRateLimit, type RateLimitOptions, type SharedRateLimitOptions } from "./resilience/rateLimit.js"
import { RateLimitStore } from "./resilience/RateLimitStore.js"
import { memory } from "./resilience/store.js"

export type { BreakerOptions } from "./resilience/breaker.js"
export type { CacheOptions } from "./resilience/cache.js"
export type { RateLimitOptions, SharedRateLimitOptions } from "./resilience/rateLimit.js"
export { RateLimitStore } from "./resilience/RateLimitStore.js"
export { RateLimitStoreError } from "./resilience/RateLimitStoreError.js"
export { type FailedAttempt, retry, type RetryOptions } from "./resilience/retry.js"

/**
 * Makes a policy that refuses calls for a while after some attempts in a row have failed. A refused call fails at once with
 * `ClientNetworkError`, `reason: "CircuitOpen"`; its `cause` says why, and when the next call is let through. After the
 * cooldown one trial call is let through: if it succeeds, all calls are; if it fails, the cooldown starts again.
 *
 * Failures are timeouts, connection errors, 5xx, and the redirects 302 and 307 (0 in a browser). Any other response, for
 * example 404 or 429, means that the service works. An invalid option is a defect.
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 *
 * export const layer = CatalogPolicy.layer(Resilience.breaker({ failures: 10, cooldown: "1 minute" }))
 * ```
 */
export const breaker = (options: BreakerOptions = {}): Effect.Effect<Policy> => Effect.sync(() => makeBreaker(options))

/**
 * Makes a policy that caches replies of the catalog and the forum, and of custom operations that are declared as `cacheable`;
 * never user lists, profiles, suggestions or errors.
 *
 * A reply is reused only for an equal request with the same credentials and headers, over the same client (or `fetch`). Replies
 * are frozen.
 *
 * A write drops the replies that it can change, for the same access token; one of a custom operation drops them all.
 * `invalidateCache` of a `CatalogClient` drops replies by hand. An invalid option is a defect.
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 *
 * export const Cached = CatalogPolicy.layer(Resilience.cache({ capacity: 500, timeToLive: "10 minutes" }))
 * ```
 */
export const cache = (options: CacheOptions): Effect.Effect<Policy> => Effect.sync(() => makeCache(options))

/**
 * Makes a policy that lets equal reads that are in flight share one request: same URL, same credentials and headers, same
 * client (or `fetch`), same `timeout`, `maxResponseBytes` and `mismatch`. Nothing is kept after its response. Replies are
 * frozen.
 *
 * The request is cancelled when the last caller leaves. After a write, a read never shares a request that began before the
 * write. In Cloudflare Workers nothing is shared.
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 *
 * export const Shared = CatalogPolicy.layer(Resilience.dedupe())
 * ```
 */
export const dedupe = (): Effect.Effect<Policy> => Effect.sync(makeDedupe)

/**
 * Makes a policy that spaces requests: `limit` in each `interval` in the long run, and no more than `limit` at once after an
 * idle time (a token bucket). All calls that go through the policy share it, first come, first served. For even spacing use
 * `{ limit: 1, interval: "1 second" }` rather than `{ limit: 60, interval: "1 minute" }`.
 *
 * After a response that means "too many requests" every call that waits is held, for `Retry-After` or for `hold`; then the
 * calls go one by one. The call that got the response fails with it: only {@link retry} sends it again. The wait counts
 * toward `totalTimeout`, not `timeout`. On Cloudflare Workers, calls are not queued. An invalid option is a defect.
 *
 * Each run of the Effect has its own tokens, in memory. For a quota that several processes share, use
 * {@link sharedRateLimit}.
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 *
 * export const Polite = CatalogPolicy.layer(Resilience.rateLimit({ limit: 1, interval: "1 second" }))
 * ```
 */
export const rateLimit = (options: RateLimitOptions): Effect.Effect<Policy> =>
  Effect.sync(() => makeRateLimit(options)(memory()))

/**
 * A {@link rateLimit} whose tokens are in the {@link RateLimitStore} of the context: all rate limits over one store share
 * them, also those of other processes.
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 * import { Layer } from "effect"
 *
 * // The store of your processes, for example from `@catalog-client/node/redis`.
 * declare const Store: Layer.Layer<Resilience.RateLimitStore>
 *
 * export const Shared = CatalogPolicy.layer(Resilience.sharedRateLimit({ limit: 1, interval: "1 second" })).pipe(
 *   Layer.provide(Store)
 * )
 * ```
 */
export const sharedRateLimit = (options: SharedRateLimitOptions): Effect.Effect<Policy, never, RateLimitStore> =>
  Effect.map(RateLimitStore, (store) => makeRateLimit(options, {}, "Resilience.sharedRateLimit")(store))
