// What programs in the page import in place of some modules: a service in the page, and a transport that reaches it.
import * as CatalogBrowser from "@catalog-client/browser"
import {
  CatalogClient,
  type CatalogClientOptions,
  Credentials,
  type CredentialValues,
  ServiceProfile,
  Transport
} from "@catalog-client/core"
import type { EmbeddedCatalogOptions } from "@catalog-client/core/testing"
import * as Testing from "@catalog-client/core/testing"
import type * as CatalogNode from "@catalog-client/node"
import type * as NodeTesting from "@catalog-client/node/testing"
import { Fetch } from "@effect/platform/FetchHttpClient"
import type { HttpClient } from "@effect/platform/HttpClient"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Run } from "./program.js"

type ClientOptions = CatalogClientOptions & CredentialValues

type Fetching = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>

/** The credentials of programs for the real service, and the time of what they print. */
const live: EmbeddedCatalogOptions = {
  clientIds: ["my-client-id"],
  tokens: { "my-access-token": "sample_reader" },
  now: () => Date.UTC(2026, 2, 1)
}

/** Sends a request without a client, as curl does, and prints the body of the response. */
export const send = async (
  run: Run,
  method: string,
  url: string,
  form: ReadonlyArray<[name: string, value: string]>
): Promise<void> => {
  const body = form.length === 0 ? null : new URLSearchParams(form.map((field) => [...field]))
  const headers = { authorization: "Bearer my-access-token" }
  const response = await EmbeddedCatalog.fetch(live)(url, { method, headers, body })
  run.exchanged({ method, url, status: response.status })
  run.console.log(JSON.stringify(await response.json(), undefined, 2))
}

/** The stand-ins, by the module that they replace. */
export interface ReplacedModules {
  readonly "@catalog-client/browser": typeof CatalogBrowser
  readonly "@catalog-client/browser/testing": typeof Testing
  readonly "@catalog-client/core/testing": { readonly EmbeddedCatalog: typeof EmbeddedCatalog }
  readonly "@catalog-client/node": typeof CatalogNode
  readonly "@catalog-client/node/testing": typeof Testing & Pick<typeof NodeTesting, "serve">
  readonly effect: { readonly Console: typeof Console }
}

const { EmbeddedCatalog } = Testing

const transportOver = (fetch: () => Fetching): Layer.Layer<HttpClient> =>
  Layer.provide(Layer.fresh(Transport.layerFetch), Layer.sync(Fetch, fetch))

/** The modules for one run. Its services end with it, and no request leaves the page. */
export const modulesFor = ({ console, exchanged }: Run): ReplacedModules => {
  const toWebHandler: typeof EmbeddedCatalog.toWebHandler = (options) => {
    const { dispose, handler } = EmbeddedCatalog.toWebHandler(options)
    return {
      dispose,
      handler: async (request) => {
        const { method, url } = request
        try {
          const response = await handler(request)
          exchanged({ method, url, status: response.status })
          return response
        } catch (error) {
          exchanged({ method, url, status: undefined })
          throw error
        }
      }
    }
  }

  const fetchOf = (options?: EmbeddedCatalogOptions): Fetching => {
    const { handler } = toWebHandler(options)
    return (input, init) => handler(new Request(input, init))
  }

  const embedded = (options?: EmbeddedCatalogOptions) => transportOver(() => fetchOf(options))

  const embeddedClient = (options: EmbeddedCatalogOptions = {}, client: ClientOptions = {}) => {
    const { accessToken, clientId, ...settings } = { ...EmbeddedCatalog.credentials(options), ...client }
    const baseUrl = client.baseUrl ?? EmbeddedCatalog.profile(options).baseUrl
    const credentials = Credentials.layer({ accessToken, clientId })
    return Layer.provide(CatalogClient.layer({ ...settings, baseUrl }), [embedded(options), credentials])
  }

  /** The services by their origins. */
  const services = new Map<string, Fetching>()
  let nextPort = 49_152

  const reach: Fetching = async (input, init) => {
    const request = new Request(input, init)
    const { origin } = new URL(request.url)
    // A program for the real service calls an embedded one in its place.
    if (origin === new URL(ServiceProfile.default.baseUrl).origin && !services.has(origin)) {
      services.set(origin, fetchOf(live))
    }
    const service = services.get(origin)
    if (service === undefined) {
      throw new TypeError("fetch failed")
    }
    return service(request)
  }

  const serve = async (options: NodeTesting.ServeOptions = {}): Promise<NodeTesting.ServedCatalog> => {
    const { dispose, handler } = toWebHandler(options)
    const origin = `http://127.0.0.1:${options.port ?? nextPort++}`
    services.set(origin, (input, init) => handler(new Request(input, init)))
    const close = async () => {
      services.delete(origin)
      await dispose()
    }
    const profile = EmbeddedCatalog.profile(options, origin)
    return {
      url: profile.baseUrl,
      profile,
      ...EmbeddedCatalog.credentials(options),
      ...EmbeddedCatalog.oauthUrls(origin),
      close,
      [Symbol.asyncDispose]: close
    }
  }

  const layer = transportOver(() => reach)
  const layerClient = ({ accessToken, clientId, ...options }: ClientOptions = {}) =>
    Layer.provide(CatalogClient.layer(options), [layer, Credentials.layer({ accessToken, clientId })])
  const createCatalog: typeof CatalogBrowser.createCatalog = (options) =>
    CatalogBrowser.createCatalog(
      options?.transport === undefined ? { ...options, fetch: options?.fetch ?? reach, transport: undefined } : options
    )
  const client = { ...CatalogBrowser, createCatalog, layer, layerClient }
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
    "@catalog-client/browser/testing": testing,
    "@catalog-client/core/testing": testing,
    "@catalog-client/node": client,
    "@catalog-client/node/testing": { ...testing, serve },
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
