/**
 * What `withResponse` returns, on all faces.
 */
import type { CatalogResponse } from "../../Face.js"
import type { CallState } from "../declaration/call.js"
import { redactedUrlOf } from "../redaction/redactIn.js"
import { responseHeaders, rawOf } from "./errors.js"

export const responseOf = <A>(data: A, call: CallState | undefined): CatalogResponse<A> => {
  let parsed: { readonly raw: unknown } | undefined
  return {
    data,
    status: call?.progress.response.status,
    headers: call === undefined ? {} : responseHeaders(call),
    get url() {
      return call === undefined ? "" : redactedUrlOf(call)
    },
    attempts: call?.progress.attempts ?? 0,
    // A getter: parsing and redacting the body again costs as much as the reply, and few programs read it.
    get raw() {
      return (parsed ??= { raw: call && rawOf(call) }).raw
    }
  }
}
