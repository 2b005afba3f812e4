/**
 * The embedded service on Node's HTTP server.
 *
 * @since 0.2.0
 */
import type { ServiceProfile } from "@catalog-client/core"
import * as Headers from "@effect/platform/Headers"
import { ServeError } from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { inspect } from "node:util"
import * as EmbeddedCatalog from "../EmbeddedCatalog.js"
import type { EmbeddedCatalogOptions } from "../Options.js"

/** Options of the embedded service, and where it listens. */
export interface ServeOptions extends EmbeddedCatalogOptions {
  /**
   * The port, from 0 to 65535; 0 is any free port.
   *
   * @default 0
   */
  readonly port?: number
  /**
   * A name or an address of this machine, to listen on. No other machine can connect to `127.0.0.1`; `0.0.0.0` allows all.
   *
   * @default "127.0.0.1"
   */
  readonly host?: string
}

/** A service on a port, and what a client needs for it. */
export interface Served {
  /** The base URL for a client, for example `http://127.0.0.1:49152/v2`. */
  readonly url: string
  /** `embedded-client`, or the first of the option `clientIds`. */
  readonly clientId: string | undefined
  /** `embedded-token`, or the first of the option `tokens`. */
  readonly accessToken: string | undefined
  /** The addresses of this service as a profile, for the `profile` option. */
  readonly profile: ServiceProfile
  /** Where a user signs in, for example `http://127.0.0.1:49152/v1/oauth2/authorize`. */
  readonly authorizeUrl: string
  /** Where codes and refresh tokens are exchanged, for example `http://127.0.0.1:49152/v1/oauth2/token`. */
  readonly tokenUrl: string
}

/** The maximum length of a body in memory, in bytes: more than the service accepts. */
const maxBufferedBytes = 2_097_152

/** The incoming request. A body that is too long for the service is read and dropped. */
const received = async (incoming: IncomingMessage): Promise<HttpServerRequest.HttpServerRequest> => {
  const parts: Array<Uint8Array> = []
  let size = 0
  for await (const part of incoming as AsyncIterable<Uint8Array>) {
    if (size < maxBufferedBytes) {
      parts.push(part)
    }
    size += part.length
  }
  const body = size > 0 && { body: new Uint8Array(Buffer.concat(parts)) }
  const request = new Request("http://localhost", { method: "POST", ...body })
  // The original values: a `Request` would normalize the URL and drop the body of a GET.
  Object.defineProperties(request, { url: { value: incoming.url }, method: { value: incoming.method } })
  return HttpServerRequest.fromWeb(request).modify({ headers: Headers.fromInput(incoming.headers) })
}

/** Closes the connection after the data sent so far; the fiber of the request ends with it. */
const cut = ({ socket }: ServerResponse): Effect.Effect<never> =>
  Effect.async(() => {
    // Data written in one turn of the event loop is sent at its end.
    setImmediate(() => socket?.destroySoon())
  })

/** Sends a response; a streamed body is sent part by part. The service makes only these kinds of bodies. */
const send = (
  outgoing: ServerResponse,
  { body, headers, status }: HttpServerResponse.HttpServerResponse
): Effect.Effect<void> =>
  Effect.suspend(() => {
    // The client has disconnected meanwhile.
    if (outgoing.headersSent) {
      return Effect.void
    }
    outgoing.writeHead(status, headers)
    if (body._tag !== "Stream") {
      outgoing.end(body._tag === "Uint8Array" ? body.body : undefined)
      return Effect.void
    }
    return Stream.runForEach(body.stream, (part) => Effect.sync(() => outgoing.write(part))).pipe(
      Effect.matchEffect({ onFailure: () => cut(outgoing), onSuccess: () => Effect.sync(() => outgoing.end()) })
    )
  })

/** Drops the real connection if the app drops its own. */
const respondWith = (
  app: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    EmbeddedCatalog.ConnectionDropped,
    HttpServerRequest.HttpServerRequest
  >,
  incoming: IncomingMessage,
  outgoing: ServerResponse
): Effect.Effect<void> =>
  Effect.tryPromise(() => received(incoming)).pipe(
    Effect.flatMap((request) => Effect.provideService(app, HttpServerRequest.HttpServerRequest, request)),
    Effect.catchTag("ConnectionDropped", () => cut(outgoing)),
    // A function of the options has thrown.
    Effect.catchAllDefect(() => Effect.succeed(HttpServerResponse.empty({ status: 500 }))),
    Effect.flatMap((response) => send(outgoing, response)),
    // A request that was aborted gets no response.
    Effect.ignore
  )

const listenAdvice: { readonly [code: string]: string } = {
  EACCES: "Use a port above 1023, or 0 for any free one.",
  EADDRINUSE: "Use another port, or 0 for any free one.",
  EADDRNOTAVAIL: "Set host to an address of this machine, for example 127.0.0.1.",
  ENOTFOUND: "Set host to a name or an address of this machine, for example 127.0.0.1."
}

const listen = (server: Server, host: string, port: number): Effect.Effect<AddressInfo, ServeError> =>
  Effect.async((resume) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why = cause.code === "EADDRINUSE" ? "the port is in use" : cause.message
      const message = `cannot serve on ${host}:${port}: ${why}. ${listenAdvice[cause.code ?? ""] ?? "Use another port or host."}`
      resume(Effect.fail(new ServeError({ cause: new Error(message, { cause }) })))
    })
    server.listen({ host, port }, () => resume(Effect.sync(() => server.address() as AddressInfo)))
  })

/** Closes the server and all connections at once, including requests in flight. */
const closeWithAll = (server: Server): Effect.Effect<void> =>
  Effect.async((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

const checkAddress = (host: string, port: number): void => {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError(`port must be a whole number from 0 to 65535, but it is ${inspect(port)}`)
  }
  if (typeof host !== "string" || host === "") {
    throw new TypeError(`host must be a name or an address, for example '127.0.0.1', but it is ${inspect(host)}`)
  }
}

/** The addresses for a URL in place of hosts that mean every address of this machine. */
const reachable: { readonly [host: string]: string } = { "0.0.0.0": "127.0.0.1", "::": "::1" }

const serverOrigin = (host: string, port: number): string => {
  const name = reachable[host] ?? host
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`
}

/** Starts the service, and stops it with the scope. */
export const start = (options: ServeOptions): Effect.Effect<Served, ServeError, Scope.Scope> =>
  Effect.gen(function* () {
    const app = yield* EmbeddedCatalog.httpApp(options)
    const { host = "127.0.0.1", port = 0 } = options
    checkAddress(host, port)
    const run = yield* FiberSet.makeRuntime()
    const server = createServer((incoming, outgoing) => {
      const fiber = run(respondWith(app, incoming, outgoing))
      outgoing.once("close", () => Effect.runFork(Fiber.interrupt(fiber)))
    })
    const address = yield* Effect.acquireRelease(listen(server, host, port), () => closeWithAll(server))
    const origin = serverOrigin(host, address.port)
    const profile = EmbeddedCatalog.profile(options, origin)
    return {
      url: profile.baseUrl,
      profile,
      ...EmbeddedCatalog.credentials(options),
      ...EmbeddedCatalog.oauthUrls(origin)
    }
  })

/** Serves until `ended` resolves. Rejects with the error of the server if it cannot listen. */
export const serveUntil = (
  ended: Promise<void>,
  options: ServeOptions,
  onStart: (service: Served) => void
): Promise<void> =>
  start(options).pipe(
    Effect.tap((service) => Effect.sync(() => onStart(service))),
    Effect.zipRight(Effect.promise(() => ended)),
    Effect.scoped,
    Effect.catchAll(({ cause }) => Effect.die(cause)),
    Effect.runPromise
  )
