/**
 * How requests are sent: an `HttpClient` with a fast path for whole exchanges. `Transport.ts` exports the public part.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type { HttpClient } from "./httpClient.js"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Client from "./httpClient.js"

/** A request as it goes on the wire. */
export interface TransportRequest {
  /** `POST` is for tokens; operations that a program declares itself can have any of them. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Absolute and encoded, without a fragment. */
  readonly url: string
  /** Lower-case names. Includes credentials. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/**
 * What a transport reports about a response. After `onEnd`, `onError` or a cancellation, further reports are ignored.
 */
export interface Receiver {
  /**
   * Takes the status of the response itself, not one of 100 to 199, a function that reads a header by its name in lower
   * case, and one that lists these names. Without the third, `withResponse` shows only the headers that the client knows.
   */
  readonly onHeaders: (
    status: number,
    header: (name: string) => string | undefined,
    names?: () => Iterable<string>
  ) => void
  /** Takes a part of the body, after decompression. */
  readonly onData: (bytes: Uint8Array) => void
  readonly onEnd: () => void
  readonly onError: (cause: unknown) => void
}

/**
 * Sends a request, reports the response to a receiver, and returns a function that cancels: it closes the connection, or
 * abandons it before it is open. Redirects are responses and are not followed. The receiver enforces limits of time and
 * size.
 */
export type Send = (request: TransportRequest, receiver: Receiver, context: Context.Context<never>) => () => void

const sends = new WeakMap<HttpClient, Send>()

/**
 * Makes a transport: a client like the given one, over which the catalog's operations use `send`.
 *
 * An `HttpClient` does much for each request that an operation does not need: its own spans, bodies as streams, an abort
 * controller. An operation uses `send` only if its client is this object. A client that is derived from it, with
 * `HttpClient.mapRequest` for example, sends in the usual way.
 *
 * @example
 * ```ts
 * import { Transport } from "@catalog-client/core"
 * import { HttpClient } from "@effect/platform"
 * import { Effect, Layer } from "effect"
 *
 * const send: Transport.Send = ({ method, url, headers, body = null }, receiver) => {
 *   const request = new XMLHttpRequest()
 *   request.open(method, url)
 *   for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
 *   request.responseType = "arraybuffer"
 *   request.onload = () => {
 *     receiver.onHeaders(request.status, (name) => request.getResponseHeader(name) ?? undefined)
 *     receiver.onData(new Uint8Array(request.response))
 *     receiver.onEnd()
 *   }
 *   request.onerror = () => receiver.onError(new Error("no connection"))
 *   request.send(body)
 *   return () => request.abort()
 * }
 *
 * export const layer = Layer.effect(
 *   HttpClient.HttpClient,
 *   Effect.map(HttpClient.HttpClient, (client) => Transport.make(client, send))
 * )
 * ```
 */
export const make = (client: HttpClient, send: Send): HttpClient => {
  const transport: HttpClient = Object.assign(Object.create(Object.getPrototypeOf(client)), client)
  sends.set(transport, send)
  return transport
}

/** The fast path of a client, if it is a transport. */
export const sendOf = (client: HttpClient): Send | undefined => sends.get(client)

/** A client for operations only: it has the fast path and cannot `execute`. */
const shortOnly = (): HttpClient =>
  ({ execute: () => Effect.dieMessage("This client serves only the catalog's operations") }) as unknown as HttpClient

const namesOf = (headers: Headers): ReadonlyArray<string> => {
  const names: Array<string> = []
  headers.forEach((_, name) => names.push(name))
  return names
}

/** Bodies up to this size are read in one piece. */
const wholeBytes = 2 ** 20

/**
 * Whether a body may be read in one piece, which costs a third less in Deno. Its length has to be known before, and is only
 * known of a response that shows all its headers and is not encoded.
 */
const isShort = ({ headers, type }: Response): boolean =>
  type === "basic" &&
  headers.get("content-encoding") === null &&
  Number(headers.get("content-length") ?? Number.NaN) <= wholeBytes

const sendOverFetch =
  (layer: Context.Context<never>): Send =>
  ({ method, url, headers, body = null }, receiver, call) => {
    const controller = new AbortController()
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
    const exchange = async () => {
      const { signal } = controller
      const fetch = Client.fetchIn(call, layer)
      const response = await fetch(new URL(url), { method, headers, body, redirect: "manual", signal })
      if (typeof (response as Partial<Response> | undefined)?.headers?.get !== "function") {
        throw new TypeError("fetch did not give a Response")
      }
      receiver.onHeaders(
        response.status,
        (name) => response.headers.get(name) ?? undefined,
        () => namesOf(response.headers)
      )
      const isWhole = isShort(response)
      reader = isWhole ? undefined : response.body?.getReader()
      if (isWhole) {
        receiver.onData(new Uint8Array(await response.arrayBuffer()))
      } else if (reader === undefined) {
        // Some runtimes have no streams.
        receiver.onData(new TextEncoder().encode(await response.text()))
      } else {
        for (let part = await reader.read(); !part.done && !signal.aborted; part = await reader.read()) {
          receiver.onData(part.value)
        }
      }
      receiver.onEnd()
    }
    exchange().catch(receiver.onError)
    return () => {
      controller.abort()
      // Cancels the body of a fetch that ignores its signal.
      reader?.cancel().catch(constVoid)
    }
  }

const overFetches = new WeakMap<object, HttpClient>()

/**
 * A transport over one `fetch`, for operations only. Memoized by `fetch`, so that catalogs over the same one can share
 * replies.
 */
export const overFetch = (fetch: (input: URL, init: RequestInit) => Promise<Response>): HttpClient => {
  const client =
    overFetches.get(fetch) ??
    make(shortOnly(), sendOverFetch(Context.make(Client.Fetch, fetch as typeof globalThis.fetch)))
  overFetches.set(fetch, client)
  return client
}

/**
 * A transport over the web's `fetch`. It respects `FetchHttpClient.Fetch` and `FetchHttpClient.RequestInit`, in the context
 * of the Layer or of a call, like `FetchHttpClient.layer`.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials, Transport } from "@catalog-client/core"
 * import { Effect } from "effect"
 *
 * export const boards = Catalog.forum
 *   .boards()
 *   .pipe(Effect.provide([Transport.layerFetch, Credentials.layer({ clientId: "my-client-id" })]))
 * ```
 */
export const layerFetch: Layer.Layer<HttpClient> = /*#__PURE__*/ Layer.provide(
  /*#__PURE__*/ Layer.effect(
    Client.HttpClient,
    /*#__PURE__*/ Effect.contextWith((context: Context.Context<HttpClient>) =>
      make(Context.get(context, Client.HttpClient), sendOverFetch(context))
    )
  ),
  FetchHttpClient.layer
)
