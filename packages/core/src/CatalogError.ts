/**
 * The four errors that an operation can fail with. There are no others.
 *
 * All are `Schema.TaggedError`s: `Effect.catchTag` and `instanceof` distinguish them, and `Schema.encode` carries them to
 * another process. None of them contains a secret.
 *
 * @since 0.2.0
 */
/* oxlint-disable typescript/no-unsafe-declaration-merging -- the merged members are optional, and no error has them */
import { messageOf, TaggedError } from "./internal/errors/TaggedError.js"
import { authMessage, networkMessage, restMessage, validationMessage } from "./internal/errors/messages.js"
import {
  anything,
  array,
  optionalBoolean,
  optionalNumber,
  oneOf,
  optional,
  requiredNumber,
  requiredString,
  struct,
  optionalString,
  optionalStringsByName,
  union
} from "./internal/model/schema.js"

/** Members of the other errors, so that a log reads any member of any error without a branch. */
type Absent<Name extends string> = { readonly [Key in Name]?: undefined }

type OfRequest = "method" | "url" | "attempts"
type OfResponse = "status" | "code" | "body" | "headers" | "path" | "found" | "retryAfter" | "credentialSent"
type OfRule = "field" | "ignored"

const cause = /*#__PURE__*/ optional(
  /*#__PURE__*/ struct({ name: requiredString, message: requiredString, code: optionalString })
)

/**
 * The call was not sent: the operation acts for a user, and no usable access token is configured. If the service responds
 * with 401, the error is a {@link ClientRestError}; `isUnauthorized` finds it.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials } from "@catalog-client/core"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Console, Effect } from "effect"
 *
 * const program = Catalog.user.me().pipe(
 *   Effect.map(({ name }) => name),
 *   Effect.catchTag("ClientAuthError", ({ reason }) => Effect.succeed(`a guest (${reason})`)),
 *   Effect.flatMap(Console.log)
 * )
 *
 * await Effect.runPromise(Effect.provide(program, [EmbeddedCatalog.layer(), Credentials.layerNone]))
 * ```
 *
 * ```text
 * a guest (Missing)
 * ```
 */
// Annotated as pure, so that an operation which cannot fail with it does not bundle it.
export class ClientAuthError
  extends /*#__PURE__*/ TaggedError<ClientAuthError>()("ClientAuthError", {
    /** For example `catalog.user.me`. */
    operation: requiredString,
    /**
     * `Missing`: there is no access token, or a blank one. `Unusable`: it cannot be sent in a header. `SignedOut`: the
     * session has no user. `Denied`: the user denied access. `State`: a redirect does not belong to the sign-in that was
     * started. `Callback`: a redirect contains no usable code. `CredentialsUnavailable`: a credential could
     * not be obtained, for example because the store of a session failed; a call that needs no access token then fails with
     * a {@link ClientNetworkError} of the same reason.
     */
    reason: /*#__PURE__*/ oneOf(
      "Missing",
      "Unusable",
      "SignedOut",
      "Denied",
      "State",
      "Callback",
      "CredentialsUnavailable"
    ),
    /** With `Denied` and `Callback`: the message of the service, if there is one. */
    serviceMessage: optionalString,
    /** With `Unusable`: the first character that cannot be sent, for example `U+200B`. */
    found: optionalString,
    /**
     * With `Missing`: the only input that the operation takes, where a token alone would not help: `"@me", …` of `user.get`.
     */
    expected: optionalString,
    /**
     * With `CredentialsUnavailable`: a record of what the credential failed with, without the secrets of the call. With
     * `Missing`: what the program can have overlooked.
     */
    cause
  })
{
  override get message(): string {
    return messageOf(this, authMessage)
  }
}

export interface ClientAuthError extends Absent<
  OfRequest | Exclude<OfResponse, "found"> | OfRule | "about" | "timeoutMs"
> {}

/**
 * The call was not sent: its input breaks a rule of the operation.
 *
 * | `reason` | operations | `field` |
 * |---|---|---|
 * | `EmptyKeyword` | `anime.search`, `manga.search` | `q` is empty or blank |
 * | `NothingToChange` | `anime.updateMyListStatus`, `manga.updateMyListStatus` | `params` contain no known field to change |
 * | `EmptyUsername` | `user.get`, `user.animeList`, `user.mangaList` | `username` is empty or blank |
 *
 * @example
 * ```ts
 * import { Catalog, Credentials } from "@catalog-client/core"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Console, Effect } from "effect"
 *
 * const program = Catalog.anime.search({ q: " " }).pipe(
 *   Effect.map(({ data }) => `${data.length} found`),
 *   Effect.catchTag("ClientValidationError", ({ field, reason }) => Effect.succeed(`${reason}: ${field}`)),
 *   Effect.flatMap(Console.log)
 * )
 *
 * await Effect.runPromise(Effect.provide(program, [EmbeddedCatalog.layer(), Credentials.layerNone]))
 * ```
 *
 * ```text
 * EmptyKeyword: q
 * ```
 */
// Annotated as pure, so that an operation which cannot fail with it does not bundle it.
export class ClientValidationError
  extends /*#__PURE__*/ TaggedError<ClientValidationError>()("ClientValidationError", {
    /** For example `catalog.anime.search`. */
    operation: requiredString,
    /** The rule that it breaks. */
    reason: /*#__PURE__*/ oneOf("EmptyKeyword", "NothingToChange", "EmptyUsername"),
    /** The input that breaks the rule. */
    field: requiredString,
    /** With `NothingToChange`: fields that the operation changes, for example `status or num_watched_episodes`. */
    expected: optionalString,
    /** A name among the params that is no input of the operation, for example `query` in `search({ query })`. */
    ignored: optionalString
  })
{
  override get message(): string {
    return messageOf(this, validationMessage)
  }
}

export interface ClientValidationError extends Absent<
  OfRequest | OfResponse | "serviceMessage" | "found" | "timeoutMs" | "about"
> {}

/**
 * The service responded, but not with the operation's reply.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials } from "@catalog-client/core"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Console, Effect } from "effect"
 *
 * const program = Catalog.anime.get({ id: 999_999 }).pipe(
 *   Effect.map(({ title }) => title),
 *   Effect.catchTag("ClientRestError", ({ code, status }) => Effect.succeed(`${status} ${code}`)),
 *   Effect.flatMap(Console.log)
 * )
 *
 * await Effect.runPromise(Effect.provide(program, [EmbeddedCatalog.layer(), Credentials.layerNone]))
 * ```
 *
 * ```text
 * 404 not_found
 * ```
 */
export class ClientRestError extends TaggedError<ClientRestError>()("ClientRestError", {
  /** For example `catalog.anime.get`. */
  operation: requiredString,
  /** The HTTP method of the request. */
  method: requiredString,
  /** The URL of the request, without secrets. */
  url: requiredString,
  /** The HTTP status; 0 where a browser hides a redirect. */
  status: requiredNumber,
  /**
   * `Status`: a status outside 200 to 299, redirects included. `InvalidBody`: a success whose body is not the operation's
   * reply; `path` says where it is invalid.
   */
  reason: oneOf("Status", "InvalidBody"),
  /** The service's `error`, for example `not_found`. */
  code: optionalString,
  /** The service's `message`, if there is one. */
  serviceMessage: optionalString,
  /**
   * The parsed JSON. It is a string, cut after 8 192 characters, if the body is not JSON or has more than 65 536 characters.
   */
  body: anything,
  /**
   * Response headers that help to find the cause, with lower-case names and without secrets: request ids, rate limits,
   * `retry-after`, `location`, `content-type`, `date`, `server`, `via`, `www-authenticate`.
   */
  headers: optionalStringsByName,
  /** Where the body is invalid: keys and indexes. */
  path: optional(array(union(requiredString, requiredNumber))),
  /**
   * What the client expected there, for example `a number`. With status 404: what was not found, for example `anime`. With 400:
   * what the refused input takes, for example `a limit of 1 to 100`. With 504: inputs of which the service needs one to
   * respond in time, for example `boardId, subboardId or q`.
   */
  expected: optionalString,
  /** What was there instead: `a string`, or `nothing`. */
  found: optionalString,
  /** Milliseconds to wait before the next request, as the service asks. */
  retryAfter: optionalNumber,
  /**
   * With status 401: whether an access token was sent, or an `authorization` header in its place. With 403: whether an access
   * token or a client ID was sent.
   */
  credentialSent: optionalBoolean,
  /** How many requests the call sent: more than 1 if it was retried. */
  attempts: requiredNumber,
  /** `tokens` if a request for tokens failed, rather than an operation. */
  about: optional(oneOf("tokens"))
}) {
  override get message(): string {
    return messageOf(this, restMessage)
  }
}

export interface ClientRestError extends Absent<OfRule | "timeoutMs"> {}

/**
 * No complete response arrived: the call timed out, was cancelled or refused by a policy, or the transport failed.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials } from "@catalog-client/core"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Console, Effect } from "effect"
 *
 * const program = Catalog.anime.get({ id: 1 }, { timeout: 100 }).pipe(
 *   Effect.map(({ title }) => title),
 *   Effect.catchTag("ClientNetworkError", ({ reason }) => Effect.succeed(`no response: ${reason}`)),
 *   Effect.flatMap(Console.log)
 * )
 *
 * const Slow = EmbeddedCatalog.layer({ latency: "1 minute" })
 * await Effect.runPromise(Effect.provide(program, [Slow, Credentials.layerNone]))
 * ```
 *
 * ```text
 * no response: Timeout
 * ```
 */
export class ClientNetworkError extends TaggedError<ClientNetworkError>()("ClientNetworkError", {
  /** For example `catalog.anime.get`. */
  operation: requiredString,
  /** The HTTP method of the request. */
  method: requiredString,
  /** The URL of the request, without secrets. */
  url: requiredString,
  /**
   * `Timeout`: `timeoutMs` passed. `Cancelled`: by the signal, or because the client or its transport was closed. `Transport`:
   * the connection was not made, or it broke. `ResponseTooLarge`: the body has more than `maxResponseBytes`.
   * `CredentialsUnavailable`: a credential could not be obtained, and the call needs no access token. `CircuitOpen`,
   * `RateLimitStore` and `Policy` come from a policy: the circuit breaker, the store of a rate limit, and a policy of the
   * program.
   */
  reason: oneOf(
    "Timeout",
    "Cancelled",
    "Transport",
    "ResponseTooLarge",
    "CircuitOpen",
    "RateLimitStore",
    "Policy",
    "CredentialsUnavailable"
  ),
  /** With `Timeout`: the limit in milliseconds. */
  timeoutMs: optionalNumber,
  /** With `Timeout`: inputs of which the service needs one to respond in time, for example `boardId, subboardId or q`. */
  expected: optionalString,
  /** What it is about, if not about an operation: a request for `tokens`, a `login`, or a `session` and its store. */
  about: optional(oneOf("tokens", "login", "session")),
  /** How many requests the call sent: 0 if it ended before the first one, more than 1 if it was retried. */
  attempts: requiredNumber,
  /**
   * The root cause without credentials, for example `{ name: "Error", message: "read ECONNRESET", code: "ECONNRESET" }`.
   * With `Cancelled`, it is a record of the signal's `reason`.
   */
  cause
}) {
  override get message(): string {
    return messageOf(this, networkMessage)
  }
}

export interface ClientNetworkError extends Absent<OfResponse | OfRule | "serviceMessage"> {}

/**
 * A `Schema` of all four errors, to encode and decode any error of an operation.
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
export type ClientError = ClientAuthError | ClientValidationError | ClientRestError | ClientNetworkError

/** The errors of an attempt. Public signatures name both; the other packages import it from `internal`. */
export type AttemptError = ClientRestError | ClientNetworkError
