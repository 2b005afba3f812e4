/**
 * The web's `fetch` as an `HttpClient`, for requests that are none of the catalog's.
 *
 * It does what `FetchHttpClient.layer` of the platform does, and brings a page less than half as much.
 */
import * as Cookies from "@effect/platform/Cookies"
import * as Headers from "@effect/platform/Headers"
import type { HttpBody } from "@effect/platform/HttpBody"
import type { HttpClient } from "@effect/platform/HttpClient"
import { type HttpClientError, RequestError, ResponseError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import type * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import * as HttpTraceContext from "@effect/platform/HttpTraceContext"
import * as UrlParams from "@effect/platform/UrlParams"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { RuntimeFiber } from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import { constVoid } from "effect/Function"
import { Class, redact } from "effect/Inspectable"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Client from "./httpClient.js"

type Request = HttpClientRequest.HttpClientRequest
type Answered = Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError>

/** An answer, whose body is still on its way. */
class Answer extends Class implements HttpClientResponse.HttpClientResponse {
  readonly [Client.ResponseTypeId]: HttpClientResponse.TypeId = Client.ResponseTypeId
  readonly [Client.MessageTypeId]: HttpIncomingMessage.TypeId = Client.MessageTypeId
  readonly remoteAddress = Option.none()
  readonly text = this.whole((source) => source.text())
  readonly arrayBuffer = this.whole((source) => source.arrayBuffer())
  readonly formData = this.whole((source) => source.formData())

  constructor(
    readonly request: Request,
    private readonly source: Response,
    private readonly end: Effect.Effect<void>
  ) {
    super()
  }

  get status() {
    return this.source.status
  }

  get headers() {
    const headers: Record<string, string> = {}
    this.source.headers.forEach((value, name) => {
      headers[name] = value
    })
    return Headers.fromInput(headers)
  }

  get cookies() {
    return Cookies.fromSetCookie(this.source.headers.getSetCookie())
  }

  get json() {
    return this.parsed((text): unknown => (text === "" ? null : JSON.parse(text)))
  }

  get urlParamsBody() {
    return this.parsed((text) => UrlParams.fromInput(new URLSearchParams(text)))
  }

  get stream(): Stream.Stream<Uint8Array, ResponseError> {
    const { body } = this.source
    if (!body) {
      return Stream.fromEffect(Effect.fail(this.error("EmptyBody")))
    }
    return Stream.suspend(() => {
      const reader = body.getReader()
      const next = Effect.tryPromise({
        try: () => reader.read(),
        catch: (cause) => Option.some(this.error("Decode", cause))
      }).pipe(
        Effect.flatMap(({ done, value }) => (done ? Effect.fail(Option.none()) : Effect.succeed(Chunk.of(value))))
      )
      // One that is broken cannot be cancelled, and whether it comes to an end with it is not for the request to await.
      const cancel = Effect.sync(() => void reader.cancel().catch(constVoid))
      return Stream.ensuring(Stream.repeatEffectChunkOption(next), Effect.zipRight(cancel, this.end))
    })
  }

  toJSON() {
    const { request, status, headers } = this
    return { _id: "@effect/platform/HttpClientResponse", request: request.toJSON(), status, headers: redact(headers) }
  }

  private error(reason: ResponseError["reason"], cause?: unknown): ResponseError {
    return new ResponseError({ request: this.request, response: this, reason, cause })
  }

  private parsed<A>(parse: (text: string) => A): Effect.Effect<A, ResponseError> {
    return Effect.tryMap(this.text, { try: parse, catch: (cause) => this.error("Decode", cause) })
  }

  /** A body that is read once, however often it is asked for. */
  private whole<A>(read: (source: Response) => Promise<A>): Effect.Effect<A, ResponseError> {
    let begun: Promise<A> | undefined
    const body = Effect.tryPromise({
      try: () => (begun ??= read(this.source)),
      catch: (cause) => this.error("Decode", cause)
    })
    return Effect.onInterrupt(body, () => this.end)
  }
}

/** What fetch takes as a body. */
const bodyOf = (body: HttpBody): Effect.Effect<RequestInit> => {
  switch (body._tag) {
    case "Empty":
      return Effect.succeed({ body: null })
    case "FormData":
      return Effect.succeed({ body: body.formData })
    case "Stream":
      return Effect.map(Stream.toReadableStreamEffect(body.stream), (body) => ({ body, duplex: "half" }))
    default:
      return Effect.succeed({ body: body.body as BodyInit })
  }
}

const exchange = (request: Request, url: URL, scoped: AbortController | undefined): Answered =>
  Effect.contextWithEffect((context: Context.Context<never>) => {
    const controller = scoped ?? new AbortController()
    // What ends with a scope may be one of several requests.
    const end = scoped ? Effect.void : Effect.sync(() => controller.abort())
    const fetch = Client.fetchIn(context, context)
    // The length is fetch's to say.
    const { "content-length": _, ...headers } = request.headers
    return Effect.flatMap(bodyOf(request.body), (body) =>
      Effect.tryPromise({
        try: () => fetch(url, { ...body, method: request.method, headers, signal: controller.signal }),
        catch: (cause) => new RequestError({ request, reason: "Transport", cause })
      })
    ).pipe(
      Effect.onInterrupt(() => end),
      Effect.map((response) => new Answer(request, response, end))
    )
  })

/** In a span, as every client of the platform's kind shows a request. */
const spanned = (
  request: Request,
  url: URL,
  fiber: RuntimeFiber<unknown, unknown>,
  exchange: (request: Request) => Answered
): Answered => {
  const name = Context.get(fiber.currentContext, Client.SpanNameGenerator)(request)
  return Effect.useSpan(name, { kind: "client", captureStackTrace: false }, (span) => {
    const annotate = (attributes: object, prefix = "") => {
      for (const [key, value] of Object.entries(attributes)) {
        span.attribute(prefix + key, typeof value === "number" ? value : String(value))
      }
    }
    const secret = fiber.getFiberRef(Headers.currentRedactedNames)
    annotate({
      "http.request.method": request.method,
      "server.address": url.origin,
      ...(url.port !== "" && { "server.port": Number(url.port) }),
      "url.full": url,
      "url.path": url.pathname,
      "url.scheme": url.protocol.slice(0, -1),
      ...(url.search !== "" && { "url.query": url.search.slice(1) })
    })
    annotate(Headers.redact(request.headers, secret), "http.request.header.")
    const propagated = fiber.getFiberRef(Client.currentTracerPropagation)
      ? HttpClientRequest.setHeaders(request, HttpTraceContext.toHeaders(span))
      : request
    return Effect.tap(Effect.withParentSpan(exchange(propagated), span), ({ status, headers }) => {
      annotate({ "http.response.status_code": status })
      annotate(Headers.redact(headers, secret), "http.response.header.")
    })
  })
}

/** A client over the `fetch` of whoever calls, or else of where its Layer was built. */
export const make = (layer: Context.Context<never>): HttpClient =>
  Client.make(
    (request) =>
      Effect.withFiberRuntime((fiber) => {
        const url = UrlParams.makeUrl(request.url, request.urlParams, request.hash)
        if (Either.isLeft(url)) {
          return Effect.fail(new RequestError({ request, reason: "InvalidUrl", cause: url.left }))
        }
        const scoped = Client.scopedRequests.get(request)
        const isTraced =
          fiber.getFiberRef(FiberRef.currentTracerEnabled) &&
          !fiber.getFiberRef(Client.currentTracerDisabledWhen)(request)
        const exchanged = (request: Request) => exchange(request, url.right, scoped)
        return isTraced ? spanned(request, url.right, fiber, exchanged) : exchanged(request)
      }),
    layer
  )
