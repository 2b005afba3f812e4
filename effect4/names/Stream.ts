/** `effect/Stream` with the names of Effect 3. */
export * from "effect/Stream"
export { unwrap as unwrapScoped, updateContext as mapInputContext } from "effect/Stream"
