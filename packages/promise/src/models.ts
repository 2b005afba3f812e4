/**
 * The records of replies, and the words in them.
 */
export type * from "#core/model/Common.js"
export type * from "#core/model/Enumeration.js"
export type * from "#core/model/Forum.js"
export type * from "#core/model/Item.js"
export type * from "#core/model/ListStatus.js"
export type * from "#core/model/Page.js"
export type * from "#core/model/User.js"
export {
  AnimeListSort,
  AnimeListStatusValue,
  AnimeMediaType,
  AnimeRankingType,
  AnimeStatus,
  DayOfTheWeek,
  MangaListSort,
  MangaListStatusValue,
  MangaMediaType,
  MangaRankingType,
  MangaStatus,
  Nsfw,
  Rating,
  RelationType,
  Season,
  SeasonalSort,
  Source,
  TopicSort
} from "#core/model/index.js"
