/**
 * The options of a rate limit's store, whatever the database.
 */
import type { RateLimitOptions } from "../Resilience.js"
import type { RateLimitBucket, RateLimitStore } from "#core/resilience/store.js"
import { show } from "#core/internal/common/mistakes.js"
import { millis } from "#core/internal/settings/limits.js"

interface Options {
  readonly key?: string | undefined
  readonly timeout?: RateLimitOptions["interval"] | undefined
}

interface Bucket {
  readonly take: (rate: RateLimitBucket) => Promise<number>
  readonly hold: (rate: RateLimitBucket, millis: number) => Promise<void>
}

/** Rejects if the database takes too long. A reply that comes later still counts: its token is for the next call. */
const within = <A>(limit: number, database: string, reply: Promise<A>): Promise<A> => {
  if (limit === 0 || limit === Infinity) {
    return reply
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${database} did not respond within ${limit} ms`)), limit)
  })
  return Promise.race([reply, late]).finally(() => clearTimeout(timer))
}

/** Throws unless an option is missing or a string that matches the rule. */
export const checkText = (calledAs: string, name: string, value: unknown, rule: RegExp, must: string): void => {
  if (value !== undefined && !(typeof value === "string" && rule.test(value))) {
    throw new TypeError(`${calledAs}: ${name} must be ${must}, but it is ${show(value)}`)
  }
}

/** The store of a rate limit over a bucket of the quota's name. */
export const rateLimitStoreOver = (
  { key, timeout }: Options,
  { name, patience }: { readonly name: string; readonly patience: number },
  bucketOf: (key?: string) => Bucket
): RateLimitStore => {
  const calledAs = "rateLimitStore"
  checkText(calledAs, "key", key, /./s, "a string that is not empty")
  const limit = millis(calledAs, "timeout", timeout ?? patience)
  const { hold, take } = bucketOf(key)
  const store = {
    take: (rate: RateLimitBucket) => within(limit, name, take(rate)),
    hold: (rate: RateLimitBucket, millis: number) => within(limit, name, hold(rate, millis))
  }
  // Core's type is for Effects. The public one is that of `ownTypes.ts`, whose functions return promises.
  return store as unknown as RateLimitStore
}
