/**
 * What differs between platforms, and the options that every one of them takes.
 */
import * as Layer from "effect/Layer"
import { show } from "#core/internal/common/mistakes.js"
import { hasMethod } from "#core/internal/common/values.js"
import { checkNames, checkObject, type NamesOf } from "#core/internal/common/options.js"
import { overFetch } from "#core/platform/fetchClient.js"
import { HttpClient } from "#core/platform/httpClient.js"
import type { Listener } from "#core/internal/declaration/listener.js"
import { ListenerTag } from "#core/internal/telemetry/observe.js"
import type { CatalogOptions } from "./CatalogOptions.js"
import { logging } from "./internal/log.js"
import type { Telemetry } from "./telemetry.js"

/** What a platform sends with. */
export interface Platform {
  /** Its transport, unless the options have one. Throws a `TypeError` if they are invalid. */
  readonly transport: (options: TransportOptions, calledAs: string) => Layer.Layer<HttpClient>
}

/** How requests are sent, instead of the platform's own way, and what records spans and metrics. */
export interface TransportOptions {
  /**
   * A function like the web's `fetch`, called with a URL and a `RequestInit`; or `"global"` for the global `fetch`, as it is at
   * each call, for example replaced by a mock.
   */
  readonly fetch?: "global" | ((input: URL, init: RequestInit) => Promise<Response>) | undefined
  /**
   * On Node: an undici 7 dispatcher, for proxies, client certificates, a pool of the program or mocks. It is not closed
   * with the catalog.
   */
  readonly dispatcher?: Dispatcher | undefined
  /** What records spans and metrics: `telemetry({ tracer, meter })` of `catalog-client/telemetry`. */
  readonly telemetry?: Telemetry | undefined
}

/** An undici dispatcher, by its shape. */
export interface Dispatcher {
  dispatch(options: never, handler: never): boolean
}

/** `globalThis.fetch` is read on each call, because a page can replace it. */
const platformFetch = (input: URL, init: RequestInit): Promise<Response> => globalThis.fetch(input, init)

/** The transport over a program's `fetch`. */
export const layerFetch = (
  given: NonNullable<TransportOptions["fetch"]>,
  calledAs: string
): Layer.Layer<HttpClient> => {
  const fetch = given === "global" ? platformFetch : given
  if (typeof fetch !== "function") {
    throw new TypeError(
      `${calledAs}: fetch must be a function like the web's fetch, or "global", but it is ${show(fetch)}`
    )
  }
  return Layer.succeed(HttpClient, overFetch(fetch))
}

/** Throws for a function that only another platform has, so that all platforms have the same types. */
export const needs =
  (platform: string, name: string, instead: string): (() => never) =>
  () => {
    throw new TypeError(`${name} needs ${platform}: ${instead}`)
  }

/** {@link needs}, for a function that returns a promise: it rejects. */
export const needsLater =
  (...missing: Parameters<typeof needs>): (() => Promise<never>) =>
  async () =>
    needs(...missing)()

const telemetryOf = ({ telemetry }: TransportOptions, calledAs: string): Layer.Layer<never> => {
  if (telemetry === undefined) {
    return Layer.empty
  }
  if (!hasMethod(telemetry, "around")) {
    throw new TypeError(
      `${calledAs}: telemetry must be what telemetry of "catalog-client/telemetry" returns, but it is ${show(telemetry)}`
    )
  }
  return Layer.succeed(ListenerTag, telemetry as unknown as Listener)
}

/** The names of {@link TransportOptions}. */
export const transportNames: NamesOf<TransportOptions> = { fetch: 1, dispatcher: 1, telemetry: 1 }

/**
 * What sends the requests of a catalog or a session, with its loggers and its telemetry. `calledAs` names what takes the
 * options.
 */
export const transportOf = (
  platform: Platform,
  options: TransportOptions & Pick<CatalogOptions, "logger" | "logLevel">,
  calledAs: string
): Layer.Layer<HttpClient> =>
  Layer.provideMerge(
    logging(options, calledAs),
    Layer.provideMerge(platform.transport(options, calledAs), telemetryOf(options, calledAs))
  )

/** Checks the names of options. */
export const checkOptions = <O extends TransportOptions>(calledAs: string, options: O, names: NamesOf<O>): void => {
  checkObject(calledAs, options)
  const { meter, tracer, transport } = options as O & { readonly [Name in "meter" | "tracer" | "transport"]?: unknown }
  if (transport !== undefined) {
    throw new TypeError(
      `${calledAs}: transport is for programs with Effect, which use @catalog-client/core: pass fetch, or on Node a dispatcher`
    )
  }
  if ((meter ?? tracer) !== undefined) {
    throw new TypeError(
      `${calledAs}: pass telemetry: telemetry({ tracer, meter }), after import { telemetry } from "catalog-client/telemetry"`
    )
  }
  checkNames(calledAs, options, names)
}
