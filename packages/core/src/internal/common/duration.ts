/**
 * Durations of options.
 */
// Counterpart for catalog-client: packages/promise/counterparts/core/internal/common/duration.ts
import * as Duration from "effect/Duration"
import { show } from "./mistakes.js"

/** What an option accepts, for messages. */
export const acceptedDurations = 'a number of milliseconds, 0 or more, or a Duration like "5 seconds"'

/** A duration in milliseconds; `undefined` if it is invalid. */
export const millisOf = (value: unknown): number | undefined => {
  try {
    // `Duration` would read -1, "-1 seconds" and [NaN, 0] as zero.
    return /(^|,)-|NaN/.test(String(value)) ? undefined : Duration.toMillis(value as Duration.DurationInput)
  } catch {
    return undefined
  }
}

export const showTime = (value: unknown): string => show(Duration.isDuration(value) ? String(value) : value)
