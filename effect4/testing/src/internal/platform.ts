/** The service as a client and as an app of `effect/http`, and what a recorder reads of a client's requests and responses. */
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { App } from "./service/app.js"
import type { Bytes } from "./base64.js"
import { standsForCatalog } from "./service/hosts.js"
import type { ConnectionDropped, ServiceResponse } from "./service/response.js"
import type { Sent } from "./recording/rewriting.js"
import { respond, streamOf, textIn } from "./service/web.js"

/** The body of a client's request, in a form that a web request accepts. */
const bodyOf = (body: HttpClientRequest.HttpClientRequest["body"]): Effect.Effect<BodyInit | undefined> => {
  switch (body._tag) {
    case "Empty":
      return Effect.succeed(undefined)
    case "Raw":
      return Effect.succeed(typeof body.body === "string" ? body.body : String(body.body))
    case "Uint8Array":
      return Effect.succeed(body.body.slice())
    case "FormData":
      return Effect.succeed(body.formData)
    case "Stream":
      return Stream.toReadableStreamEffect(body.stream)
  }
}

/** A client's request as a web request. */
const webRequest = (request: HttpClientRequest.HttpClientRequest, url: URL): Effect.Effect<Request, unknown> =>
  Effect.flatMap(bodyOf(request.body), (body) =>
    Effect.try(() => {
      const init = { method: request.method, headers: { ...request.headers } }
      return new Request(
        url,
        body === undefined ? init : { ...init, body, ...(body instanceof ReadableStream ? { duplex: "half" } : {}) }
      )
    })
  )

/** Not a `TransportError`: a retry is useless, and would wait forever under a test's clock. */
const refuse = (
  request: HttpClientRequest.HttpClientRequest,
  { host }: URL
): Effect.Effect<never, HttpClientError.HttpClientError> => {
  const what = `the embedded service received a request for the host "${host}", and serves only the catalog.`
  const toDo = `Provide it to the catalog alone, with EmbeddedCatalog.layerClient; or, if this host is the catalog's, set the option hosts: ["${host}"]`
  const reason = new HttpClientError.InvalidUrlError({ request, description: `${what} ${toDo}` })
  return Effect.fail(new HttpClientError.HttpClientError({ reason }))
}

const exchange = (
  app: App,
  request: HttpClientRequest.HttpClientRequest,
  url: URL,
  signal: AbortSignal
): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError> => {
  const failed =
    (Reason: typeof HttpClientError.EncodeError | typeof HttpClientError.TransportError) =>
    (cause: unknown): HttpClientError.HttpClientError =>
      new HttpClientError.HttpClientError({ reason: new Reason({ request, cause }) })
  return webRequest(request, url).pipe(
    Effect.mapError(failed(HttpClientError.EncodeError)),
    Effect.flatMap((sent) => Effect.mapError(respond(app, sent, signal), failed(HttpClientError.TransportError))),
    Effect.map((response) => HttpClientResponse.fromWeb(request, response))
  )
}

/** The service as a client. */
export const httpClient = (app: App, hosts: ReadonlyArray<string> = []): HttpClient.HttpClient =>
  HttpClient.make((request, url, signal) =>
    standsForCatalog(url, hosts) ? exchange(app, request, url, signal) : refuse(request, url)
  )

const serverResponse = ({ body, halfway, headers, status }: ServiceResponse): HttpServerResponse.HttpServerResponse => {
  if (body === undefined) {
    return HttpServerResponse.empty({ status, headers })
  }
  // The type and the length of a body come before those of the headers.
  const options = { status, headers, contentType: headers["content-type"], contentLength: body.length }
  return halfway === undefined
    ? HttpServerResponse.uint8Array(body, options)
    : HttpServerResponse.stream(streamOf(body, halfway), options)
}

/** The service as an app. */
export const httpApp = (
  app: App
): Effect.Effect<HttpServerResponse.HttpServerResponse, ConnectionDropped, HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const { headers, method, originalUrl: url, stream } = yield* HttpServerRequest.HttpServerRequest
    return serverResponse(yield* app({ method, url, headers, body: yield* textIn(stream) }))
  })

const nothing = new Uint8Array()

/** The bytes of a request. */
export const bytesIn = (request: HttpClientRequest.HttpClientRequest, url: URL): Effect.Effect<Uint8Array> => {
  switch (request.body._tag) {
    case "Empty":
      return Effect.succeed(nothing)
    case "Uint8Array":
      return Effect.succeed(request.body.body)
    default:
      return webRequest(request, url).pipe(
        Effect.flatMap((sent) => Effect.promise(() => sent.arrayBuffer())),
        Effect.map((bytes) => new Uint8Array(bytes)),
        Effect.orDie
      )
  }
}

/** The type that a body has by itself. */
export const typeOf = (body: HttpBody.HttpBody): string | undefined =>
  body._tag === "Empty" ? undefined : body.contentType

/** The same request with another URL and body. */
export const changedTo = (
  request: HttpClientRequest.HttpClientRequest,
  changed: Pick<Sent, "url" | "body"> | undefined
): HttpClientRequest.HttpClientRequest => {
  if (changed === undefined) {
    return request
  }
  const { body, url } = changed
  return HttpClientRequest.make(request.method as "POST")(url.href, {
    headers: request.headers,
    ...(body.length > 0 && { body: HttpBody.uint8Array(body, request.headers["content-type"]) })
  })
}

/** The bytes of a response; a missing body is empty. */
export const wholeOf = (
  response: HttpClientResponse.HttpClientResponse
): Effect.Effect<Bytes, HttpClientError.HttpClientError> =>
  response.arrayBuffer.pipe(
    Effect.map((bytes) => new Uint8Array(bytes)),
    Effect.catchIf(
      ({ reason }) => reason._tag === "EmptyBodyError",
      () => Effect.succeed(new Uint8Array())
    )
  )
