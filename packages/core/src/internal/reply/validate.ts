/**
 * Turns a response into the reply, or into an error if the status or the body is wrong.
 */
import * as Effect from "effect/Effect"
import type { ClientRestError } from "../../CatalogError.js"
import { refusedInput, unknownClientId } from "../common/statuses.js"
import { jsonIn, stringIn } from "../common/values.js"
import { sendsAny } from "../credentials/headers.js"
import type { CallState } from "../declaration/call.js"
import { invalid, type Rejection } from "../declaration/declaration.js"
import { takenFor } from "../declaration/request.js"
import { slotNames } from "../settings/slots.js"
import { reportMismatches } from "../telemetry/notify.js"
import { beginningOf, isSuccess, missingBound, responseHeaders, restError, shownBody, knownHeaders } from "./errors.js"
import { readReply } from "./guard.js"
import { GuardState } from "./mismatches.js"

/** A reply with more characters counts as large. A page of 1 000 entries has fewer. */
const largeBody = 1024 * 1024

/** The reply, or the path of the mismatch; `undefined` if the body is not JSON. */
type ReadBody = { readonly reply: unknown; readonly state: GuardState } | { readonly mismatch: Rejection | undefined }

/** Reads a body by the Schema of the reply and the decoder of the operation. */
const replyIn = ({ settings, declaration }: CallState, body: string): ReadBody => {
  const { decode, limit, reply: schema } = declaration
  let rejection: Rejection | undefined
  try {
    const json: unknown = JSON.parse(schema === undefined ? body.trim() || "null" : body)
    rejection = { path: [] }
    // `paging` is never omitted: without its link, a list would end too early.
    const state = new GuardState(
      (first) => settings.mismatch !== "fail" && !(limit && typeof first === "object" && first.key === "paging"),
      body.length > largeBody
    )
    const checked = schema === undefined ? json : readReply(schema, json, state)
    if (checked === invalid) {
      return { mismatch: state.rejection }
    }
    const reply = decode ? decode(checked, rejection) : checked
    return reply === invalid ? { mismatch: rejection } : { reply, state }
  } catch (error) {
    // Not JSON, or nested too deeply.
    if (error instanceof SyntaxError || error instanceof RangeError) {
      return { mismatch: rejection }
    }
    throw error
  }
}

/** What was not found, or what the refused input takes. `message` is not redacted yet. */
const expectedBy = (call: CallState, status: number, message?: string): string | undefined => {
  const { settings, declaration } = call
  const input = refusedInput(message)
  return status === 404
    ? declaration.finds
    : status === 504
      ? missingBound(call)
      : input && takenFor(declaration, settings, input)
}

/** The error for a response, with the mismatch if its body is not the reply. */
const failWithResponse = (
  call: CallState,
  status: number,
  body: string,
  mismatch?: Rejection
): Effect.Effect<never, ClientRestError> => {
  const shown = shownBody(call, body)
  const code = stringIn(shown, "error")
  // From the body before it is redacted: a secret can be a word of the message.
  const message = status === 400 ? stringIn(jsonIn(body), "message") : undefined
  const expected = mismatch?.expected ?? expectedBy(call, status, message)
  return restError(call, {
    status,
    code,
    serviceMessage: message === unknownClientId ? message : stringIn(shown, "message"),
    body: shown,
    headers: responseHeaders(call, knownHeaders),
    // Keys of a custom record come from the service, so they are redacted and cut.
    ...(mismatch && {
      path: mismatch.path.map((key) => (typeof key === "string" ? beginningOf(call, key, 256) : key))
    }),
    ...(expected && { expected }),
    ...(mismatch?.expected && { found: mismatch.found }),
    ...(status === 401 && { credentialSent: sendsAny(["accessToken"], call) }),
    ...(status === 403 && { credentialSent: sendsAny(slotNames, call) })
  })
}

/** The operation's reply, or the error if the response does not contain it. */
export const validate = (call: CallState, status: number, body: string): Effect.Effect<unknown, ClientRestError> => {
  const { decode, reply: schema } = call.declaration
  if (!isSuccess(status)) {
    return failWithResponse(call, status, body)
  }
  if (schema === undefined && decode === undefined) {
    return Effect.void
  }
  const result = replyIn(call, body)
  if ("mismatch" in result) {
    return failWithResponse(call, status, body, result.mismatch)
  }
  const { reply, state } = result
  call.progress.response.body = schema && body
  return state.omittedCount === 0 ? Effect.succeed(reply) : Effect.as(reportMismatches(call, state.mismatches), reply)
}
