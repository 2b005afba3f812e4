/**
 * The service's words: every set of values that the service names with words.
 *
 * All sets are open. An editor completes the known words. A word that the service adds later is a value like any other,
 * never an error.
 *
 * @since 0.1.0
 */
import { word } from "./schema.js"

/** A quarter of the broadcasting year. */
export const Season = /*#__PURE__*/ word("Season", "winter", "spring", "summer", "fall")
export type Season = typeof Season.Type

/** What an anime ranking ranks. */
export const AnimeRankingType = /*#__PURE__*/ word(
  "AnimeRankingType",
  "all",
  "airing",
  "upcoming",
  "tv",
  "ova",
  "movie",
  "special",
  "bypopularity",
  "favorite"
)
export type AnimeRankingType = typeof AnimeRankingType.Type

/** What a manga ranking ranks. */
export const MangaRankingType = /*#__PURE__*/ word(
  "MangaRankingType",
  "all",
  "manga",
  "novels",
  "oneshots",
  "doujin",
  "manhwa",
  "manhua",
  "bypopularity",
  "favorite"
)
export type MangaRankingType = typeof MangaRankingType.Type

/** The order of a season's anime. */
export const SeasonalSort = /*#__PURE__*/ word("SeasonalSort", "anime_score", "anime_num_list_users")
export type SeasonalSort = typeof SeasonalSort.Type

/** Where an anime stands on a user's list. */
export const AnimeListStatusValue = /*#__PURE__*/ word(
  "AnimeListStatusValue",
  "watching",
  "completed",
  "on_hold",
  "dropped",
  "plan_to_watch"
)
export type AnimeListStatusValue = typeof AnimeListStatusValue.Type

/** Where a manga stands on a user's list. */
export const MangaListStatusValue = /*#__PURE__*/ word(
  "MangaListStatusValue",
  "reading",
  "completed",
  "on_hold",
  "dropped",
  "plan_to_read"
)
export type MangaListStatusValue = typeof MangaListStatusValue.Type

/** The order of a user's anime list. */
export const AnimeListSort = /*#__PURE__*/ word(
  "AnimeListSort",
  "list_score",
  "list_updated_at",
  "anime_title",
  "anime_start_date",
  "anime_id"
)
export type AnimeListSort = typeof AnimeListSort.Type

/** The order of a user's manga list. */
export const MangaListSort = /*#__PURE__*/ word(
  "MangaListSort",
  "list_score",
  "list_updated_at",
  "manga_title",
  "manga_start_date",
  "manga_id"
)
export type MangaListSort = typeof MangaListSort.Type

/** The order of forum topics. */
export const TopicSort = /*#__PURE__*/ word("TopicSort", "recent")
export type TopicSort = typeof TopicSort.Type

/** Whether an anime is on air. */
export const AnimeStatus = /*#__PURE__*/ word("AnimeStatus", "finished_airing", "currently_airing", "not_yet_aired")
export type AnimeStatus = typeof AnimeStatus.Type

/** Whether a manga is still being published. */
export const MangaStatus = /*#__PURE__*/ word(
  "MangaStatus",
  "finished",
  "currently_publishing",
  "not_yet_published",
  "on_hiatus",
  "discontinued"
)
export type MangaStatus = typeof MangaStatus.Type

/** The kind of an anime. */
export const AnimeMediaType = /*#__PURE__*/ word(
  "AnimeMediaType",
  "unknown",
  "tv",
  "ova",
  "movie",
  "special",
  "ona",
  "music",
  "cm",
  "pv",
  "tv_special"
)
export type AnimeMediaType = typeof AnimeMediaType.Type

/** The kind of a manga. */
export const MangaMediaType = /*#__PURE__*/ word(
  "MangaMediaType",
  "unknown",
  "manga",
  "novel",
  "one_shot",
  "doujinshi",
  "manhwa",
  "manhua",
  "oel",
  "light_novel"
)
export type MangaMediaType = typeof MangaMediaType.Type

/** What an anime was made from. */
export const Source = /*#__PURE__*/ word(
  "Source",
  "other",
  "original",
  "manga",
  "4_koma_manga",
  "web_manga",
  "digital_manga",
  "novel",
  "light_novel",
  "visual_novel",
  "game",
  "card_game",
  "book",
  "picture_book",
  "radio",
  "music",
  "web_novel",
  "mixed_media"
)
export type Source = typeof Source.Type

/** The age that an anime is meant for. */
export const Rating = /*#__PURE__*/ word("Rating", "g", "pg", "pg_13", "r", "r+", "rx")
export type Rating = typeof Rating.Type

/** Whether an item is safe for work: `white` is, `gray` may not be, `black` is not. */
export const Nsfw = /*#__PURE__*/ word("Nsfw", "white", "gray", "black")
export type Nsfw = typeof Nsfw.Type

/** How one item relates to another. */
export const RelationType = /*#__PURE__*/ word(
  "RelationType",
  "sequel",
  "prequel",
  "alternative_setting",
  "alternative_version",
  "side_story",
  "parent_story",
  "summary",
  "full_story",
  "other",
  "adaptation",
  "spin_off",
  "character"
)
export type RelationType = typeof RelationType.Type

/** The day on which an anime is broadcast, in Japan. */
export const DayOfTheWeek = /*#__PURE__*/ word(
  "DayOfTheWeek",
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
  "other"
)
export type DayOfTheWeek = typeof DayOfTheWeek.Type
