/**
 * What is known about a call. Credentials, policies, redaction, telemetry and errors all read this one object.
 */
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type * as Tracer from "effect/Tracer"
import type { CatalogCall } from "../../CatalogPolicy.js"
import type { CredentialsService } from "../../Credentials.js"
import { noSlots } from "../services/credentials.js"
import type { CatalogSettings } from "../services/settings.js"
import type { Declaration, Params } from "./declaration.js"
import type { Request } from "./request.js"

/** The headers of a response. Their names are in lower case. */
export interface Headers {
  readonly get: (name: string) => string | undefined
  readonly names: () => Iterable<string>
}

export interface Response {
  readonly status: number | undefined
  readonly headers: Headers
  /** The body of the reply, once it is validated. */
  body: string | undefined
}

export const noResponse: Response = {
  status: undefined,
  headers: { get: () => undefined, names: () => [] },
  body: undefined
}

export const noCredentials: CatalogCall["credentials"] = /*#__PURE__*/ (() => ({
  accessToken: Option.none(),
  clientId: Option.none()
}))()

// One of each: an empty object takes 56 bytes of every call.
const noRequest: Request = { url: "", form: undefined }
const noParams: Params = {}
const noHeaders: Progress["headers"] = {}
const noSecrets: Call["secrets"] = []

/** What a call has sent and received so far. */
class Progress {
  attempts = 0
  /** The last response, or that of the reply. */
  response = noResponse
  /** The span, if a tracer records the call. */
  span: Tracer.Span | undefined
  /** Ends the exchange in flight, if it ends with the call. */
  stop: (() => void) | undefined
  /** The headers of the last request as they were sent: a secret can be wiped after that. */
  headers: Readonly<Record<string, string>> = noHeaders
  /** Redacts the secrets of the call, once they are known. */
  redact: ((text: string) => string) | undefined
}

/** Facts about a call. They are set before its first exchange. */
export class Call {
  params = noParams
  /** Without credentials; its URL is absolute, or empty if no request is made. */
  request = noRequest
  /** Milliseconds for one exchange. */
  timeout = 0
  maxResponseBytes = Infinity
  slots: CredentialsService = noSlots
  credentials = noCredentials
  /** Further secrets of the call, to be redacted. */
  secrets: ReadonlyArray<Redacted.Redacted<string>> = noSecrets
  readonly progress = new Progress()

  constructor(
    /** A request for tokens has no more than this. */
    readonly operation: Pick<Declaration, "name" | "method" | "reply" | "limit" | "decode" | "cacheable">,
    /** With the headers of the call. */
    public config: CatalogSettings,
    readonly context: Context.Context<never>
  ) {}
}

/** Holds the call that began last. */
export interface LastCall {
  call: Call | undefined
}

export const LastCallTag = /*#__PURE__*/ Context.Reference<"LastCall">()("@catalog-client/core/LastCall", {
  defaultValue: (): LastCall | undefined => undefined
})
