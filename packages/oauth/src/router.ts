/**
 * The routes of `Handlers` for Effect's router.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { CatalogClient, type ClientError, Credentials } from "@catalog-client/core"
import { isClientError } from "@catalog-client/core/guards"
import type * as Client from "@effect/platform/HttpClient"
import * as Router from "@effect/platform/HttpLayerRouter"
import * as ServerRequest from "@effect/platform/HttpServerRequest"
import * as ServerResponse from "@effect/platform/HttpServerResponse"
import type * as Handlers from "./Handlers.js"
import { makeClientProxy, makeSite } from "./internal/effectSite.js"
import { type Handler, responseTo } from "./internal/responses.js"
import { OAuthSessions } from "./OAuthSessions.js"

/** Runs a function with the web request; a request without a URL gets a 400. */
const withRequest = <E, R>(
  run: (request: Request) => Effect.Effect<ServerResponse.HttpServerResponse, E, R>
): Effect.Effect<ServerResponse.HttpServerResponse, E, R | ServerRequest.HttpServerRequest> =>
  Effect.flatMap(ServerRequest.HttpServerRequest, (request) =>
    Effect.matchEffect(ServerRequest.toWeb(request), {
      onFailure: () => Effect.succeed(ServerResponse.empty({ status: 400 })),
      onSuccess: run
    })
  )

/** Adds routes, which run with the services of the Layer where the request has none. */
const layerOf = <R, R0>(
  make: Effect.Effect<ReadonlyArray<readonly [path: string, handler: Handler<R>]>, never, R0>
): Layer.Layer<never, never, Router.HttpRouter | R | R0> =>
  Router.use((router) =>
    Effect.gen(function* () {
      const context = yield* Effect.context<R>()
      for (const [path, handler] of yield* make) {
        const route = withRequest((request) =>
          Effect.map(
            Effect.mapInputContext(handler(request), (own: Context.Context<never>) => Context.merge(context, own)),
            ServerResponse.fromWeb
          )
        )
        yield* router.add("*", path as Router.PathInput, route)
      }
    })
  )

/**
 * Adds the routes of {@link Handlers.make} to Effect's router. An invalid option is a defect.
 *
 * @example
 * ```ts
 * import { OAuthSessions, TokenStores } from "@catalog-client/oauth"
 * import { layerRoutes } from "@catalog-client/oauth/router"
 * import { Layer } from "effect"
 *
 * // In production, use the TokenStores of a database. Needs a router and an HttpClient.
 * export const SignIn = layerRoutes({ afterSignIn: "/me" }).pipe(
 *   Layer.provide(OAuthSessions.layer({ clientId: "my-client-id", redirectUri: "https://app.example/callback" })),
 *   Layer.provide(TokenStores.layerMemory)
 * )
 * ```
 */
export const layerRoutes = <R = never>(
  options: Handlers.Options<R> = {}
): Layer.Layer<never, never, Router.HttpRouter | OAuthSessions | Client.HttpClient | R> =>
  layerOf(
    Effect.map(OAuthSessions, (sessions) => {
      const site = makeSite("layerRoutes", sessions, options)
      const { callback, login, logout, proxy } = site.paths
      const signIn = [
        [login, site.login],
        [callback, site.callback],
        [logout, site.logout]
      ] as const
      return proxy === undefined ? signIn : [...signIn, [`${proxy}*`, site.proxy] as const]
    })
  )

/**
 * Adds {@link Handlers.proxy} to Effect's router, below its prefix. An invalid option is a defect.
 *
 * @example
 * ```ts
 * import * as CatalogNode from "@catalog-client/node"
 * import { layerProxy } from "@catalog-client/oauth/router"
 * import { Layer } from "effect"
 *
 * export const Proxy = layerProxy({ prefix: "/catalog", operations: ["anime.get"] }).pipe(
 *   Layer.provide(CatalogNode.layerClient({ clientId: "my-client-id" }))
 * )
 * ```
 */
export const layerProxy = (
  options: Handlers.ProxyOptions
): Layer.Layer<never, never, Router.HttpRouter | CatalogClient> =>
  layerOf(
    Effect.map(CatalogClient, (client) => {
      const { proxy, start } = makeClientProxy("layerProxy", client, options)
      return [[`${start}*`, proxy]]
    })
  )

const middleware = /*#__PURE__*/ Router.middleware<{ provides: Credentials; handles: ClientError }>()

/**
 * A middleware that provides `Credentials` of the visitor, and responds to a `ClientError` of a route. Without a visitor it
 * responds with 401, or with 403 if another site has sent a write.
 *
 * @example
 * ```ts
 * import { Catalog } from "@catalog-client/core"
 * import { signedIn } from "@catalog-client/oauth/router"
 * import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
 * import { Effect, Layer } from "effect"
 *
 * const me = Effect.flatMap(Catalog.user.me(), ({ name }) => HttpServerResponse.json({ name }))
 *
 * // Needs OAuthSessions, an HttpClient, and a router.
 * export const Me = HttpLayerRouter.add("GET", "/me", me).pipe(Layer.provide(signedIn.layer))
 * ```
 */
export const signedIn: Router.Middleware<{
  provides: Credentials
  handles: ClientError
  error: never
  requires: never
  layerError: never
  layerRequires: OAuthSessions
}> = /*#__PURE__*/ middleware(
  /*#__PURE__*/ Effect.map(OAuthSessions, (sessions) => {
    const site = makeSite("signedIn", sessions, {})
    return (route) =>
      withRequest((request) => {
        const visitor = site.visitorIn(request)
        return visitor === undefined
          ? Effect.succeed(ServerResponse.fromWeb(site.refusalOf(request)))
          : Effect.catchAll(Effect.provideService(route, Credentials, sessions.credentials(visitor)), (error) =>
              isClientError(error) ? Effect.map(responseTo(error), ServerResponse.fromWeb) : Effect.fail(error)
            )
      })
  })
)
