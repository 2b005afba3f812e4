/** The endpoints of anime and manga. */
import { endpoint, fields, input, oneOfWords, paged, works } from "./endpoint.js"
import { id, word } from "./jsonType.js"
import type { Kind } from "./kind.js"
import * as ListEntry from "./listEntry.js"
import * as Reads from "./reads.js"
import { kinds } from "./service.js"
import type { Entry, Item } from "./store.js"

const keyword = input("A keyword.", {
  type: "string",
  minLength: 3,
  maxLength: 64,
  examples: ["diamond no ace"],
  "x-required": true
})

/** The endpoints that anime and manga both have. */
const common = <I extends Item, E extends Entry, Record extends "Anime" | "Manga">(
  kind: Kind<I, E>,
  record: Record
) => ({
  search: endpoint({
    method: "GET",
    path: `/${kind.name}`,
    access: "public",
    query: {
      q: keyword,
      ...paged(Reads.few),
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
      ...paged(Reads.many),
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
    query: { sort: oneOfWords("The order.", Reads.seasonalSorts.keys()), ...paged(Reads.many), ...works },
    reply: "AnimeSeasonPage",
    handle: (call) => Reads.seasonal(kinds.anime, call)
  }),
  suggestions: endpoint({
    method: "GET",
    path: "/anime/suggestions",
    access: "token",
    query: { ...paged(Reads.suggested), ...works },
    reply: "AnimePage",
    handle: (call) => Reads.suggestions(kinds.anime, call)
  }),
  get: anime.get,
  updateMyListStatus: anime.updateMyListStatus,
  deleteFromList: anime.deleteFromList
}

export const mangaEndpoints = common(kinds.manga, "Manga")
