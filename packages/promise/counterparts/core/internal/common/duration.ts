/**
 * Durations of options: numbers and strings, like their type `Duration` in `src/ownTypes.ts`. Other values of a Duration are
 * for programs with Effect.
 */
import { show } from "#core/internal/common/mistakes.js"

/** What an option accepts, for messages. */
export const acceptedDurations =
  'a number of milliseconds, 0 or more, or a string like "5 seconds" (milliseconds, seconds, minutes, hours or days)'

const units = /*#__PURE__*/ new Map(
  /*#__PURE__*/ Object.entries({ milli: 1, millisecond: 1, second: 1e3, minute: 6e4, hour: 36e5, day: 864e5 })
)

/** A duration in milliseconds; `undefined` if it is invalid. */
export const millisOf = (value: unknown): number | undefined => {
  if (typeof value === "number") {
    return value >= 0 ? value : undefined
  }
  const [, amount, unit = ""] = typeof value === "string" ? (/^(\d+(?:\.\d+)?) ([a-z]+?)s?$/.exec(value) ?? []) : []
  const millis = units.get(unit)
  return millis === undefined ? undefined : Number(amount) * millis
}

export const showTime = show
