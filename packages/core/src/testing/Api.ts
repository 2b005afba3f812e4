/**
 * The declaration of the service: its paths, its inputs, its records, its refusals.
 *
 * It says what goes over the wire and judges nothing: inputs are texts, members of replies are optional. What is a good
 * input, and what is answered to a bad one, is up to the service itself.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import type * as HttpMethod from "@effect/platform/HttpMethod"
import * as OpenApi from "@effect/platform/OpenApi"
import type * as Context from "effect/Context"
import * as Schema from "effect/Schema"
import * as Records from "./internal/records.js"

/** A parameter that comes twice is a list: the service takes the last, and a schema of one text would refuse it. */
const input = (description: string) =>
  Schema.optional(
    Schema.Union(Schema.String, Schema.Array(Schema.String)).annotations({
      description,
      jsonSchema: { type: "string", description }
    })
  )

const fields = { fields: input("Comma-separated names, nestable in braces: `a,b{c,d}`. Unknown names are ignored.") }

const paged = (limits: string) => ({
  limit: input(`Entries of a page: ${limits}.`),
  offset: input("Entries before the page, by default 0.")
})

const works = {
  ...fields,
  nsfw: input("`true` shows works marked gray or black, which are hidden by default.")
}

const form = (names: ReadonlyArray<string>) =>
  Schema.Struct(Object.fromEntries(names.map((name) => [name, Schema.optional(Schema.String)]))).pipe(
    HttpApiSchema.withEncoding({ kind: "UrlParams" })
  )

const path = <const Names extends ReadonlyArray<string>>(...names: Names) =>
  Schema.Struct(
    Object.fromEntries(names.map((name) => [name, Schema.String])) as { [Name in Names[number]]: typeof Schema.String }
  )

/** The credentials that open an endpoint, any one of them. */
const credentials = {
  public: [{}, { clientId: [] }, { accessToken: [] }],
  identified: [{ clientId: [] }, { accessToken: [] }],
  token: [{ accessToken: [] }]
}

/** An endpoint that is opened by one of these credentials. */
const endpoint = <
  const Name extends string,
  const Method extends HttpMethod.HttpMethod,
  Success extends Schema.Schema.AnyNoContext
>(
  name: Name,
  method: Method,
  path: `/${string}`,
  access: keyof typeof credentials,
  success: Success
) =>
  HttpApiEndpoint.make(method)(name, path)
    .addSuccess(success)
    .annotate(OpenApi.Override, { security: credentials[access] })

/** The endpoints that anime and manga both have. */
const common = <
  Item extends Schema.Schema.AnyNoContext,
  Page extends Schema.Schema.AnyNoContext,
  RankingPage extends Schema.Schema.AnyNoContext,
  ListStatus extends Schema.Schema.AnyNoContext
>(
  kind: "anime" | "manga",
  facts: {
    readonly rankings: string
    /** Names of the form that are its own. */
    readonly form: ReadonlyArray<string>
    readonly item: Item
    readonly page: Page
    readonly rankingPage: RankingPage
    readonly listStatus: ListStatus
  }
) => ({
  search: endpoint("search", "GET", `/${kind}`, "public", facts.page).setUrlParams(
    Schema.Struct({ q: input("3 to 64 characters."), ...paged("by default 10, at most 100"), ...works })
  ),
  ranking: endpoint("ranking", "GET", `/${kind}/ranking`, "public", facts.rankingPage).setUrlParams(
    Schema.Struct({ ranking_type: input(`${facts.rankings}.`), ...paged("by default 100, at most 500"), ...works })
  ),
  get: endpoint("get", "GET", `/${kind}/:id`, "public", facts.item)
    .setPath(path("id"))
    .setUrlParams(Schema.Struct(fields)),
  update: endpoint("updateMyListStatus", "PATCH", `/${kind}/:id/my_list_status`, "token", facts.listStatus)
    .setPath(path("id"))
    .setUrlParams(Schema.Struct(fields))
    .setPayload(form(["status", "score", ...facts.form, "priority", "tags", "comments", "start_date", "finish_date"])),
  delete: endpoint(
    "deleteFromList",
    "DELETE",
    `/${kind}/:id/my_list_status`,
    "token",
    Schema.Array(Schema.Unknown).annotations(HttpApiSchema.annotations({ status: 200 }))
  ).setPath(path("id"))
})

const anime = common("anime", {
  rankings: "all, airing, upcoming, tv, ova, movie, special, bypopularity or favorite",
  form: ["num_watched_episodes", "is_rewatching", "num_times_rewatched", "rewatch_value"],
  item: Records.Anime,
  page: Records.AnimePage,
  rankingPage: Records.AnimeRankingPage,
  listStatus: Records.AnimeListStatus
})

const manga = common("manga", {
  rankings: "all, manga, novels, oneshots, doujin, manhwa, manhua, bypopularity or favorite",
  form: ["num_chapters_read", "num_volumes_read", "is_rereading", "num_times_reread", "reread_value"],
  item: Records.Manga,
  page: Records.MangaPage,
  rankingPage: Records.MangaRankingPage,
  listStatus: Records.MangaListStatus
})

const AnimeGroup = HttpApiGroup.make("anime")
  .add(anime.search)
  .add(anime.ranking)
  .add(
    endpoint("seasonal", "GET", "/anime/season/:year/:season", "public", Records.AnimeSeasonPage)
      .setPath(path("year", "season"))
      .setUrlParams(
        Schema.Struct({
          sort: input("anime_score or anime_num_list_users."),
          ...paged("by default 100, at most 500"),
          ...works
        })
      )
  )
  .add(
    endpoint("suggestions", "GET", "/anime/suggestions", "token", Records.AnimePage).setUrlParams(
      Schema.Struct({ ...paged("by default 100, at most 100"), ...works })
    )
  )
  .add(anime.get)
  .add(anime.update)
  .add(anime.delete)

const MangaGroup = HttpApiGroup.make("manga")
  .add(manga.search)
  .add(manga.ranking)
  .add(manga.get)
  .add(manga.update)
  .add(manga.delete)

const listInputs = (sorts: string, statuses: string) =>
  Schema.Struct({
    status: input(`${statuses}; all, if nothing is said.`),
    sort: input(`${sorts}.`),
    ...paged("by default 10, at most 1000"),
    ...works
  })

const UserGroup = HttpApiGroup.make("user")
  .add(endpoint("me", "GET", "/users/@me", "token", Records.User).setUrlParams(Schema.Struct(fields)))
  .add(
    endpoint("get", "GET", "/users/:user_name", "token", Records.User)
      .setPath(path("user_name"))
      .setUrlParams(Schema.Struct(fields))
  )
  .add(
    endpoint("animeList", "GET", "/users/:user_name/animelist", "identified", Records.AnimeListPage)
      .setPath(path("user_name"))
      .setUrlParams(
        listInputs(
          "list_score, list_updated_at, anime_title, anime_start_date or anime_id",
          "watching, completed, on_hold, dropped or plan_to_watch"
        )
      )
  )
  .add(
    endpoint("mangaList", "GET", "/users/:user_name/mangalist", "identified", Records.MangaListPage)
      .setPath(path("user_name"))
      .setUrlParams(
        listInputs(
          "list_score, list_updated_at, manga_title, manga_start_date or manga_id",
          "reading, completed, on_hold, dropped or plan_to_read"
        )
      )
  )

const ForumGroup = HttpApiGroup.make("forum")
  .add(endpoint("boards", "GET", "/forum/boards", "public", Records.Boards))
  .add(
    endpoint("topics", "GET", "/forum/topics", "public", Records.TopicsPage).setUrlParams(
      Schema.Struct({
        board_id: input("A board's number."),
        subboard_id: input("A subboard's number."),
        q: input("Words of the title."),
        topic_user_name: input("Who opened the topic."),
        user_name: input("Who wrote a post in it."),
        sort: input("recent."),
        ...paged("by default 100, at most 100")
      })
    )
  )
  .add(
    endpoint("topic", "GET", "/forum/topic/:topic_id", "public", Records.TopicPage)
      .setPath(path("topic_id"))
      .setUrlParams(Schema.Struct(paged("posts, by default 100, at most 100")))
  )

/** What the service says in place of an answer: the form is the same, and the status tells them apart. */
const Refusal = Schema.Struct({ error: Schema.optional(Schema.String), message: Schema.optional(Schema.String) })

const refusals = {
  400: "A bad input, an unknown form name, or a bad client identifier: `bad_request`",
  401: "A bad or expired token: `invalid_token`",
  403: "No credential, or a private list: `forbidden`",
  404: "No such item, user, topic or entry: `not_found`"
}

const refusal = (status: keyof typeof refusals) =>
  Refusal.annotations({ identifier: "Refusal", description: refusals[status] })

/**
 * The platform declares refusals of its own for inputs that its schemas do not take. Here every input is taken, and
 * judged by the service; and the credentials, which the service judges too, are declared by hand.
 */
const ownForm: Context.Tag.Service<typeof OpenApi.Transform> = ({ components, paths, ...spec }) => {
  const { HttpApiDecodeError: _, Issue: __, PropertyKey: ___, Refusal, ...schemas } = components.schemas
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } }
  for (const path of Object.values<Record<string, { responses: Record<string, unknown> }>>(paths)) {
    for (const { responses } of Object.values(path)) responses["400"] = { description: refusals[400], content }
  }
  return {
    ...spec,
    paths,
    components: {
      ...components,
      // The description of each status stands with its response.
      schemas: { ...schemas, Refusal: { ...Refusal, description: "What the service says in place of an answer" } },
      securitySchemes: {
        accessToken: { type: "http", scheme: "bearer" },
        clientId: { type: "apiKey", in: "header", name: "X-MAL-CLIENT-ID" }
      }
    }
  }
}

/**
 * The service as a value of `@effect/platform`'s `HttpApi`: nineteen endpoints in four groups, `anime`, `manga`,
 * `user`, `forum`. `docs/openapi.json` is generated from it.
 *
 * @example
 * ```ts
 * import { CatalogApi } from "@catalog-client/core/testing"
 * import { OpenApi } from "@effect/platform"
 *
 * export const paths = Object.keys(OpenApi.fromApi(CatalogApi).paths)
 * ```
 */
export const CatalogApi = HttpApi.make("catalog")
  .add(AnimeGroup)
  .add(MangaGroup)
  .add(UserGroup)
  .add(ForumGroup)
  .addError(refusal(400), { status: 400 })
  .addError(refusal(401), { status: 401 })
  .addError(refusal(403), { status: 403 })
  .addError(refusal(404), { status: 404 })
  .annotate(OpenApi.Title, "Catalog")
  .annotate(OpenApi.Version, "2")
  .annotate(
    OpenApi.Description,
    "An anime and manga catalog with lists and a forum, as the embedded service answers it."
  )
  .annotate(OpenApi.Servers, [{ url: "https://api.myanimelist.net/v2" }])
  .annotate(OpenApi.Transform, ownForm)
