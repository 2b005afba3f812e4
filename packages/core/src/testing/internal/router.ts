/** The declaration with its handlers. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import { CatalogApi } from "../Api.js"
import type { Access } from "./access.js"
import * as Forum from "./forum.js"
import * as Reads from "./reads.js"
import { notFound, refused } from "./reply.js"
import { answering, kinds, type Service } from "./service.js"
import * as Users from "./users.js"
import * as ListEntry from "./listEntry.js"

const { anime, manga } = kinds

/** A list of one's own needs a token, that of another user only a client identifier. */
const listAccess = ({ path }: { readonly path: { readonly user_name: string } }): Access =>
  path.user_name === "@me" ? "token" : "identified"

const handlers = (service: Service) => {
  const answer = answering(service)
  return Layer.mergeAll(
    HttpApiBuilder.group(CatalogApi, "anime", (group) =>
      group
        .handleRaw(
          "get",
          answer("public", (call, { path, urlParams }) => Reads.one(anime, path.id, urlParams, call))
        )
        .handleRaw(
          "search",
          answer("public", (call, { urlParams }) => Reads.search(anime, urlParams, call))
        )
        .handleRaw(
          "ranking",
          answer("public", (call, { urlParams }) => Reads.ranking(anime, urlParams, call))
        )
        .handleRaw(
          "seasonal",
          answer("public", (call, { path, urlParams }) => Reads.seasonal(anime, path, urlParams, call))
        )
        .handleRaw(
          "suggestions",
          answer("token", (call, { urlParams }) => Reads.suggestions(anime, urlParams, call))
        )
        .handleRaw(
          "updateMyListStatus",
          answer("token", (call, { path, request }) => ListEntry.update(anime, path.id, request, call))
        )
        .handleRaw(
          "deleteFromList",
          answer("token", (call, { path }) => ListEntry.remove(anime, path.id, call))
        )
    ),
    HttpApiBuilder.group(CatalogApi, "manga", (group) =>
      group
        .handleRaw(
          "get",
          answer("public", (call, { path, urlParams }) => Reads.one(manga, path.id, urlParams, call))
        )
        .handleRaw(
          "search",
          answer("public", (call, { urlParams }) => Reads.search(manga, urlParams, call))
        )
        .handleRaw(
          "ranking",
          answer("public", (call, { urlParams }) => Reads.ranking(manga, urlParams, call))
        )
        .handleRaw(
          "updateMyListStatus",
          answer("token", (call, { path, request }) => ListEntry.update(manga, path.id, request, call))
        )
        .handleRaw(
          "deleteFromList",
          answer("token", (call, { path }) => ListEntry.remove(manga, path.id, call))
        )
    ),
    HttpApiBuilder.group(CatalogApi, "user", (group) =>
      group
        .handleRaw(
          "me",
          answer("token", (call, { urlParams }) => Users.me(urlParams, call))
        )
        .handleRaw(
          "get",
          answer("token", (call, { path, urlParams }) => Users.named(path.user_name, urlParams, call))
        )
        .handleRaw(
          "animeList",
          answer(listAccess, (call, { path, urlParams }) => Reads.list(anime, path.user_name, urlParams, call))
        )
        .handleRaw(
          "mangaList",
          answer(listAccess, (call, { path, urlParams }) => Reads.list(manga, path.user_name, urlParams, call))
        )
    ),
    HttpApiBuilder.group(CatalogApi, "forum", (group) =>
      group
        .handleRaw("boards", answer("public", Forum.boards))
        .handleRaw(
          "topics",
          answer("public", (call, { urlParams }) => Forum.topics(urlParams, call))
        )
        .handleRaw(
          "topic",
          answer("public", (call, { path, urlParams }) => Forum.topic(path.topic_id, urlParams, call))
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
