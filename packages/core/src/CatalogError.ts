/**
 * The four errors that an operation can fail with. There are no others.
 *
 * All are `Schema.TaggedError`s: `Effect.catchTag` and `instanceof` distinguish them, and `Schema.encode` carries them to
 * another process. None of them contains a secret.
 *
 * @since 0.2.0
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
 * `Schema.TaggedError` with four changes. `JSON.stringify` returns the encoded form and the message. Name and message are
 * own properties, since engines call no getter to print an uncaught error or to clone its message. The stack contains only
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
export const lookInCredential = (found: string): string => ` It contains ${found}. Copy it again.`

/** The end of a message: the short address of the section of docs/errors.md that says more. */
const see = (section: string | number): string =>
  ` See https://catalog-client.github.io/catalog-client/e/${String(section).toLowerCase()}`

const giveToken = "pass one as accessToken."

const again = "Start a new sign-in."

const lacks = /*#__PURE__*/ (() =>
  ({
    Missing: `needs an access token and none is configured (a blank one counts as none): ${giveToken}`,
    Unusable: "needs an access token, and the one that is configured cannot be sent in a header.",
    SignedOut: "needs a signed-in user, and the session has none. Sign in again.",
    Denied: `received no code: the user denied access. ${again}`,
    State: `rejected a redirect that belongs to another sign-in. ${again}`,
    Callback: `received a redirect without a usable code. ${again}`
  }) as const)()

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
 *
 * @example
 * ```ts
 * import { ClientAuthError, type PromiseCatalog } from "@catalog-client/core"
 *
 * export const nameIn = (catalog: PromiseCatalog) =>
 *   catalog.user.me().then(
 *     (user) => user.name,
 *     (error: unknown) => {
 *       if (error instanceof ClientAuthError) return "a guest"
 *       throw error
 *     }
 *   )
 * ```
 */
// Annotated as pure, so that an operation which cannot fail with it does not bundle it.
export class ClientAuthError
  extends /*#__PURE__*/ TaggedError<ClientAuthError>()("ClientAuthError", {
    /** For example `catalog.user.me`. */
    operation: requiredText,
    /**
     * `Missing`: there is no access token, or a blank one. `Unusable`: the access token cannot be sent in a header.
     * `SignedOut`: the session has no user. `Denied`: the user denied access. `State`: a redirect does not
     * belong to the sign-in that was started. `Callback`: a redirect contains no usable code.
     */
    reason: /*#__PURE__*/ oneOf("Missing", "Unusable", "SignedOut", "Denied", "State", "Callback"),
    /** With `Denied` and `Callback`: the message of the service, if there is one. */
    serviceMessage: text,
    /** With `Unusable`: the first character that cannot be sent, for example `U+200B`. */
    found: text
  })
{
  override get message(): string {
    const found = this.found === undefined ? "" : lookInCredential(this.found)
    const said =
      this.serviceMessage === undefined ? "" : ` The service said: ${this.serviceMessage.replace(/[^.!?]$/, "$&.")}`
    return `${this.operation} ${lacks[this.reason]}${found}${said}${see(this.reason)}`
  }
}

const noUser = 'is missing or empty. Pass a user\'s name, or "@me" for the owner of the access token.'

const rules = {
  1: "is missing or empty. Pass a keyword to search for.",
  2: "contains no list-status field to change. Set at least one, for example { status } or { score }.",
  3: noUser,
  4: noUser
} as const

/**
 * The input breaks one of the four rules that are checked before anything is sent.
 *
 * | rule | operations | `field` |
 * |---|---|---|
 * | 1 | `anime.search`, `manga.search` | `q` is empty or blank |
 * | 2 | `anime.updateMyListStatus`, `manga.updateMyListStatus` | `params` contain no known field to change |
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
 *
 * @example
 * ```ts
 * import { ClientValidationError, type PromiseCatalog } from "@catalog-client/core"
 *
 * export const findIn = async (catalog: PromiseCatalog, q: string) => {
 *   try {
 *     return (await catalog.anime.search({ q })).data
 *   } catch (error) {
 *     if (error instanceof ClientValidationError) return []
 *     throw error
 *   }
 * }
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

/** CORS affects only pages. */
const cors = (address: string): string =>
  "document" in globalThis
    ? ` If the service does not allow the page's origin (CORS), set ${address} to the address of a proxy.`
    : ""

const isOAuth = (operation: string): boolean => operation.startsWith("OAuth.")

/** The option that contains the address of an operation's service. */
const addressOf = (operation: string): string => (isOAuth(operation) ? "the profile's tokenUrl" : "baseUrl")

/** What to do about a status, by section; a status without its own is in that of its kind. */
const advices: { readonly [section: string | number]: string } = {
  "3xx": "Redirects are not followed. The service redirects under load: try again later, or check baseUrl.",
  400: "The service rejected an input: see the operation's documentation.",
  401: "The access token is invalid or has expired: obtain a new one, or refresh it.",
  403: "Known causes: no client identifier or access token, a private list, too many requests, or a firewall.",
  404: "There is no such item, list entry, topic or user (only @me has a profile), or baseUrl lacks a part of its path.",
  405: "A proxy or firewall refuses the method.",
  429: "Too many requests: wait before you send another.",
  "4xx": "Check the inputs and baseUrl.",
  "5xx": "The service is failing: try again later."
}

/** Topics of no board, and without a keyword: the live service does not find them in time. */
const unbounded = /\/forum\/topics(?!.*[?&]((sub)?board_id|q)=)/
const bound = "Pass boardId or q: without them, the service does not respond in time."

const sectionOf = (status: number): string | number =>
  status in advices ? status : status < 400 ? "3xx" : status < 500 ? "4xx" : "5xx"

const isRefusedSignIn = ({ operation, status }: ClientRestError): boolean =>
  isOAuth(operation) && (status === 400 || status === 401)

const advice = (error: ClientRestError): string => {
  const { serviceMessage, status, tokenSent } = error
  if (tokenSent === false) {
    return `No access token is configured: ${giveToken}`
  }
  if (isRefusedSignIn(error)) {
    return "Check clientId, clientSecret and redirectUri, and let the user sign in again."
  }
  if (status === 400 && serviceMessage === "invalid q") {
    return "Pass a keyword (q) of 3 to 64 characters."
  }
  if (status === 400 && serviceMessage === "Invalid client id") {
    return "Check clientId: the service does not know it."
  }
  if (status === 504 && unbounded.test(error.url)) {
    return bound
  }
  const hidden = status === 0 ? "A browser hides where a redirect leads. " : ""
  return `${hidden}${advices[sectionOf(status)]}${status === 405 ? cors("baseUrl") : ""}`
}

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
 *
 * @example
 * ```ts
 * import { ClientRestError, type PromiseCatalog } from "@catalog-client/core"
 *
 * export const titleIn = async (catalog: PromiseCatalog, id: number) => {
 *   try {
 *     return (await catalog.anime.get({ id })).title
 *   } catch (error) {
 *     if (error instanceof ClientRestError && error.status === 404) return undefined
 *     throw error
 *   }
 * }
 * ```
 */
export class ClientRestError extends TaggedError<ClientRestError>()("ClientRestError", {
  /** For example `catalog.anime.get`. */
  operation: requiredText,
  /** The HTTP method of the request. */
  method: requiredText,
  /** The URL of the request, without secrets. */
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
   * The parsed JSON. It is a string, cut after 8 192 characters, if the body is not JSON or is a JSON string, has more than
   * 65 536 characters, or is nested more than 500 levels deep.
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
  /** What was there instead: `a string`, or `nothing`. It is never the value itself, which `body` contains. */
  found: text,
  /** Milliseconds to wait before the next request, counted from receipt of the response, as the service asks. */
  retryAfter: number,
  /** With status 401: whether an access token was sent, or an `authorization` header in its place. */
  tokenSent: flag,
  /** How many exchanges the call made: 1 unless it was retried. */
  attempts: requiredNumber
}) {
  override get message(): string {
    const { operation, expected, retryAfter } = this
    const what = `${operation} failed: ${this.method} ${this.url} returned ${this.status}`
    if (this.reason === "InvalidBody") {
      const path = this.path?.join(".") ?? ""
      const type = expected === undefined ? this.headers?.["content-type"] : undefined
      const at = path !== "" ? ` (at ${path})` : type === undefined ? "" : ` (${type})`
      const why = expected === undefined ? "" : `: expected ${expected}, found ${this.found}`
      const todo = path.startsWith("paging.")
        ? "Continue with an offset"
        : `Check that ${addressOf(operation)} points to the service`
      const isEmpty = this.body === "" && expected === undefined
      return `${what} with ${isEmpty ? "an empty body" : "a body that is not the operation's reply"}${at}${why}. ${todo}.${see(this.reason)}`
    }
    const said = [this.code, this.serviceMessage].filter((text) => text !== undefined).join(": ")
    const wait = retryAfter === undefined ? "" : ` Retry after ${Math.ceil(retryAfter / 1000)} s.`
    const section = isRefusedSignIn(this) ? "sign-in-refused" : `status-${sectionOf(this.status)}`
    return `${what}${said && ` (${said})`}. ${advice(this)}${wait}${see(section)}`
  }
}

/** What happened, and what to do. */
const failures = {
  Timeout: ["timed out", " Try again, or raise timeout (for one exchange) or totalTimeout (for the whole call)."],
  Cancelled: ["was cancelled", ""],
  Transport: ["received no complete response", ""],
  ResponseTooLarge: ["received a response that is too large", " Request fewer entries or fields"],
  CircuitOpen: ["was not sent, because the circuit breaker is open", ""],
  RateLimitStore: ["was not sent, because the rate limit's store failed", ""]
} as const

/**
 * No complete response arrived: the call timed out, was cancelled, or the transport failed.
 *
 * With `Cancelled`, `cause` has the `name`, `message` and `code` of the signal's `reason`, without credentials; if the
 * reason is not an object, `message` is it as a string. For the original value, read the signal's `reason`.
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
 *
 * @example
 * ```ts
 * import { ClientNetworkError, type PromiseCatalog } from "@catalog-client/core"
 *
 * export const boardsIn = async (catalog: PromiseCatalog) => {
 *   try {
 *     return await catalog.forum.boards({ timeout: 2_000 })
 *   } catch (error) {
 *     if (error instanceof ClientNetworkError) console.warn(`${error.reason} after ${error.attempts} attempts`)
 *     throw error
 *   }
 * }
 * ```
 */
export class ClientNetworkError extends TaggedError<ClientNetworkError>()("ClientNetworkError", {
  /** For example `catalog.anime.get`. */
  operation: requiredText,
  /** The HTTP method of the request. */
  method: requiredText,
  /** The URL of the request, without secrets. */
  url: requiredText,
  /**
   * `Timeout`: `timeoutMs` passed. `Cancelled`: by the signal, or because the catalog or its transport was closed.
   * `Transport`: the connection was not made, or it broke. `ResponseTooLarge`: the body has more than `maxResponseBytes`. `CircuitOpen`
   * and `RateLimitStore` come from a `CatalogPolicy`, never from the client itself.
   */
  reason: oneOf("Timeout", "Cancelled", "Transport", "ResponseTooLarge", "CircuitOpen", "RateLimitStore"),
  /** With `Timeout`: the limit in milliseconds. */
  timeoutMs: number,
  /** How many exchanges the call made: 1 unless it was retried. */
  attempts: requiredNumber,
  /**
   * The root cause, for example `{ name: "Error", message: "read ECONNRESET", code: "ECONNRESET" }`. With `Cancelled`, the
   * signal's `reason`: `{ name: "AbortError", message: "This operation was aborted" }` unless the program set another.
   */
  cause: optional(struct({ name: requiredText, message: requiredText, code: text }))
}) {
  override get message(): string {
    const { cause, operation, reason, timeoutMs, url } = this
    const isLogin = operation.startsWith("Login.")
    const [did, usual] = isLogin ? ["did not finish", ""] : failures[reason]
    const todo = reason === "Timeout" && unbounded.test(url) ? ` ${bound}` : usual
    const after = timeoutMs === undefined ? "" : ` after ${timeoutMs} ms`
    const said = cause === undefined ? "" : `: ${cause.message.trim() || cause.code || cause.name}`
    const why = said.endsWith(".") ? said.slice(0, -1) : said
    const address = addressOf(operation)
    // A recorder that replays uses no network.
    const check =
      reason === "Transport" && !isLogin && cause?.name !== "RecordingError"
        ? ` Check the network and ${address}.${cause?.code === undefined ? cors(address) : ""}`
        : ""
    // A larger limit does not help where no string can hold the body.
    const orLarger =
      reason !== "ResponseTooLarge" ? "" : cause?.code === "ERR_STRING_TOO_LONG" ? "." : ", or raise maxResponseBytes."
    return `${operation} ${did}${after} (${this.method} ${url})${why}.${todo}${orLarger}${check}${see(reason)}`
  }
}

/**
 * A `Schema` of all four errors, to encode and decode any error of an operation. `_tag` is the name of the class.
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
