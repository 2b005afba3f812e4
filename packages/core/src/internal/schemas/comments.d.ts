/**
 * The comments of `comments.json`, which the build writes as a module of this name.
 */

/** By the name of a type, and the name of a member; the comment on the type itself has an empty name. */
export type Comments = Readonly<Record<string, Readonly<Record<string, string>>>>

export const records: Comments
export const params: Comments
export const operations: Comments
