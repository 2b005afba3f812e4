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

/** Every refusal has the same form; what tells them apart is the status. */
const failure = (status: number, description: string) =>
  Schema.Struct({ error: Schema.optional(Schema.String), message: Schema.optional(Schema.String) }).annotations({
    ...HttpApiSchema.annotations({ status, description }),
    identifier: "Refusal"
  })

const badInput = "A bad input, an unknown form name, or a bad client identifier: `bad_request`"
const badRequest = failure(400, badInput)
const unauthorized = failure(401, "A bad or expired token: `invalid_token`")
const forbidden = failure(403, "No credential, or a private list: `forbidden`")
const notFound = failure(404, "No such item, user, topic or entry: `not_found`")

const publicRead = [{}, { clientId: [] }, { accessToken: [] }]
const listRead = [{ clientId: [] }, { accessToken: [] }]
const ownToken = [{ accessToken: [] }]

const listForm = (progress: ReadonlyArray<string>, again: ReadonlyArray<string>) =>
  form(["status", "score", ...progress, ...again, "priority", "tags", "comments", "start_date", "finish_date"])

const AnimeGroup = HttpApiGroup.make("anime")
  .add(
    HttpApiEndpoint.get("search", "/anime")
      .setUrlParams(
        Schema.Struct({ q: input("3 to 64 characters."), ...paged("by default 10, at most 100"), ...works })
      )
      .addSuccess(Records.AnimePage)
      .annotate(OpenApi.Override, { security: publicRead })
  )
  .add(
    HttpApiEndpoint.get("ranking", "/anime/ranking")
      .setUrlParams(
        Schema.Struct({
          ranking_type: input("all, airing, upcoming, tv, ova, movie, special, bypopularity or favorite."),
          ...paged("by default 100, at most 500"),
          ...works
        })
      )
      .addSuccess(Records.AnimeRankingPage)
      .annotate(OpenApi.Override, { security: publicRead })
  )
  .add(
    HttpApiEndpoint.get("seasonal", "/anime/season/:year/:season")
      .setPath(path("year", "season"))
      .setUrlParams(
        Schema.Struct({
          sort: input("anime_score or anime_num_list_users."),
          ...paged("by default 100, at most 500"),
          ...works
        })
      )
      .addSuccess(Records.AnimeSeasonPage)
      .annotate(OpenApi.Override, { security: publicRead })
  )
  .add(
    HttpApiEndpoint.get("suggestions", "/anime/suggestions")
      .setUrlParams(Schema.Struct({ ...paged("by default 100, at most 100"), ...works }))
      .addSuccess(Records.AnimePage)
      .annotate(OpenApi.Override, { security: ownToken })
  )
  .add(
    HttpApiEndpoint.get("get", "/anime/:id")
      .setPath(path("id"))
      .setUrlParams(Schema.Struct(fields))
      .addSuccess(Records.Anime)
      .annotate(OpenApi.Override, { security: publicRead })
  )
  .add(
    HttpApiEndpoint.patch("updateMyListStatus", "/anime/:id/my_list_status")
      .setPath(path("id"))
      .setUrlParams(Schema.Struct(fields))
      .setPayload(listForm(["num_watched_episodes"], ["is_rewatching", "num_times_rewatched", "rewatch_value"]))
      .addSuccess(Records.AnimeListStatus)
      .annotate(OpenApi.Override, { security: ownToken })
  )
  .add(
    HttpApiEndpoint.del("deleteFromList", "/anime/:id/my_list_status")
      .setPath(path("id"))
      .addSuccess(Schema.Array(Schema.Unknown).annotations(HttpApiSchema.annotations({ status: 200 })))
      .annotate(OpenApi.Override, { security: ownToken })
  )

const MangaGroup = HttpApiGroup.make("manga")
  .add(
    HttpApiEndpoint.get("search", "/manga")
      .setUrlParams(
        Schema.Struct({ q: input("3 to 64 characters."), ...paged("by default 10, at most 100"), ...works })
      )
      .addSuccess(Records.MangaPage)
      .annotate(OpenApi.Override, { security: publicRead })
  )
  .add(
    HttpApiEndpoint.get("ranking", "/manga/ranking")
      .setUrlParams(
        Schema.Struct({
          ranking_type: input("all, manga, novels, oneshots, doujin, manhwa, manhua, bypopularity or favorite."),
          ...paged("by default 100, at most 500"),
          ...works
        })
      )
      .addSuccess(Records.MangaRankingPage)
      .annotate(OpenApi.Override, { security: publicRead })
  )
  .add(
    HttpApiEndpoint.get("get", "/manga/:id")
      .setPath(path("id"))
      .setUrlParams(Schema.Struct(fields))
      .addSuccess(Records.Manga)
      .annotate(OpenApi.Override, { security: publicRead })
  )
  .add(
    HttpApiEndpoint.patch("updateMyListStatus", "/manga/:id/my_list_status")
      .setPath(path("id"))
      .setUrlParams(Schema.Struct(fields))
      .setPayload(
        listForm(["num_chapters_read", "num_volumes_read"], ["is_rereading", "num_times_reread", "reread_value"])
      )
      .addSuccess(Records.MangaListStatus)
      .annotate(OpenApi.Override, { security: ownToken })
  )
  .add(
    HttpApiEndpoint.del("deleteFromList", "/manga/:id/my_list_status")
      .setPath(path("id"))
      .addSuccess(Schema.Array(Schema.Unknown).annotations(HttpApiSchema.annotations({ status: 200 })))
      .annotate(OpenApi.Override, { security: ownToken })
  )

const listInputs = (sorts: string, statuses: string) =>
  Schema.Struct({
    status: input(`${statuses}; all, if nothing is said.`),
    sort: input(`${sorts}.`),
    ...paged("by default 10, at most 1000"),
    ...works
  })

const UserGroup = HttpApiGroup.make("user")
  .add(
    HttpApiEndpoint.get("me", "/users/@me")
      .setUrlParams(Schema.Struct(fields))
      .addSuccess(Records.User)
      .annotate(OpenApi.Override, { security: ownToken })
  )
  .add(
    HttpApiEndpoint.get("get", "/users/:user_name")
      .setPath(path("user_name"))
      .setUrlParams(Schema.Struct(fields))
      .addSuccess(Records.User)
      .annotate(OpenApi.Override, { security: ownToken })
  )
  .add(
    HttpApiEndpoint.get("animeList", "/users/:user_name/animelist")
      .setPath(path("user_name"))
      .setUrlParams(
        listInputs(
          "list_score, list_updated_at, anime_title, anime_start_date or anime_id",
          "watching, completed, on_hold, dropped or plan_to_watch"
        )
      )
      .addSuccess(Records.AnimeListPage)
      .annotate(OpenApi.Override, { security: listRead })
  )
  .add(
    HttpApiEndpoint.get("mangaList", "/users/:user_name/mangalist")
      .setPath(path("user_name"))
      .setUrlParams(
        listInputs(
          "list_score, list_updated_at, manga_title, manga_start_date or manga_id",
          "reading, completed, on_hold, dropped or plan_to_read"
        )
      )
      .addSuccess(Records.MangaListPage)
      .annotate(OpenApi.Override, { security: listRead })
  )

const ForumGroup = HttpApiGroup.make("forum")
  .add(
    HttpApiEndpoint.get("boards", "/forum/boards")
      .addSuccess(Records.Boards)
      .annotate(OpenApi.Override, { security: publicRead })
  )
  .add(
    HttpApiEndpoint.get("topics", "/forum/topics")
      .setUrlParams(
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
      .addSuccess(Records.TopicsPage)
      .annotate(OpenApi.Override, { security: publicRead })
  )
  .add(
    HttpApiEndpoint.get("topic", "/forum/topic/:topic_id")
      .setPath(path("topic_id"))
      .setUrlParams(Schema.Struct(paged("posts, by default 100, at most 100")))
      .addSuccess(Records.TopicPage)
      .annotate(OpenApi.Override, { security: publicRead })
  )

/**
 * The platform declares refusals of its own for inputs that its schemas do not take. Here every input is taken, and
 * judged by the service; and the credentials, which the service judges too, are declared by hand.
 */
const ownForm: Context.Tag.Service<typeof OpenApi.Transform> = ({ components, paths, ...spec }) => {
  const { HttpApiDecodeError: _, Issue: __, PropertyKey: ___, Refusal, ...schemas } = components.schemas
  const refusal = { "application/json": { schema: { $ref: "#/components/schemas/Refusal" } } }
  for (const path of Object.values<Record<string, { responses: Record<string, unknown> }>>(paths)) {
    for (const { responses } of Object.values(path)) responses["400"] = { description: badInput, content: refusal }
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
  .addError(badRequest, { status: 400 })
  .addError(unauthorized, { status: 401 })
  .addError(forbidden, { status: 403 })
  .addError(notFound, { status: 404 })
  .annotate(OpenApi.Title, "Catalog")
  .annotate(OpenApi.Version, "2")
  .annotate(
    OpenApi.Description,
    "An anime and manga catalog with lists and a forum, as the embedded service answers it."
  )
  .annotate(OpenApi.Servers, [{ url: "https://api.myanimelist.net/v2" }])
  .annotate(OpenApi.Transform, ownForm)
