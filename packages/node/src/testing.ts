/**
 * The embedded catalog service on a port of this machine.
 *
 * @since 0.1.0
 */
import { EmbeddedCatalog, type EmbeddedCatalogOptions } from "@catalog-client/core/testing"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpBody from "@effect/platform/HttpBody"
import type { ServeError } from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { createServer, type Server } from "node:http"

/** The connection of a request is cut, after what was sent by then; the request's fiber ends with it. */
const cut = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<never> =>
  Effect.async(() => {
    const { socket } = NodeHttpServerRequest.toServerResponse(request)
    // What is written in one turn of the loop leaves at its end.
    setImmediate(() => socket?.destroySoon())
  })

/** What the app calls a dropped connection, done to the real one. */
const overSocket = (app: HttpApp.Default<EmbeddedCatalog.ConnectionDropped>): HttpApp.Default =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    app.pipe(
      Effect.map((response) =>
        response.body._tag === "Stream"
          ? HttpServerResponse.setBody(
              response,
              HttpBody.stream(
                Stream.catchAll(response.body.stream, () => Stream.fromEffect(cut(request))),
                response.body.contentType,
                response.body.contentLength
              )
            )
          : response
      ),
      Effect.catchAll(() => cut(request)),
      // The server runs its app uninterruptibly: a client that has gone away is to end its delays.
      Effect.interruptible
    )
  )

/** It waits for no client: connections are closed with the server, requests in flight included. */
const closeWithAll = (server: Server): Effect.Effect<void> =>
  Effect.async((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

/**
 * The embedded service on a free port, as a part of a program's context.
 *
 * @example
 * ```ts
 * import { Catalog, CatalogConfig, Credentials } from "@catalog-client/core"
 * import { layer } from "@catalog-client/node"
 * import { EmbeddedServer } from "@catalog-client/node/testing"
 * import { Effect } from "effect"
 *
 * export const program = Effect.gen(function* () {
 *   const { url } = yield* EmbeddedServer
 *   return yield* Catalog.anime.get({ id: 30230 }).pipe(Effect.provide(CatalogConfig.layer({ baseUrl: url })))
 * }).pipe(Effect.provide([EmbeddedServer.layer(), Credentials.none, layer]))
 * ```
 */
export class EmbeddedServer extends Context.Tag("@catalog-client/node/EmbeddedServer")<
  EmbeddedServer,
  {
    /** The base URL for a client, for example `http://127.0.0.1:49152/v2`. */
    readonly url: string
  }
>() {
  /**
   * Starts the service and stops it with the scope. Latency, delays and the time of day are those of the `Clock` of the
   * fiber that starts it.
   */
  static make(
    options: EmbeddedCatalogOptions = {}
  ): Effect.Effect<Context.Tag.Service<EmbeddedServer>, ServeError, Scope.Scope> {
    return Effect.gen(function* () {
      const app = yield* EmbeddedCatalog.httpApp(options)
      const server = createServer()
      const { address, serve } = yield* NodeHttpServer.make(() => server, { host: "127.0.0.1", port: 0 })
      yield* serve(overSocket(app))
      // With a listener, Node takes each offer of an upgrade, and the request loses its body. Java's client offers h2c.
      server.removeAllListeners("upgrade")
      yield* Effect.addFinalizer(() => closeWithAll(server))
      const port = address._tag === "TcpAddress" ? address.port : 0
      return { url: `http://127.0.0.1:${port}${(options.basePath ?? "/v2").replace(/\/+$/, "")}` }
    })
  }

  /** The same as a Layer. */
  static layer(options: EmbeddedCatalogOptions = {}): Layer.Layer<EmbeddedServer, ServeError> {
    return Layer.scoped(EmbeddedServer, EmbeddedServer.make(options))
  }
}

/** A service on a port, which keeps the process alive until it is closed. */
export interface ServedCatalog extends AsyncDisposable {
  /** The base URL for a client, for example `http://127.0.0.1:49152/v2`. */
  readonly url: string
  /** Closes the port and every connection. Closing twice is fine. */
  readonly close: () => Promise<void>
}

/**
 * Starts the embedded service on a free port, for programs without Effect.
 *
 * @example
 * ```ts
 * import { createCatalog } from "@catalog-client/node"
 * import { serve } from "@catalog-client/node/testing"
 *
 * const service = await serve()
 * const catalog = createCatalog({ baseUrl: service.url })
 * console.log((await catalog.anime.get({ id: 30230 })).title)
 * await catalog.close()
 * await service.close()
 * ```
 */
export const serve = async (options: EmbeddedCatalogOptions = {}): Promise<ServedCatalog> => {
  const scope = await Effect.runPromise(Scope.make())
  const exit = await Effect.runPromiseExit(Scope.extend(EmbeddedServer.make(options), scope))
  if (Exit.isFailure(exit)) {
    throw Cause.squash(exit.cause)
  }
  const { url } = exit.value
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= Effect.runPromise(Scope.close(scope, Exit.void)))
  return { url, close, [Symbol.asyncDispose]: close }
}
