/**
 * The catalog client in a browser: a transport, promises over it, and all of `@catalog-client/core`.
 *
 * The live service has no CORS: a page reaches it through a proxy, whose address is `baseUrl`.
 *
 * @since 0.2.0
 */
import {
  CatalogClient,
  type CatalogClientOptions,
  type CatalogOptions,
  Credentials,
  type CredentialValues,
  createCatalog as createCatalogOver,
  type FieldsDefault,
  type PromiseCatalog,
  Transport,
  type TransportOptions
} from "@catalog-client/core"
import type { HttpClient } from "@effect/platform/HttpClient"
import * as Layer from "effect/Layer"

export * from "@catalog-client/core"

/**
 * The transport in a browser: `fetch`, without following redirects.
 *
 * @example
 * ```ts
 * import { Catalog, CatalogConfig, Credentials } from "@catalog-client/core"
 * import * as CatalogBrowser from "@catalog-client/browser"
 * import { Effect } from "effect"
 *
 * export const boards = Catalog.forum
 *   .boards()
 *   .pipe(
 *     Effect.provide([
 *       CatalogBrowser.layer,
 *       CatalogConfig.layer({ baseUrl: "https://my-proxy.example/catalog" }),
 *       Credentials.none
 *     ])
 *   )
 * ```
 */
export const layer: Layer.Layer<HttpClient> = /*#__PURE__*/ (() => Transport.layerFetch)()

/** Looked up on each call, because a page can replace it. */
const pageFetch = (input: URL, init: RequestInit): Promise<Response> => globalThis.fetch(input, init)

type BaseUrl = CatalogOptions["baseUrl"]

/**
 * A page that is rendered on a server creates its catalog there and calls it later, in the browser: a path is resolved only
 * then.
 */
const late = (baseUrl: BaseUrl): BaseUrl =>
  typeof baseUrl === "string" && /^\/(?![/\\])/.test(baseUrl) && globalThis.location === undefined
    ? () => baseUrl
    : baseUrl

/**
 * A client as a value, with the transport of this package built in. The transport stays private: the program does not see
 * {@link layer}. Without credentials, public reads are sent as they are.
 *
 * @example
 * ```ts
 * import { CatalogClient } from "@catalog-client/core"
 * import * as CatalogBrowser from "@catalog-client/browser"
 * import { Effect } from "effect"
 *
 * export const title = Effect.gen(function* () {
 *   const { anime } = yield* CatalogClient
 *   return (yield* anime.get({ id: 30230 })).title
 * }).pipe(Effect.provide(CatalogBrowser.layerClient({ baseUrl: "https://my-proxy.example/catalog" })))
 * ```
 */
export const layerClient = ({
  accessToken,
  clientId,
  ...options
}: CatalogClientOptions & CredentialValues = {}): Layer.Layer<CatalogClient> =>
  CatalogClient.layer(options).pipe(Layer.provide([layer, Credentials.layer({ accessToken, clientId })]))

/**
 * Makes a catalog of promises. It sends with the page's `fetch`, as {@link layer} does, unless `transport` or another
 * `fetch` is set. A `baseUrl` that begins with one slash is relative to the page's origin. When there is no page yet, as in
 * server-side rendering, it is resolved by the first call.
 *
 * Throws a `TypeError` that names an invalid option, for example a malformed base URL or a negative timeout.
 *
 * @example
 * ```ts
 * import { createCatalog } from "@catalog-client/browser"
 *
 * const catalog = createCatalog({ baseUrl: "https://my-proxy.example/catalog" })
 *
 * export const titles = async (q: string) => {
 *   const page = await catalog.anime.search({ q }, { fields: ["main_picture"] })
 *   return page.data.map((entry) => entry.node.title)
 * }
 * ```
 */
export const createCatalog = <const D extends FieldsDefault | undefined = never>(
  options?: CatalogOptions<D> & TransportOptions
): PromiseCatalog<D> => {
  const baseUrl = late(options?.baseUrl)
  return createCatalogOver(
    options?.transport === undefined
      ? {
          ...options,
          baseUrl,
          fetch: options?.fetch ?? pageFetch,
          transport: undefined
        }
      : { ...options, baseUrl, transport: options.transport }
  )
}
