/**
 * The records of replies, and the words in them.
 */
export type * from "#core/generated/models.js"
export * from "#core/model/Enumeration.js"
