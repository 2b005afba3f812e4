/** The declaration with its handlers. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import { CatalogApi } from "../Api.js"
import * as Forum from "./forum.js"
import * as Reads from "./reads.js"
import { notFound, refused } from "./reply.js"
import { answering, kinds, type Service } from "./service.js"
import * as Users from "./users.js"
import * as ListEntry from "./listEntry.js"

const { anime, manga } = kinds

const handlers = (service: Service) => {
  const answer = answering(service)
  return Layer.mergeAll(
    HttpApiBuilder.group(CatalogApi, "anime", (group) =>
      group
        .handleRaw("get", (input) =>
          answer("public", (call) => Reads.one(anime, input.path.id, input.urlParams, call))(input)
        )
        .handleRaw("search", (input) => answer("public", (call) => Reads.search(anime, input.urlParams, call))(input))
        .handleRaw("ranking", (input) => answer("public", (call) => Reads.ranking(anime, input.urlParams, call))(input))
        .handleRaw("seasonal", (input) =>
          answer("public", (call) => Reads.seasonal(anime, input.path, input.urlParams, call))(input)
        )
        .handleRaw("suggestions", (input) =>
          answer("token", (call) => Reads.suggestions(anime, input.urlParams, call))(input)
        )
        .handleRaw("updateMyListStatus", (input) =>
          answer("token", (call) => ListEntry.update(anime, input.path.id, input.request, call))(input)
        )
        .handleRaw("deleteFromList", (input) =>
          answer("token", (call) => ListEntry.remove(anime, input.path.id, call))(input)
        )
    ),
    HttpApiBuilder.group(CatalogApi, "manga", (group) =>
      group
        .handleRaw("get", (input) =>
          answer("public", (call) => Reads.one(manga, input.path.id, input.urlParams, call))(input)
        )
        .handleRaw("search", (input) => answer("public", (call) => Reads.search(manga, input.urlParams, call))(input))
        .handleRaw("ranking", (input) => answer("public", (call) => Reads.ranking(manga, input.urlParams, call))(input))
        .handleRaw("updateMyListStatus", (input) =>
          answer("token", (call) => ListEntry.update(manga, input.path.id, input.request, call))(input)
        )
        .handleRaw("deleteFromList", (input) =>
          answer("token", (call) => ListEntry.remove(manga, input.path.id, call))(input)
        )
    ),
    HttpApiBuilder.group(CatalogApi, "user", (group) =>
      group
        .handleRaw("me", (input) => answer("token", (call) => Users.me(input.urlParams, call))(input))
        .handleRaw("get", (input) =>
          answer("token", (call) => Users.named(input.path.user_name, input.urlParams, call))(input)
        )
        .handleRaw("animeList", (input) =>
          answer(input.path.user_name === "@me" ? "token" : "identified", (call) =>
            Reads.list(anime, input.path.user_name, input.urlParams, call)
          )(input)
        )
        .handleRaw("mangaList", (input) =>
          answer(input.path.user_name === "@me" ? "token" : "identified", (call) =>
            Reads.list(manga, input.path.user_name, input.urlParams, call)
          )(input)
        )
    ),
    HttpApiBuilder.group(CatalogApi, "forum", (group) =>
      group
        .handleRaw("boards", (input) => answer("public", Forum.boards)(input))
        .handleRaw("topics", (input) => answer("public", (call) => Forum.topics(input.urlParams, call))(input))
        .handleRaw("topic", (input) =>
          answer("public", (call) => Forum.topic(input.path.topic_id, input.urlParams, call))(input)
        )
    )
  )
}

/** A path must be a route's to the letter: a client that doubles a slash is to notice it. */
const toTheLetter = {
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  caseSensitive: true,
  maxParamLength: 4096
}

/** The declaration has the writes as PATCH; the live service takes them as PUT, too. */
const alsoAsPut = Effect.gen(function* () {
  const { put, router } = yield* HttpApiBuilder.Router
  for (const { handler, method, path } of (yield* router).routes) if (method === "PATCH") yield* put(path, handler)
})

/** The service as an app, with paths as the declaration has them. */
export const makeRouter = (service: Service): Effect.Effect<HttpApp.Default, never, Scope> =>
  Effect.gen(function* () {
    const context = yield* Layer.build(
      Layer.mergeAll(
        HttpApiBuilder.api(CatalogApi).pipe(Layer.provide(handlers(service))),
        HttpApiBuilder.Router.Live,
        HttpApiBuilder.Middleware.layer,
        HttpServer.layerContext
      )
    )
    yield* Effect.provide(alsoAsPut, context)
    const app = yield* HttpApiBuilder.httpApp.pipe(Effect.provide(context), HttpRouter.withRouterConfig(toTheLetter))
    return app.pipe(
      Effect.provide(context),
      Effect.catchAll(() => Effect.succeed(refused(notFound())))
    )
  })
