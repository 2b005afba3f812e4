/**
 * What is no option of a policy.
 */
// Not over the bundle: its policies and stores are Effects, made by those of core.
import { Resilience } from "@catalog-client/core"
import { Effect } from "effect"
import { expect, test } from "vitest"

const { breaker, cache, rateLimit, retry, sharedRateLimit } = Resilience
const policies = { breaker, cache, rateLimit, retry, sharedRateLimit }
const bucket = { limit: 1, interval: 1 }
const kept = { capacity: 1, timeToLive: 1 }

test.each<readonly [name: keyof typeof policies, options: unknown, message: string]>([
  ["retry", { attempts: 0 }, ": attempts must be a whole number, 1 or more, but it is 0"],
  ["retry", { attempts: 1.5 }, ": attempts must be"],
  ["retry", { attempts: "3" }, ': attempts must be a whole number, 1 or more, but it is "3"'],
  ["retry", { maxRetryAfter: -1 }, ": maxRetryAfter must be a number of milliseconds"],
  ["retry", { baseDelay: NaN }, ": baseDelay must be"],
  ["retry", { baseDelay: "soon" }, ": baseDelay must be a number of milliseconds, 0 or more, or a Duration like "],
  ["retry", { maxDelay: "-5 seconds" }, ": maxDelay must be"],
  ["retry", { isThrottle: 5 }, ": isThrottle must be a function"],
  ["retry", { when: true }, ": when must be a function"],
  ["retry", 5, " takes an object of options, but got 5"],
  ["retry", { maxDelays: 1 }, ' has no option "maxDelays": did you mean "maxDelay"?'],
  ["retry", { limit: 1 }, ' has no option "limit": it takes attempts, timeouts, writes, maxRetryAfter, baseDelay, '],
  ["breaker", { failures: 0 }, ": failures must be a whole number, 1 or more, but it is 0"],
  ["breaker", { cooldown: 0 }, ": cooldown must be more than 0 and less than Infinity"],
  ["breaker", { cooldown: Infinity }, ": cooldown must be more than 0 and less than Infinity"],
  ["breaker", { coolDown: 1 }, ' has no option "coolDown": did you mean "cooldown"?'],
  ["cache", { ...kept, capacity: 0 }, ": capacity must be a whole number, 1 or more, but it is 0"],
  ["cache", { ...kept, capacity: Infinity }, ": capacity must be a whole number, 1 or more, but it is Infinity"],
  ["cache", null, ": capacity must be a whole number, 1 or more, but it is undefined"],
  ["cache", { capacity: 1 }, ": timeToLive must be a number of milliseconds"],
  ["cache", { ...kept, timeToLive: Infinity }, ": timeToLive must be more than 0 and less than Infinity"],
  ["cache", { ...kept, ttl: 1 }, ' has no option "ttl": it takes capacity, timeToLive'],
  ["rateLimit", { ...bucket, limit: 0 }, ": limit must be a whole number, 1 or more, but it is 0"],
  ["rateLimit", undefined, ": limit must be a whole number, 1 or more, but it is undefined"],
  ["rateLimit", { limit: 1 }, ": interval must be a number of milliseconds, 0 or more, or a Duration"],
  ["rateLimit", { ...bucket, interval: 0 }, ": interval must be more than 0 and less than Infinity"],
  ["rateLimit", { ...bucket, interval: Infinity }, ": interval must be more than 0 and less than Infinity"],
  ["rateLimit", { ...bucket, hold: -1 }, ": hold must be"],
  ["rateLimit", { ...bucket, maxHold: "long" }, ": maxHold must be"],
  ["rateLimit", { ...bucket, onStoreFailure: "ignore" }, ': onStoreFailure must be "fail" or "proceed", but it is "ig'],
  ["rateLimit", { ...bucket, store: {} }, ' has no option "store": it takes limit, interval, isThrottle, hold, '],
  ["rateLimit", { ...bucket, isThrottle: "429" }, ": isThrottle must be a function"],
  ["rateLimit", { ...bucket, intervall: 1 }, ' has no option "intervall": did you mean "interval"?'],
  ["sharedRateLimit", { ...bucket, limit: 0 }, ": limit must be a whole number, 1 or more, but it is 0"]
])("Resilience.%s(%j) is a TypeError", (name, options, message) => {
  const make = () => policies[name](options as never)
  // `retry` returns a policy; the others are Effects, which die.
  const made =
    name === "retry" ? Effect.sync(make) : (make() as Effect.Effect<unknown, never, Resilience.RateLimitStore>)
  const run = Effect.provide(made, Resilience.RateLimitStore.layerMemory)
  const defect = Effect.runSync(Effect.catchAllDefect(run, Effect.succeed))
  expect(defect).toBeInstanceOf(TypeError)
  expect(defect).toMatchObject({ message: expect.stringContaining(`Resilience.${name}${message}`) })
})

test("an option of undefined counts as not set", () => {
  expect(() => retry({ maxDelays: undefined } as Resilience.RetryOptions)).not.toThrow()
})
