/**
 * Time that passes.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Milliseconds of a clock that nobody sets back. */
export const monotonic: Effect.Effect<number> = /*#__PURE__*/ Effect.map(
  Clock.currentTimeNanos,
  (nanos) => Number(nanos) / 1e6
)
