/**
 * The four errors that an operation can fail with. There are no others.
 *
 * All are `Schema.TaggedError`s: `Effect.catchTag` and `instanceof` tell them apart, and `Schema.encode` carries them to
 * another process. None of them holds a secret.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { printable } from "./internal/common/cause.js"
import {
  anything,
  array,
  flag,
  number,
  oneOf,
  optional,
  requiredNumber,
  requiredText,
  struct,
  text,
  textsByName,
  union
} from "./model/schema.js"

interface Base {
  new (props: object, options?: Schema.MakeOptions): Error
}

/**
 * Sets an own, non-enumerable property of an error.
 *
 * @internal
 */
export const setOwn = (error: Error, key: "name" | "message" | "stack", value: string): boolean =>
  Reflect.defineProperty(error, key, { value, configurable: true, writable: true })

/**
 * `Schema.TaggedError` with four changes. `JSON.stringify` gives the encoded form and the message. Name and message are
 * own properties, since engines call no getter to print an uncaught error or to clone its message. The stack holds only
 * name and message, since its frames would be those of the fiber, not of the program; the promise face adds the frames of
 * the awaiting code. The message is one printable line, whatever the service has sent; the other members hold it as it is.
 */
const TaggedError = (<Self extends Error>(identifier?: string) =>
  (tag: string, fields: Schema.Struct.Fields) =>
    class extends (Schema.TaggedError<Self>(identifier)(tag, fields) as unknown as Base) {
      constructor(props: object, options?: Schema.MakeOptions) {
        super(props, options)
        setOwn(this, "name", this.name)
        setOwn(this, "message", printable(this.message))
        setOwn(this, "stack", `${this.name}: ${this.message}`)
      }

      toJSON(): object {
        const encode = Schema.encodeSync(this.constructor as unknown as Schema.Schema<this, object>)
        return { ...encode(this), message: this.message }
      }
    }) as unknown as typeof Schema.TaggedError

/**
 * What to do about a credential that cannot be sent in a header.
 *
 * @internal
 */
export const lookInCredential = "Look for line breaks, control characters or letters beyond Latin-1 in it."

const again = "Start a new sign-in."

/** The end of a message: the address of the section about the error. */
const see = (anchor: string): string =>
  ` See https://github.com/catalog-client/catalog-client/blob/main/docs/errors.md#${anchor.toLowerCase()}`

const lacks = {
  Missing:
    "needs an access token and none is configured (a blank one counts as none). Give one to createCatalog({ accessToken }) or assign catalog.accessToken; with Effect, to Credentials.layer({ accessToken }), or set CATALOG_ACCESS_TOKEN for Credentials.layerConfig.",
  Unusable: `needs an access token, and the one that is configured cannot be sent in a header. ${lookInCredential}`,
  SignedOut:
    "needs a user who is signed in, and the session has none: it has ended, or was never started. Sign in again.",
  Denied: `got no code: the user did not allow it. ${again}`,
  State: `refused a redirect whose state is not the one that was sent: it belongs to another sign-in, or is forged. ${again}`,
  Callback: `got a redirect without a code that can be used. ${again}`
} as const

/**
 * Not a 401: the call was not sent. The operation acts for a user, and no usable access token is configured. If the service
 * responds with 401, the error is a {@link ClientRestError}; `isUnauthorized` of `@catalog-client/core/guards` finds it.
 *
 * `reason` is `Missing` where there is no access token, and `Unusable` where the access token cannot be sent in a header (a
 * line break inside it, for example). With a session of `@catalog-client/core/oauth`, it is `SignedOut` if no user is
 * signed in (any more). `Denied`, `State` and `Callback` say why a sign-in ended without a code.
 *
 * @example
 * ```ts
 * import { Catalog } from "@catalog-client/core"
 * import { Effect } from "effect"
 *
 * export const name = Catalog.user.me().pipe(
 *   Effect.map((user) => user.name),
 *   Effect.catchTag("ClientAuthError", () => Effect.succeed("a guest"))
 * )
 * ```
 */
// Annotated as pure, so that an operation which cannot fail with it does not bundle it.
export class ClientAuthError
  extends /*#__PURE__*/ TaggedError<ClientAuthError>()("ClientAuthError", {
    /** For example `catalog.user.me`. */
    operation: requiredText,
    /**
     * `Missing`: there is no access token, or a blank one. `Unusable`: the access token cannot be sent in a header.
     * `SignedOut`: the session has no user. `Denied`: the user did not allow the sign-in. `State`: a redirect does not
     * belong to the sign-in that was started. `Callback`: a redirect holds no usable code.
     */
    reason: /*#__PURE__*/ oneOf("Missing", "Unusable", "SignedOut", "Denied", "State", "Callback"),
    /** With `Denied` and `Callback`: the message of the service, if there is one. */
    serviceMessage: text
  })
{
  override get message(): string {
    return `${this.operation} ${lacks[this.reason]}${this.serviceMessage === undefined ? "" : ` The service said: ${this.serviceMessage}`}${see(this.reason)}`
  }
}

const noUser = 'is empty. Give a user\'s name, or "@me" for the owner of the access token.'

const rules = {
  1: "is empty. Give a keyword to search for.",
  2: "holds no list-status field to change. Give at least one, for example { status } or { score }.",
  3: noUser,
  4: noUser
} as const

/**
 * The input breaks one of the four rules that are checked before anything is sent.
 *
 * | rule | operations | `field` |
 * |---|---|---|
 * | 1 | `anime.search`, `manga.search` | `q` is empty or blank |
 * | 2 | `anime.updateMyListStatus`, `manga.updateMyListStatus` | `params` hold no known field to change |
 * | 3 | `user.get` | `username` is empty or blank |
 * | 4 | `user.animeList`, `user.mangaList` | `username` is empty or blank |
 *
 * @example
 * ```ts
 * import { Catalog } from "@catalog-client/core"
 * import { Effect } from "effect"
 *
 * export const find = (q: string) =>
 *   Catalog.anime.search({ q }).pipe(
 *     Effect.map((page) => page.data),
 *     Effect.catchTag("ClientValidationError", () => Effect.succeed([]))
 *   )
 * ```
 */
// Annotated as pure, so that an operation which cannot fail with it does not bundle it.
export class ClientValidationError
  extends /*#__PURE__*/ TaggedError<ClientValidationError>()("ClientValidationError", {
    /** For example `catalog.anime.search`. */
    operation: requiredText,
    /** The number of the broken rule in the contract. */
    rule: /*#__PURE__*/ oneOf(1, 2, 3, 4),
    /** The input that breaks it. */
    field: requiredText
  })
{
  override get message(): string {
    return `${this.operation} was not sent: "${this.field}" ${rules[this.rule]}${see(`rule-${this.rule}`)}`
  }
}

const underLoad = "The service redirects when it is under load: try again later"

/** Only a page is refused by CORS. */
const noCors = (address: string): string =>
  "document" in globalThis
    ? ` If the service does not allow the page's origin (CORS), give a proxy's address as ${address}.`
    : ""

/** The option that holds the address of an operation's service. */
const addressOf = (operation: string): string => (operation.startsWith("OAuth.") ? "the profile's tokenUrl" : "baseUrl")

/** Advice for statuses with a known cause. */
const advices: { readonly [status: number]: string } = {
  0: `A browser hides where a redirect leads. ${underLoad}.`,
  400: "The service does not accept an input, or does not know the client identifier: see its message, and the operation's documentation for ranges.",
  304: "Something in between answers from a cache that the client does not have.",
  401: "The access token is invalid or has expired: obtain a new one, or refresh it.",
  403: "Known causes: no client identifier or access token is configured, the list is private, too many requests were sent (wait before the next), or a firewall stands in between.",
  404: "There is no such item, list entry, topic or user (the service has profiles of @me only), or baseUrl lacks a part of its path.",
  405: `Something in between refuses the method.`,
  429: "Too many requests were sent: wait before the next."
}

const ofKind = (status: number): string => {
  if (status >= 300 && status < 400) {
    return `Redirects are not followed. ${underLoad}; otherwise check baseUrl.`
  }
  return status >= 500 ? "The service is failing: try again later." : "Check the inputs and baseUrl."
}

/** The part of a section's address that says which statuses it is about. */
const sectionOf = (status: number): string | number =>
  status >= 500 ? "5xx" : status < 400 && status !== 304 ? "3xx" : status in advices && status !== 304 ? status : "4xx"

const advice = (status: number, operation: string): string =>
  operation.startsWith("OAuth.") && status >= 400 && status < 402
    ? "Check clientId, clientSecret and redirectUri; where they are right, the user has to sign in again."
    : (advices[status] ?? ofKind(status)) + (status === 405 ? noCors("baseUrl") : "")

/**
 * The service responded, but not with the operation's reply.
 *
 * `reason` is `Status` for any status outside 200 to 299 (redirects included), and `InvalidBody` for a success whose body
 * is not the operation's reply; `path` then says where it is invalid.
 *
 * @example
 * ```ts
 * import { Catalog } from "@catalog-client/core"
 * import { Effect } from "effect"
 *
 * export const titleOf = (id: number) =>
 *   Catalog.anime.get({ id }).pipe(
 *     Effect.map((anime) => anime.title),
 *     Effect.catchIf(
 *       (error) => error._tag === "ClientRestError" && error.status === 404,
 *       () => Effect.succeed(undefined)
 *     )
 *   )
 * ```
 */
export class ClientRestError extends TaggedError<ClientRestError>()("ClientRestError", {
  /** For example `catalog.anime.get`. */
  operation: requiredText,
  method: requiredText,
  url: requiredText,
  /** The HTTP status; 0 where a browser hides a redirect. */
  status: requiredNumber,
  /**
   * `Status`: one outside 200 to 299. `InvalidBody`: a success whose body is not the reply; `path` says where it is
   * invalid.
   */
  reason: oneOf("Status", "InvalidBody"),
  /** The service's `error`, for example `not_found`. */
  code: text,
  /** The service's `message`, if there is one. */
  serviceMessage: text,
  /**
   * The parsed JSON. It is text, cut at 8 KiB, if the body is not JSON or is a JSON string, has more than 65 536
   * characters, or is nested more than 500 levels deep.
   */
  body: anything,
  /**
   * Response headers that help to find the cause, with lower-case names and without secrets: request ids, rate limits,
   * `retry-after`, `content-type`, `date`, `server`, `via`, `www-authenticate`. Absent in errors that were created without
   * a response.
   */
  headers: textsByName,
  /** Where the body is invalid: keys and indexes. */
  path: optional(array(union(requiredText, requiredNumber))),
  /** What the client expected there, for example `a number`. Absent if the body is not JSON or is nested too deeply. */
  expected: text,
  /** What was there in its place: `a string`, or `nothing`. It is never the value itself, which `body` holds. */
  found: text,
  /** Milliseconds to wait before the next request, counted from receipt of the response, as the service asks. */
  retryAfter: number,
  /** With status 401: whether an access token was sent, or an `authorization` header in its place. */
  tokenSent: flag,
  /** How many exchanges the call made: 1 unless it was retried. */
  attempts: requiredNumber
}) {
  override get message(): string {
    const what = `${this.operation} failed: ${this.method} ${this.url} answered ${this.status}`
    if (this.reason === "InvalidBody") {
      const end = see(this.reason)
      const at = this.path?.join(".") ?? ""
      if (this.expected === undefined && /^paging\.(next|previous)$/.test(at)) {
        return `${what} with a ${at} that leads to no further page. Go on with an offset, or tell those who run the service; "body" holds the link.${end}`
      }
      const where = at === "" ? "" : ` (at ${at})`
      const why = this.expected === undefined ? "" : `: expected ${this.expected}, found ${this.found}`
      const shown = this.body === undefined ? "." : '; "body" holds what came.'
      return `${what} with a body that is not the operation's reply${where}${why}. Check that ${addressOf(this.operation)} leads to the service${shown}${end}`
    }
    const said = [this.code, this.serviceMessage].filter((text) => text !== undefined).join(": ")
    const wait = this.retryAfter === undefined ? "" : ` It asks to wait ${Math.ceil(this.retryAfter / 1000)} s.`
    const then =
      this.tokenSent === false
        ? "No access token is configured: give one to createCatalog or to Credentials.layer."
        : advice(this.status, this.operation)
    return `${what}${said === "" ? "" : ` (${said})`}. ${then}${wait}${see(`status-${sectionOf(this.status)}`)}`
  }
}

const causes = {
  Timeout: "timed out",
  Cancelled: "was cancelled",
  Transport: "got no whole response",
  ResponseTooLarge: "got too large a response",
  CircuitOpen: "was not sent (again), because the calls before it failed",
  RateLimitStore: "was not sent, because the store of the rate limit failed"
} as const

/** Error codes of operating systems, resolvers and TLS for a connection that could not be made. */
const unconnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_.*|E(HOST|NET)(UNREACH|DOWN)|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|.*CERT.*)$/

/**
 * No complete response arrived: the call timed out, was cancelled, or the transport failed.
 *
 * With `Cancelled`, `cause` has the `name`, `message` and `code` of the signal's `reason`, without credentials; if the
 * reason is not an object, `message` is its text. For the original value, read the signal's `reason`.
 *
 * @example
 * ```ts
 * import { Catalog } from "@catalog-client/core"
 * import { Effect } from "effect"
 *
 * export const boards = Catalog.forum.boards({ timeout: 2_000 }).pipe(
 *   Effect.tapErrorTag("ClientNetworkError", (error) =>
 *     error.reason === "Timeout" ? Effect.logWarning(`gave up after ${error.timeoutMs} ms`) : Effect.void
 *   )
 * )
 * ```
 */
export class ClientNetworkError extends TaggedError<ClientNetworkError>()("ClientNetworkError", {
  /** For example `catalog.anime.get`. */
  operation: requiredText,
  method: requiredText,
  url: requiredText,
  /**
   * `Timeout`: `timeoutMs` passed. `Cancelled`: by the signal, or because the catalog was closed. `Transport`: the
   * connection was not made, or it broke. `ResponseTooLarge`: the body has more than `maxResponseBytes`. `CircuitOpen`
   * and `RateLimitStore` come from a `CatalogPolicy`, never from the client itself.
   */
  reason: oneOf("Timeout", "Cancelled", "Transport", "ResponseTooLarge", "CircuitOpen", "RateLimitStore"),
  /** With `Timeout`: the milliseconds that were given. */
  timeoutMs: number,
  /** How many exchanges the call made: 1 unless it was retried. */
  attempts: requiredNumber,
  /**
   * The root cause, for example `{ name: "Error", message: "read ECONNRESET", code: "ECONNRESET" }`. With `Cancelled`, the
   * signal's `reason`: `{ name: "AbortError", message: "This operation was aborted" }` unless the program gave another.
   */
  cause: optional(struct({ name: requiredText, message: requiredText, code: text }))
}) {
  override get message(): string {
    const { cause, reason: kind, timeoutMs } = this
    const end = see(kind)
    const isLogin = this.operation.startsWith("Login.")
    const isConnected = kind !== "Transport" || !unconnected.test(cause?.code ?? "")
    const after = timeoutMs === undefined ? "" : ` after ${timeoutMs} ms`
    const did = isLogin && kind !== "Cancelled" ? "was not finished" : isConnected ? causes[kind] : "could not connect"
    const what = `${this.operation} ${did}${after} (${this.method} ${this.url})`
    if (kind === "Timeout") {
      return `${what}. Try again, or allow more: timeout is for ${isLogin ? "the sign-in" : "an exchange, totalTimeout for the whole call"}.${end}`
    }
    const reason = cause && (cause.message.trim() || cause.code || cause.name)
    const why = reason === undefined ? "" : `: ${reason.endsWith(".") ? reason.slice(0, -1) : reason}`
    if (kind === "ResponseTooLarge") {
      const larger = cause?.code === "ERR_STRING_TOO_LONG" ? "" : ", or give a larger maxResponseBytes"
      return `${what}${why}. Ask for fewer entries or fields${larger}.${end}`
    }
    if (kind === "Transport" && !isLogin) {
      const address = addressOf(this.operation)
      return `${what}${why}. Check the network and ${address}.${cause?.code === undefined ? noCors(address) : ""}${end}`
    }
    return `${what}${why}.${end}`
  }
}

/**
 * A `Schema` of all four errors: it writes any error of an operation and reads it back.
 *
 * @example
 * ```ts
 * import { ClientError } from "@catalog-client/core"
 * import { Schema } from "effect"
 *
 * export const write = Schema.encodeSync(Schema.parseJson(ClientError))
 * export const read = Schema.decodeSync(Schema.parseJson(ClientError))
 * ```
 */
export const ClientError = /*#__PURE__*/ union(
  ClientAuthError,
  ClientValidationError,
  ClientRestError,
  ClientNetworkError
)
/** Any of the four errors. */
export type ClientError = typeof ClientError.Type
