/** The endpoints of anime and manga, what only they return, and what the service stores of anime and manga. */
import type * as Schema from "effect/Schema"
import type { Named, Recommendation, Relation } from "../../Dataset.js"
import { endpoint, fields, input, oneOfWords, pageInputs, works } from "./endpoint.js"
import { id, word } from "./jsonType.js"
import type { Kind } from "./kind.js"
import * as ListEntry from "./listEntry.js"
import * as Records from "./records.js"
import { named, optional } from "./recordTypes.js"
import * as Reads from "./reads.js"
import { kinds } from "./service.js"
import type { Always, Sometimes, Whole } from "./stored.js"
import type * as Store from "./store.js"

/** The addresses of a picture. */
interface MainPicture extends Always<Records.Picture, "medium">, Sometimes<Records.Picture, "large"> {}

interface AlternativeTitles extends Sometimes<Records.AlternativeTitles, keyof Records.AlternativeTitles> {}

interface Item
  extends
    Always<
      Records.Anime,
      | "id"
      | "title"
      | "num_list_users"
      | "num_scoring_users"
      | "num_favorites"
      | "media_type"
      | "status"
      | "created_at"
      | "updated_at"
    >,
    Sometimes<Records.Anime, "start_date" | "end_date" | "synopsis" | "mean" | "rank" | "popularity" | "background"> {
  readonly main_picture?: MainPicture
  /** What is missing is empty in replies. */
  readonly alternative_titles?: AlternativeTitles
  readonly nsfw: Records.Nsfw
  readonly genres: ReadonlyArray<Named>
  readonly related: ReadonlyArray<Relation>
  readonly recommendations: ReadonlyArray<Recommendation>
}

/** A song that opens or closes an anime. */
interface Song extends Always<Records.Theme, "id" | "text"> {}

interface Season extends Always<Records.Season, "year"> {
  readonly season: Records.SeasonName
}

interface Broadcast extends Always<Records.Broadcast, "day_of_the_week">, Sometimes<Records.Broadcast, "start_time"> {}

interface Video extends Whole<Records.Video> {}

/** An anime as the service stores it. */
export interface AnimeRecord
  extends
    Item,
    Always<Records.Anime, "num_episodes">,
    Sometimes<Records.Anime, "source" | "average_episode_duration" | "rating"> {
  readonly start_season?: Season
  readonly broadcast?: Broadcast
  readonly studios: ReadonlyArray<Named>
  readonly opening_themes?: ReadonlyArray<Song>
  readonly ending_themes?: ReadonlyArray<Song>
  /** Trailers and other clips. */
  readonly videos?: ReadonlyArray<Video>
}

/** A person who made a manga, and what they did. */
interface Author extends Whole<Records.Person>, Always<Records.Author, "role"> {}

/** A manga as the service stores it. */
export interface MangaRecord extends Item, Always<Records.Manga, "num_volumes" | "num_chapters"> {
  readonly authors: ReadonlyArray<Author>
  readonly serialization: ReadonlyArray<Named>
}

/** A page of a season. */
export interface AnimeSeasonPage extends Records.Page<Records.Entry<Records.Anime>> {
  readonly season?: Records.Season | null | undefined
}

/** The replies, made in a function so that a bundle without the declaration contains no Schemas. */
export const itemReplies = () => {
  const AnimeSeasonPage: Schema.Schema<AnimeSeasonPage> = named("AnimeSeasonPage", {
    ...Records.pageOf(Records.AnimeEntry),
    season: optional(Records.Season)
  })
  return { AnimeSeasonPage }
}

const keyword = input("A keyword.", {
  type: "string",
  minLength: 3,
  maxLength: 64,
  examples: ["diamond no ace"],
  "x-required": true
})

/** The endpoints that anime and manga both have. */
const common = <I extends Store.Item, E extends Store.Entry, Record extends "Anime" | "Manga">(
  kind: Kind<I, E>,
  record: Record
) => ({
  search: endpoint({
    method: "GET",
    path: `/${kind.name}`,
    access: "public",
    query: {
      q: keyword,
      ...pageInputs(Reads.limits.search),
      ...works
    },
    reply: `${record}Page`,
    handle: (call) => Reads.search(kind, call)
  }),
  ranking: endpoint({
    method: "GET",
    path: `/${kind.name}/ranking`,
    access: "public",
    query: {
      ranking_type: oneOfWords("What is ranked.", kind.rankings.keys(), { default: "all" }),
      ...pageInputs(Reads.limits.ranking),
      ...works
    },
    reply: `${record}RankingPage`,
    handle: (call) => Reads.ranking(kind, call)
  }),
  get: endpoint({
    method: "GET",
    path: `/${kind.name}/:id`,
    access: "public",
    params: { id },
    query: fields,
    reply: record,
    handle: (call) => Reads.one(kind, call)
  }),
  updateMyListStatus: endpoint({
    method: "PATCH",
    path: `/${kind.name}/:id/my_list_status`,
    access: "token",
    params: { id },
    query: fields,
    form: kind.form,
    reply: `${record}ListStatus`,
    handle: (call) => ListEntry.update(kind, call)
  }),
  deleteFromList: endpoint({
    method: "DELETE",
    path: `/${kind.name}/:id/my_list_status`,
    access: "token",
    params: { id },
    reply: "Nothing",
    handle: (call) => ListEntry.remove(kind, call)
  })
})

const anime = common(kinds.anime, "Anime")

export const animeEndpoints = {
  search: anime.search,
  ranking: anime.ranking,
  seasonal: endpoint({
    method: "GET",
    path: "/anime/season/:year/:season",
    access: "public",
    params: { year: { type: "integer", examples: [2017] }, season: word(...Reads.seasons.keys()) },
    query: { sort: oneOfWords("The order.", Reads.seasonalSorts.keys()), ...pageInputs(Reads.limits.season), ...works },
    reply: "AnimeSeasonPage",
    handle: (call) => Reads.seasonal(kinds.anime, call)
  }),
  suggestions: endpoint({
    method: "GET",
    path: "/anime/suggestions",
    access: "token",
    query: { ...pageInputs(Reads.limits.suggestions), ...works },
    reply: "AnimePage",
    handle: (call) => Reads.suggestions(kinds.anime, call)
  }),
  get: anime.get,
  updateMyListStatus: anime.updateMyListStatus,
  deleteFromList: anime.deleteFromList
}

export const mangaEndpoints = common(kinds.manga, "Manga")
