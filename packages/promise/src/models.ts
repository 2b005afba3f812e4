/**
 * The records of replies, and the words in them.
 */
export type * from "#core/model/index.js"
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
