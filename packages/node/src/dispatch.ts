/**
 * Sends over undici's dispatchers, without the streams and signals that its `request` puts around them.
 */
import type { Transport } from "@catalog-client/core"
import { Values } from "@catalog-client/core/internal"
import type { Socket } from "node:net"
import type { Transform } from "node:stream"
import zlib from "node:zlib"
import { constVoid } from "effect/Function"
import { Agent, buildConnector, Client, type Dispatcher, Pool } from "undici"
import { userAgent } from "./userAgent.js"

/** The compression method in the first byte of zlib's format. */
const zlibHeader = 8

/** Makes the decoder of a body, from its first byte. */
type MakeDecoder = (first: number) => Transform

/** By content coding. A body with another coding is not decoded. */
const makeDecoders = new Map<string, MakeDecoder>([
  ["gzip", () => zlib.createGunzip()],
  ["x-gzip", () => zlib.createGunzip()],
  // Some servers omit the zlib header.
  ["deflate", (first) => ((first & 0x0f) === zlibHeader ? zlib.createInflate() : zlib.createInflateRaw())],
  ["br", () => zlib.createBrotliDecompress()]
])
// In Node 22.15 and newer.
if ("createZstdDecompress" in zlib) {
  makeDecoders.set("zstd", zlib.createZstdDecompress as () => Transform)
}

/** The first byte of gzip, with which no JSON begins. Some servers and proxies compress without a header that says so. */
const gzipHeader = 0x1f

const none: ReadonlyArray<Transform> = []

/** More codings than any server applies. */
const maxCodings = 5

/** The decoders for the codings of a body, in the order in which they decode; `undefined` if it cannot be decoded. */
const decodersFor = (header: string, first: number): ReadonlyArray<Transform> | undefined => {
  const codings = header
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((coding) => coding !== "" && coding !== "identity")
    .reverse()
  const makers = codings.map((coding) => makeDecoders.get(coding)).filter((make) => make !== undefined)
  return makers.length < codings.length || makers.length > maxCodings
    ? undefined
    : makers.map((make, index) => make(index === 0 ? first : zlibHeader))
}

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
  /** Whether the connection is one of ours. A program's own dispatcher may show the stacks of its errors. */
  isOurs = false
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

/** Says what OpenSSL, with the name of its source file, does not: that `https:` was written for a server of `http:`. */
const explain = (error: Error | null): void => {
  if (error !== null && /:wrong version number:/.test(error.message)) {
    error.message = "the server does not speak TLS: write http: instead of https:"
  }
}

/** Whether a connection has ended, by the error of its request. */
const isEnd = ({ code }: NodeJS.ErrnoException): boolean => /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code ?? "")

const interim = "HTTP/1.1 100"

/** Removes a `100 Continue` before a response. No request of ours asks for one, and undici would end the connection. */
const withoutContinue = (bytes: Buffer): Buffer =>
  bytes.toString("latin1", 0, interim.length) === interim ? bytes.subarray(bytes.indexOf("\r\n\r\n") + 4) : bytes

// Made once: streams format the stack of an error.
const ended = new Error("the exchange was ended")
const unopened = new Error("the request ended before its connection was open")

/** A client of one connection, which serves one request at a time. */
const connectionTo = (origin: URL, options: Client.Options, agent: () => Agent): Client => {
  let wait: Wait | undefined
  let opening: Socket | undefined
  let socket: Socket | undefined
  /** The bytes that the connection had received before its request. */
  let before = 0
  const closeIfUnused = (): void => {
    if (wait?.isOver) {
      opening?.destroy(unopened)
    }
  }
  const opened = (connection: Socket): void => {
    socket = connection
    const read = connection.read.bind(connection) as () => Buffer | null
    connection.read = () => {
      const bytes = read()
      if (bytes === null || bytes.length !== connection.bytesRead - before) {
        return bytes
      }
      const rest = withoutContinue(bytes)
      return rest.length === 0 ? read() : rest
    }
  }
  const connect: buildConnector.connector = (options, callback) => {
    opening = connectBy(options, (...outcome) => {
      opening = undefined
      explain(outcome[0])
      if (outcome[0] === null) {
        opened(outcome[1])
      }
      callback(...outcome)
    })
    closeIfUnused()
  }
  const client = new Client(origin, { ...options, connect })
  const dispatch = client.dispatch.bind(client)
  client.dispatch = (options, handler) => {
    const request = (wait = (options as Dispatched).wait)
    request.isOurs = true
    request.closeIfUnused = closeIfUnused
    const used = socket?.destroyed ? undefined : socket
    const received = (before = used?.bytesRead ?? 0)
    // `handler` is undici's own, which the agent has put around ours. It has an `onError`.
    const fail = handler.onError?.bind(handler)
    if (used !== undefined && fail !== undefined && options.method === "GET") {
      // The server may have closed the connection before the request arrived. `onError` is a variable, because V8 keeps a
      // function that is assigned to a property, and the reply with it, until the next full garbage collection.
      const onError: typeof fail = (error) => {
        handler.onError = fail
        if (isEnd(error) && used.bytesRead === received) {
          request.isOver = false
          // After undici has removed the requests of the connection. The client may be closed by then.
          queueMicrotask(() => agent().dispatch(options, handler))
        } else {
          fail(error)
        }
      }
      handler.onError = onError
    }
    return dispatch(options, handler)
  }
  return client
}

class DispatchedExchange implements Dispatcher.DispatchHandler {
  readonly wait = new Wait()
  private controller: Dispatcher.DispatchController | undefined
  private coding: string | undefined
  /** Empty if the body is not decoded; `undefined` before its first byte. */
  private decoders: ReadonlyArray<Transform> | undefined
  private isCancelled = false

  constructor(private readonly receiver: Transport.Receiver) {}

  cancel(): void {
    this.isCancelled = true
    this.wait.end()
    this.destroyDecoders()
    const resume = this.wait.isOurs ? Values.pauseStacks() : constVoid
    try {
      this.controller?.abort(ended)
    } finally {
      resume()
    }
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
      if (status < 100) {
        this.receiver.onError(new Error(`the response has the status ${status}, which is not a status`))
      }
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
    if (status === 204 || status === 304) {
      // These statuses have no body. undici waits for one if the response declares a length.
      this.receiver.onEnd()
    }
    this.coding = headers["content-encoding"]?.toString()
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const decoder = (this.decoders ??= this.decodersFrom(chunk[0] ?? 0, controller))[0]
    if (decoder === undefined) {
      this.receiver.onData(chunk)
    } else if (!decoder.write(chunk)) {
      controller.pause()
    }
  }

  onResponseEnd(): void {
    const decoder = this.decoders?.[0]
    if (decoder === undefined) {
      this.receiver.onEnd()
    } else {
      decoder.end()
    }
  }

  onResponseError(_: unknown, cause: Error): void {
    this.wait.end()
    this.destroyDecoders()
    this.receiver.onError(cause)
  }

  private destroyDecoders(): void {
    this.decoders?.forEach((decoder) => decoder.destroy())
  }

  private decodersFrom(first: number, controller: Dispatcher.DispatchController): ReadonlyArray<Transform> {
    const coding = this.coding ?? (first === gzipHeader ? "gzip" : undefined)
    const decoders = coding === undefined ? undefined : decodersFor(coding, first)
    if (decoders?.[0] === undefined) {
      return none
    }
    for (const decoder of decoders) {
      decoder.on("error", (cause) => {
        this.receiver.onError(cause)
        this.cancel()
      })
    }
    decoders[0].on("drain", () => controller.resume())
    decoders
      .reduce((from, to) => from.pipe(to))
      .on("data", (decoded: Buffer) => this.receiver.onData(decoded))
      .on("end", () => {
        this.receiver.onEnd()
        // Bytes can follow the compressed data, and after its end the receiver has no limit or timer for them.
        this.cancel()
      })
    return decoders
  }
}

/** undici 6 rejects the handlers of undici 7. */
const olderDispatcher = () =>
  Object.assign(new TypeError("the dispatcher is of undici 6 or older: pass one of undici 7 or later"), {
    code: "ERR_INVALID_TRANSPORT"
  })

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
    try {
      dispatcher.dispatch(options, exchange)
    } catch (error) {
      throw /invalid on\w+ method/.test(String(error)) ? olderDispatcher() : error
    }
    return () => exchange.cancel()
  }

/** Where MSW 2 and nock 14 keep what has replaced the global `fetch`. Later ones replace sockets, so they see our requests. */
const mock = Symbol.for("fetch-interceptor")

/** An agent without timeouts: the call's `timeout` applies. */
export const makeAgent = (): Agent => {
  let hasWarned = false
  const connection = (origin: URL, options: Client.Options): Client => {
    if (mock in globalThis && !hasWarned) {
      hasWarned = true
      process.emitWarning(
        'catalog: MSW or nock has replaced the global fetch, but Node\'s own transport sends without it: pass fetch: "global"'
      )
    }
    return connectionTo(origin, options, () => agent)
  }
  const agent = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    factory: (origin, options: Pool.Options) => new Pool(origin, { ...options, factory: connection })
  })
  return agent
}
