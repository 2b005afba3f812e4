/**
 * What becomes of a response, in one place for every operation: the reply, or the error of one that is refused or that does
 * not match its Schema.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { ClientRestError } from "../../CatalogError.js"
import { textIn } from "../common/cause.js"
import { report } from "../telemetry/report.js"
import * as Guard from "./guard.js"
import { Reading, type Rejection } from "./mismatches.js"
import type { Call } from "../call/call.js"
import * as Headers from "../credentials/headers.js"
import { beginningOf, headersOf, known, shownOf } from "./shown.js"

/** Milliseconds that a `Retry-After` header asks for, in seconds or as a date: the longest, if there are several. */
export const retryAfter = (header = "", now: number): number | undefined => {
  let longest = -1
  // The comma after a weekday is part of its date.
  for (const value of header.split(/,(?! \d+[ -][A-Z])/)) {
    const millis = /^\s*\d+(\.\d+)?\s*$/.test(value)
      ? Number(value) * 1000
      : // `Date.parse` accepts much that is not a date.
        /^\s*[A-Z][a-z]+,? .+ GMT\s*$/.test(value)
        ? Math.max(0, Date.parse(value) - now)
        : -1
    if (millis > longest) {
      longest = Math.min(Math.round(millis), Number.MAX_SAFE_INTEGER)
    }
  }
  return longest < 0 ? undefined : longest
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
    const { decode, reply: schema } = operation
    if (schema === undefined && decode === undefined) {
      return Effect.void
    }
    try {
      const json: unknown = JSON.parse(schema === undefined ? body.trim() || "null" : body)
      mismatch = { path: [] }
      const reading = new Reading(omitsOf(call), body.length > large)
      let reply = schema === undefined ? json : Guard.check(schema, json, reading)
      if (reply === Guard.invalid) {
        mismatch = reading.rejection
      } else if (decode) {
        const path: Array<string | number> = []
        mismatch = { path }
        reply = decode(reply, path)
      }
      if (reply !== Guard.invalid) {
        call.response.body = schema && body
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
    const wait = retryAfter(call.response.headers.get("retry-after"), now)
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
