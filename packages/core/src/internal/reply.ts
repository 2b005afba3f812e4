/**
 * Judges an answer, in one place for every operation.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { ClientRestError } from "../CatalogError.js"
import * as Guard from "./guard.js"
import type { Declaration } from "./declaration.js"

/** An answer as it came. */
export interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string | undefined }
  readonly body: string
}

/** What an error says of the call that it belongs to. */
export interface Subject {
  readonly operation: string
  readonly method: string
  readonly url: string
}

/** Bytes of a text that an error keeps. */
const kept = 8 * 1024

const cutText = (text: string): string => {
  const bytes = new TextEncoder().encode(text.length > kept ? text.slice(0, kept) : text)
  return bytes.length > kept
    ? new TextDecoder().decode(bytes.subarray(0, kept)).replace(/\uFFFD+$/, "")
    : text.slice(0, kept)
}

const mapStrings = (value: unknown, map: (text: string) => string): unknown => {
  if (typeof value === "string") {
    return map(value)
  }
  if (Array.isArray(value)) {
    return value.map((element) => mapStrings(element, map))
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [map(key), mapStrings(member, map)]))
  }
  return value
}

const parse = (text: string): { readonly json: unknown } | undefined => {
  try {
    return { json: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** Milliseconds that a `Retry-After` header asks for: seconds or a date. */
const retryAfter = (header: string | undefined, now: number): number | undefined => {
  if (header === undefined) {
    return undefined
  }
  if (/^\s*\d+\s*$/.test(header)) {
    return Number(header) * 1000
  }
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const textMember = (body: unknown, key: string): string | undefined => {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, key)) {
    return undefined
  }
  const member = (body as { readonly [key: string]: unknown })[key]
  return typeof member === "string" && member !== "" ? member : undefined
}

/** The operation's reply, or why the answer is none. */
export const judge = (
  operation: Declaration,
  subject: Subject,
  answer: Answer,
  cut: (text: string) => string
): Effect.Effect<unknown, ClientRestError> => {
  const { status, headers, body } = answer
  const success = status >= 200 && status < 300
  if (success && operation.reply === undefined) {
    return Effect.void
  }
  const parsed = parse(body)
  const path: Guard.Path = []
  if (success && parsed !== undefined && operation.reply !== undefined) {
    const guarded = Guard.make(operation.reply)(parsed.json, path)
    if (guarded !== Guard.invalid) {
      return Effect.succeed(guarded)
    }
  }
  const shown = parsed === undefined ? cutText(cut(body)) : mapStrings(parsed.json, cut)
  const code = textMember(shown, "error")
  const serviceMessage = textMember(shown, "message")
  return Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const wait = retryAfter(headers["retry-after"], now)
    return Effect.fail(
      new ClientRestError({
        ...subject,
        status,
        reason: success ? "InvalidBody" : "Status",
        ...(code !== undefined && { code }),
        ...(serviceMessage !== undefined && { serviceMessage }),
        body: shown,
        ...(success && parsed !== undefined && { path: path.reverse() }),
        ...(wait !== undefined && { retryAfter: wait }),
        attempts: 1
      })
    )
  })
}
