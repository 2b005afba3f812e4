/**
 * All records of replies and their sets of words, as Schemas and types. What an operation returns is an export of
 * `@catalog-client/core`, too.
 *
 * @since 0.2.0
 */
export * from "./generated/models.js"
export type { OpenSet, Optional } from "./internal/model/schema.js"
