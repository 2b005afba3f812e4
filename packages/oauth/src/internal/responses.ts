/**
 * The responses of routes: to errors of a call, and to requests that are refused.
 */
import * as Effect from "effect/Effect"
import {
  isCancelled,
  isCredentialsUnavailable,
  isForbidden,
  isInvalidInput,
  isNotFound,
  isPolicyRefusal,
  isRateLimited,
  isSignInRequired,
  isTimeout
} from "@catalog-client/core"
import { isClientError } from "@catalog-client/core/guards"

/** A route: from a request to its response. */
export type Handler<R> = (request: Request) => Effect.Effect<Response, never, R>

/**
 * The authorization URL contains the verifier, and replies are of one user: no cache keeps them, and no header passes them on.
 */
const headers = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin"
}

export const respond = (
  status: number,
  more: Readonly<Record<string, string>> = {},
  cookies: ReadonlyArray<string> = []
) => {
  const all = new Headers({ ...headers, ...more })
  cookies.forEach((cookie) => all.append("set-cookie", cookie))
  return new Response(null, { status, headers: all })
}

export const json = (value: unknown, status = 200, more: Readonly<Record<string, string>> = {}) =>
  new Response(JSON.stringify(value), {
    status,
    headers: { ...headers, ...more, "content-type": "application/json" }
  })

export const refuse = (status: number, error: string, message: string, more?: Readonly<Record<string, string>>) =>
  json({ error, message }, status, more)

export const notFound = () => refuse(404, "not_found", "There is nothing at this path.")

export const notAllowed = (allow: string) => refuse(405, "method_not_allowed", `Use ${allow}.`, { allow })

export const signInFirst = () => refuse(401, "sign_in_required", "Sign in.")

export const otherSite = () => refuse(403, "other_site", "Only pages of this site may send this.")

/** The response to an error of a call: without its message, which is for the program. */
export const errorResponse = (error: unknown): Response | undefined => {
  const rest = isClientError(error) && error._tag === "ClientRestError" ? error : undefined
  const seconds = rest?.retryAfter === undefined ? {} : { "retry-after": `${Math.ceil(rest.retryAfter / 1000)}` }
  if (isSignInRequired(error)) {
    return signInFirst()
  }
  if (isInvalidInput(error)) {
    return refuse(400, "bad_request", "The request has an invalid value.")
  }
  if (isNotFound(error)) {
    return refuse(404, "not_found", "There is no such item.")
  }
  if (isForbidden(error)) {
    return refuse(403, "forbidden", "The list is private, or the service refuses the request.", seconds)
  }
  if (isRateLimited(error)) {
    return refuse(429, "too_many_requests", "Too many requests.", seconds)
  }
  if (isCredentialsUnavailable(error) || isPolicyRefusal(error) || isCancelled(error)) {
    return refuse(503, "unavailable", "Try again later.", seconds)
  }
  if (isTimeout(error)) {
    return refuse(504, "timeout", "The catalog takes too long.")
  }
  return isClientError(error)
    ? refuse(502, "bad_gateway", "The catalog did not respond as expected.", seconds)
    : undefined
}

/** Logs an error for the program, because the visitor does not see the cause. No message contains a secret. */
export const logProblem = ({ message, name }: Error) => Effect.logWarning(`${name}: ${message}`)

/** The response to a failure; a defect for an error that is not the client's. */
export const responseTo = (error: unknown): Effect.Effect<Response> => {
  const response = error instanceof Response ? error : errorResponse(error)
  if (response === undefined) {
    return Effect.die(error)
  }
  // A visitor who has left is no problem of the program, and other refusals can be understood by the visitor.
  const isProblem = response.status >= 500 && !isCancelled(error)
  return isProblem ? Effect.as(logProblem(error as Error), response) : Effect.succeed(response)
}
