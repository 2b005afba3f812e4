/**
 * The catalog client on Node: a transport, and all of `@catalog-client/core`.
 *
 * @since 0.2.0
 */
import { CatalogClient, type CatalogConfig, Credentials } from "@catalog-client/core"
import type { HttpClient } from "@effect/platform/HttpClient"
import type { Effect } from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import * as Transport from "#transport"
import type { DispatcherLike } from "./undiciTransport.js"

export * from "@catalog-client/core"
export type * from "@catalog-client/core/models"

/**
 * The transport on Node and Deno: undici, with its own keep-alive agent, which is closed with the Layer's scope. It decodes
 * gzip, deflate and br. On Bun it is Bun's `fetch`. It sends `User-Agent: catalog-client/<version>` unless the option
 * `headers` has another. It is an `HttpClient` for other requests too.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials } from "@catalog-client/core"
 * import * as CatalogNode from "@catalog-client/node"
 * import { Effect } from "effect"
 *
 * const program = Effect.forEach([1, 30230], (id) => Catalog.anime.get({ id }))
 *
 * // Around the whole program, so that its calls share the connections.
 * export const main = Effect.provide(program, [CatalogNode.layer, Credentials.layer({ clientId: "my-client-id" })])
 * ```
 */
export const layer: Layer.Layer<HttpClient> = Transport.layer

/**
 * The same transport over an undici 7 dispatcher or later, or an Effect of one, which can close it with the Layer: for
 * proxies, client certificates, a pool of the program, or mocks. The dispatcher's own timeouts apply too.
 * On Bun it is a defect.
 *
 * @example
 * ```ts
 * import * as CatalogNode from "@catalog-client/node"
 * import { Effect } from "effect"
 *
 * // For example `() => new EnvHttpProxyAgent()` of undici.
 * export const proxied = (makeAgent: () => { dispatch(options: never, handler: never): boolean }) =>
 *   CatalogNode.layerDispatcher(Effect.sync(makeAgent))
 * ```
 */
export const layerDispatcher: <E = never, R = never>(
  given: DispatcherLike | Effect<DispatcherLike, E, R>
) => Layer.Layer<HttpClient, E, Exclude<R, Scope>> = Transport.layerDispatcher

/**
 * A Layer of `CatalogClient` with this package's transport built in.
 *
 * @example
 * ```ts
 * import { CatalogClient } from "@catalog-client/core"
 * import * as CatalogNode from "@catalog-client/node"
 * import { Effect } from "effect"
 *
 * export const anime = Effect.flatMap(CatalogClient, ({ anime }) => anime.get({ id: 30230 })).pipe(
 *   Effect.provide(CatalogNode.layerClient({ clientId: "my-client-id" }))
 * )
 * ```
 */
export const layerClient = (options: CatalogConfig.Options & Credentials.Options = {}): Layer.Layer<CatalogClient> => {
  const { accessToken, clientId, ...settings } = options
  return CatalogClient.layer(settings).pipe(Layer.provide([layer, Credentials.layer({ accessToken, clientId })]))
}
