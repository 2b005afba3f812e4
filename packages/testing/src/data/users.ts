/**
 * The users of the sample. Each has some property that a client should handle.
 *
 * @since 0.2.0
 */
import type { AnimeRecord, MangaRecord, UserRecord } from "../Dataset.js"
import { animeListOf, mangaListOf } from "./generated.js"
import { users } from "./sample.js"

/** The ids of the users, by their special property. */
export const userId = {
  /** The owner of the default token: long lists, everything filled in. */
  sampleReader: 1_000_001,
  /** Another user, with long public lists. */
  paperLantern: 1_000_002,
  /** Has private lists. */
  quietShelf: 1_000_003,
  /** Has empty lists. */
  firstDay: 1_000_004,
  /** Without picture, gender or birthday. */
  plainProfile: 1_000_005,
  /** Has names and texts with accents. */
  noeEte: 1_000_006,
  /** Moderates the forum. */
  boardKeeper: 1_000_007
} as const

/** Entries written by hand replace generated ones with the same id. */
const withOwn = <A extends { readonly id: number }>(computed: ReadonlyArray<A>, own: ReadonlyArray<A>): Array<A> => {
  const byId = new Map(own.map((entry) => [entry.id, entry]))
  return computed.map((entry) => byId.get(entry.id) ?? entry)
}

/** The users, with lists of these works. A few real works are not on the first list, so that they can be added. */
export const sampleUsers = (
  anime: ReadonlyArray<AnimeRecord>,
  manga: ReadonlyArray<MangaRecord>
): ReadonlyArray<UserRecord> => {
  const most = <A extends { readonly id: number }>(
    items: ReadonlyArray<A>,
    left: number,
    count: number
  ): ReadonlyArray<A> => items.filter((_, i) => i % 23 !== left).slice(0, count)
  const profileOf = (name: keyof typeof userId) => ({ id: userId[name], ...users.profiles[name] })
  return [
    {
      ...profileOf("sampleReader"),
      animeList: withOwn(animeListOf(most(anime, 0, 350), 11), users.animeList),
      mangaList: withOwn(mangaListOf(most(manga, 0, 240), 12), users.mangaList)
    },
    {
      ...profileOf("paperLantern"),
      animeList: animeListOf(most(anime, 5, 320), 21),
      mangaList: mangaListOf(most(manga, 5, 260), 22)
    },
    {
      ...profileOf("quietShelf"),
      animeList: animeListOf(anime.slice(0, 40), 31),
      mangaList: mangaListOf(manga.slice(0, 30), 32)
    },
    { ...profileOf("firstDay"), animeList: [], mangaList: [] },
    { ...profileOf("plainProfile"), animeList: animeListOf(anime.slice(10, 75), 51), mangaList: [] },
    {
      ...profileOf("noeEte"),
      animeList: animeListOf(anime.slice(0, 60), 61),
      mangaList: mangaListOf(manga.slice(0, 45), 62)
    },
    {
      ...profileOf("boardKeeper"),
      animeList: animeListOf(anime.slice(20, 32), 71),
      mangaList: mangaListOf(manga.slice(20, 32), 72)
    }
  ]
}
