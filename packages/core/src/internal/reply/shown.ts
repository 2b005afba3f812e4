/**
 * What errors show of a response: some of its headers, and its body, without secrets.
 */
import type { Call } from "../call/call.js"
import { checkDepth } from "./guard.js"

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
export const headersOf = (
  call: Call,
  names: Iterable<string> = call.response.headers.names()
): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const name of names) {
    const value = call.response.headers.get(name)
    if (value !== undefined) {
      headers[name] = name === "set-cookie" ? "<redacted>" : call.redact(value.slice(0, kept))
    }
  }
  return headers
}

/** Bytes of a string that an error keeps. */
const kept = 8 * 1024

const cutText = (text: string): string => {
  let bytes = 0
  let end = 0
  for (const char of text) {
    bytes += char < "\x80" ? 1 : char < "\u0800" ? 2 : char.length + 2
    if (bytes > kept) {
      break
    }
    end += char.length
  }
  return text.slice(0, end)
}

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
export const rawOf = (call: Call): unknown => {
  const { body } = call.response
  return body === undefined ? undefined : redactJson(JSON.parse(body), (text) => call.redact(text))
}

/** The beginning of a string, without secrets. */
export const beginningOf = (text: string, redact: (text: string) => string, length = 2 * kept): string =>
  cutText(redact(text.slice(0, length)))

/** What an error shows of a body: the JSON, or else the beginning of the string. */
export const shownOf = (text: string, redact: (text: string) => string): unknown => {
  const asText = (text: string) => beginningOf(text, redact)
  if (text.length > largest) {
    return asText(text)
  }
  try {
    const json: unknown = JSON.parse(text)
    checkDepth(json, 0)
    return typeof json === "string" ? asText(json) : redactJson(json, redact)
  } catch {
    // Not JSON, or nested too deeply.
    return asText(text)
  }
}
