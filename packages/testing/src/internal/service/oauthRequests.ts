/** What requests of the sign-in have, and the errors of both of its endpoints. */
import * as Effect from "effect/Effect"
import type { ReceivedRequest } from "../../Options.js"
import { decodeBase64 } from "../base64.js"
import { Refusal } from "./response.js"

export const invalidRequest = (parameter: string, hint = `Check the \`${parameter}\` parameter`) =>
  new Refusal(400, "invalid_request", "A parameter of the request is missing or invalid.", hint)

export const unsupportedGrant = () =>
  new Refusal(
    400,
    "unsupported_grant_type",
    "The service does not support this grant type.",
    "Check the `grant_type` parameter"
  )

/** The refusal of a client. Its challenge makes a browser show a password dialog, even on the authorization page. */
export const invalidClient = () =>
  new Refusal(401, "invalid_client", "Client authentication failed", undefined, {
    "www-authenticate": 'Basic realm="OAuth"'
  })

/** Matches a verifier of RFC 7636, and a challenge, because a plain challenge is the verifier. */
export const verifierPattern = /^[\w.~-]{43,128}$/

/** The value of a parameter; the last one, if the parameter is repeated. */
export const lastOf = (parameters: URLSearchParams, name: string): string | undefined => parameters.getAll(name).at(-1)

/** The form of a request; empty if the body is not a form. */
export const formOf = ({ body, headers }: ReceivedRequest): Effect.Effect<URLSearchParams> => {
  const type = headers["content-type"] ?? ""
  if (!/^multipart\/form-data\b/i.test(type)) {
    return Effect.succeed(new URLSearchParams(/^application\/x-www-form-urlencoded\b/i.test(type) ? body : ""))
  }
  return Effect.tryPromise(() => new Response(body, { headers: { "content-type": type } }).formData()).pipe(
    Effect.map((data) => {
      const form = new URLSearchParams()
      data.forEach((value, name) => typeof value === "string" && form.append(name, value))
      return form
    }),
    Effect.orElseSucceed(() => new URLSearchParams())
  )
}

const decoded = (text: string): string => new URLSearchParams(`text=${text.replaceAll("&", "%26")}`).get("text") ?? ""

/**
 * HTTP Basic, for credentials that the form does not have: both parts decoded as from a form (RFC 6749, 2.3.1), then as they
 * were sent, because many clients do not encode them.
 */
export const basicOf = ({
  headers
}: ReceivedRequest): ReadonlyArray<{ readonly id: string; readonly secret: string }> => {
  const encoded = /^Basic +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1]
  const text = new TextDecoder().decode(decodeBase64(encoded ?? ""))
  const at = text.indexOf(":")
  const [id, secret] = [text.slice(0, at), text.slice(at + 1)]
  return at < 0
    ? []
    : [
        { id: decoded(id), secret: decoded(secret) },
        { id, secret }
      ]
}
