/** The declaration with its handlers. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import { CatalogApi } from "../Api.js"
import { handlerOf } from "./endpoint.js"
import { notFound, refused } from "./response.js"
import type { Service } from "./service.js"

type Domain = HttpApiGroup.HttpApiGroup.Name<(typeof CatalogApi)["groups"][string]>

/** Each endpoint of a group gets its handler. */
const handlersOf = <const Name extends Domain>(service: Service, name: Name) =>
  HttpApiBuilder.group(CatalogApi, name, (empty) => {
    type Handlers = HttpApiBuilder.Handlers<never, never, never, HttpApiEndpoint.HttpApiEndpoint.AnyWithProps>
    const { endpoints } = CatalogApi.groups[name] as unknown as HttpApiGroup.HttpApiGroup.AnyWithProps
    const all = Object.values(endpoints).reduce(
      (handlers: Handlers, endpoint) => handlers.handleRaw(endpoint.name, handlerOf(service, endpoint)) as Handlers,
      empty as unknown as Handlers
    )
    return all as HttpApiBuilder.Handlers<never, never, never>
  })

const handlers = (service: Service) =>
  Layer.mergeAll(
    handlersOf(service, "anime"),
    handlersOf(service, "manga"),
    handlersOf(service, "user"),
    handlersOf(service, "forum")
  )

/** A path must match a route exactly: a client should notice a doubled slash. */
const toTheLetter = {
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  caseSensitive: true,
  maxParamLength: 4096
}

/** The declaration has writes as PATCH; the live service accepts PUT, too. */
const alsoAsPut = Effect.gen(function* () {
  const { put, router } = yield* HttpApiBuilder.Router
  for (const { handler, method, path } of (yield* router).routes) {
    if (method === "PATCH") {
      yield* put(path, handler)
    }
  }
})

/** The service as an app, with the paths of the declaration. */
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
