/**
 * Sends over undici's dispatchers, without the streams and signals that its `request` puts around them.
 */
import type { Transport } from "@catalog-client/core"
import type { Socket } from "node:net"
import type { Transform } from "node:stream"
import * as zlib from "node:zlib"
import { constVoid } from "effect/Function"
import { Agent, buildConnector, Client, type Dispatcher, Pool } from "undici"
import { userAgent } from "./userAgent.js"

/** The method in the first byte of zlib's format. */
const zlibHeader = 8

/** Makes the decoder of a body, from its first byte. */
type MakeDecoder = (first: number) => Transform

/** By content coding. A body with another coding, or with several, is not decoded. */
const makeDecoders = new Map<string, MakeDecoder>([
  ["gzip", () => zlib.createGunzip()],
  ["x-gzip", () => zlib.createGunzip()],
  // Some servers omit the zlib header.
  ["deflate", (first) => ((first & 0x0f) === zlibHeader ? zlib.createInflate() : zlib.createInflateRaw())],
  ["br", () => zlib.createBrotliDecompress()]
])

/** Replaced by headers of the program with the same names. */
export const defaultHeaders = { "accept-encoding": "gzip, deflate, br", "user-agent": userAgent }

/** undici's connector, which returns the socket that it opens, although its types do not say so. */
const connectBy = buildConnector({ timeout: 0 }) as unknown as (
  ...inputs: Parameters<buildConnector.connector>
) => Socket

/**
 * A request that may still wait for a connection. undici cannot end a request before its connection is open: an address
 * that does not respond would keep a socket, and the program, for minutes after the call has ended.
 */
export class Wait {
  isOver = false
  /** Closes the socket that is being opened for the request. */
  closeIfUnused = constVoid

  end(): void {
    this.isOver = true
    this.closeIfUnused()
  }
}

export interface Dispatched extends Dispatcher.DispatchOptions {
  readonly wait: Wait
}

/** A client of one connection, which serves one request at a time. */
const connectionTo = (origin: URL, options: Client.Options): Client => {
  let wait: Wait | undefined
  let opening: Socket | undefined
  const closeIfUnused = (): void => {
    if (wait?.isOver) {
      opening?.destroy(new Error("the request ended before its connection was open"))
    }
  }
  const connect: buildConnector.connector = (options, callback) => {
    opening = connectBy(options, (...outcome) => {
      opening = undefined
      callback(...outcome)
    })
    closeIfUnused()
  }
  const client = new Client(origin, { ...options, connect })
  const dispatch = client.dispatch.bind(client)
  client.dispatch = (options, handler) => {
    wait = (options as Dispatched).wait
    wait.closeIfUnused = closeIfUnused
    return dispatch(options, handler)
  }
  return client
}

const ended = new Error("the exchange was ended")

class DispatchedExchange implements Dispatcher.DispatchHandler {
  readonly wait = new Wait()
  private controller: Dispatcher.DispatchController | undefined
  private makeDecoder: MakeDecoder | undefined
  private decoder: Transform | undefined
  private isCancelled = false

  constructor(private readonly receiver: Transport.Receiver) {}

  cancel(): void {
    this.isCancelled = true
    this.wait.end()
    this.decoder?.destroy()
    this.controller?.abort(ended)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    this.wait.end()
    if (this.isCancelled) {
      this.cancel()
    }
  }

  onResponseStart(
    _: unknown,
    status: number,
    headers: { readonly [name: string]: string | string[] | undefined }
  ): void {
    // undici also reports early hints.
    if (status < 200) {
      return
    }
    this.receiver.onHeaders(
      status,
      (name) => {
        const value = headers[name]
        // Like `fetch`, joins the values of a repeated header.
        return Array.isArray(value) ? value.join(", ") : value
      },
      () => Object.keys(headers)
    )
    const coding = headers["content-encoding"]
    if (coding !== undefined) {
      this.makeDecoder = makeDecoders.get(String(coding).toLowerCase())
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.makeDecoder === undefined) {
      this.receiver.onData(chunk)
      return
    }
    this.decoder ??= this.decodedBy(this.makeDecoder(chunk[0] ?? 0), controller)
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
    this.wait.end()
    this.decoder?.destroy()
    this.receiver.onError(cause)
  }

  private decodedBy(decoder: Transform, controller: Dispatcher.DispatchController): Transform {
    return decoder
      .on("error", (cause) => {
        this.receiver.onError(cause)
        this.cancel()
      })
      .on("drain", () => controller.resume())
      .on("data", (decoded: Buffer) => this.receiver.onData(decoded))
      .on("end", () => {
        this.receiver.onEnd()
        // Bytes can follow the compressed data, and after its end the receiver has no limit or timer for them.
        this.cancel()
      })
  }
}

/** Sends over a dispatcher, for example an agent that {@link makeAgent} made. */
export const sendOver =
  (dispatcher: Dispatcher): Transport.Send =>
  ({ method, url, headers, body }, receiver) => {
    const path = url.indexOf("/", url.indexOf("//") + 2)
    const exchange = new DispatchedExchange(receiver)
    const options: Dispatched = {
      origin: url.slice(0, path),
      path: url.slice(path),
      method,
      headers: { ...defaultHeaders, ...headers },
      body: body ?? null,
      wait: exchange.wait
    }
    dispatcher.dispatch(options, exchange)
    return () => exchange.cancel()
  }

/** An agent without timeouts: the call's `timeout` applies. */
export const makeAgent = (): Agent =>
  new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    factory: (origin, options: Pool.Options) => new Pool(origin, { ...options, factory: connectionTo })
  })
