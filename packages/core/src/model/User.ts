/**
 * People with an account.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { optional, record } from "./schema.js"

/** What a user has watched, in sums. */
export const UserAnimeStatistics = /*#__PURE__*/ record("UserAnimeStatistics", {
  num_items_watching: optional(Schema.Number),
  num_items_completed: optional(Schema.Number),
  num_items_on_hold: optional(Schema.Number),
  num_items_dropped: optional(Schema.Number),
  num_items_plan_to_watch: optional(Schema.Number),
  num_items: optional(Schema.Number),
  num_days_watched: optional(Schema.Number),
  num_days_watching: optional(Schema.Number),
  num_days_completed: optional(Schema.Number),
  num_days_on_hold: optional(Schema.Number),
  num_days_dropped: optional(Schema.Number),
  num_days: optional(Schema.Number),
  num_episodes: optional(Schema.Number),
  num_times_rewatched: optional(Schema.Number),
  /** Out of 10. */
  mean_score: optional(Schema.Number)
})
/** {@inheritDoc UserAnimeStatistics} */
export interface UserAnimeStatistics extends Schema.Schema.Type<typeof UserAnimeStatistics> {}

/** A user's profile: `id` and `name` always. Contract: Resources, User. */
export const User = /*#__PURE__*/ record("User", {
  id: Schema.Number,
  name: Schema.String,
  location: optional(Schema.String),
  /** ISO 8601. */
  joined_at: optional(Schema.String),
  /** URL. */
  picture: optional(Schema.String),
  gender: optional(Schema.String),
  /** ISO 8601. */
  birthday: optional(Schema.String),
  time_zone: optional(Schema.String),
  is_supporter: optional(Schema.Boolean),
  anime_statistics: optional(UserAnimeStatistics)
})
/** {@inheritDoc User} */
export interface User extends Schema.Schema.Type<typeof User> {}
