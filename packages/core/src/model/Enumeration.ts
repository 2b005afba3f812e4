/**
 * The service's enumerations.
 *
 * All sets are open: an editor completes the known words, and a word that the service adds later is a valid value, never an
 * error. `words` are the known ones, for a menu or your own validation: `Season.words`.
 *
 * @since 0.2.0
 */
import { enumeration } from "../internal/model/schema.js"

/** A quarter of the broadcasting year. */
export const Season = /*#__PURE__*/ enumeration("Season", "winter", "spring", "summer", "fall")
export type Season = (typeof Season.words)[number] | (string & {})

/** What an anime ranking ranks. */
export const AnimeRankingType = /*#__PURE__*/ enumeration(
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
export type AnimeRankingType = (typeof AnimeRankingType.words)[number] | (string & {})

/** What a manga ranking ranks. */
export const MangaRankingType = /*#__PURE__*/ enumeration(
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
export type MangaRankingType = (typeof MangaRankingType.words)[number] | (string & {})

/** How to sort a season's anime: the highest first. */
export const SeasonalSort = /*#__PURE__*/ enumeration("SeasonalSort", "anime_score", "anime_num_list_users")
export type SeasonalSort = (typeof SeasonalSort.words)[number] | (string & {})

/** The status of an anime on a user's list. */
export const AnimeListStatusValue = /*#__PURE__*/ enumeration(
  "AnimeListStatusValue",
  "watching",
  "completed",
  "on_hold",
  "dropped",
  "plan_to_watch"
)
export type AnimeListStatusValue = (typeof AnimeListStatusValue.words)[number] | (string & {})

/** The status of a manga on a user's list. */
export const MangaListStatusValue = /*#__PURE__*/ enumeration(
  "MangaListStatusValue",
  "reading",
  "completed",
  "on_hold",
  "dropped",
  "plan_to_read"
)
export type MangaListStatusValue = (typeof MangaListStatusValue.words)[number] | (string & {})

/**
 * How to sort a user's anime list: titles from A to Z, everything else with the highest or newest first. By
 * default, the service decides on the order.
 */
export const AnimeListSort = /*#__PURE__*/ enumeration(
  "AnimeListSort",
  "list_score",
  "list_updated_at",
  "anime_title",
  "anime_start_date"
)
export type AnimeListSort = (typeof AnimeListSort.words)[number] | (string & {})

/**
 * How to sort a user's manga list: titles from A to Z, everything else with the highest or newest first. By
 * default, the service decides on the order.
 */
export const MangaListSort = /*#__PURE__*/ enumeration(
  "MangaListSort",
  "list_score",
  "list_updated_at",
  "manga_title",
  "manga_start_date"
)
export type MangaListSort = (typeof MangaListSort.words)[number] | (string & {})

/** The order of forum topics. */
export const TopicSort = /*#__PURE__*/ enumeration("TopicSort", "recent")
export type TopicSort = (typeof TopicSort.words)[number] | (string & {})

/** Whether an anime is airing. */
export const AnimeStatus = /*#__PURE__*/ enumeration(
  "AnimeStatus",
  "finished_airing",
  "currently_airing",
  "not_yet_aired"
)
export type AnimeStatus = (typeof AnimeStatus.words)[number] | (string & {})

/** Whether a manga is still being published. */
export const MangaStatus = /*#__PURE__*/ enumeration(
  "MangaStatus",
  "finished",
  "currently_publishing",
  "not_yet_published",
  "on_hiatus",
  "discontinued"
)
export type MangaStatus = (typeof MangaStatus.words)[number] | (string & {})

/**
 * The media type of an anime: `tv`, `movie`, `special`, `tv_special`, `ova` (sold on disc or tape), `ona` (first released
 * online), `music` (a music video), `cm` (a commercial), `pv` (a promotional video) or `unknown`.
 */
export const AnimeMediaType = /*#__PURE__*/ enumeration(
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
export type AnimeMediaType = (typeof AnimeMediaType.words)[number] | (string & {})

/**
 * The media type of a manga: `manga`, `novel`, `light_novel`, `one_shot` (a single chapter), `doujinshi` (self-published),
 * `manhwa` (Korean), `manhua` (Chinese), `oel` (first written in English) or `unknown`.
 */
export const MangaMediaType = /*#__PURE__*/ enumeration(
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
export type MangaMediaType = (typeof MangaMediaType.words)[number] | (string & {})

/** What an anime was made from. */
export const Source = /*#__PURE__*/ enumeration(
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
export type Source = (typeof Source.words)[number] | (string & {})

/**
 * The age rating of an anime: `g` for all ages, `pg` for children, `pg_13` from 13, `r` from 17 (violence, profanity), `r+` for
 * mild nudity, `rx` for adults (hentai).
 */
export const Rating = /*#__PURE__*/ enumeration("Rating", "g", "pg", "pg_13", "r", "r+", "rx")
export type Rating = (typeof Rating.words)[number] | (string & {})

/** Whether a title is safe for work: `white` is, `gray` might not be, `black` is not. */
export const Nsfw = /*#__PURE__*/ enumeration("Nsfw", "white", "gray", "black")
export type Nsfw = (typeof Nsfw.words)[number] | (string & {})

/** How one title relates to another. */
export const RelationType = /*#__PURE__*/ enumeration(
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
export type RelationType = (typeof RelationType.words)[number] | (string & {})

/** The day on which an anime is broadcast, in Japan time (JST). */
export const DayOfTheWeek = /*#__PURE__*/ enumeration(
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
export type DayOfTheWeek = (typeof DayOfTheWeek.words)[number] | (string & {})
