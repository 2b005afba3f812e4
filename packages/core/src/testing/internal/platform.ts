/** Requests and responses of `@effect/platform`, from and to those of the service. */
import type * as HttpApp from "@effect/platform/HttpApp"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { App } from "./app.js"
import type { ConnectionDropped, ServiceResponse } from "./response.js"
import { streamOf } from "./web.js"

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
export const httpApp = (app: App): HttpApp.Default<ConnectionDropped> =>
  Effect.gen(function* () {
    const { headers, method, originalUrl, text } = yield* HttpServerRequest.HttpServerRequest
    const body = yield* Effect.orElseSucceed(text, () => "")
    return serverResponse(yield* app({ method, url: originalUrl, headers, body }))
  })
