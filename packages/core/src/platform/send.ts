/**
 * How requests are sent: an `HttpClient` with a faster way to send a request and read its whole response. `Transport.ts`
 * exports the public part.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { invalidTransport } from "../internal/common/cause.js"
import { hasMethod, quietly } from "../internal/common/values.js"
import type { HttpClient } from "./httpClient.js"

/** A request as it goes on the wire. */
export interface TransportRequest {
  /** `POST` is for requests for tokens, and for custom operations. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Absolute and encoded, without a fragment. */
  readonly url: string
  /** Lower-case names. Includes credentials. */
  readonly headers: Readonly<Record<string, string>>
  /** A form, or `undefined`. */
  readonly body: string | undefined
}

/**
 * What a transport reports about a response. After `onEnd`, `onText`, `onError` or a cancellation, further reports are ignored.
 */
export interface Receiver {
  /**
   * Takes the final status (not 100 to 199), a function that reads a header by its lower-case name, and a function that
   * lists these names. Without the last one, `withResponse` shows only the headers that the client knows.
   */
  readonly onHeaders: (
    status: number,
    header: (name: string) => string | undefined,
    names?: () => Iterable<string>
  ) => void
  /** Takes a part of the body, after decompression. Its bytes must not change later: the client keeps them without a copy. */
  readonly onData: (bytes: Uint8Array) => void
  /** Is called once, after the last bytes. */
  readonly onEnd: () => void
  /** Takes a whole body as a text, in place of `onData` and `onEnd`. */
  readonly onText: (text: string) => void
  /** Is called once, instead of `onEnd`, if the response does not arrive whole. */
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
 * Makes a transport: a copy of a client, over which the catalog's operations use the faster `send`. A client that is derived
 * from it, for example with `HttpClient.mapRequest`, is executed as usual.
 *
 * @example
 * ```ts
 * import { Transport } from "@catalog-client/core"
 * import { HttpClient } from "@effect/platform"
 * import { Effect, Layer } from "effect"
 *
 * const send: Transport.Send = ({ method, url }, receiver) => {
 *   const request = new XMLHttpRequest()
 *   request.open(method, url)
 *   request.onload = () => {
 *     receiver.onHeaders(request.status, (name) => request.getResponseHeader(name) ?? undefined)
 *     receiver.onText(request.responseText)
 *   }
 *   request.onerror = () => receiver.onError(new Error("no connection"))
 *   request.send()
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

type PartsReader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">

export const alreadyRead = () => invalidTransport("the Response was already read: return a new one for each call")

/** The reader of a body's parts: of a web stream, or of an async iterable such as Node's streams. */
export const readerOf = (body: unknown): PartsReader | undefined => {
  if (hasMethod(body, "getReader")) {
    try {
      return (body as ReadableStream<Uint8Array>).getReader()
    } catch {
      throw alreadyRead()
    }
  }
  const parts = (body as Partial<AsyncIterable<Uint8Array, undefined>> | undefined)?.[Symbol.asyncIterator]?.()
  return parts && { read: () => parts.next(), cancel: async () => void parts.return?.() }
}

/** Reports a body part by part. Timers run in between, even if the body never waits. */
export const reportParts = async (reader: PartsReader, receiver: Receiver, signal?: AbortSignal): Promise<void> => {
  let parts = 0
  for (let part = await reader.read(); !part.done && !signal?.aborted; part = await reader.read()) {
    receiver.onData(part.value)
    if (++parts % 1024 === 0) {
      await new Promise((resolve) => setTimeout(resolve))
    }
  }
}

/**
 * Reports the body of a response by its own reader, if it has one, because opening and closing a stream takes longer than the
 * call. `response` has the controller of its request, and is kept meanwhile: when it is collected, the platform ends the
 * request.
 */
export const reportByReader = (
  body: unknown,
  response: unknown,
  receiver: Receiver
): Effect.Effect<void, unknown> | undefined => {
  const reader = (body as Partial<ReadableStream> | undefined)?.locked ? undefined : readerOf(body)
  return (
    reader &&
    Effect.async((resume) => {
      reportParts(reader, receiver).then(
        () => resume(Effect.void),
        (cause: unknown) => resume(Effect.fail(cause))
      )
      return Effect.sync(() => {
        // To cancel the reader of a Node stream would wait for the next part.
        void quietly(() => (hasMethod(body, "destroy") ? (body as { destroy: () => void }).destroy() : reader.cancel()))
        ;(response as { readonly controller?: AbortController }).controller?.abort()
      })
    })
  )
}
