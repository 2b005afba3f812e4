/**
 * The types of all records of replies and of their sets of words. Their Schemas are in `@catalog-client/core/schemas`.
 *
 * @since 0.2.0
 */
export type * from "./generated/models.js"
export type { OpenSet, Optional } from "./internal/model/schema.js"
