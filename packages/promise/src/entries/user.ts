/**
 * The operations on users and their lists, for `createCatalogOf`. Written by the build, from those of core.
 */
import type { CatalogOperation } from "../createCatalog.js"
import * as operations from "#core/generated/user.js"

/** Reads the signed-in user's profile: `catalog.user.me`. */
export const me: CatalogOperation<"user.me"> = operations.me

/** Reads a user's profile: `catalog.user.get`. */
export const get: CatalogOperation<"user.get"> = operations.get

/** Reads a user's anime list: `catalog.user.animeList`. */
export const animeList: CatalogOperation<"user.animeList"> = operations.animeList

/** Reads a user's manga list: `catalog.user.mangaList`. */
export const mangaList: CatalogOperation<"user.mangaList"> = operations.mangaList
