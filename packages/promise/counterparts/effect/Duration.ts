/**
 * A duration is its milliseconds: `internal/common/duration.ts` has decoded what a program wrote.
 */
type Duration = number

export const millis = (millis: number): Duration => millis
export const toMillis = (duration: Duration): number => duration
export const fromInputUnsafe = (duration: Duration): Duration => duration
export const seconds = (seconds: number): Duration => 1e3 * seconds
