/**
 * The embedded service, a fake MyAnimeList for tests and demonstrations: it keeps lists, validates requests and responds in
 * the live service's own form, with the same errors and habits.
 *
 * Where the behavior of the live service is unknown, this one decides. It responds with 400 to a `limit` or `offset` out of
 * range (it does not clamp it), to an unknown word and to a body that is not a form. A list without `sort` is
 * ordered by id. An entry that is written without a status is planned, or begun if it has progress. A sub-selection
 * adds to the default members of a list status, and narrows plain records such as `alternative_titles{en}`;
 * `authors{first_name}` selects within the author, as `authors{node{first_name}}` does. An entry that is completed and
 * being rewatched is in the list of `watching` and not in that of `completed`; one that is on hold, dropped or planned is in
 * both. A PUT of a list entry is a PATCH. A body of more than 1 MiB is refused with 413.
 *
 * Users sign in at `/v1/oauth2/authorize` and `/v1/oauth2/token` of any origin (the `oauth` option).
 *
 * @since 0.2.0
 */
import { CatalogClient, type CatalogConfig, Credentials, ServiceProfile } from "@catalog-client/core"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { knownTo, makeApp } from "./internal/service/app.js"
import { authorizePath, tokenPath } from "./internal/service/oauth.js"
import * as Platform from "./internal/platform.js"
import type { ConnectionDropped } from "./internal/service/response.js"
import { checkService } from "./internal/service/serviceOptions.js"
import { respond } from "./internal/service/web.js"
import type { EmbeddedCatalogOptions } from "./Options.js"

export { ConnectionDropped } from "./internal/service/response.js"

/**
 * The service as a transport. It has no socket, and takes the time from the fiber's `Clock`, so that `TestClock` controls
 * latency and delays. Each build of the Layer is a separate service, with the lists of the data set.
 *
 * It responds for the live service's host, for this machine, for reserved names (such as `.test` and `.example`), and for the
 * hosts in the `hosts` option. A request to any other host fails with an `HttpClientError`, and so does a connection that
 * drops.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials } from "@catalog-client/core"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Console, Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const { mean, title } = yield* Catalog.anime.get({ id: 30230 }, { fields: ["mean"] })
 *   yield* Console.log(title, mean)
 * })
 *
 * await Effect.runPromise(Effect.provide(program, [EmbeddedCatalog.layer(), Credentials.layerNone]))
 * ```
 *
 * ```text
 * Diamond no Ace: Second Season 8.3
 * ```
 */
export const layer = (options: EmbeddedCatalogOptions = {}): Layer.Layer<HttpClient.HttpClient> =>
  Layer.sync(HttpClient.HttpClient, () => Platform.httpClient(makeApp(options), options.hosts))

/**
 * A client of the service, for a test or a demonstration: it does not replace the program's own `HttpClient`. By default
 * it has the first access token and client ID that the service knows.
 *
 * @example
 * ```ts
 * import { CatalogClient } from "@catalog-client/core"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Console, Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const { user } = yield* CatalogClient
 *   const { name } = yield* user.me()
 *   const entries = yield* user.animeList.collect({ username: "@me" }, { max: 10 })
 *   yield* Console.log(name, entries.length)
 * })
 *
 * await Effect.runPromise(Effect.provide(program, EmbeddedCatalog.layerClient()))
 * ```
 *
 * ```text
 * sample_reader 10
 * ```
 */
export const layerClient = (
  options: EmbeddedCatalogOptions = {},
  client: CatalogConfig.Options & Credentials.Options = {}
): Layer.Layer<CatalogClient> =>
  Layer.suspend(() => {
    const { accessToken, clientId, ...settings } = { ...credentials(options), ...client }
    return CatalogClient.layer({
      ...settings,
      baseUrl: client.baseUrl ?? profile(options).baseUrl
    }).pipe(Layer.provide([layer(options), Credentials.layer({ accessToken, clientId })]))
  })

/**
 * The service as a function from a web `Request` to a promise of its `Response`, for anything that takes a `fetch`.
 *
 * As with `fetch`, the promise rejects with a `TypeError` when the connection drops before the headers, and with the
 * signal's reason when the request's signal aborts. `dispose` ends requests in flight. In Cloudflare Workers it can be
 * made only in a handler, not while a module is loaded.
 *
 * @example
 * ```ts
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 *
 * const { dispose, handler } = EmbeddedCatalog.toWebHandler()
 * const { baseUrl } = EmbeddedCatalog.profile()
 * const response = await handler(new Request(`${baseUrl}/anime/30230`))
 * const { title } = await response.json()
 * console.log(title)
 * await dispose()
 * ```
 *
 * ```text
 * Diamond no Ace: Second Season
 * ```
 */
export const toWebHandler = (
  options: EmbeddedCatalogOptions = {}
): {
  readonly handler: (request: Request) => Promise<Response>
  readonly dispose: () => Promise<void>
} => {
  const app = makeApp(options)
  // One controller for each request: a signal that depends on one of the service would stay in memory as long as the service.
  const open = new Set<AbortController>()
  let disposed: DOMException | undefined
  return {
    handler: async (request) => {
      if (disposed !== undefined) {
        throw disposed
      }
      request.signal.throwIfAborted()
      const exchange = new AbortController()
      const abort = () => exchange.abort(request.signal.reason)
      request.signal.addEventListener("abort", abort)
      open.add(exchange)
      const ended = Effect.sync(() => {
        request.signal.removeEventListener("abort", abort)
        open.delete(exchange)
      })
      const { signal } = exchange
      const exit = await Effect.runPromiseExit(respond(app, request, signal, ended), { signal })
      if (Exit.isSuccess(exit)) {
        return exit.value
      }
      if (signal.aborted) {
        throw signal.reason
      }
      const dropped = Option.getOrUndefined(Cause.failureOption(exit.cause))
      throw dropped === undefined ? Cause.squash(exit.cause) : new TypeError("fetch failed", { cause: dropped })
    },
    dispose: async () => {
      disposed ??= new DOMException("The embedded service was disposed", "AbortError")
      for (const exchange of open) {
        exchange.abort(disposed)
      }
    }
  }
}

/**
 * The service as a `fetch`, for anything that takes one. To end the requests in flight, use
 * {@link toWebHandler}.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials, Transport } from "@catalog-client/core"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { FetchHttpClient } from "@effect/platform"
 * import { Effect, Layer } from "effect"
 *
 * const Test = Layer.provide(
 *   Layer.fresh(Transport.layerFetch),
 *   Layer.succeed(FetchHttpClient.Fetch, EmbeddedCatalog.fetch())
 * )
 * const me = Effect.provide(Catalog.user.me(), [Test, Credentials.layer(EmbeddedCatalog.credentials())])
 *
 * console.log((await Effect.runPromise(me)).name)
 * ```
 *
 * ```text
 * sample_reader
 * ```
 */
export const fetch = (
  options: EmbeddedCatalogOptions = {}
): ((input: string | URL | Request, init?: RequestInit) => Promise<Response>) => {
  if (options instanceof URL || options instanceof Request) {
    throw new TypeError("EmbeddedCatalog.fetch takes options and returns a fetch, so call it: EmbeddedCatalog.fetch()")
  }
  const { handler } = toWebHandler(options)
  // In an async function an invalid URL is a rejection, as with `fetch`.
  return async (input, init) => handler(new Request(input, init))
}

/**
 * The service as an app of `@effect/platform`, to run on a server. If the server must close the connection, the app
 * or the stream of its body fails with `ConnectionDropped`.
 *
 * @example
 * ```ts
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { HttpServer } from "@effect/platform"
 * import { Effect, Layer } from "effect"
 *
 * export const served = Layer.unwrapScoped(
 *   Effect.map(EmbeddedCatalog.httpApp(), (app) => HttpServer.serve(Effect.orDie(app)))
 * )
 * ```
 */
export const httpApp = (
  options: EmbeddedCatalogOptions = {}
): Effect.Effect<
  Effect.Effect<HttpServerResponse.HttpServerResponse, ConnectionDropped, HttpServerRequest.HttpServerRequest>
> => Effect.sync(() => Platform.httpApp(makeApp(options)))

/**
 * A client ID and an access token that a service with these options knows: the first of each, or `undefined` if
 * `clientIds` or `tokens` is empty.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials } from "@catalog-client/core"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Effect, Layer } from "effect"
 *
 * const Test = Layer.merge(EmbeddedCatalog.layer(), Credentials.layer(EmbeddedCatalog.credentials()))
 *
 * console.log((await Effect.runPromise(Effect.provide(Catalog.user.me(), Test))).name)
 * ```
 *
 * ```text
 * sample_reader
 * ```
 */
export const credentials = (
  options: Pick<EmbeddedCatalogOptions, "clientIds" | "dataset" | "oauth" | "tokens"> = {}
): { readonly clientId: string | undefined; readonly accessToken: string | undefined } => {
  checkService(options)
  const { clientIds, tokens } = knownTo(options)
  return { clientId: clientIds[0], accessToken: Object.keys(tokens)[0] }
}

/**
 * The URLs of the sign-in, for a service without a port. Any origin works.
 *
 * @example
 * ```ts
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 *
 * const { handler } = EmbeddedCatalog.toWebHandler()
 * const { authorizeUrl } = EmbeddedCatalog.oauthUrls()
 * const query = new URLSearchParams({
 *   response_type: "code",
 *   client_id: "embedded-client",
 *   state: "my-state",
 *   code_challenge: "0123456789012345678901234567890123456789012"
 * })
 * const response = await handler(new Request(`${authorizeUrl}?${query}`))
 * const { origin, pathname, searchParams } = new URL(response.headers.get("location") ?? "")
 * console.log(origin + pathname, searchParams.has("code"), searchParams.get("state"))
 * ```
 *
 * ```text
 * http://localhost:8080/callback true my-state
 * ```
 */
export const oauthUrls = (
  origin = "http://catalog.test"
): { readonly authorizeUrl: string; readonly tokenUrl: string } => ({
  authorizeUrl: `${origin}${authorizePath}`,
  tokenUrl: `${origin}${tokenPath}`
})

/**
 * The profile of a service with these options, for the `profile` option. Any origin
 * works for a service without a port; `serve` returns the one for its port.
 *
 * @example
 * ```ts
 * import { Catalog, CatalogConfig } from "@catalog-client/core"
 * import { OAuthSession, TokenStore } from "@catalog-client/oauth"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Effect, Layer } from "effect"
 *
 * const Session = OAuthSession.layer({
 *   clientId: "embedded-client",
 *   redirectUri: "http://localhost:8080/callback"
 * }).pipe(
 *   Layer.provide([CatalogConfig.layer({ profile: EmbeddedCatalog.profile() }), TokenStore.layerMemory]),
 *   Layer.provideMerge(EmbeddedCatalog.layer())
 * )
 * const anime = Effect.provide(Catalog.anime.get({ id: 30230 }), Session)
 *
 * console.log((await Effect.runPromise(anime)).title)
 * ```
 *
 * ```text
 * Diamond no Ace: Second Season
 * ```
 */
export const profile = (
  options: Pick<EmbeddedCatalogOptions, "basePath" | "quirks"> = {},
  origin = "https://catalog.test"
): ServiceProfile => {
  checkService(options)
  const { basePath = "/v2", quirks } = options
  return {
    ...ServiceProfile.default,
    baseUrl: origin + basePath.replace(/\/+$/, ""),
    oauth: {
      ...ServiceProfile.default.oauth,
      ...oauthUrls(origin),
      ...(quirks?.issuer !== undefined && { issuer: quirks.issuer })
    }
  }
}
