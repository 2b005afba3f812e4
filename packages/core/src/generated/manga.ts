/**
 * The operations on manga as separate exports: a bundle contains only what it imports. Written by the build.
 *
 * @since 0.2.0
 */
export { deleteFromList, get, ranking, search, updateMyListStatus } from "../manga.js"
export type { MangaOperations, MangaParams, MangaRankingParams } from "../manga.js"
export type { MangaListUpdateParams } from "../listUpdates.js"
