/** Converts between the app and web requests and responses. */
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpBody from "@effect/platform/HttpBody"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"

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
export const webRequest = (request: HttpClientRequest.HttpClientRequest, url: URL): Effect.Effect<Request, unknown> =>
  Effect.flatMap(bodyOf(request.body), (body) =>
    Effect.try(() => {
      const init = { method: request.method, headers: { ...request.headers } }
      return new Request(
        url,
        body === undefined ? init : { ...init, body, ...(body instanceof ReadableStream ? { duplex: "half" } : {}) }
      )
    })
  )

/** Fails when the signal aborts, so that a body which ends then does not look complete. */
const aborted = (signal: AbortSignal): Effect.Effect<never, unknown> =>
  Effect.async((resume) => {
    const onAbort = () => resume(Effect.fail(signal.reason))
    if (signal.aborted) {
      return onAbort()
    }
    signal.addEventListener("abort", onAbort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", onAbort))
  })

/** A streamed body uses the clock of the requesting fiber, and ends when the signal aborts. */
const endingWith = (
  response: HttpServerResponse.HttpServerResponse,
  signal: AbortSignal,
  ended: Effect.Effect<void>
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const { body } = response
  if (body._tag !== "Stream") {
    return Effect.as(ended, response)
  }
  const stream = body.stream.pipe(Stream.interruptWhen(aborted(signal)), Stream.ensuring(ended))
  return Effect.succeed(
    HttpServerResponse.setBody(response, HttpBody.stream(stream, body.contentType, body.contentLength))
  )
}

/** Runs `ended` when the response is complete or has failed: the signal is not needed any more. */
export const respond = <E>(
  app: HttpApp.Default<E>,
  request: Request,
  signal: AbortSignal,
  ended: Effect.Effect<void> = Effect.void
): Effect.Effect<Response, E> =>
  Effect.gen(function* () {
    const response = yield* Effect.provideService(
      app,
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(request)
    )
    const runtime = yield* Effect.runtime()
    return HttpServerResponse.toWeb(yield* endingWith(response, signal, ended), { runtime })
  }).pipe(
    Effect.onError(() => ended),
    // The router would write its route into the span of the client.
    Effect.mapInputContext((context: Context.Context<never>) => Context.omit(Tracer.ParentSpan)(context))
  )
