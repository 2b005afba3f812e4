/**
 * The timeout of a sign-in.
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

/** What an option accepts, for messages. */
export const duration = "a positive number of milliseconds or a Duration"

/** A duration in milliseconds; 0 if it is invalid. */
export const millisOf = (value: Duration.DurationInput): number =>
  Option.match(Duration.decodeUnknown(value), { onNone: () => 0, onSome: Duration.toMillis })
