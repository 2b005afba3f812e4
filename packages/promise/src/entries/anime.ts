import type { CatalogOperation } from "../createCatalog.js"
import * as operations from "#core/anime.js"

/** Reads one anime: {@link AnimeOperations.get}. */
export const get: CatalogOperation<"anime.get"> = operations.get

/** Searches anime by a keyword: {@link AnimeOperations.search}. */
export const search: CatalogOperation<"anime.search"> = operations.search

/** Reads the anime of a season: {@link AnimeOperations.seasonal}. */
export const seasonal: CatalogOperation<"anime.seasonal"> = operations.seasonal

/** Reads a ranking of anime: {@link AnimeOperations.ranking}. */
export const ranking: CatalogOperation<"anime.ranking"> = operations.ranking

/** Reads what the service suggests: {@link AnimeOperations.suggestions}. */
export const suggestions: CatalogOperation<"anime.suggestions"> = operations.suggestions

/** Changes the caller's own entry of an anime: {@link AnimeOperations.updateMyListStatus}. */
export const updateMyListStatus: CatalogOperation<"anime.updateMyListStatus"> = operations.updateMyListStatus

/** Removes an anime from the caller's own list: {@link AnimeOperations.deleteFromList}. */
export const deleteFromList: CatalogOperation<"anime.deleteFromList"> = operations.deleteFromList
