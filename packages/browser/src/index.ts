/**
 * The catalog client in a browser: a transport, and all of `@catalog-client/core`.
 *
 * The live service sends no CORS headers: a page reaches it through a proxy, whose address is `baseUrl`.
 *
 * @since 0.2.0
 */
import { CatalogClient, type CatalogConfig, Credentials } from "@catalog-client/core"
import { layerFetch } from "@catalog-client/core/Transport"
import type { HttpClient } from "@effect/platform/HttpClient"
import * as Layer from "effect/Layer"

export * from "@catalog-client/core"
export type * from "@catalog-client/core/models"

/**
 * The transport in a browser: `fetch`, without following redirects.
 *
 * @example
 * ```ts
 * import { Catalog, CatalogConfig, Credentials } from "@catalog-client/core"
 * import * as CatalogBrowser from "@catalog-client/browser"
 * import { Effect } from "effect"
 *
 * const program = Effect.forEach([1, 30230], (id) => Catalog.anime.get({ id }))
 *
 * // Around the whole program, so that each Layer is built once.
 * export const main = Effect.provide(program, [
 *   CatalogBrowser.layer,
 *   CatalogConfig.layer({ baseUrl: "https://my-proxy.example/catalog" }),
 *   Credentials.layerNone
 * ])
 * ```
 */
export const layer: Layer.Layer<HttpClient> = layerFetch

/**
 * A Layer of `CatalogClient` with this package's transport built in. The transport stays private: the program does not see
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
export const layerClient = (options: CatalogConfig.Options & Credentials.Options = {}): Layer.Layer<CatalogClient> => {
  const { accessToken, clientId, ...settings } = options
  return CatalogClient.layer(settings).pipe(Layer.provide([layer, Credentials.layer({ accessToken, clientId })]))
}
