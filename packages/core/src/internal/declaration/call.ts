/**
 * The facts about a call. Credentials, policies, redaction, telemetry and errors all read this one object.
 */
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import type { Secret } from "../common/secret.js"
import type { ClientError } from "../../CatalogError.js"
import type { CatalogCall } from "../policies/policy.js"
import type { CredentialsService } from "../settings/slots.js"
import { noSlots } from "../settings/slots.js"
import type { CatalogSettings } from "../settings/settings.js"
import type { Declaration, Inputs, Params } from "./declaration.js"
import { type Listener, noListener, type SpanOfCall } from "./listener.js"
import type { PreparedRequest } from "./request.js"

/** The headers of a response. Their names are in lower case. */
export interface ResponseHeaders {
  readonly get: (name: string) => string | undefined
  readonly names: () => Iterable<string>
}

/** What was received of a response. */
export interface ReceivedResponse {
  readonly status: number | undefined
  readonly headers: ResponseHeaders
  /** The body of the reply, once it is validated. */
  body: string | undefined
}

export const noResponse: ReceivedResponse = {
  status: undefined,
  headers: { get: () => undefined, names: () => [] },
  body: undefined
}

export const noCredentials: CatalogCall["credentials"] = /*#__PURE__*/ (() => ({
  accessToken: Option.none(),
  clientId: Option.none()
}))()

// Shared constants: a new empty object costs each call 56 bytes.
const noRequest: PreparedRequest = { url: "", form: undefined }
const noParams: Params = {}
const noHeaders: CallProgress["headers"] = {}
const noSecrets: CallState["secrets"] = []

/** What a call has sent and received so far. */
class CallProgress {
  attempts = 0
  /** The response with the reply, or else the last response. */
  response = noResponse
  /** Whether its credential slots are running. */
  waitsForCredentials = false
  /** The span, if the listener records one. */
  span: SpanOfCall | undefined
  /** The error of its time limit or its signal, once that has ended it. */
  end: ClientError | undefined
  /** Cancels the exchange in flight, if it has to end with the call. */
  stop: (() => void) | undefined
  /** The headers of the last request. They still contain a secret that a program has wiped since. */
  headers: Readonly<Record<string, string>> = noHeaders
  /** Redacts the secrets of the call, once they are known. */
  redact: ((text: string) => string) | undefined
}

/**
 * Facts about a call. They are set before its first exchange; a renewed token changes `credentials` and `secrets`. Of a call that
 * is never sent, only what an error shows is set: it is made for a link that leads nowhere, for a call that still waits for its
 * transport, or to redact a string.
 */
export class CallState {
  params = noParams
  /** Without credentials; its URL is absolute, or empty if no request is made. */
  request = noRequest
  /** Milliseconds for one exchange. */
  timeout = 0
  maxResponseBytes = Infinity
  slots: CredentialsService = noSlots
  credentials = noCredentials
  /** Further secrets of the call, to be redacted. */
  secrets: ReadonlyArray<Secret> = noSecrets
  readonly progress = new CallProgress()

  constructor(
    /** A `Pick`, because a token request has no other members of a declaration. */
    readonly declaration: Pick<Declaration, "name" | "method" | "reply"> &
      Partial<Declaration> & {
        /** It is a request for tokens, and no operation. */
        readonly about?: "tokens"
      },
    /** With the headers of the call. */
    public settings: CatalogSettings,
    readonly context: Context.Context<never>,
    readonly listener: Listener = noListener
  ) {}
}

/**
 * Collects the calls of an effect for whoever runs it; `interpret` fills it. A call of a promise passes it as an argument
 * (`RunOptions.tracker`), which is fast. Calls further inside find it in the context (`CallTrackerTag`): the pages of a list, and
 * the calls of `withResponse`, which also needs those that `replied`.
 */
export interface CallTracker {
  /** The call that began last. */
  last: CallState | undefined
  /** The calls that returned a reply, by their inputs: a call that is repeated counts once, as do the pages of a list. */
  readonly replied?: Map<Inputs, CallState>
}

export const CallTrackerTag = /*#__PURE__*/ Context.Reference<"CallTracker">()("@catalog-client/core/CallTracker", {
  defaultValue: (): CallTracker | undefined => undefined
})
