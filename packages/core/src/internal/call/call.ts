/**
 * One call of an operation, from its inputs to its end: its state, and how errors and telemetry show it.
 */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import type * as Redacted from "effect/Redacted"
import type * as Tracer from "effect/Tracer"
import { ClientNetworkError } from "../../CatalogError.js"
import type { CatalogCall } from "../../CatalogPolicy.js"
import { toRecord } from "../common/cause.js"
import type { Declaration } from "../declaration/declaration.js"
import { nameOf, type Request } from "../declaration/request.js"
import { noCredentials } from "../credentials/credentials.js"
import { redactorOf, redactUrl } from "../redaction/secrets.js"
import type { CatalogSettings } from "../services/settings.js"

/** The headers of a response, which a transport reports one by one or all at once. */
export interface Headers {
  /** By its name in lower case. */
  readonly get: (name: string) => string | undefined
  /** Names in lower case. */
  readonly names: () => Iterable<string>
}

/** Characters of a URL or of a cause that are shown. */
const longest = 2048

const noRequest: Request = { url: "", form: undefined }

/** What is known of the response to an exchange. */
interface Response {
  readonly status: number | undefined
  readonly headers: Headers
  /** The body of the reply, once it is validated. */
  body: string | undefined
}

const noResponse: Response = {
  status: undefined,
  headers: { get: () => undefined, names: () => [] },
  body: undefined
}

/** Holds the call that began last. */
export interface LastCall {
  call: Call | undefined
}

export class Call {
  /** Without credentials; its URL is absolute, or empty if no request is made. */
  request: Request = noRequest
  /** Milliseconds for one exchange. */
  timeout = 0
  maxResponseBytes = Infinity
  /** Exchanges made so far. */
  attempts = 0
  /** The response that it received last, or that of its reply. */
  response = noResponse
  /** The span, if a tracer records the call. */
  span: Tracer.Span | undefined
  /** Ends the exchange in flight, if it ends with the call. */
  stop: (() => void) | undefined
  /** The credentials that are sent. */
  credentials: CatalogCall["credentials"] = noCredentials
  /** Further secrets of the call, to be redacted. */
  secrets: ReadonlyArray<Redacted.Redacted<string>> = []
  /** The headers of its last request as they were written: a secret can be wiped after that. */
  #written: Readonly<Record<string, string>> = {}
  #redact: ((text: string) => string) | undefined

  constructor(
    /** Also a request for tokens. */
    readonly operation: Pick<Declaration, "name" | "method" | "reply" | "limit" | "decode">,
    /** With the headers of the call. */
    public config: CatalogSettings,
    readonly context: Context.Context<never>
  ) {}

  /** Sets the credentials that are sent; those of an earlier attempt stay secret. */
  send(credentials: CatalogCall["credentials"]): void {
    if (this.credentials !== noCredentials) {
      this.secrets = [...this.secrets, ...Arr.getSomes(Object.values(this.credentials))]
      this.#redact = undefined
    }
    this.credentials = credentials
  }

  /** Counts an attempt, which has no response yet. */
  begin(): void {
    this.attempts++
    this.response = noResponse
  }

  /** Remembers the headers of a request. */
  wrote(headers: Readonly<Record<string, string>>): void {
    this.#written = headers
  }

  /**
   * Redacts the call's secrets in a string, and cuts it after so many characters. Not called before the credentials are
   * known, unless nothing will be sent.
   */
  redact(text: string, most = Infinity): string {
    this.#redact ??= redactorOf(this.context, this.credentials, this.config, this.#written, this.secrets)
    const redacted = this.#redact(text.slice(0, 2 * most))
    return redacted.length > most ? `${redacted.slice(0, most)}…` : redacted
  }

  /** The whole URL, redacted, since an input or a page's link can contain a credential. */
  get redactedUrl(): string {
    return redactUrl(this.request.url, (text) => this.redact(text))
  }

  /** The URL as errors, spans, hooks and the log show it. */
  get shownUrl(): string {
    return redactUrl(this.request.url, (text) => this.redact(text, longest))
  }

  /** The requested fields that occur nowhere in the reply, for the debug log. */
  get missing(): string {
    const { config, request } = this
    const { body } = this.response
    const selector = body === undefined ? null : new URL(request.url).searchParams.get(nameOf(config, "fields"))
    const names = selector?.match(/[^,{}]+/g) ?? []
    return this.redact(names.filter((name) => !body?.includes(`"${name}"`)).join(", "))
  }

  /** The members that all of its errors share. */
  get facts(): {
    readonly operation: string
    readonly method: string
    readonly url: string
    readonly attempts: number
  } {
    const { name, method } = this.operation
    return { operation: name, method, url: this.shownUrl, attempts: Math.max(1, this.attempts) }
  }

  timedOut(timeoutMs: number): ClientNetworkError {
    return new ClientNetworkError({ ...this.facts, reason: "Timeout", timeoutMs })
  }

  networkError(reason: ClientNetworkError["reason"], cause?: unknown): ClientNetworkError {
    return new ClientNetworkError({
      ...this.facts,
      reason,
      ...(cause !== undefined && { cause: toRecord(cause, (text) => this.redact(text, longest)) })
    })
  }
}

/** Holds the call of an Effect that began last. */
export const LastCallTag = /*#__PURE__*/ Context.Reference<"LastCall">()("@catalog-client/core/LastCall", {
  defaultValue: (): LastCall | undefined => undefined
})
