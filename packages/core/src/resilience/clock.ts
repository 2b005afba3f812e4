/**
 * Time that passes.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * Milliseconds that have passed since an arbitrary time. It never runs backwards, and tests can set it.
 *
 * The time is that of `Date`, which fake timers replace, and not that of a monotonic clock, which they cannot. So it is
 * measured in steps: one that leads backwards counts as no time. Each clock has steps of its own, since a value can be used
 * under several: what two clocks differ by is no time that has passed.
 */
export const makeTime = (): Effect.Effect<number> => {
  const seen = new WeakMap<Clock.Clock, number>()
  let passed = 0
  return Clock.clockWith((clock) =>
    Effect.sync(() => {
      const now = clock.unsafeCurrentTimeMillis()
      passed += Math.max(0, now - (seen.get(clock) ?? now))
      seen.set(clock, now)
      return passed
    })
  )
}
