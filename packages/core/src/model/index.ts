/**
 * The records of replies, as Schemas and types.
 *
 * @since 0.2.0
 */
export * from "./Common.js"
export * from "./Forum.js"
export * from "./Item.js"
export * from "./ListStatus.js"
export * from "./Page.js"
export * from "./User.js"
export * from "./Word.js"
