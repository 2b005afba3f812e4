/**
 * The facts about a call and its progress. Credentials, policies, redaction, telemetry and errors all read this one object.
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
  /** Whether the call's credential slots are running. */
  waitsForCredentials = false
  /** The span, if the listener records one. */
  span: SpanOfCall | undefined
  /** The error of the time limit or the signal that has ended the call. */
  end: ClientError | undefined
  /** Cancels the exchange in flight, if it has to end with the call. */
  stop: (() => void) | undefined
  /** The headers of the last request. They still contain a secret that the program has wiped since. */
  headers: Readonly<Record<string, string>> = noHeaders
  /** Redacts the secrets of the call, once they are known. */
  redact: ((text: string) => string) | undefined
}

/**
 * Facts about a call. They are set before its first exchange; later, only a renewed token changes `credentials` and `secrets`.
 *
 * Two kinds of calls are never sent, and have only what their error shows: the call that follows a link which leads nowhere,
 * and a call that ends before its transport is built.
 */
export class CallState {
  params = noParams
  /** The request without credentials. Its URL is absolute; it is empty if no request is made. */
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
        /** Set if the call is a request for tokens, and not an operation. */
        readonly about?: "tokens"
      },
    /** The configuration, with the headers of the call. */
    public settings: CatalogSettings,
    readonly context: Context.Context<never>,
    readonly listener: Listener = noListener
  ) {}
}

/**
 * Shows the calls of an effect to the code that runs it; `interpret` fills it in. A promise call passes its tracker as an
 * argument (`RunOptions.tracker`), which is fast. Calls inside another effect find it in the context (`CallTrackerTag`): the
 * pages of a list, and the calls of `withResponse`, which also reads `replied`.
 */
export interface CallTracker {
  /** The call that began last. */
  last: CallState | undefined
  /** The calls that returned a reply, by their inputs: a repeated call counts once, and so do the pages of a list. */
  readonly replied?: Map<Inputs, CallState>
}

export const CallTrackerTag = /*#__PURE__*/ Context.Reference<"CallTracker">()("@catalog-client/core/CallTracker", {
  defaultValue: (): CallTracker | undefined => undefined
})
