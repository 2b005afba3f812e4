/**
 * Validates a response, in one place for every operation.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { ClientRestError } from "../../CatalogError.js"
import { textIn } from "../common/cause.js"
import { report } from "../telemetry/report.js"
import * as Guard from "./guard.js"
import { Reading, type Rejection } from "./mismatches.js"
import type { Call } from "./call.js"
import * as Headers from "../credentials/headers.js"

/** Headers that help to find out why a request failed: the server, the request id, the remaining quota. */
export const known = [
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

/** Some headers of the last response of a call, without secrets. A `set-cookie` header is a secret as a whole. */
export const headersOf = (call: Call, names: Iterable<string> = call.headers.names()): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const name of names) {
    const value = call.headers.get(name)
    if (value !== undefined) {
      headers[name] = name === "set-cookie" ? "<redacted>" : call.redact(value.slice(0, kept))
    }
  }
  return headers
}

/** Bytes of a string that an error keeps. */
const kept = 8 * 1024

const cutText = (text: string): string => text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(kept)).read)

/** Maps every string in a body; a number whose text changes becomes a string. */
const mapStrings = (value: unknown, map: (text: string) => string): unknown => {
  if (typeof value === "string") {
    return map(value)
  }
  if (typeof value === "number") {
    const text = String(value)
    const mapped = map(text)
    return mapped === text ? value : mapped
  }
  if (typeof value !== "object" || value === null) {
    return value
  }
  return Array.isArray(value)
    ? value.map((element) => mapStrings(element, map))
    : Object.fromEntries(Object.entries(value).map(([key, member]) => [map(key), mapStrings(member, map)]))
}

/** Characters of a body that an error shows as JSON: searching more for secrets would take too long. */
const largest = 64 * 1024

/** A body without secrets, in its keys and numbers too. */
const redactJson = (json: unknown, redact: (text: string) => string): unknown => {
  const text = JSON.stringify(json)
  const redacted = redact(text)
  if (redacted === text) {
    return json
  }
  try {
    return JSON.parse(redacted)
  } catch {
    // A secret spans a number or several strings.
    return mapStrings(json, redact)
  }
}

/** The body of a validated reply as it was received, without secrets. */
export const rawOf = (call: Call): unknown =>
  call.body === undefined ? undefined : redactJson(JSON.parse(call.body), (text) => call.redact(text))

/** The beginning of a string, without secrets. */
const beginningOf = (text: string, redact: (text: string) => string, length = 2 * kept): string =>
  cutText(redact(text.slice(0, length)))

/** What an error shows of a body: the JSON, or else the beginning of the string. */
const shownOf = (text: string, redact: (text: string) => string): unknown => {
  const asText = (text: string) => beginningOf(text, redact)
  if (text.length > largest) {
    return asText(text)
  }
  try {
    const json: unknown = JSON.parse(text)
    Guard.checkDepth(json, 0)
    return typeof json === "string" ? asText(json) : redactJson(json, redact)
  } catch {
    // Not JSON, or nested too deeply.
    return asText(text)
  }
}

/** Milliseconds that a `Retry-After` header asks for: seconds or a date. */
export const retryAfter = (header = "", now: number): number | undefined => {
  if (/^\s*\d+\s*$/.test(header)) {
    return Math.min(Number(header) * 1000, Number.MAX_SAFE_INTEGER)
  }
  // `Date.parse` accepts much that is not a date.
  const date = /^\s*[A-Z][a-z]+,? .+ GMT\s*$/.test(header) ? Date.parse(header) : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Whether a status means success. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** Characters of a reply that is large: 1 000 entries have fewer. */
const large = 1024 * 1024

/** What may be left out of a reply: never the links to other pages, since a list would end too early. */
const omitsOf =
  ({ config, operation }: Call): ConstructorParameters<typeof Reading>[0] =>
  (first) =>
    config.mismatch !== "fail" && !(operation.limit && typeof first === "object" && first.key === "paging")

/** The operation's reply, or the error if the response does not hold it. */
export const validate = (call: Call, status: number, body: string): Effect.Effect<unknown, ClientRestError> => {
  const { operation } = call
  const success = isSuccess(status)
  let mismatch: (Pick<Rejection, "path"> & Partial<Rejection>) | undefined
  if (success) {
    if (operation.reply === undefined) {
      return Effect.void
    }
    try {
      const json: unknown = JSON.parse(body)
      mismatch = { path: [] }
      const reading = new Reading(omitsOf(call), body.length > large)
      let reply = Guard.check(operation.reply, json, reading)
      if (reply === Guard.invalid) {
        mismatch = reading.rejection
      } else if (operation.decode) {
        const path: Array<string | number> = []
        mismatch = { path }
        reply = operation.decode(reply, path)
      }
      if (reply !== Guard.invalid) {
        call.body = body
        return reading.mark === 0 ? Effect.succeed(reply) : Effect.as(report(call, reading.mismatches), reply)
      }
    } catch (error) {
      // Not JSON, or nested too deeply.
      if (!(error instanceof SyntaxError || error instanceof RangeError)) {
        throw error
      }
    }
  }
  const shown = shownOf(body, (text) => call.redact(text))
  const shownKey = (key: string) => beginningOf(key, (text) => call.redact(text), 256)
  const code = textIn(shown, "error")
  const serviceMessage = textIn(shown, "message")
  return Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const wait = retryAfter(call.headers.get("retry-after"), now)
    return Effect.fail(
      new ClientRestError({
        ...call.facts,
        status,
        reason: success ? "InvalidBody" : "Status",
        ...(code && { code }),
        ...(serviceMessage && { serviceMessage }),
        body: shown,
        headers: headersOf(call, known),
        // A custom record has the service's names.
        ...(mismatch && { path: mismatch.path.map((key) => (typeof key === "string" ? shownKey(key) : key)) }),
        ...(mismatch?.expected && { expected: mismatch.expected, found: mismatch.found }),
        ...(wait !== undefined && { retryAfter: wait }),
        ...(status === 401 && { tokenSent: Headers.sendsToken(call) })
      })
    )
  })
}
