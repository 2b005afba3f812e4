/**
 * The service's enumerations: every set of values that the service names with words.
 *
 * All sets are open. An editor completes the known words. A word that the service adds later is a valid value, never an
 * error. The known words of each set are also an array, for a menu or your own validation.
 *
 * @since 0.2.0
 */
import { words } from "./schema.js"

/** The known words of {@link Season}. */
export const seasons = ["winter", "spring", "summer", "fall"] as const

/** A quarter of the broadcasting year. */
export const Season = /*#__PURE__*/ words("Season", seasons)
export type Season = typeof Season.Type

/** The known words of {@link AnimeRankingType}. */
export const animeRankingTypes = [
  "all",
  "airing",
  "upcoming",
  "tv",
  "ova",
  "movie",
  "special",
  "bypopularity",
  "favorite"
] as const

/** What an anime ranking ranks. */
export const AnimeRankingType = /*#__PURE__*/ words("AnimeRankingType", animeRankingTypes)
export type AnimeRankingType = typeof AnimeRankingType.Type

/** The known words of {@link MangaRankingType}. */
export const mangaRankingTypes = [
  "all",
  "manga",
  "novels",
  "oneshots",
  "doujin",
  "manhwa",
  "manhua",
  "bypopularity",
  "favorite"
] as const

/** What a manga ranking ranks. */
export const MangaRankingType = /*#__PURE__*/ words("MangaRankingType", mangaRankingTypes)
export type MangaRankingType = typeof MangaRankingType.Type

/** The known words of {@link SeasonalSort}. */
export const seasonalSorts = ["anime_score", "anime_num_list_users"] as const

/** The order of a season's anime. */
export const SeasonalSort = /*#__PURE__*/ words("SeasonalSort", seasonalSorts)
export type SeasonalSort = typeof SeasonalSort.Type

/** The known words of {@link AnimeListStatusValue}. */
export const animeListStatusValues = ["watching", "completed", "on_hold", "dropped", "plan_to_watch"] as const

/** Where an anime stands on a user's list. */
export const AnimeListStatusValue = /*#__PURE__*/ words("AnimeListStatusValue", animeListStatusValues)
export type AnimeListStatusValue = typeof AnimeListStatusValue.Type

/** The known words of {@link MangaListStatusValue}. */
export const mangaListStatusValues = ["reading", "completed", "on_hold", "dropped", "plan_to_read"] as const

/** Where a manga stands on a user's list. */
export const MangaListStatusValue = /*#__PURE__*/ words("MangaListStatusValue", mangaListStatusValues)
export type MangaListStatusValue = typeof MangaListStatusValue.Type

/** The known words of {@link AnimeListSort}. */
export const animeListSorts = ["list_score", "list_updated_at", "anime_title", "anime_start_date"] as const

/** The order of a user's anime list. Without it, the order is the service's own. */
export const AnimeListSort = /*#__PURE__*/ words("AnimeListSort", animeListSorts)
export type AnimeListSort = typeof AnimeListSort.Type

/** The known words of {@link MangaListSort}. */
export const mangaListSorts = ["list_score", "list_updated_at", "manga_title", "manga_start_date"] as const

/** The order of a user's manga list. Without it, the order is the service's own. */
export const MangaListSort = /*#__PURE__*/ words("MangaListSort", mangaListSorts)
export type MangaListSort = typeof MangaListSort.Type

/** The known words of {@link TopicSort}. */
export const topicSorts = ["recent"] as const

/** The order of forum topics. */
export const TopicSort = /*#__PURE__*/ words("TopicSort", topicSorts)
export type TopicSort = typeof TopicSort.Type

/** The known words of {@link AnimeStatus}. */
export const animeStatuses = ["finished_airing", "currently_airing", "not_yet_aired"] as const

/** Whether an anime is airing. */
export const AnimeStatus = /*#__PURE__*/ words("AnimeStatus", animeStatuses)
export type AnimeStatus = typeof AnimeStatus.Type

/** The known words of {@link MangaStatus}. */
export const mangaStatuses = [
  "finished",
  "currently_publishing",
  "not_yet_published",
  "on_hiatus",
  "discontinued"
] as const

/** Whether a manga is still being published. */
export const MangaStatus = /*#__PURE__*/ words("MangaStatus", mangaStatuses)
export type MangaStatus = typeof MangaStatus.Type

/** The known words of {@link AnimeMediaType}. */
export const animeMediaTypes = [
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
] as const

/** The kind of an anime. */
export const AnimeMediaType = /*#__PURE__*/ words("AnimeMediaType", animeMediaTypes)
export type AnimeMediaType = typeof AnimeMediaType.Type

/** The known words of {@link MangaMediaType}. */
export const mangaMediaTypes = [
  "unknown",
  "manga",
  "novel",
  "one_shot",
  "doujinshi",
  "manhwa",
  "manhua",
  "oel",
  "light_novel"
] as const

/** The kind of a manga. */
export const MangaMediaType = /*#__PURE__*/ words("MangaMediaType", mangaMediaTypes)
export type MangaMediaType = typeof MangaMediaType.Type

/** The known words of {@link Source}. */
export const sources = [
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
] as const

/** What an anime was made from. */
export const Source = /*#__PURE__*/ words("Source", sources)
export type Source = typeof Source.Type

/** The known words of {@link Rating}. */
export const ratings = ["g", "pg", "pg_13", "r", "r+", "rx"] as const

/**
 * The age rating of an anime: `g` for all ages, `pg` for children, `pg_13` from 13, `r` from 17 (violence, profanity), `r+` for mild nudity,
 * `rx` for adults (hentai).
 */
export const Rating = /*#__PURE__*/ words("Rating", ratings)
export type Rating = typeof Rating.Type

/** The known words of {@link Nsfw}. */
export const nsfwValues = ["white", "gray", "black"] as const

/** Whether an item is safe for work: `white` is, `gray` may not be, `black` is not. */
export const Nsfw = /*#__PURE__*/ words("Nsfw", nsfwValues)
export type Nsfw = typeof Nsfw.Type

/** The known words of {@link RelationType}. */
export const relationTypes = [
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
] as const

/** How one item relates to another. */
export const RelationType = /*#__PURE__*/ words("RelationType", relationTypes)
export type RelationType = typeof RelationType.Type

/** The known words of {@link DayOfTheWeek}. */
export const daysOfTheWeek = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
  "other"
] as const

/** The day on which an anime is broadcast, in Japan time (JST). */
export const DayOfTheWeek = /*#__PURE__*/ words("DayOfTheWeek", daysOfTheWeek)
export type DayOfTheWeek = typeof DayOfTheWeek.Type
