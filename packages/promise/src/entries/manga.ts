/**
 * The operations on manga, for `createCatalogOf`. Written by the build, from those of core.
 */
import type { CatalogOperation } from "../createCatalog.js"
import * as operations from "#core/generated/manga.js"

/** Reads one manga: `catalog.manga.get`. */
export const get: CatalogOperation<"manga.get"> = operations.get

/** Searches manga by keyword: `catalog.manga.search`. */
export const search: CatalogOperation<"manga.search"> = operations.search

/** Reads a ranking of manga: `catalog.manga.ranking`. */
export const ranking: CatalogOperation<"manga.ranking"> = operations.ranking

/** Changes the user's own entry of a manga: `catalog.manga.updateMyListStatus`. */
export const updateMyListStatus: CatalogOperation<"manga.updateMyListStatus"> = operations.updateMyListStatus

/** Removes a manga from the user's list: `catalog.manga.deleteFromList`. */
export const deleteFromList: CatalogOperation<"manga.deleteFromList"> = operations.deleteFromList
