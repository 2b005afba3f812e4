/**
 * The transport on Node: undici's dispatcher, without the streams and signals that its `request` puts around it.
 */
import { Transport } from "@catalog-client/core"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Socket } from "node:net"
import type { Transform } from "node:stream"
import * as zlib from "node:zlib"
import { Agent, buildConnector, type Dispatcher, fetch, FormData, type RequestInit as UndiciInit } from "undici"

/** By the name of a coding, what decodes a body that begins with a byte. */
const decoders = new Map<string, (first: number | undefined) => Transform>([
  ["gzip", () => zlib.createGunzip()],
  ["x-gzip", () => zlib.createGunzip()],
  // Some servers leave its header out.
  ["deflate", (first = 0) => ((first & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw())],
  ["br", () => zlib.createBrotliDecompress()]
])

const acceptEncoding = "gzip, deflate, br"

/** undici's, which gives back the socket that it opens, though its declaration does not say so. */
const connectBy = buildConnector({ timeout: 0 }) as unknown as (
  ...inputs: Parameters<buildConnector.connector>
) => Socket

/**
 * Connections that are being opened, and the requests that wait for one. undici cannot end a request before its
 * connection is there: an address that does not answer would keep the program alive for minutes after its calls have
 * ended. undici does not say which connection belongs to which request, so they are given up when nothing waits any
 * more.
 */
class Opening {
  private readonly sockets = new Set<Socket>()
  private readonly waiting = new Set<object>()

  readonly connect: buildConnector.connector = (options, callback) => {
    const socket = connectBy(options, (...outcome) => {
      this.sockets.delete(socket)
      callback(...outcome)
    })
    this.sockets.add(socket)
    this.giveUp()
  }

  /** Something waits for a connection; gives back what says that it does so no more. */
  wait(): () => void {
    const one = {}
    this.waiting.add(one)
    return () => {
      this.waiting.delete(one)
      this.giveUp()
    }
  }

  private giveUp(): void {
    if (this.waiting.size === 0) {
      for (const socket of this.sockets) {
        socket.destroy(new Error("nobody waits for the connection any more"))
      }
    }
  }
}

class Exchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined
  private makeDecoder: ((first: number | undefined) => Transform) | undefined
  private decoder: Transform | undefined
  private isCancelled = false

  constructor(
    private readonly receiver: Transport.Receiver,
    private readonly stopWaiting: () => void
  ) {}

  cancel(): void {
    this.isCancelled = true
    this.stopWaiting()
    this.decoder?.destroy()
    this.controller?.abort(new Error("the exchange was ended"))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    this.stopWaiting()
    if (this.isCancelled) {
      this.cancel()
    }
  }

  onResponseStart(
    _: unknown,
    status: number,
    headers: { readonly [name: string]: string | string[] | undefined }
  ): void {
    // undici tells of early hints too.
    if (status < 200) {
      return
    }
    const header = (name: string) => {
      const value = headers[name]
      return Array.isArray(value) ? value[0] : value
    }
    const coding = header("content-encoding")
    this.makeDecoder = coding === undefined ? undefined : decoders.get(coding.trim().toLowerCase())
    this.receiver.onHeaders(status, header)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.makeDecoder === undefined) {
      this.receiver.onData(chunk)
      return
    }
    this.decoder ??= this.makeDecoder(chunk[0])
      .on("data", (decoded: Buffer) => this.receiver.onData(decoded))
      .on("drain", () => controller.resume())
      .on("end", () => this.receiver.onEnd())
      .on("error", (cause) => {
        this.receiver.onError(cause)
        this.cancel()
      })
    if (!this.decoder.write(chunk)) {
      controller.pause()
    }
  }

  onResponseEnd(): void {
    if (this.decoder === undefined) {
      this.receiver.onEnd()
    } else {
      this.decoder.end()
    }
  }

  onResponseError(_: unknown, cause: Error): void {
    this.stopWaiting()
    this.decoder?.destroy()
    this.receiver.onError(cause)
  }
}

const sendOver =
  (agent: Agent, opening: Opening): Transport.Send =>
  ({ method, url, headers, body }, receiver) => {
    const path = url.indexOf("/", url.indexOf("//") + 2)
    const exchange = new Exchange(receiver, opening.wait())
    agent.dispatch(
      {
        origin: url.slice(0, path),
        path: url.slice(path),
        method,
        headers: { "accept-encoding": acceptEncoding, ...headers },
        body: body ?? null
      },
      exchange
    )
    return () => exchange.cancel()
  }

/** The agent does not give up by itself: how long a call may take is the call's `timeout`. */
const connections = Effect.acquireRelease(
  Effect.sync(() => {
    const opening = new Opening()
    return { opening, agent: new Agent({ connect: opening.connect, headersTimeout: 0, bodyTimeout: 0 }) }
  }),
  // It errors the requests, which then wait no more.
  ({ agent }) => Effect.promise(() => agent.destroy())
)

/** undici knows its own forms alone, Node's another undici's. */
const ownForm = (form: globalThis.FormData): FormData => {
  const own = new FormData()
  form.forEach((value, name) => own.append(name, value))
  return own
}

/** What is not an operation of the catalog goes over undici's `fetch`, and the same connections. */
const fetchOver = (agent: Agent, opening: Opening) =>
  Layer.succeed(FetchHttpClient.Fetch, ((input: URL, init: RequestInit) => {
    const body = init.body instanceof globalThis.FormData ? ownForm(init.body) : init.body
    const stopWaiting = opening.wait()
    return fetch(input, { ...init, body, dispatcher: agent } as UndiciInit).finally(stopWaiting)
  }) as unknown as typeof globalThis.fetch)

export const layer: Layer.Layer<HttpClient.HttpClient> = Layer.unwrapScoped(
  Effect.map(connections, ({ agent, opening }) =>
    Layer.map(Layer.provide(Layer.fresh(Transport.layerFetch), fetchOver(agent, opening)), (context) =>
      Context.make(
        HttpClient.HttpClient,
        Transport.make(Context.get(context, HttpClient.HttpClient), sendOver(agent, opening))
      )
    )
  )
)
