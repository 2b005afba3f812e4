/**
 * Makes a user's list what it should be: a plan of what changes, and nothing sent before the program has seen it.
 *
 * @since 0.2.0
 */
export * as Sync from "./Sync.js"
