/**
 * Data of a test: what matters to it, and defaults for the rest.
 *
 * @since 0.2.0
 */
import type { AnimeListRecord, AnimeRecord, Dataset, MangaListRecord, MangaRecord, UserRecord } from "../Dataset.js"

/** A record with some of its members. */
type Some<A, Names extends keyof A> = Pick<A, Names> & Partial<A>

type Lists = "animeList" | "mangaList"

/** What {@link dataset} makes a data set of: each record with the members that matter. */
export interface DatasetParts extends Partial<Pick<Dataset, "categories" | "topics">> {
  readonly anime?: ReadonlyArray<Some<AnimeRecord, "id" | "title">>
  readonly manga?: ReadonlyArray<Some<MangaRecord, "id" | "title">>
  /** By default one user, `sample_reader`, with empty lists. The first user owns the default access token. */
  readonly users?: ReadonlyArray<
    Some<Omit<UserRecord, Lists>, "name"> & {
      readonly animeList?: ReadonlyArray<Some<AnimeListRecord, "id">>
      readonly mangaList?: ReadonlyArray<Some<MangaListRecord, "id">>
    }
  >
}

const moment = "2026-01-01T00:00:00+00:00"

const work = {
  num_list_users: 0,
  num_scoring_users: 0,
  num_favorites: 0,
  created_at: moment,
  updated_at: moment,
  nsfw: "white",
  genres: [],
  related: [],
  recommendations: []
} as const

const entry = { score: 0, priority: 0, tags: [], comments: "", updated_at: moment } as const

/**
 * A data set of few records, for the `dataset` option of an embedded service. A record needs an id and a title, or a name.
 * By default, a work is finished, safe for work and of unknown length, and an entry of a list is planned. Lists and forum are
 * empty.
 *
 * @example
 * ```ts
 * import { dataset, EmbeddedCatalog } from "@catalog-client/testing"
 *
 * const options = {
 *   dataset: dataset({
 *     anime: [{ id: 1, title: "One", num_episodes: 12 }],
 *     users: [{ name: "reader", animeList: [{ id: 1, status: "watching", num_episodes_watched: 3 }] }]
 *   })
 * }
 * const fetch = EmbeddedCatalog.fetch(options)
 * const headers = { authorization: `Bearer ${EmbeddedCatalog.credentials(options).accessToken}` }
 * const response = await fetch("https://api.myanimelist.net/v2/users/@me", { headers })
 * const { name } = await response.json()
 * console.log(name)
 * ```
 *
 * ```text
 * reader
 * ```
 */
export const dataset = (parts: DatasetParts = {}): Dataset => {
  const { anime = [], categories = [], manga = [], topics = [], users = [{ name: "sample_reader" }] } = parts
  return {
    anime: anime.map((some) => ({
      ...work,
      media_type: "tv",
      status: "finished_airing",
      num_episodes: 0,
      studios: [],
      ...some
    })),
    manga: manga.map((some) => ({
      ...work,
      media_type: "manga",
      status: "finished",
      num_volumes: 0,
      num_chapters: 0,
      authors: [],
      serialization: [],
      ...some
    })),
    users: users.map(({ animeList = [], mangaList = [], ...some }, index) => ({
      id: index + 1,
      location: "",
      joined_at: moment,
      ...some,
      animeList: animeList.map((some) => ({
        ...entry,
        status: "plan_to_watch",
        num_episodes_watched: 0,
        is_rewatching: false,
        num_times_rewatched: 0,
        rewatch_value: 0,
        ...some
      })),
      mangaList: mangaList.map((some) => ({
        ...entry,
        status: "plan_to_read",
        num_chapters_read: 0,
        num_volumes_read: 0,
        is_rereading: false,
        num_times_reread: 0,
        reread_value: 0,
        ...some
      }))
    })),
    categories,
    topics
  }
}
