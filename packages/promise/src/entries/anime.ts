/**
 * The operations on anime, for `createCatalogOf`. Written by the build, from those of core.
 */
import type { CatalogOperation } from "../createCatalog.js"
import * as operations from "#core/generated/anime.js"

/** Reads one anime: `catalog.anime.get`. */
export const get: CatalogOperation<"anime.get"> = operations.get

/** Searches anime by keyword: `catalog.anime.search`. */
export const search: CatalogOperation<"anime.search"> = operations.search

/** Reads a season's anime: `catalog.anime.seasonal`. */
export const seasonal: CatalogOperation<"anime.seasonal"> = operations.seasonal

/** Reads a ranking of anime: `catalog.anime.ranking`. */
export const ranking: CatalogOperation<"anime.ranking"> = operations.ranking

/** Reads what the service suggests: `catalog.anime.suggestions`. */
export const suggestions: CatalogOperation<"anime.suggestions"> = operations.suggestions

/** Changes the user's own entry of an anime: `catalog.anime.updateMyListStatus`. */
export const updateMyListStatus: CatalogOperation<"anime.updateMyListStatus"> = operations.updateMyListStatus

/** Removes an anime from the user's list: `catalog.anime.deleteFromList`. */
export const deleteFromList: CatalogOperation<"anime.deleteFromList"> = operations.deleteFromList
