/**
 * The types of all records of replies and of their sets of words. Their Schemas are in `@catalog-client/core/schemas`, and what
 * an operation returns is an export of `@catalog-client/core`, too.
 *
 * @since 0.2.0
 */
export type * from "./generated/models.js"
export type { OpenSet, Optional } from "./internal/model/schema.js"
