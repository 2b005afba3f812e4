/**
 * Durations of options: numbers and strings, like their type in `types/core/Duration.d.ts`. Other values of a Duration are
 * for programs with Effect.
 */
import * as Duration from "effect/Duration"
import { show } from "#core/internal/common/mistakes.js"

/** What an option accepts, for messages. */
export const duration =
  'a number of milliseconds, 0 or more, or a string like "5 seconds" (milliseconds, seconds, minutes, hours or days)'

const written = /^\d+(?:\.\d+)? (?:milli|millisecond|second|minute|hour|day)s?$/

/** A duration in milliseconds; `undefined` if it is invalid. */
export const millisOf = (value: unknown): number | undefined => {
  if (typeof value === "number") {
    return value >= 0 ? value : undefined
  }
  return typeof value === "string" && written.test(value)
    ? Duration.toMillis(value.replace("millisecond", "milli") as Duration.Input)
    : undefined
}

export const showTime = show
