/**
 * Small records that anime, manga and users share.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { optional, record } from "./schema.js"
import { DayOfTheWeek, Season } from "./Word.js"

/** Two sizes of one image. Contract: Resources, Picture. */
export const Picture = /*#__PURE__*/ record("Picture", {
  /** URL. */
  medium: optional(Schema.String),
  /** URL. */
  large: optional(Schema.String)
})
/** {@inheritDoc Picture} */
export interface Picture extends Schema.Schema.Type<typeof Picture> {}

/** What an item is called elsewhere. */
export const AlternativeTitles = /*#__PURE__*/ record("AlternativeTitles", {
  synonyms: optional(Schema.Array(Schema.String)),
  /** English. */
  en: optional(Schema.String),
  /** Japanese. */
  ja: optional(Schema.String)
})
/** {@inheritDoc AlternativeTitles} */
export interface AlternativeTitles extends Schema.Schema.Type<typeof AlternativeTitles> {}

/** When an anime is on air, in Japan's time. Contract: Resources, Broadcast. */
export const Broadcast = /*#__PURE__*/ record("Broadcast", {
  day_of_the_week: optional(DayOfTheWeek),
  /** `HH:MM`. */
  start_time: optional(Schema.String)
})
/** {@inheritDoc Broadcast} */
export interface Broadcast extends Schema.Schema.Type<typeof Broadcast> {}

/** A season of a year. */
export const AnimeSeason = /*#__PURE__*/ record("AnimeSeason", {
  year: optional(Schema.Number),
  season: optional(Season)
})
/** {@inheritDoc AnimeSeason} */
export interface AnimeSeason extends Schema.Schema.Type<typeof AnimeSeason> {}

/** A genre or a theme. */
export const Genre = /*#__PURE__*/ record("Genre", {
  id: optional(Schema.Number),
  name: optional(Schema.String)
})
/** {@inheritDoc Genre} */
export interface Genre extends Schema.Schema.Type<typeof Genre> {}

/** Who made an anime. */
export const Studio = /*#__PURE__*/ record("Studio", {
  id: optional(Schema.Number),
  name: optional(Schema.String)
})
/** {@inheritDoc Studio} */
export interface Studio extends Schema.Schema.Type<typeof Studio> {}

/** Where a list goes on. A list ends where there is no `next`. Contract: Page envelopes, Paging node. */
export const Paging = /*#__PURE__*/ record("Paging", {
  /** URL of the next page. */
  next: optional(Schema.String),
  /** URL of the page before, on user lists, forum topics and the posts of a topic. */
  previous: optional(Schema.String)
})
/** {@inheritDoc Paging} */
export interface Paging extends Schema.Schema.Type<typeof Paging> {}
