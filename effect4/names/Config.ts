/** `effect/Config` with the names of Effect 3. */
export * from "effect/Config"
export {
  Boolean as boolean,
  Duration as duration,
  Number as number,
  Redacted as redacted,
  String as string
} from "effect/Config"
