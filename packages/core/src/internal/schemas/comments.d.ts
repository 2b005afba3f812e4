/**
 * The comments of `comments.json`, which the build writes as a module of this name.
 */

/** By a name and the name of a member, which is empty for the comment on all of it. */
export type Comments = Readonly<Record<string, Readonly<Record<string, string>>>>

export const records: Comments
export const params: Comments
export const operations: Comments
