/** `effect/Option` with the names of Effect 3. */
export * from "effect/Option"
export { fromNullishOr as fromNullable } from "effect/Option"
