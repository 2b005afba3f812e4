/**
 * Where an item stands on somebody's list.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { optional, record } from "./schema.js"
import { AnimeListStatusValue, MangaListStatusValue } from "./Word.js"

/**
 * An anime on somebody's list. Contract: Resources, Anime list status.
 *
 * A write names the progress `num_watched_episodes`; the service reads it back as `num_episodes_watched`.
 */
export const AnimeListStatus = /*#__PURE__*/ record("AnimeListStatus", {
  status: optional(AnimeListStatusValue),
  num_episodes_watched: optional(Schema.Number),
  /** Out of 10; 0 means that none was given. */
  score: optional(Schema.Number),
  /** ISO 8601, possibly partial (`YYYY-MM` or `YYYY`). */
  start_date: optional(Schema.String),
  /** ISO 8601, possibly partial (`YYYY-MM` or `YYYY`). */
  finish_date: optional(Schema.String),
  comments: optional(Schema.String),
  is_rewatching: optional(Schema.Boolean),
  num_times_rewatched: optional(Schema.Number),
  /** 0 to 5. */
  rewatch_value: optional(Schema.Number),
  /** 0 to 2. */
  priority: optional(Schema.Number),
  tags: optional(Schema.Array(Schema.String)),
  /** ISO 8601; set by the service. */
  updated_at: optional(Schema.String)
})
/** {@inheritDoc AnimeListStatus} */
export interface AnimeListStatus extends Schema.Schema.Type<typeof AnimeListStatus> {}

/** A manga on somebody's list. Contract: Resources, Manga list status. */
export const MangaListStatus = /*#__PURE__*/ record("MangaListStatus", {
  status: optional(MangaListStatusValue),
  num_chapters_read: optional(Schema.Number),
  num_volumes_read: optional(Schema.Number),
  /** Out of 10; 0 means that none was given. */
  score: optional(Schema.Number),
  /** ISO 8601, possibly partial (`YYYY-MM` or `YYYY`). */
  start_date: optional(Schema.String),
  /** ISO 8601, possibly partial (`YYYY-MM` or `YYYY`). */
  finish_date: optional(Schema.String),
  comments: optional(Schema.String),
  is_rereading: optional(Schema.Boolean),
  num_times_reread: optional(Schema.Number),
  /** 0 to 5. */
  reread_value: optional(Schema.Number),
  /** 0 to 2. */
  priority: optional(Schema.Number),
  tags: optional(Schema.Array(Schema.String)),
  /** ISO 8601; set by the service. */
  updated_at: optional(Schema.String)
})
/** {@inheritDoc MangaListStatus} */
export interface MangaListStatus extends Schema.Schema.Type<typeof MangaListStatus> {}
