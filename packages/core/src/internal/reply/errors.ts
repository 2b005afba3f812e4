/**
 * Makes the errors of a call: they show its request, some headers of the response, and its body, without secrets.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { ClientNetworkError, ClientRestError } from "../../CatalogError.js"
import { toRecord } from "../common/cause.js"
import { isPresent } from "../common/values.js"
import type { CallState } from "../declaration/call.js"
import { maxShown, callNames, redactIn } from "../redaction/redactIn.js"
import { checkDepth } from "./guard.js"
import { readRetryAfter } from "./retryAfter.js"

/** The members that all errors of a call share. */
export const errorMembers = (call: CallState) => {
  const { about } = call.declaration
  return { ...callNames(call), attempts: call.progress.attempts, ...(about && { about }) }
}

/** The inputs without which the service does not respond in time, if the call has none of them. */
export const missingBound = ({ declaration: { bound }, params }: CallState): string | undefined =>
  bound?.oneOf.some((input) => isPresent(params[input])) === false ? bound.expected : undefined

/** The error of a timeout. Its cause is what the call waited for, if that is known: a retry, or its credentials. */
export const timedOut = (call: CallState, timeoutMs: number): ClientNetworkError => {
  const { attempts, response, waitsForCredentials } = call.progress
  const cause =
    (response.status ?? 200) > 299
      ? { name: "ClientRestError", message: `attempt ${attempts} returned ${response.status}` }
      : waitsForCredentials
        ? { name: "Error", message: "it waited for its credentials" }
        : undefined
  const expected = missingBound(call)
  return new ClientNetworkError({
    ...errorMembers(call),
    reason: "Timeout",
    timeoutMs,
    ...(expected && { expected }),
    ...(cause && { cause })
  })
}

export const networkError = (
  call: CallState,
  reason: ClientNetworkError["reason"],
  cause?: unknown
): ClientNetworkError =>
  new ClientNetworkError({
    ...errorMembers(call),
    reason,
    ...(cause !== undefined && { cause: toRecord(cause, (text) => redactIn(call, text, maxShown)) })
  })

/** Headers that help to find out why a request failed: the server, the request id, the remaining quota. */
export const knownHeaders = [
  "content-encoding",
  "content-type",
  "date",
  "location",
  "retry-after",
  "server",
  "via",
  "www-authenticate",
  "x-request-id",
  "request-id",
  "x-correlation-id",
  "x-amz-cf-id",
  "cf-ray",
  "ratelimit",
  "ratelimit-limit",
  "ratelimit-policy",
  "ratelimit-remaining",
  "ratelimit-reset",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset"
] as const

/** Characters of a string that an error keeps. */
const maxKeptLength = 8 * 1024

/** Some headers of the last response of a call. A `set-cookie` header is a secret as a whole. */
export const responseHeaders = (call: CallState, names?: Iterable<string>): Record<string, string> => {
  const { headers } = call.progress.response
  const shown: Record<string, string> = {}
  for (const name of names ?? headers.names()) {
    const value = headers.get(name)
    if (value !== undefined) {
      shown[name] = name === "set-cookie" ? "<redacted>" : redactIn(call, value.slice(0, maxKeptLength))
    }
  }
  return shown
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

type RestMembers = ConstructorParameters<typeof ClientRestError>[0]

type RestDetails = Omit<RestMembers, keyof ReturnType<typeof errorMembers> | "reason" | "code" | "serviceMessage"> & {
  readonly code: string | undefined
  readonly serviceMessage: string | undefined
}

/**
 * Fails with the error for a response. For a 2xx, the reason is `InvalidBody`. Omits empty strings; reads `retryAfter` from the
 * headers.
 */
export const restError = (
  call: CallState,
  { code, serviceMessage, ...details }: RestDetails
): Effect.Effect<never, ClientRestError> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const retryAfter = readRetryAfter(call.progress.response.headers.get("retry-after"), now)
    return Effect.fail(
      new ClientRestError({
        ...errorMembers(call),
        reason: isSuccess(details.status) ? "InvalidBody" : "Status",
        ...(code && { code }),
        ...(serviceMessage && { serviceMessage }),
        ...details,
        ...(retryAfter !== undefined && { retryAfter })
      })
    )
  })

/** Redacts secrets in a body, in keys and numbers too: a number that changes becomes a string. */
const redactJson = (value: unknown, redact: (text: string) => string): unknown => {
  if (typeof value === "string") {
    return redact(value)
  }
  if (typeof value === "number") {
    const text = String(value)
    const redacted = redact(text)
    return redacted === text ? value : redacted
  }
  if (typeof value !== "object" || value === null) {
    return value
  }
  return Array.isArray(value)
    ? value.map((element) => redactJson(element, redact))
    : Object.fromEntries(Object.entries(value).map(([key, member]) => [redact(key), redactJson(member, redact)]))
}

/** The longest body that an error shows as JSON: searching more for secrets would take too long. */
const maxJsonLength = 64 * 1024

/** The body of a validated reply as it was received. */
export const rawOf = (call: CallState): unknown => {
  const { body } = call.progress.response
  return body === undefined ? undefined : redactJson(JSON.parse(body), (text) => redactIn(call, text))
}

/** The beginning of a string, cut between characters. */
export const beginningOf = (call: CallState, text: string, length = 2 * maxKeptLength): string =>
  redactIn(call, text.slice(0, length))
    .slice(0, maxKeptLength)
    .replace(/[\ud800-\udbff]$/, "")

/** What an error shows of a body: the JSON, or else the beginning of the string. */
export const shownBody = (call: CallState, text: string): unknown => {
  if (text.length <= maxJsonLength) {
    try {
      const json: unknown = JSON.parse(text)
      checkDepth(json, 0)
      if (typeof json !== "string") {
        return redactJson(json, (text) => redactIn(call, text))
      }
      return beginningOf(call, json)
    } catch {
      // Not JSON, or nested too deeply.
    }
  }
  return beginningOf(call, text)
}
