/**
 * What the service sends when no fields are named, for the types of `Selector.ts` and the pages of operations.
 */

/** By kind of record: an item, a user, the author of a manga. The key is a member that only this kind has. */
export const defaultMembers = {
  main_picture: ["id", "title", "main_picture"],
  joined_at: ["id", "name", "location", "joined_at", "picture", "gender", "birthday"],
  first_name: ["id"]
} as const

export type RecordKind = keyof typeof defaultMembers

/** Members of a list status that are sent only when named in braces: `list_status{tags,comments}`. */
export const onDemand = [
  "tags",
  "comments",
  "priority",
  "num_times_rewatched",
  "rewatch_value",
  "num_times_reread",
  "reread_value"
] as const
