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
