/**
 * A clock for policies.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { nowOf } from "../internal/common/fiber.js"

/**
 * Milliseconds since an arbitrary time. It never runs backwards, and tests can set it.
 *
 * It is based on `Date`, which fake timers replace, and not on a monotonic clock, which they do not. Time is therefore
 * measured in steps, and a step backwards counts as zero. Each clock has its own steps, since a value can be used under
 * several clocks, and their difference is not elapsed time.
 */
export const makeTime = (): Effect.Effect<number> => {
  const seen = new WeakMap<Clock.Clock, number>()
  let passed = 0
  return Clock.clockWith((clock) =>
    Effect.sync(() => {
      const now = nowOf(clock)
      passed += Math.max(0, now - (seen.get(clock) ?? now))
      seen.set(clock, now)
      return passed
    })
  )
}
