/** How fast tokens come: `limit` in each `interval`, one by one, and no more than `limit` are kept. */
export interface RateLimitBucket {
  readonly limit: number
  /** Milliseconds. */
  readonly interval: number
}

/**
 * Where the tokens of a rate limit are kept, for example in a database that several processes share. If a function throws or
 * rejects, the rate limit's `onStoreFailure` decides.
 */
export interface RateLimitStore {
  /** Takes a token and returns 0, or returns the milliseconds to wait before it is asked again. */
  readonly take: (bucket: RateLimitBucket) => number | Promise<number>
  /** Issues no token for `millis` milliseconds from now, and then one by one. */
  readonly hold: (bucket: RateLimitBucket, millis: number) => unknown
}
