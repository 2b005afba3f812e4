/**
 * People with an account.
 *
 * @since 0.2.0
 */
import type * as Schema from "effect/Schema"
import { flag, number, optional, record, requiredNumber, requiredText, text } from "./schema.js"

/** Totals of what a user has watched. */
export const UserAnimeStatistics = /*#__PURE__*/ record("UserAnimeStatistics", {
  num_items_watching: number,
  num_items_completed: number,
  num_items_on_hold: number,
  num_items_dropped: number,
  num_items_plan_to_watch: number,
  num_items: number,
  num_days_watched: number,
  num_days_watching: number,
  num_days_completed: number,
  num_days_on_hold: number,
  num_days_dropped: number,
  num_days: number,
  num_episodes: number,
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
  anime_statistics: optional<UserAnimeStatistics>(UserAnimeStatistics)
})
export interface User extends Schema.Schema.Type<typeof User> {}
