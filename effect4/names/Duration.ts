/** `effect/Duration` with the names of Effect 3. */
export * from "effect/Duration"
export { fromInput as decodeUnknown, fromInputUnsafe as decode } from "effect/Duration"
export type { Input as DurationInput } from "effect/Duration"
