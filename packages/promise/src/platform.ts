/**
 * What differs between platforms, and the options that every one of them takes.
 */
import * as Layer from "effect/Layer"
import { show } from "#core/internal/common/mistakes.js"
import { hasMethod } from "#core/internal/common/values.js"
import { checkNames, checkObject, type Known } from "#core/internal/common/options.js"
import { overFetch } from "#core/platform/fetch.js"
import { HttpClient } from "#core/platform/httpClient.js"
import type { CatalogOptions } from "./CatalogOptions.js"
import { logging } from "./internal/log.js"
import { type Meter, MeterTag, type Tracer as ProgramTracer, tracerOver } from "./telemetry.js"

/** What a platform sends with. */
export interface Platform {
  /** Its transport, unless the options have one. Throws a `TypeError` if they are invalid. */
  readonly transport: (options: TransportOptions, where: string) => Layer.Layer<HttpClient>
}

/** How requests are sent, instead of the platform's own way, and where spans and metrics go. */
export interface TransportOptions {
  /**
   * A function like the web's `fetch`, called with a URL and a `RequestInit`; or `"global"` for the global `fetch`, as it is at
   * each call, for example replaced by a mock.
   */
  readonly fetch?: "global" | ((input: URL, init: RequestInit) => Promise<Response>) | undefined
  /**
   * On Node: a dispatcher of undici 7, for proxies, client certificates, a pool of the program or mocks. It is not closed
   * with the catalog.
   */
  readonly dispatcher?: Dispatcher | undefined
  /**
   * A tracer of `@opentelemetry/api`, for example `trace.getTracer("my-program")`: each call is a span, with one for each of
   * its requests; each request for tokens is one, too. Trace headers are sent only with `tracePropagation`.
   */
  readonly tracer?: ProgramTracer | undefined
  /** A meter of `@opentelemetry/api`, for example `metrics.getMeter("my-program")`. Requests for tokens are not counted. */
  readonly meter?: Meter | undefined
}

/** A dispatcher of undici, by its shape. */
export interface Dispatcher {
  dispatch(options: never, handler: never): boolean
}

/** `globalThis.fetch` is read on each call, because a page can replace it. */
const platformFetch = (input: URL, init: RequestInit): Promise<Response> => globalThis.fetch(input, init)

/** The transport over a program's `fetch`. */
export const layerFetch = (given: NonNullable<TransportOptions["fetch"]>, where: string): Layer.Layer<HttpClient> => {
  const fetch = given === "global" ? platformFetch : given
  if (typeof fetch !== "function") {
    throw new TypeError(
      `${where}: fetch must be a function like the web's fetch, or "global", but it is ${show(fetch)}`
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

/** The same for what returns a promise. */
export const needsLater =
  (...missing: Parameters<typeof needs>): (() => Promise<never>) =>
  async () =>
    needs(...missing)()

const member = (value: unknown, name: string, method: string, where: string): void => {
  if (!hasMethod(value, method)) {
    throw new TypeError(
      `${where}: ${name} must be a ${name} of @opentelemetry/api, with the method ${method}, but it is ${show(value)}`
    )
  }
}

const telemetryOf = ({ meter, tracer }: TransportOptions, where: string): Layer.Layer<never> => {
  if (tracer !== undefined) {
    member(tracer, "tracer", "startSpan", where)
  }
  if (meter !== undefined) {
    member(meter, "meter", "createCounter", where)
  }
  return Layer.merge(
    tracer === undefined ? Layer.empty : Layer.setTracer(tracerOver(tracer)),
    meter === undefined ? Layer.empty : Layer.succeed(MeterTag, meter)
  )
}

/** The names of {@link TransportOptions}. */
export const transportNames: Known<TransportOptions> = { fetch: 1, dispatcher: 1, tracer: 1, meter: 1 }

/** What sends the requests of a catalog or a session, with its loggers, its tracer and its meter. `where` names what takes the options. */
export const transportOf = (
  platform: Platform,
  options: TransportOptions & Pick<CatalogOptions, "logger" | "logLevel">,
  where: string
): Layer.Layer<HttpClient> =>
  Layer.provideMerge(
    logging(options, where),
    Layer.provideMerge(platform.transport(options, where), telemetryOf(options, where))
  )

/** Checks the names of options. */
export const checkOptions = <O extends TransportOptions>(where: string, options: O, names: Known<O>): void => {
  checkObject(where, options)
  if ("transport" in options && options.transport !== undefined) {
    throw new TypeError(
      `${where}: transport is for programs with Effect, which use @catalog-client/core: pass fetch, or on Node a dispatcher`
    )
  }
  checkNames(where, options, names)
}
