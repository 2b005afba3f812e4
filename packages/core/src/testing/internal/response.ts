/** Responses in the service's own form. */
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Cause from "effect/Cause"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { bytesOf, type StoredResponse } from "./recording.js"

/** An error response. */
export class Refusal extends Data.TaggedError("Refusal")<{
  readonly status: number
  readonly error: string
  readonly text: string
  /** More members, for the errors of the sign-in. */
  readonly hint?: string
  readonly headers?: Readonly<Record<string, string>>
}> {}

const refusal =
  (status: number, error: string) =>
  (text = "") =>
    new Refusal({ status, error, text })

export const badRequest = refusal(400, "bad_request")
export const forbidden = refusal(403, "forbidden")
export const notFound = refusal(404, "not_found")
const internalError = refusal(500, "internal_server_error")

export const invalidToken = () =>
  new Refusal({
    status: 401,
    error: "invalid_token",
    text: "token is invalid",
    headers: {
      "www-authenticate": `Bearer error="invalid_token",error_description="The access token is invalid"`
    }
  })

const escaped = (sign: string): string =>
  sign === "/" ? "\\/" : `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`

/** JSON as the service writes it: slashes and characters that are not ASCII are escaped. */
const jsonText = (value: unknown): string => (JSON.stringify(value) ?? "null").replace(/[/\u007f-\uffff]/g, escaped)

const jsonType = "application/json; charset=UTF-8"

export const json = (
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(jsonText(value), { status, headers, contentType: jsonType })

export const refused = (refusal: Refusal): HttpServerResponse.HttpServerResponse =>
  json({ message: refusal.text, error: refusal.error, hint: refusal.hint }, refusal.status, refusal.headers)

/** A recorded response. A redirect that a browser hid from the recorder leads nowhere. */
export const recordedResponse = (recorded: StoredResponse): HttpServerResponse.HttpServerResponse => {
  const { headers = {}, status } = recorded
  const body = bytesOf(recorded)
  const sent = { status: status || 302, headers }
  return body.length === 0
    ? HttpServerResponse.empty(sent)
    : HttpServerResponse.uint8Array(body, {
        ...sent,
        contentType: headers["content-type"] ?? "application/octet-stream"
      })
}

/** A response, or the error in the service's form. */
export const answered = <R>(
  response: Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  response.pipe(
    // A failing clock, option or data set. Without this, the platform would respond with the text of the error.
    Effect.catchAllDefect((defect) =>
      Effect.zipRight(Effect.logError("the embedded service failed", Cause.die(defect)), internalError())
    ),
    Effect.catchTag("Refusal", (refusal) => Effect.succeed(refused(refusal)))
  )

/** The service only lists the allowed methods. */
export const methodNotAllowed = (methods: ReadonlyArray<string>): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 405, headers: { allow: methods.join(", ") } })
