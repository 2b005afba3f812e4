// What programs of the site with Effect import in place of some modules: a service in the page, and a transport that reaches it.
import * as CatalogBrowser from "@catalog-client/browser"
import { CatalogClient, type CatalogConfig, Credentials, ServiceProfile, Transport } from "@catalog-client/core"
import type { EmbeddedCatalogOptions } from "@catalog-client/testing"
import * as Testing from "@catalog-client/testing"
import type * as CatalogNode from "@catalog-client/node"
import type * as NodeTesting from "@catalog-client/testing/node"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Fetch } from "effect/http/FetchHttpClient"
import type { HttpClient } from "effect/http/HttpClient"
import type { Run } from "../../site/run/program.js"
import { type Fetching, live, servicesFor } from "../../site/run/services.js"

type ClientOptions = CatalogConfig.Options & Credentials.Options

/** The counterparts, by the module that they replace. */
export interface ReplacedModules {
  readonly "@catalog-client/browser": typeof CatalogBrowser
  readonly "@catalog-client/testing": { readonly EmbeddedCatalog: typeof EmbeddedCatalog }
  readonly "@catalog-client/node": typeof CatalogNode
  readonly "@catalog-client/testing/node": typeof Testing & { readonly EmbeddedServer: object }
  readonly effect: { readonly Console: typeof Console }
}

const { EmbeddedCatalog } = Testing

const transportOver = (fetch: () => Fetching): Layer.Layer<HttpClient> =>
  Layer.provide(Layer.fresh(Transport.layerFetch), Layer.sync(Fetch, fetch))

/** The modules for one run. */
export const modulesFor = (run: Run): ReplacedModules => {
  const { console } = run
  const { fetchOf, reach, serve, toWebHandler } = servicesFor(EmbeddedCatalog, run, {
    baseUrl: ServiceProfile.default.baseUrl,
    options: live
  })

  const embedded = (options?: EmbeddedCatalogOptions) => transportOver(() => fetchOf(options))

  const embeddedClient = (options: EmbeddedCatalogOptions = {}, client: ClientOptions = {}) => {
    const { accessToken, clientId, ...settings } = { ...EmbeddedCatalog.credentials(options), ...client }
    const baseUrl = client.baseUrl ?? EmbeddedCatalog.profile(options).baseUrl
    const credentials = Credentials.layer({ accessToken, clientId })
    return Layer.provide(CatalogClient.layer({ ...settings, baseUrl }), [embedded(options), credentials])
  }

  const layer = transportOver(() => reach)
  const layerClient = ({ accessToken, clientId, ...options }: ClientOptions = {}) =>
    Layer.provide(CatalogClient.layer(options), [layer, Credentials.layer({ accessToken, clientId })])
  const client = { ...CatalogBrowser, layer, layerClient }

  class EmbeddedServer extends Context.Service<EmbeddedServer, NodeTesting.Served>()(
    "@catalog-client/testing/EmbeddedServer"
  ) {
    static make(options?: NodeTesting.ServeOptions) {
      return Effect.acquireRelease(
        Effect.promise(() => serve(options)),
        ({ close }) => Effect.promise(close)
      )
    }

    static layer(options?: NodeTesting.ServeOptions) {
      return Layer.effect(EmbeddedServer, EmbeddedServer.make(options))
    }
  }

  const testing = {
    ...Testing,
    EmbeddedCatalog: {
      ...EmbeddedCatalog,
      toWebHandler,
      fetch: fetchOf,
      layer: embedded,
      layerClient: embeddedClient
    }
  }

  const printing =
    (level: keyof Run["console"]) =>
    (...values: ReadonlyArray<unknown>) =>
      Effect.sync(() => console[level](...values))

  return {
    "@catalog-client/browser": client,
    "@catalog-client/testing": testing,
    "@catalog-client/node": {
      ...client,
      layerDispatcher: (): never => {
        throw new TypeError("CatalogNode.layerDispatcher is for Node, and this program runs in a page")
      }
    },
    "@catalog-client/testing/node": { ...testing, EmbeddedServer },
    effect: {
      Console: {
        ...Console,
        log: printing("log"),
        info: printing("info"),
        debug: printing("debug"),
        dir: printing("dir"),
        table: printing("table"),
        warn: printing("warn"),
        error: printing("error")
      }
    }
  }
}
