/**
 * Where the tokens of a rate limit are kept.
 *
 * @since 0.2.0
 */
// Counterpart for the types of catalog-client: packages/promise/src/ownTypes.ts
import * as Effect from "effect/Effect"
import type { RateLimitStoreError } from "./RateLimitStoreError.js"
import { timeOf } from "./shared.js"

/** How fast tokens are issued: `limit` in each `interval`, one by one. No more than `limit` are kept. */
export interface RateLimitBucket {
  /** Tokens in each `interval`. */
  readonly limit: number
  /** Milliseconds. */
  readonly interval: number
}

/** What keeps the tokens of a rate limit. */
export interface RateLimitStore {
  /**
   * Takes a token and returns 0. If there is no token, takes nothing and returns the milliseconds to wait before the next
   * try. Only one call of a process at a time uses it; in Cloudflare Workers, any number.
   */
  readonly take: (bucket: RateLimitBucket) => Effect.Effect<number, RateLimitStoreError>
  /** Issues no token for `millis` milliseconds from now, and then one by one. */
  readonly hold: (bucket: RateLimitBucket, millis: number) => Effect.Effect<void, RateLimitStoreError>
}

/** Tolerance for rounding errors, in milliseconds. */
const rounding = 1e-6

/** A store of one process. Its only state is the time at which the bucket will be full again. */
export const memory = (): RateLimitStore => {
  let fullAt = -Infinity
  const store: RateLimitStore = {
    take: ({ limit, interval }) =>
      Effect.map(timeOf(store).now, (now) => {
        const fullAfter = Math.max(fullAt, now) + interval / limit
        const wait = fullAfter - now - interval
        if (wait > rounding) {
          return Math.ceil(wait - rounding)
        }
        fullAt = fullAfter
        return 0
      }),
    hold: ({ limit, interval }, millis) =>
      Effect.map(timeOf(store).now, (now) => {
        // So that the first token is available at the end of the hold.
        fullAt = Math.max(fullAt, now + millis + interval - interval / limit)
      })
  }
  return store
}
