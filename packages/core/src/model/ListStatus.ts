/**
 * Where an item stands on a user's list.
 *
 * @since 0.2.0
 */
import type * as Schema from "effect/Schema"
import { flag, number, optional, record, text, texts } from "../internal/model/schema.js"
import { AnimeListStatusValue, MangaListStatusValue } from "./Enumeration.js"

/**
 * An anime on a user's list.
 *
 * A write calls the progress `num_watched_episodes`; a reply calls it `num_episodes_watched`.
 */
export const AnimeListStatus = /*#__PURE__*/ record("AnimeListStatus", {
  /** Its status on the list. */
  status: optional<AnimeListStatusValue>(AnimeListStatusValue),
  /** How many episodes were watched. A write calls it `num_watched_episodes`. */
  num_episodes_watched: number,
  /** Out of 10; 0 means no score. */
  score: number,
  /** ISO 8601, possibly partial (`YYYY-MM` or `YYYY`). */
  start_date: text,
  /** ISO 8601, possibly partial (`YYYY-MM` or `YYYY`). */
  finish_date: text,
  /** The user's notes. */
  comments: text,
  /** Whether the anime is being watched again. */
  is_rewatching: flag,
  /** How many times the anime has been rewatched. */
  num_times_rewatched: number,
  /** How much it is worth watching again: 0 to 5. */
  rewatch_value: number,
  /** 0 low, 1 medium, 2 high. */
  priority: number,
  /** The user's own tags. */
  tags: texts,
  /** ISO 8601; set by the service. */
  updated_at: text
})
export interface AnimeListStatus extends Schema.Schema.Type<typeof AnimeListStatus> {}

/** A manga on a user's list. */
export const MangaListStatus = /*#__PURE__*/ record("MangaListStatus", {
  /** Its status on the list. */
  status: optional<MangaListStatusValue>(MangaListStatusValue),
  /** How many chapters were read. */
  num_chapters_read: number,
  /** How many volumes were read. */
  num_volumes_read: number,
  /** Out of 10; 0 means no score. */
  score: number,
  /** ISO 8601, possibly partial (`YYYY-MM` or `YYYY`). */
  start_date: text,
  /** ISO 8601, possibly partial (`YYYY-MM` or `YYYY`). */
  finish_date: text,
  /** The user's notes. */
  comments: text,
  /** Whether the manga is being read again. */
  is_rereading: flag,
  /** How many times the manga has been reread. */
  num_times_reread: number,
  /** How much it is worth reading again: 0 to 5. */
  reread_value: number,
  /** 0 low, 1 medium, 2 high. */
  priority: number,
  /** The user's own tags. */
  tags: texts,
  /** ISO 8601; set by the service. */
  updated_at: text
})
export interface MangaListStatus extends Schema.Schema.Type<typeof MangaListStatus> {}
