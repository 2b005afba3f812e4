/**
 * The operations on users and their lists as separate exports: a bundle contains only what it imports. Written by the build.
 *
 * @since 0.2.0
 */
export { animeList, get, mangaList, me } from "../user.js"
export type { AnimeListParams, MangaListParams, UserOperations, UserParams } from "../user.js"
