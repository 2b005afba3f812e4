/** The statuses of an entry. The first is that of an entry that is being watched or read. */

export const animeListStatuses = ["watching", "completed", "on_hold", "dropped", "plan_to_watch"] as const

export const mangaListStatuses = ["reading", "completed", "on_hold", "dropped", "plan_to_read"] as const
