/**
 * The users of the sample. Each has some property that a client should handle.
 *
 * @since 0.2.0
 */
import type { AnimeListRecord, AnimeRecord, MangaListRecord, MangaRecord, UserRecord } from "../Dataset.js"
import { animeListOf, mangaListOf } from "./generated.js"

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

const picture = (id: number): string => `https://images.example/users/${id}.jpg`

/** Entries written by hand replace generated ones with the same id. */
const withOwn = <A extends { readonly id: number }>(computed: ReadonlyArray<A>, own: ReadonlyArray<A>): Array<A> => {
  const byId = new Map(own.map((entry) => [entry.id, entry]))
  return computed.map((entry) => byId.get(entry.id) ?? entry)
}

const ownAnime: ReadonlyArray<AnimeListRecord> = [
  {
    id: 30230,
    status: "watching",
    score: 8,
    num_episodes_watched: 24,
    is_rewatching: false,
    num_times_rewatched: 0,
    rewatch_value: 0,
    priority: 2,
    tags: ["baseball", "with Noé"],
    comments: "One game a week, no skipping ahead.",
    start_date: "2025-11-02",
    updated_at: "2026-02-10T21:14:09+00:00"
  },
  {
    id: 5114,
    status: "completed",
    score: 10,
    num_episodes_watched: 64,
    is_rewatching: true,
    num_times_rewatched: 2,
    rewatch_value: 5,
    priority: 1,
    tags: ["favourite", "お気に入り"],
    comments: "",
    start_date: "2016-07",
    finish_date: "2016-09",
    updated_at: "2026-01-18T08:30:00+00:00"
  },
  {
    id: 1535,
    status: "completed",
    score: 9,
    num_episodes_watched: 37,
    is_rewatching: false,
    num_times_rewatched: 0,
    rewatch_value: 2,
    priority: 0,
    tags: [],
    comments: "The first half is a 10/10.",
    start_date: "2015",
    finish_date: "2015",
    updated_at: "2019-03-02T17:45:51+00:00"
  },
  {
    id: 63990,
    status: "plan_to_watch",
    score: 0,
    num_episodes_watched: 0,
    is_rewatching: false,
    num_times_rewatched: 0,
    rewatch_value: 0,
    priority: 2,
    tags: ["2027"],
    comments: "",
    updated_at: "2026-02-11T06:00:00+00:00"
  }
]

const ownManga: ReadonlyArray<MangaListRecord> = [
  {
    id: 2,
    status: "reading",
    score: 10,
    num_chapters_read: 364,
    num_volumes_read: 41,
    is_rereading: false,
    num_times_reread: 0,
    reread_value: 0,
    priority: 2,
    tags: ["library", "dark/fantasy"],
    comments: "Continued after the break; bring tea.",
    start_date: "2017-08",
    updated_at: "2026-02-01T19:20:21+00:00"
  },
  {
    id: 10884,
    status: "completed",
    score: 8,
    num_chapters_read: 423,
    num_volumes_read: 47,
    is_rereading: false,
    num_times_reread: 1,
    reread_value: 3,
    priority: 1,
    tags: ["baseball"],
    comments: "",
    start_date: "2018",
    finish_date: "2019-04",
    updated_at: "2025-12-24T12:00:00+00:00"
  }
]

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
  return [
    {
      id: userId.sampleReader,
      name: "sample_reader",
      location: "Lübeck, Germany",
      joined_at: "2014-05-11T16:02:33+00:00",
      picture: picture(userId.sampleReader),
      gender: "female",
      birthday: "1991-10-04",
      time_zone: "Europe/Berlin",
      is_supporter: true,
      animeList: withOwn(animeListOf(most(anime, 0, 350), 11), ownAnime),
      mangaList: withOwn(mangaListOf(most(manga, 0, 240), 12), ownManga)
    },
    {
      id: userId.paperLantern,
      name: "paper_lantern",
      location: "東京/Tokyo",
      joined_at: "2011-01-30T03:15:00+00:00",
      picture: picture(userId.paperLantern),
      gender: "non_binary",
      birthday: "1988-02",
      time_zone: "Asia/Tokyo",
      is_supporter: false,
      animeList: animeListOf(most(anime, 5, 320), 21),
      mangaList: mangaListOf(most(manga, 5, 260), 22)
    },
    {
      id: userId.quietShelf,
      name: "quiet_shelf",
      location: "",
      joined_at: "2018-09-09T09:09:09+00:00",
      picture: picture(userId.quietShelf),
      time_zone: "America/Los_Angeles",
      private: true,
      animeList: animeListOf(anime.slice(0, 40), 31),
      mangaList: mangaListOf(manga.slice(0, 30), 32)
    },
    {
      id: userId.firstDay,
      name: "first_day",
      location: "",
      joined_at: "2026-02-14T22:58:01+00:00",
      birthday: "2004",
      animeList: [],
      mangaList: []
    },
    {
      id: userId.plainProfile,
      name: "plain_profile",
      location: "Recife",
      joined_at: "2020-04-01T12:00:00+00:00",
      animeList: animeListOf(anime.slice(10, 75), 51),
      mangaList: []
    },
    {
      id: userId.noeEte,
      name: "noe-ete",
      location: "Besançon / Genève",
      joined_at: "2016-12-21T18:44:12+00:00",
      picture: picture(userId.noeEte),
      gender: "male",
      birthday: "1995-06-21",
      time_zone: "Europe/Paris",
      animeList: animeListOf(anime.slice(0, 60), 61),
      mangaList: mangaListOf(manga.slice(0, 45), 62)
    },
    {
      id: userId.boardKeeper,
      name: "board_keeper",
      location: "Wellington, Aotearoa",
      joined_at: "2008-07-07T07:07:07+00:00",
      picture: picture(userId.boardKeeper),
      forum_title: "Forum Moderator",
      is_supporter: true,
      animeList: animeListOf(anime.slice(20, 32), 71),
      mangaList: mangaListOf(manga.slice(20, 32), 72)
    }
  ]
}
