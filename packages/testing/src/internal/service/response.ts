/** Responses in the service's own form. */
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Bytes } from "../base64.js"
import { bytesOf, type StoredResponse } from "../recording/recording.js"

/** The connection was dropped: before the headers the app fails with this error, later the stream of the body does. */
export class ConnectionDropped extends Data.TaggedError("ConnectionDropped")<{
  /** Whether the headers were sent before. */
  readonly when: "before-headers" | "in-body"
}> {
  override get message(): string {
    return this.when === "before-headers"
      ? "The connection was closed without a response"
      : "The connection was closed within the body"
  }
}

type Headers = Readonly<Record<string, string>>

/** A response of the service. */
export interface ServiceResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Headers
  readonly body: Bytes | undefined
  /** Runs between the two halves of the body: a delay, or the end of the connection. */
  readonly halfway?: Effect.Effect<void, ConnectionDropped>
}

/** The same response with more headers, which replace those of the same name. */
export const withHeaders = (response: ServiceResponse, headers: Headers): ServiceResponse => ({
  ...response,
  headers: {
    ...response.headers,
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  }
})

/** A response without a body. */
export const empty = (status: number, headers: Headers = {}): ServiceResponse =>
  withHeaders({ status, headers: {}, body: undefined }, headers)

const bytes = (body: Bytes, contentType: string, status = 200, headers: Headers = {}): ServiceResponse => ({
  ...withHeaders(empty(status, headers), { "content-type": contentType, "content-length": String(body.length) }),
  body
})

export const text = (body: string, ...more: [contentType: string, status?: number, headers?: Headers]) =>
  bytes(new TextEncoder().encode(body), ...more)

const escaped = (sign: string): string =>
  sign === "/" ? "\\/" : `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`

/** JSON as the service writes it: slashes and characters that are not ASCII are escaped. */
const jsonText = (value: unknown): string => (JSON.stringify(value) ?? "null").replace(/[/\u007f-\uffff]/g, escaped)

export const json = (value: unknown, status = 200, headers: Headers = {}): ServiceResponse =>
  text(jsonText(value), "application/json; charset=UTF-8", status, headers)

/** An error response. Handlers throw it. */
export class Refusal extends Error {
  readonly response: ServiceResponse

  /** `hint` is a member of the errors of the sign-in. */
  constructor(status: number, error: string, message = "", hint?: string, headers?: Headers) {
    super(message)
    this.response = json({ message, error, hint }, status, headers)
  }
}

export const badRequest = (message: string): Refusal => new Refusal(400, "bad_request", message)
export const forbidden = (): Refusal => new Refusal(403, "forbidden")
export const contentTooLarge = (): Refusal =>
  new Refusal(413, "content_too_large", "The body of a request must have at most 1 MiB")
export const notFound = (): Refusal => new Refusal(404, "not_found")

export const invalidToken = (): Refusal =>
  new Refusal(401, "invalid_token", "token is invalid", undefined, {
    "www-authenticate": `Bearer error="invalid_token",error_description="The access token is invalid"`
  })

/** A recorded response. A redirect that a browser hid from the recorder leads nowhere. */
export const recordedResponse = (recorded: StoredResponse): ServiceResponse => {
  const { headers = {}, status } = recorded
  const body = bytesOf(recorded)
  return body.length === 0
    ? empty(status || 302, headers)
    : bytes(body, headers["content-type"] ?? "application/octet-stream", status || 302, headers)
}

/** The response, or the error response that its handler threw. */
export const withRefusals = (response: Effect.Effect<ServiceResponse>): Effect.Effect<ServiceResponse> =>
  Effect.catchAllDefect(response, (thrown) =>
    thrown instanceof Refusal
      ? Effect.succeed(thrown.response)
      : // A failing clock, option or data set.
        Effect.as(
          Effect.logError("the embedded service failed", Cause.die(thrown)),
          new Refusal(500, "internal_server_error").response
        )
  )

/** The response of the proxy in front of the service, which has stopped waiting. */
export const gatewayTimeout = (): ServiceResponse =>
  text("<html><body><h1>504 Gateway Time-out</h1></body></html>", "text/html", 504)

/** A 405 of the service, which only lists the allowed methods. */
export const methodNotAllowed = (methods: Iterable<string>): ServiceResponse =>
  empty(405, { allow: [...methods].join(", ") })
