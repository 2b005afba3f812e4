/** `effect/Stream` with the names of Effect 3. */
export * from "effect/Stream"
export { updateContext as mapInputContext } from "effect/Stream"
