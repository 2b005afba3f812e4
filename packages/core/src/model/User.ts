/**
 * People with an account.
 *
 * @since 0.2.0
 */
import type * as Schema from "effect/Schema"
import { flag, number, optional, record, requiredNumber, requiredText, text } from "../internal/model/schema.js"

/** Totals of what a user has watched. */
export const UserAnimeStatistics = /*#__PURE__*/ record("UserAnimeStatistics", {
  /** How many anime the user is watching. */
  num_items_watching: number,
  /** How many anime the user has completed. */
  num_items_completed: number,
  /** How many anime the user has paused. */
  num_items_on_hold: number,
  /** How many anime the user has dropped. */
  num_items_dropped: number,
  /** How many anime the user plans to watch. */
  num_items_plan_to_watch: number,
  /** How many anime are on the list. */
  num_items: number,
  /** Days spent watching, with decimals. */
  num_days_watched: number,
  /** Days spent on anime with the status `watching`. */
  num_days_watching: number,
  /** Days spent on completed anime. */
  num_days_completed: number,
  /** Days spent on paused anime. */
  num_days_on_hold: number,
  /** Days spent on dropped anime. */
  num_days_dropped: number,
  /** Days spent on all anime of the list. */
  num_days: number,
  /** How many episodes the user has watched. */
  num_episodes: number,
  /** How many times the user has rewatched an anime. */
  num_times_rewatched: number,
  /** Out of 10. */
  mean_score: number
})
export interface UserAnimeStatistics extends Schema.Schema.Type<typeof UserAnimeStatistics> {}

/** A user's profile. It always has `id` and `name`. */
export const User = /*#__PURE__*/ record("User", {
  /** The user's id. */
  id: requiredNumber,
  /** The user's name, as in `username`. */
  name: requiredText,
  /** As the user wrote it. */
  location: text,
  /** ISO 8601. */
  joined_at: text,
  /** URL. */
  picture: text,
  /** For example `female` or `non_binary`. */
  gender: text,
  /** ISO 8601. */
  birthday: text,
  /** For example `Asia/Tokyo`. */
  time_zone: text,
  /** Whether the user pays to support the service. */
  is_supporter: flag,
  /** Totals of what the user has watched. */
  anime_statistics: optional<UserAnimeStatistics>(UserAnimeStatistics)
})
export interface User extends Schema.Schema.Type<typeof User> {}
