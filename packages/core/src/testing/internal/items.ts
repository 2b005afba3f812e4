/** The endpoints of anime and manga. */
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"
import { endpoint, fields, form, handled, input, oneOfWords, paged, path, query, works } from "./endpoint.js"
import { id, word } from "./jsonType.js"
import type { Kind } from "./kind.js"
import * as ListEntry from "./listEntry.js"
import * as Reads from "./reads.js"
import * as Records from "./records.js"
import { kinds } from "./service.js"
import type { Entry, Item } from "./store.js"

/** The endpoints that anime and manga both have. */
const common = <
  I extends Item,
  E extends Entry,
  One extends Schema.Schema.AnyNoContext,
  Page extends Schema.Schema.AnyNoContext,
  RankingPage extends Schema.Schema.AnyNoContext,
  ListStatus extends Schema.Schema.AnyNoContext
>(
  kind: Kind<I, E>,
  facts: {
    readonly item: One
    readonly page: Page
    readonly rankingPage: RankingPage
    readonly listStatus: ListStatus
  }
) => ({
  search: handled(
    endpoint("search", "GET", `/${kind.name}`, "public", facts.page).setUrlParams(
      query({
        q: input("A keyword.", {
          type: "string",
          minLength: 3,
          maxLength: 64,
          examples: ["diamond no ace"],
          "x-required": true
        }),
        ...paged(Reads.few),
        ...works
      })
    ),
    (call, { urlParams }) => Reads.search(kind, urlParams, call)
  ),
  ranking: handled(
    endpoint("ranking", "GET", `/${kind.name}/ranking`, "public", facts.rankingPage).setUrlParams(
      query({
        ranking_type: oneOfWords("What is ranked.", kind.rankings.keys(), { default: "all" }),
        ...paged(Reads.many),
        ...works
      })
    ),
    (call, { urlParams }) => Reads.ranking(kind, urlParams, call)
  ),
  get: handled(
    endpoint("get", "GET", `/${kind.name}/:id`, "public", facts.item).setPath(path({ id })).setUrlParams(query(fields)),
    (call, { path, urlParams }) => Reads.one(kind, path.id, urlParams, call)
  ),
  update: handled(
    endpoint("updateMyListStatus", "PATCH", `/${kind.name}/:id/my_list_status`, "token", facts.listStatus)
      .setPath(path({ id }))
      .setUrlParams(query(fields))
      .setPayload(form(kind.form)),
    (call, { path, request }) => ListEntry.update(kind, path.id, request, call)
  ),
  delete: handled(
    endpoint(
      "deleteFromList",
      "DELETE",
      `/${kind.name}/:id/my_list_status`,
      "token",
      Schema.Array(Schema.Unknown).annotations(HttpApiSchema.annotations({ status: 200 }))
    ).setPath(path({ id })),
    (call, { path }) => ListEntry.remove(kind, path.id, call)
  )
})

const anime = common(kinds.anime, {
  item: Records.Anime,
  page: Records.AnimePage,
  rankingPage: Records.AnimeRankingPage,
  listStatus: Records.AnimeListStatus
})

const manga = common(kinds.manga, {
  item: Records.Manga,
  page: Records.MangaPage,
  rankingPage: Records.MangaRankingPage,
  listStatus: Records.MangaListStatus
})

export const AnimeGroup = HttpApiGroup.make("anime")
  .annotate(OpenApi.Description, "Anime, and what a user keeps of them.")
  .add(anime.search)
  .add(anime.ranking)
  .add(
    handled(
      endpoint("seasonal", "GET", "/anime/season/:year/:season", "public", Records.AnimeSeasonPage)
        .setPath(path({ year: { type: "integer", examples: [2017] }, season: word(...Reads.seasons.keys()) }))
        .setUrlParams(
          query({
            sort: oneOfWords("The order.", Reads.seasonalSorts.keys()),
            ...paged(Reads.many),
            ...works
          })
        ),
      (call, { path, urlParams }) => Reads.seasonal(kinds.anime, path, urlParams, call)
    )
  )
  .add(
    handled(
      endpoint("suggestions", "GET", "/anime/suggestions", "token", Records.AnimePage).setUrlParams(
        query({ ...paged(Reads.suggested), ...works })
      ),
      (call, { urlParams }) => Reads.suggestions(kinds.anime, urlParams, call)
    )
  )
  .add(anime.get)
  .add(anime.update)
  .add(anime.delete)

export const MangaGroup = HttpApiGroup.make("manga")
  .annotate(OpenApi.Description, "Manga, and what a user keeps of them.")
  .add(manga.search)
  .add(manga.ranking)
  .add(manga.get)
  .add(manga.update)
  .add(manga.delete)
