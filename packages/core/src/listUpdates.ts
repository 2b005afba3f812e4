/**
 * The params of updates of list entries. They have members in common, whose doc comments are only declared from one module.
 *
 * @since 0.2.0
 */
import type { Kinds, NotWritten, ParamsOf } from "./internal/schemas/inputSchemas.js"
import { AnimeListStatusValue, MangaListStatusValue } from "./model/Enumeration.js"

/** What the updates of both kinds of entries change. */
const change = (is: Kinds) => ({
  /** A whole number from 0 to 10. 0 removes the score. */
  score: is.maybe(is.score),
  /** Free-form notes; an empty string removes them. */
  comments: is.maybe(is.prose),
  /** 0 low, 1 medium, 2 high. */
  priority: is.maybe(is.priority),
  /** Tags are joined with commas, so a tag with a comma becomes two. An empty array removes all tags. */
  tags: is.maybe(is.tags),
  /** ISO 8601, possibly partial; an empty string removes the date. */
  start_date: is.maybe(is.date),
  /** ISO 8601, possibly partial; an empty string removes the date. */
  finish_date: is.maybe(is.date)
})

/** An anime, and the fields to change in its entry on the user's list: at least one. */
export interface AnimeListUpdateParams extends ParamsOf<typeof animeListUpdateParams> {
  /**
   * Not sent: a write calls it `num_watched_episodes`. It does not compile, so that an entry that was read loses no progress.
   */
  readonly num_episodes_watched?: NotWritten<"pass num_watched_episodes"> | undefined
}
export const animeListUpdateParams = (is: Kinds) => ({
  /** The anime's id. */
  id: is.id,
  /**
   * The status of the anime on the list: `watching`, `completed`, `on_hold`, `dropped` or `plan_to_watch`. Other values are
   * sent unchanged; the service decides.
   */
  status: is.maybe(is.word<AnimeListStatusValue>(AnimeListStatusValue)),
  /** How many episodes were watched. Replies call it `num_episodes_watched`; a write rejects that name. */
  num_watched_episodes: is.maybe(is.count),
  /** Whether the anime is being watched again. */
  is_rewatching: is.maybe(is.yesOrNo),
  /** How many times the anime has been rewatched. */
  num_times_rewatched: is.maybe(is.count),
  /** How much the anime is worth watching again: 0 to 5. */
  rewatch_value: is.maybe(is.repeatValue),
  ...change(is)
})

/** A manga, and the fields to change in its entry on the user's list: at least one. */
export interface MangaListUpdateParams extends ParamsOf<typeof mangaListUpdateParams> {}
export const mangaListUpdateParams = (is: Kinds) => ({
  /** The manga's id. */
  id: is.id,
  /**
   * The status of the manga on the list: `reading`, `completed`, `on_hold`, `dropped` or `plan_to_read`. Other values are
   * sent unchanged; the service decides.
   */
  status: is.maybe(is.word<MangaListStatusValue>(MangaListStatusValue)),
  /** How many chapters were read. */
  num_chapters_read: is.maybe(is.count),
  /** How many volumes were read. */
  num_volumes_read: is.maybe(is.count),
  /** Whether the manga is being read again. */
  is_rereading: is.maybe(is.yesOrNo),
  /** How many times the manga has been reread. */
  num_times_reread: is.maybe(is.count),
  /** How much the manga is worth reading again: 0 to 5. */
  reread_value: is.maybe(is.repeatValue),
  ...change(is)
})
