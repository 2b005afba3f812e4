/**
 * The records of replies, and the words that are known.
 */
export type * from "#core/model/index.js"
export {
  animeListSorts,
  animeListStatusValues,
  animeMediaTypes,
  animeRankingTypes,
  animeStatuses,
  daysOfTheWeek,
  mangaListSorts,
  mangaListStatusValues,
  mangaMediaTypes,
  mangaRankingTypes,
  mangaStatuses,
  nsfwValues,
  ratings,
  relationTypes,
  seasonalSorts,
  seasons,
  sources,
  topicSorts
} from "#core/model/index.js"
