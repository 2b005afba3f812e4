/**
 * The comments of `comments.json`, which the build writes as a module of this name.
 */

/** By the name of a record, of the params or of an operation, and by the member; its own has an empty name. */
export const comments: Readonly<Record<string, Readonly<Record<string, string>>>>
