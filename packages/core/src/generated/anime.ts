/**
 * The operations on anime as separate exports: a bundle contains only what it imports. Written by the build.
 *
 * @since 0.2.0
 */
export { deleteFromList, get, ranking, search, seasonal, suggestions, updateMyListStatus } from "../anime.js"
export type {
  AnimeOperations,
  AnimeParams,
  AnimeRankingParams,
  SearchParams,
  SeasonalParams,
  Suggestions,
  SuggestionsOptions
} from "../anime.js"
export type { AnimeListUpdateParams } from "../listUpdates.js"
