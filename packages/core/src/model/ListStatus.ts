/**
 * Where an item stands on a user's list.
 *
 * @since 0.2.0
 */
import type * as Schema from "effect/Schema"
import {
  optionalBoolean,
  optionalNumber,
  optional,
  record,
  optionalString,
  optionalStrings
} from "../internal/model/schema.js"
import { AnimeListStatusValue, MangaListStatusValue } from "./Enumeration.js"

/** An anime on a user's list. */
export const AnimeListStatus = /*#__PURE__*/ record("AnimeListStatus", {
  /** Its status on the list. */
  status: /*#__PURE__*/ optional<AnimeListStatusValue>(AnimeListStatusValue),
  /** How many episodes were watched. A write calls it `num_watched_episodes`. */
  num_episodes_watched: optionalNumber,
  /** The user's score, out of 10; 0 means none. */
  score: optionalNumber,
  /** When the user began: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  start_date: optionalString,
  /** When the user finished: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  finish_date: optionalString,
  /** The user's notes. */
  comments: optionalString,
  /** Whether the anime is being watched again. */
  is_rewatching: optionalBoolean,
  /** How many times the anime has been rewatched. */
  num_times_rewatched: optionalNumber,
  /** How much it is worth watching again: 0 to 5. */
  rewatch_value: optionalNumber,
  /** 0 low, 1 medium, 2 high. */
  priority: optionalNumber,
  /** The user's own tags. */
  tags: optionalStrings,
  /** When the service last changed it, for example `2026-02-14T23:10:00+00:00`. */
  updated_at: optionalString
})
export interface AnimeListStatus extends Schema.Schema.Type<typeof AnimeListStatus> {}

/** A manga on a user's list. */
export const MangaListStatus = /*#__PURE__*/ record("MangaListStatus", {
  /** Its status on the list. */
  status: /*#__PURE__*/ optional<MangaListStatusValue>(MangaListStatusValue),
  /** How many chapters were read. A write uses the same name. */
  num_chapters_read: optionalNumber,
  /** How many volumes were read. */
  num_volumes_read: optionalNumber,
  /** The user's score, out of 10; 0 means none. */
  score: optionalNumber,
  /** When the user began: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  start_date: optionalString,
  /** When the user finished: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  finish_date: optionalString,
  /** The user's notes. */
  comments: optionalString,
  /** Whether the manga is being read again. */
  is_rereading: optionalBoolean,
  /** How many times the manga has been reread. */
  num_times_reread: optionalNumber,
  /** How much it is worth reading again: 0 to 5. */
  reread_value: optionalNumber,
  /** 0 low, 1 medium, 2 high. */
  priority: optionalNumber,
  /** The user's own tags. */
  tags: optionalStrings,
  /** When the service last changed it, for example `2026-02-14T23:10:00+00:00`. */
  updated_at: optionalString
})
export interface MangaListStatus extends Schema.Schema.Type<typeof MangaListStatus> {}
