/**
 * What errors show of a call: its request, some headers of the response, and its body, without secrets.
 */
import { ClientNetworkError } from "../../CatalogError.js"
import { toRecord } from "../common/cause.js"
import type { Call } from "../declaration/call.js"
import { mostShown, namesOf, redactIn } from "../redaction/redactIn.js"
import { checkDepth } from "./guard.js"

/** The members that all errors of a call share. */
export const factsOf = (call: Call) => ({ ...namesOf(call), attempts: call.progress.attempts })

/** Names the failed response, if there was one: a call that waits to retry times out after it. */
export const timedOut = (call: Call, timeoutMs: number): ClientNetworkError => {
  const { attempts, response } = call.progress
  const failed = (response.status ?? 200) > 299
  return new ClientNetworkError({
    ...factsOf(call),
    reason: "Timeout",
    timeoutMs,
    ...(failed && { cause: { name: "ClientRestError", message: `attempt ${attempts} returned ${response.status}` } })
  })
}

export const networkError = (call: Call, reason: ClientNetworkError["reason"], cause?: unknown): ClientNetworkError =>
  new ClientNetworkError({
    ...factsOf(call),
    reason,
    ...(cause !== undefined && { cause: toRecord(cause, (text) => redactIn(call, text, mostShown)) })
  })

/** Headers that help to find out why a request failed: the server, the request id, the remaining quota. */
export const usualHeaders = [
  "content-type",
  "date",
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
const kept = 8 * 1024

/** Some headers of the last response of a call. A `set-cookie` header is a secret as a whole. */
export const headersOf = (call: Call, names?: Iterable<string>): Record<string, string> => {
  const { headers } = call.progress.response
  const shown: Record<string, string> = {}
  for (const name of names ?? headers.names()) {
    const value = headers.get(name)
    if (value !== undefined) {
      shown[name] = name === "set-cookie" ? "<redacted>" : redactIn(call, value.slice(0, kept))
    }
  }
  return shown
}

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
const largest = 64 * 1024

/** The body of a validated reply as it was received. */
export const rawOf = (call: Call): unknown => {
  const { body } = call.progress.response
  return body === undefined ? undefined : redactJson(JSON.parse(body), (text) => redactIn(call, text))
}

/** The beginning of a string, cut between characters. */
export const beginningOf = (call: Call, text: string, length = 2 * kept): string =>
  redactIn(call, text.slice(0, length))
    .slice(0, kept)
    .replace(/[\ud800-\udbff]$/, "")

/** What an error shows of a body: the JSON, or else the beginning of the string. */
export const shownBody = (call: Call, text: string): unknown => {
  if (text.length <= largest) {
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
