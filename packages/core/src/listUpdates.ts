/**
 * The params of updates of list entries. They have members in common, whose doc comments are only declared from one module.
 *
 * @since 0.2.0
 */
import type { Kinds, NotWritten, ParamsOf } from "./internal/schemas/inputSchemas.js"
import { AnimeListStatusValue, MangaListStatusValue } from "./model/Enumeration.js"

/** What the updates of both kinds of entries change. */
const change = (kinds: Kinds) => ({
  /** A whole number from 0 to 10. 0 removes the score. */
  score: kinds.optional(kinds.score),
  /** Free-form notes; an empty string removes them. */
  comments: kinds.optional(kinds.prose),
  /** 0 low, 1 medium, 2 high. */
  priority: kinds.optional(kinds.priority),
  /** Tags are joined with commas, so a tag with a comma becomes two. An empty array removes all tags. */
  tags: kinds.optional(kinds.tags),
  /** ISO 8601, possibly partial: `2026-04-03`, `2026-04` or `2026`. An empty string removes the date. */
  start_date: kinds.optional(kinds.date),
  /** ISO 8601, possibly partial: `2026-04-03`, `2026-04` or `2026`. An empty string removes the date. */
  finish_date: kinds.optional(kinds.date)
})

/** An anime, and the fields to change in its entry on the user's list: at least one. */
export interface AnimeListUpdateParams extends ParamsOf<typeof animeListUpdateParams> {
  /**
   * Not sent: a write calls it `num_watched_episodes`. It does not compile, so that an entry that was read loses no progress.
   */
  readonly num_episodes_watched?: NotWritten<"pass num_watched_episodes"> | undefined
}
export const animeListUpdateParams = (kinds: Kinds) => ({
  /** The anime's ID. */
  id: kinds.id,
  /**
   * The status of the anime on the list: `watching`, `completed`, `on_hold`, `dropped` or `plan_to_watch`. Other values are
   * sent unchanged, but the service may refuse them.
   */
  status: kinds.optional(kinds.word<AnimeListStatusValue>(AnimeListStatusValue)),
  /** How many episodes were watched: a whole number from 0. Replies call it `num_episodes_watched`; a write rejects that name. */
  num_watched_episodes: kinds.optional(kinds.count),
  /** Whether the anime is being watched again. */
  is_rewatching: kinds.optional(kinds.yesOrNo),
  /** How many times the anime has been rewatched: a whole number from 0. */
  num_times_rewatched: kinds.optional(kinds.count),
  /** How much the anime is worth watching again: 0 to 5. */
  rewatch_value: kinds.optional(kinds.repeatValue),
  ...change(kinds)
})

/** A manga, and the fields to change in its entry on the user's list: at least one. */
export interface MangaListUpdateParams extends ParamsOf<typeof mangaListUpdateParams> {}
export const mangaListUpdateParams = (kinds: Kinds) => ({
  /** The manga's ID. */
  id: kinds.id,
  /**
   * The status of the manga on the list: `reading`, `completed`, `on_hold`, `dropped` or `plan_to_read`. Other values are
   * sent unchanged, but the service may refuse them.
   */
  status: kinds.optional(kinds.word<MangaListStatusValue>(MangaListStatusValue)),
  /** How many chapters were read: a whole number from 0. */
  num_chapters_read: kinds.optional(kinds.count),
  /** How many volumes were read: a whole number from 0. */
  num_volumes_read: kinds.optional(kinds.count),
  /** Whether the manga is being read again. */
  is_rereading: kinds.optional(kinds.yesOrNo),
  /** How many times the manga has been reread: a whole number from 0. */
  num_times_reread: kinds.optional(kinds.count),
  /** How much the manga is worth reading again: 0 to 5. */
  reread_value: kinds.optional(kinds.repeatValue),
  ...change(kinds)
})
