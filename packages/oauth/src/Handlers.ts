/**
 * The routes of a server whose visitors sign in, for any router.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Catalog, CatalogClient, type ClientError, type Credentials } from "@catalog-client/core"
import type * as Client from "@effect/platform/HttpClient"
import { makeClientProxy, makeSite } from "./internal/effectSite.js"
import type { ProxyOptions as SiteProxyOptions } from "./internal/proxy.js"
import { errorResponse as responseTo } from "./internal/responses.js"
import type { SiteOptions } from "./internal/site.js"
import { OAuthSessions } from "./OAuthSessions.js"

type Operations = typeof Catalog

/** The name of an operation, for example `anime.get`. */
export type OperationName = {
  readonly [Domain in keyof Operations]: `${Domain}.${keyof Operations[Domain] & string}`
}[keyof Operations]

/** Options of {@link make}. */
export interface Options<R = never> extends SiteOptions<OperationName> {
  /** Called before the visitor gets the cookie. If it fails, so does the route, and the visitor is not signed in. */
  readonly onSignIn?: ((visitor: string, request: Request) => Effect.Effect<unknown, unknown, R>) | undefined
}

/** A route. Its errors are logged. */
export type Handler<R = never> = (request: Request) => Effect.Effect<Response, never, Client.HttpClient | R>

/** Options of {@link proxy}. */
export interface ProxyOptions extends Pick<SiteProxyOptions<OperationName>, "prefix" | "operations"> {}

/** The routes of a site. */
export interface Handlers<R = never> {
  /** `GET`: sends the visitor to the sign-in page of the service. `?return=/path` says where to go afterwards. */
  readonly login: Handler<R>
  /** `GET`, at the redirect URI: signs the visitor in, as a new visitor with a cookie. */
  readonly callback: Handler<R>
  /** `POST`, by a page of the site: removes the visitor's tokens and cookie. The tokens are not revoked. */
  readonly logout: Handler<R>
  /** Calls an operation for a page of the site, with the token of its visitor, and returns the reply as JSON. */
  readonly proxy: Handler<R>
  /** The route of a request, by its path. */
  readonly routeOf: (request: Request) => Option.Option<Handler<R>>
  /** The visitor of a request, from its cookie: none in a write that another site has sent. */
  readonly visitorOf: (request: Request) => Option.Option<string>
  /** The credentials of the visitor of a request, for calls. */
  readonly credentialsOf: (request: Request) => Option.Option<Credentials.Service>
}

/**
 * Makes the routes over the sessions. An invalid option is a defect.
 *
 * @example
 * ```ts
 * import { Handlers } from "@catalog-client/oauth"
 * import { Effect } from "effect"
 *
 * const proxy = { prefix: "/catalog", operations: ["anime.get", "user.me"] } as const
 *
 * export const loginOf = (request: Request) =>
 *   Effect.flatMap(Handlers.make({ afterSignIn: "/me", proxy }), ({ login }) => login(request))
 * ```
 */
export const make = <R = never>(options: Options<R> = {}): Effect.Effect<Handlers<R>, never, OAuthSessions> =>
  Effect.map(OAuthSessions, (sessions) => {
    const site = makeSite("Handlers", sessions, options)
    const { callback, login, logout, proxy } = site
    const visitorOf = (request: Request) => Option.fromNullable(site.visitorIn(request))
    return {
      login,
      callback,
      logout,
      proxy,
      routeOf: (request) => Option.fromNullable(site.routeOf(request)),
      visitorOf,
      credentialsOf: (request) => Option.map(visitorOf(request), sessions.credentials)
    }
  })

/**
 * Makes a proxy for pages without a sign-in: the named reads pass, with the credentials of the `CatalogClient`.
 *
 * @example
 * ```ts
 * import * as CatalogNode from "@catalog-client/node"
 * import { Handlers } from "@catalog-client/oauth"
 * import { ManagedRuntime } from "effect"
 *
 * const server = ManagedRuntime.make(CatalogNode.layerClient({ clientId: "my-client-id" }))
 * const proxy = await server.runPromise(Handlers.proxy({ prefix: "/catalog", operations: ["anime.get"] }))
 * const fetch = (request: Request) => server.runPromise(proxy(request), { signal: request.signal })
 *
 * console.log((await fetch(new Request("https://app.example/catalog/anime/30230"))).status)
 * ```
 *
 * ```text
 * 200
 * ```
 */
export const proxy = (
  options: ProxyOptions
): Effect.Effect<(request: Request) => Effect.Effect<Response>, never, CatalogClient> =>
  Effect.map(CatalogClient, (client) => makeClientProxy("Handlers.proxy", client, options).proxy)

/**
 * The response to an error of the client: its status and JSON with an `error` and a `message`, which do not contain the error's
 * own.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials } from "@catalog-client/core"
 * import { Handlers } from "@catalog-client/oauth"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Effect } from "effect"
 *
 * const titleOf = (id: number) =>
 *   Catalog.anime.get({ id }).pipe(
 *     Effect.map(({ title }) => Response.json({ title })),
 *     Effect.catchAll((error) => Effect.succeed(Handlers.errorResponse(error)))
 *   )
 *
 * const response = Effect.provide(titleOf(999_999), [EmbeddedCatalog.layer(), Credentials.layerNone])
 * console.log((await Effect.runPromise(response)).status)
 * ```
 *
 * ```text
 * 404
 * ```
 */
export const errorResponse: (error: ClientError) => Response = responseTo as (error: ClientError) => Response
