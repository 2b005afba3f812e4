/** `effect/Scope` with the names of Effect 3. */
export * from "effect/Scope"
export { provide as extend } from "effect/Scope"
export type { Closeable as CloseableScope } from "effect/Scope"
