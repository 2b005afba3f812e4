/**
 * People with an account.
 *
 * @since 0.2.0
 */
import type * as Schema from "effect/Schema"
import {
  optionalBoolean,
  optionalNumber,
  optional,
  record,
  requiredNumber,
  requiredString,
  optionalString
} from "../internal/model/schema.js"

/** Totals of what a user has watched. */
export const UserAnimeStatistics = /*#__PURE__*/ record("UserAnimeStatistics", {
  /** How many anime the user is watching. */
  num_items_watching: optionalNumber,
  /** How many anime the user has completed. */
  num_items_completed: optionalNumber,
  /** How many anime the user has paused. */
  num_items_on_hold: optionalNumber,
  /** How many anime the user has dropped. */
  num_items_dropped: optionalNumber,
  /** How many anime the user plans to watch. */
  num_items_plan_to_watch: optionalNumber,
  /** How many anime are on the list. */
  num_items: optionalNumber,
  /** Days spent watching, with decimals. */
  num_days_watched: optionalNumber,
  /** Days spent on anime with the status `watching`. */
  num_days_watching: optionalNumber,
  /** Days spent on completed anime. */
  num_days_completed: optionalNumber,
  /** Days spent on paused anime. */
  num_days_on_hold: optionalNumber,
  /** Days spent on dropped anime. */
  num_days_dropped: optionalNumber,
  /** Days spent on all anime of the list. */
  num_days: optionalNumber,
  /** How many episodes the user has watched. */
  num_episodes: optionalNumber,
  /** How many times the user has rewatched an anime. */
  num_times_rewatched: optionalNumber,
  /** Out of 10. */
  mean_score: optionalNumber
})
export interface UserAnimeStatistics extends Schema.Schema.Type<typeof UserAnimeStatistics> {}

/** A user's profile. */
export const User = /*#__PURE__*/ record("User", {
  /** The user's ID. */
  id: requiredNumber,
  /** The user's name, as in `username`. */
  name: requiredString,
  /** As the user wrote it. */
  location: optionalString,
  /** When the user joined, for example `2014-05-11T16:02:33+00:00`. */
  joined_at: optionalString,
  /** URL. */
  picture: optionalString,
  /** For example `female` or `non_binary`. */
  gender: optionalString,
  /** For example `1991-10-04`. */
  birthday: optionalString,
  /** For example `Asia/Tokyo`. */
  time_zone: optionalString,
  /** Whether the user pays to support the service. */
  is_supporter: optionalBoolean,
  /** Totals of what the user has watched. */
  anime_statistics: /*#__PURE__*/ optional<UserAnimeStatistics>(UserAnimeStatistics)
})
export interface User extends Schema.Schema.Type<typeof User> {}
