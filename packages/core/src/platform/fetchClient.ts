/**
 * Transports over the web's `fetch`.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Layer from "effect/Layer"
import { invalidTransport } from "../internal/common/cause.js"
import { memoize } from "../internal/common/memoize.js"
import { hasMethod, stringIn } from "../internal/common/values.js"
import { fetchIn } from "./fetchIn.js"
import { Fetch, HttpClient } from "./httpClient.js"
import { alreadyRead, make, readerOf, reportParts, type Send } from "./send.js"

/** A client for operations alone: it has a fast path, and cannot `execute`. */
const fastPathOnly = (): HttpClient =>
  ({ execute: () => Effect.dieMessage("This client serves only the catalog's operations") }) as unknown as HttpClient

/** Bodies up to this size are read in one piece. */
const wholeBytes = 2 ** 20

/**
 * Whether to read a body in one piece, which is faster in Deno. The length must be known, so the response must show all its
 * headers, have no coding, and not be chunked, where engines ignore the declared length. In Bun and workerd each response has
 * the type `default`, like one that a program made; but that one has no URL.
 */
const isShort = ({ headers, type, url }: Response): boolean =>
  /^(basic|default)$/.test(type) &&
  url !== "" &&
  headers.get("content-encoding") === null &&
  headers.get("transfer-encoding") === null &&
  Number(headers.get("content-length") ?? Number.NaN) <= wholeBytes

/** Discards the response of a `fetch` that ignored its signal. */
const discardIfAborted = (response: Response, signal: AbortSignal): void => {
  if (signal.aborted) {
    response.body?.cancel().catch(constVoid)
    throw signal.reason
  }
}

type Canceller = Pick<AbortController, "signal" | "abort">

/** For jsdom: Node's `fetch` refuses the signals of jsdom's `AbortController`. The signal of a stream is still Node's. */
const byStream = (): Canceller => {
  let signal = undefined as unknown as AbortSignal
  const stream = new WritableStream({ start: (controller) => void ({ signal } = controller) })
  return { signal, abort: () => void stream.abort().catch(constVoid) }
}

/** Whether `fetch` refused the class of its signal, before it sent anything. */
const isRefused = (error: unknown): boolean =>
  stringIn(error, "name") === "TypeError" && /AbortSignal/.test(stringIn(error, "message") ?? "")

const sendOverFetch = (layer: Context.Context<never>): Send => {
  let cancellerFor = (): Canceller => new AbortController()
  /**
   * All requests share the reason of the first one that was cancelled, because `fetch` formats the stack of each new reason.
   */
  let reason: unknown
  return ({ method, url, headers, body = null }, receiver, call) => {
    let canceller = cancellerFor()
    let reader: ReturnType<typeof readerOf>
    const exchange = async () => {
      const fetch = fetchIn(layer, call)
      const send = () => fetch(new URL(url), { method, headers, body, redirect: "manual", signal: canceller.signal })
      let response: Response
      try {
        response = await send()
      } catch (error) {
        if (canceller.signal.aborted || !isRefused(error)) {
          throw error
        }
        cancellerFor = byStream
        canceller = byStream()
        response = await send()
      }
      if (!hasMethod((response as Partial<Response> | undefined)?.headers, "get")) {
        throw invalidTransport("fetch did not return a Response")
      }
      discardIfAborted(response, canceller.signal)
      receiver.onHeaders(
        response.status,
        (name) => response.headers.get(name) ?? undefined,
        // In TypeScript's `dom` library without `dom.iterable`, headers have no `keys`.
        () => (response.headers as unknown as ReadonlyMap<string, string>).keys()
      )
      if (response.bodyUsed) {
        throw alreadyRead()
      }
      reader = isShort(response) ? undefined : readerOf(response.body)
      if (reader === undefined) {
        // Some runtimes have no streams, and React Native's `arrayBuffer` does not work.
        receiver.onText(
          hasMethod(response, "text") ? await response.text() : new TextDecoder().decode(await response.arrayBuffer())
        )
      } else {
        await reportParts(reader, receiver, canceller.signal)
        receiver.onEnd()
      }
    }
    exchange().catch(receiver.onError)
    return () => {
      canceller.abort(reason)
      reason ??= canceller.signal.reason
      // Cancels the body of a fetch that ignores its signal.
      reader?.cancel().catch(constVoid)
    }
  }
}

/**
 * A transport over one `fetch`, for operations only. Memoized by `fetch`, so that catalogs over the same one can share
 * replies.
 */
export const overFetch = /*#__PURE__*/ memoize((fetch: (input: URL, init: RequestInit) => Promise<Response>) =>
  make(fastPathOnly(), sendOverFetch(Context.make(Fetch, fetch as typeof globalThis.fetch)))
)

/**
 * The platform's `fetch` with the options of the Layer: a derived client replaces the Layer's `RequestInit`, so they are put
 * into `fetch` itself.
 */
const withOptions = /*#__PURE__*/ Layer.effect(
  Fetch,
  /*#__PURE__*/ Effect.map(/*#__PURE__*/ Effect.context<never>(), (context) => {
    const fetch = fetchIn(context, context)
    const fetchOrDiscard = async (url: URL, init: RequestInit & { readonly signal: AbortSignal }) => {
      const response = await fetch(url, init)
      discardIfAborted(response, init.signal)
      return response
    }
    return fetchOrDiscard as typeof globalThis.fetch
  })
)

/**
 * A transport over the web's `fetch`, and an `HttpClient` for other requests. Like `FetchHttpClient.layer`, it respects
 * `FetchHttpClient.Fetch` and `FetchHttpClient.RequestInit`. Options in the context of a call are merged over those in the
 * context of the Layer.
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
    HttpClient,
    /*#__PURE__*/ Effect.map(/*#__PURE__*/ Effect.context<HttpClient>(), (context) =>
      make(Context.get(context, HttpClient), sendOverFetch(context))
    )
  ),
  /*#__PURE__*/ Layer.provide(FetchHttpClient.layer, withOptions)
)
