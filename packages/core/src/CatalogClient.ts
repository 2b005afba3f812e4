/**
 * A client as a value: the operations over one transport and one set of credentials, as an Effect service.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Catalog } from "./Catalog.js"
import type { CatalogConfigOptions, TakenElsewhere } from "./internal/settings/settings.js"
import type { Credentials } from "./Credentials.js"
import type { CheckedDefault, ClientFace, FieldsDefault } from "./Face.js"
import { makeClient } from "./internal/client/makeClient.js"
import { makeMock } from "./internal/client/mock.js"
import type { CatalogClientService, CatalogClientStubs } from "./internal/client/service.js"
import type * as Client from "./platform/httpClient.js"

// TypeScript writes these names into declarations of programs. In code, they are members of the class: `CatalogClient.Service`.
export type { CatalogClientService, CatalogClientStubs } from "./internal/client/service.js"
export type { ClientFace } from "./Face.js"

type Services = Client.HttpClient | Credentials

/**
 * All operations as one service that needs nothing else: application services depend on it, and tests replace it.
 *
 * A client takes `HttpClient` and `Credentials` when it is built, and keeps them. So it always acts for the user it was built
 * for. For another user, `client.withCredentials(credentials)` returns a {@link CatalogClient.Service} with theirs.
 *
 * Settings that are provided to a call override the client's, and so does a policy of the same stage. Hooks are called after
 * the client's.
 *
 * @example
 * ```ts
 * import { CatalogClient, Credentials } from "@catalog-client/core"
 * import { FetchHttpClient } from "@effect/platform"
 * import { Effect, Layer } from "effect"
 *
 * class Shelf extends Effect.Service<Shelf>()("app/Shelf", {
 *   effect: Effect.gen(function* () {
 *     const { anime } = yield* CatalogClient
 *     return { titleOf: (id: number) => Effect.map(anime.get({ id }), ({ title }) => title) }
 *   })
 * }) {}
 *
 * export const Live = Shelf.Default.pipe(
 *   Layer.provide(CatalogClient.layer({ timeout: 5_000 })),
 *   Layer.provide([FetchHttpClient.layer, Credentials.layer({ clientId: "my-client-id" })])
 * )
 *
 * // A test needs only the operation that is called.
 * export const Test = Shelf.Default.pipe(
 *   Layer.provide(CatalogClient.layerMock({ anime: { get: ({ id }) => Effect.succeed({ id, title: "One" }) } }))
 * )
 * ```
 */
export class CatalogClient extends Context.Tag("@catalog-client/core/CatalogClient")<
  CatalogClient,
  CatalogClientService
>() {
  /**
   * Makes a client with the `HttpClient`, the `Credentials`, the configuration and the policies of the context; `fields` is
   * a default selector. An invalid option is a defect.
   */
  static make<const D extends FieldsDefault | undefined = never>(
    options: CatalogConfigOptions & { readonly fields?: CheckedDefault<D> | undefined } = {}
  ): Effect.Effect<CatalogClientService<D>, never, Client.HttpClient | Credentials> {
    return Effect.map(Effect.context<Services>(), (context) => makeClient(Catalog, context, options))
  }

  /**
   * A Layer of a client with the context's services, as in `make`. `CatalogConfig.layerConfig` provides options from Effect's
   * `Config`.
   */
  static layer(
    options?: CatalogConfigOptions & TakenElsewhere
  ): Layer.Layer<CatalogClient, never, Client.HttpClient | Credentials>
  static layer(options: CatalogConfigOptions = {}): Layer.Layer<CatalogClient, never, Client.HttpClient | Credentials> {
    return Layer.effect(CatalogClient, CatalogClient.make(options))
  }

  /**
   * A Layer of a client for tests, with only these operations. Calling any other operation is a defect that names it.
   *
   * `pages`, `items` and `collect` call the stub of their operation for each page, with `limit` and `offset` as inputs,
   * and follow the links of its pages. A stub can have them as members: `Object.assign(stub, { items })`. Policies and hooks
   * do not apply.
   *
   * @example
   * ```ts
   * import { CatalogClient } from "@catalog-client/core"
   * import { Effect } from "effect"
   *
   * export const Test = CatalogClient.layerMock({ forum: { boards: () => Effect.succeed({ categories: [] }) } })
   * ```
   */
  static layerMock(stubs: CatalogClientStubs): Layer.Layer<CatalogClient> {
    return Layer.sync(CatalogClient, () => makeMock(Catalog, stubs))
  }
}

export declare namespace CatalogClient {
  export { type CatalogClientService as Service, type CatalogClientStubs as Stubs, type ClientFace as Face }
}
