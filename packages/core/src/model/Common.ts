/**
 * Small records that anime, manga and users share.
 *
 * @since 0.2.0
 */
import type * as Schema from "effect/Schema"
import { optionalNumber, optional, record, optionalString, optionalStrings } from "../internal/model/schema.js"
import { DayOfTheWeek, Season } from "./Enumeration.js"

/** Two sizes of one image. */
export const Picture = /*#__PURE__*/ record("Picture", {
  /** URL. */
  medium: optionalString,
  /** URL. */
  large: optionalString
})
export interface Picture extends Schema.Schema.Type<typeof Picture> {}

/** Other titles of an anime or manga. */
export const AlternativeTitles = /*#__PURE__*/ record("AlternativeTitles", {
  /** Other names of the title. */
  synonyms: optionalStrings,
  /** The English title; `""` if there is none. */
  en: optionalString,
  /** The Japanese title; `""` if there is none. */
  ja: optionalString
})
export interface AlternativeTitles extends Schema.Schema.Type<typeof AlternativeTitles> {}

/** When an anime is broadcast, in Japan time (JST). */
export const Broadcast = /*#__PURE__*/ record("Broadcast", {
  /** The day of the week, in Japan time (JST). */
  day_of_the_week: /*#__PURE__*/ optional<DayOfTheWeek>(DayOfTheWeek),
  /** `HH:MM`, in Japan time (JST). */
  start_time: optionalString
})
export interface Broadcast extends Schema.Schema.Type<typeof Broadcast> {}

/** A season of a year. */
export const AnimeSeason = /*#__PURE__*/ record("AnimeSeason", {
  /** For example `2017`. */
  year: optionalNumber,
  /** The season of the year. */
  season: /*#__PURE__*/ optional<Season>(Season)
})
export interface AnimeSeason extends Schema.Schema.Type<typeof AnimeSeason> {}

/** A genre or a theme. */
export const Genre = /*#__PURE__*/ record("Genre", {
  /** The genre's ID. */
  id: optionalNumber,
  /** For example `Award Winning`. */
  name: optionalString
})
export interface Genre extends Schema.Schema.Type<typeof Genre> {}

/** A studio that made an anime. */
export const Studio = /*#__PURE__*/ record("Studio", {
  /** The studio's ID. */
  id: optionalNumber,
  /** For example `Sunrise`. */
  name: optionalString
})
export interface Studio extends Schema.Schema.Type<typeof Studio> {}

/** Links to the next and the previous page. */
export const Paging = /*#__PURE__*/ record("Paging", {
  /** URL of the next page. */
  next: optionalString,
  /** URL of the page before, on user lists, forum topics and the posts of a topic. */
  previous: optionalString
})
export interface Paging extends Schema.Schema.Type<typeof Paging> {}
