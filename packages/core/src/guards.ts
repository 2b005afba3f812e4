/**
 * Type guards for errors: for any value that a program caught.
 *
 * They check tags, statuses and reasons, not classes: a page that imports them from here loads nothing else of the client,
 * and errors of another copy of the package match too, even as the object that a thread, IPC or JSON made of them. A guard
 * accepts anything and never throws. With Effect, each is a refinement for `Effect.catchIf`.
 *
 * @since 0.2.0
 */
import type {
  ClientAuthError,
  ClientError,
  ClientNetworkError,
  ClientRestError,
  ClientValidationError
} from "./CatalogError.js"
import { isTemporaryStatus, unknownClientId } from "./internal/common/statuses.js"
import { member, tryOr } from "./internal/common/values.js"

/**
 * The type that a guard narrows: `unknown` for `any`. A guard for several errors also narrows a union that lacks some of them.
 */
type Given<E> = 0 extends 1 & E ? unknown : E

const tags: ReadonlyArray<unknown> = [
  "ClientAuthError",
  "ClientValidationError",
  "ClientRestError",
  "ClientNetworkError"
] satisfies ReadonlyArray<ClientError["_tag"]>

const hasStatus = (error: unknown, status: number): boolean =>
  member(error, "_tag") === "ClientRestError" && member(error, "status") === status

/** Whether an error is the response to a request for tokens. */
const isOfGrant = (error: unknown): boolean => member(error, "about") === "tokens"

/** The service's `error` for a code or a refresh token that it refuses. */
const refusedGrants: ReadonlyArray<unknown> = ["invalid_grant", "invalid_request"]

const hasReason = (error: unknown, ...reasons: ReadonlyArray<unknown>): boolean =>
  member(error, "_tag") === "ClientNetworkError" && reasons.includes(member(error, "reason"))

/**
 * Whether it is one of the four errors of the client.
 *
 * @example
 * ```ts
 * import { isClientError } from "@catalog-client/core/guards"
 *
 * export const explain = (thrown: unknown) => (isClientError(thrown) ? thrown.message : "something else")
 * ```
 */
export const isClientError = <E>(error: Given<E>): error is Given<E> & ClientError =>
  tags.includes(member(error, "_tag"))

/**
 * Whether the service responded with 404: there is no such item, list entry, topic or user.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials, isNotFound } from "@catalog-client/core"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Console, Effect } from "effect"
 *
 * const titleOf = (id: number) =>
 *   Catalog.anime.get({ id }).pipe(
 *     Effect.map(({ title }) => title),
 *     Effect.catchIf(isNotFound, () => Effect.succeed("none"))
 *   )
 *
 * const program = Effect.gen(function* () {
 *   yield* Console.log(yield* titleOf(1))
 *   yield* Console.log(yield* titleOf(999_999))
 * })
 *
 * await Effect.runPromise(Effect.provide(program, [EmbeddedCatalog.layer(), Credentials.layerNone]))
 * ```
 *
 * ```text
 * Cowboy Bebop
 * none
 * ```
 */
export const isNotFound = (error: unknown): error is ClientRestError & { readonly status: 404 } => hasStatus(error, 404)

/**
 * Whether the service responded with 401: it no longer accepts the access token, or there is none. A call that was not sent
 * because no access token is configured fails with `ClientAuthError` instead.
 *
 * @example
 * ```ts
 * import { Catalog } from "@catalog-client/core"
 * import { isUnauthorized } from "@catalog-client/core/guards"
 * import { Effect } from "effect"
 *
 * export const me = Catalog.user.me().pipe(
 *   Effect.tapError((error) =>
 *     isUnauthorized(error) ? Effect.logWarning(error.credentialSent ? "sign in again" : "sign in") : Effect.void
 *   )
 * )
 * ```
 */
export const isUnauthorized = (error: unknown): error is ClientRestError & { readonly status: 401 } =>
  hasStatus(error, 401)

/**
 * Whether the user has to sign in (again): there is no access token, the service no longer accepts it, a sign-in ended without
 * a code, or the service refused its code or the refresh token. Refusing the client itself (`invalid_client`) does not count.
 *
 * @example
 * ```ts
 * import { Catalog } from "@catalog-client/core"
 * import { isSignInRequired } from "@catalog-client/core/guards"
 * import { Effect } from "effect"
 *
 * export const name = Catalog.user.me().pipe(
 *   Effect.map((user) => user.name),
 *   Effect.catchIf(isSignInRequired, () => Effect.succeed("a guest"))
 * )
 * ```
 */
export const isSignInRequired = <E>(
  error: Given<E>
): error is Given<E> &
  (
    | (ClientAuthError & { readonly reason: Exclude<ClientAuthError["reason"], "CredentialsUnavailable"> })
    | (ClientRestError & { readonly status: 400 | 401 })
  ) =>
  (member(error, "_tag") === "ClientAuthError" && !isCredentialsUnavailable(error)) ||
  (isOfGrant(error)
    ? refusedGrants.includes(member(error, "code")) && (hasStatus(error, 400) || hasStatus(error, 401))
    : isUnauthorized(error))

/**
 * Whether the service responded with 403: no credential was sent (`credentialSent` is false), a list is private, there were
 * too many requests, or a firewall blocked the request.
 *
 * @example
 * ```ts
 * import { Catalog } from "@catalog-client/core"
 * import { isForbidden } from "@catalog-client/core/guards"
 * import { Effect } from "effect"
 *
 * export const sizeOf = (username: string) =>
 *   Catalog.user.animeList.collect({ username }, { max: 1_000 }).pipe(
 *     Effect.map((entries) => `${entries.length} entries`),
 *     Effect.catchIf(isForbidden, () => Effect.succeed("a private list"))
 *   )
 * ```
 */
export const isForbidden = (error: unknown): error is ClientRestError & { readonly status: 403 } =>
  hasStatus(error, 403)

/**
 * Whether the service responded with 429: too many requests were sent. `retryAfter` is how long to wait, in milliseconds,
 * if the service says so.
 *
 * @example
 * ```ts
 * import { isRateLimited } from "@catalog-client/core/guards"
 *
 * export const waitFor = (error: unknown) => (isRateLimited(error) ? (error.retryAfter ?? 60_000) : 0)
 * ```
 */
export const isRateLimited = (error: unknown): error is ClientRestError & { readonly status: 429 } =>
  hasStatus(error, 429)

/**
 * Whether the call took longer than its `timeout` or `totalTimeout`. `timeoutMs` is that limit, in milliseconds. An
 * `AbortSignal.timeout` signal counts as a cancellation: see {@link isCancelled}.
 *
 * @example
 * ```ts
 * import { Catalog } from "@catalog-client/core"
 * import { isTimeout } from "@catalog-client/core/guards"
 * import { Effect } from "effect"
 *
 * export const boards = Catalog.forum.boards({ timeout: 2_000 }).pipe(Effect.retry({ times: 1, while: isTimeout }))
 * ```
 */
export const isTimeout = (error: unknown): error is ClientNetworkError & { readonly reason: "Timeout" } =>
  hasReason(error, "Timeout")

/**
 * Whether the call was cancelled, by its signal or by closing the catalog. `cause` has the name and message of the signal's
 * reason.
 *
 * @example
 * ```ts
 * import { isCancelled } from "@catalog-client/core/guards"
 *
 * export const report = (error: unknown) => {
 *   if (!isCancelled(error)) console.error(error)
 *   else if (error.cause?.name === "TimeoutError") console.warn("AbortSignal.timeout ended the call")
 * }
 * ```
 */
export const isCancelled = (error: unknown): error is ClientNetworkError & { readonly reason: "Cancelled" } =>
  hasReason(error, "Cancelled")

/**
 * Whether a policy refused the call: the circuit breaker, the store of a rate limit, or a policy of the program, which fails
 * with `call.networkError("Policy", cause)`.
 *
 * @example
 * ```ts
 * import { isPolicyRefusal } from "@catalog-client/core/guards"
 *
 * export const statusFor = (error: unknown) => (isPolicyRefusal(error) ? 503 : 502)
 * ```
 */
export const isPolicyRefusal = (
  error: unknown
): error is ClientNetworkError & { readonly reason: "CircuitOpen" | "RateLimitStore" | "Policy" } =>
  hasReason(error, "CircuitOpen", "RateLimitStore", "Policy")

/**
 * Whether a credential could not be obtained, for example because the store of a session failed; `cause` says why. It is a
 * `ClientAuthError` if the call needs an access token, and otherwise a `ClientNetworkError`.
 *
 * @example
 * ```ts
 * import { isCredentialsUnavailable } from "@catalog-client/core/guards"
 *
 * export const report = (error: unknown) => {
 *   if (isCredentialsUnavailable(error)) console.error(`no credentials: ${error.cause?.message}`)
 * }
 * ```
 */
export const isCredentialsUnavailable = <E>(
  error: Given<E>
): error is Given<E> & (ClientAuthError | ClientNetworkError) & { readonly reason: "CredentialsUnavailable" } =>
  isClientError(error) && member(error, "reason") === "CredentialsUnavailable"

/**
 * Whether the same call can succeed later, without a change: the service is busy or failing (408, 429, 500, 502 to 504, 520
 * to 524, 530, the redirects 302 and 307 or 0 in a browser, or any status with a `Retry-After`), or the call timed out,
 * received no complete response, was refused by the circuit breaker or the store of a rate limit, or could not obtain its
 * credentials.
 *
 * A write may have been carried out all the same: `Resilience.retry` knows that, and waits as long as the service asks.
 *
 * @example
 * ```ts
 * import { Catalog } from "@catalog-client/core"
 * import { isRetryable } from "@catalog-client/core/guards"
 * import { Effect } from "effect"
 *
 * export const boards = Catalog.forum.boards().pipe(Effect.retry({ times: 2, while: isRetryable }))
 * ```
 */
export const isRetryable = <E>(
  error: Given<E>
): error is Given<E> &
  (
    | (ClientRestError & { readonly reason: "Status" })
    | (ClientNetworkError & {
        readonly reason: Exclude<ClientNetworkError["reason"], "Cancelled" | "ResponseTooLarge" | "Policy">
      })
    | (ClientAuthError & { readonly reason: "CredentialsUnavailable" })
  ) =>
  member(error, "_tag") === "ClientRestError"
    ? member(error, "reason") === "Status" &&
      (isTemporaryStatus(member(error, "status")) || member(error, "retryAfter") !== undefined)
    : isCredentialsUnavailable(error) || hasReason(error, "Timeout", "Transport", "CircuitOpen", "RateLimitStore")

/** A `TypeError` for an input of a call that cannot be sent. */
interface InputTypeError extends TypeError {
  readonly code: "ERR_INVALID_INPUT"
  /** It is none of the four errors. */
  readonly _tag?: never
}

/**
 * Whether it is the `TypeError` for a wrong value or a misspelled name in the inputs of a call, for example an `id` that is `NaN`, or
 * `limt` for `limit`. The call was not sent. {@link isInvalidInput} accepts it, too. Any other `TypeError`, for example for an unknown
 * option, is a mistake in the program.
 *
 * @example
 * ```ts
 * import { isInputTypeError } from "@catalog-client/core/guards"
 *
 * export const statusFor = (error: unknown) => (isInputTypeError(error) ? 400 : 500)
 * ```
 */
export const isInputTypeError = (error: unknown): error is InputTypeError =>
  member(error, "name") === "TypeError" &&
  member(error, "code") === "ERR_INVALID_INPUT" &&
  tryOr(() => error instanceof Error, false)

/** The statuses of a service that refuses an input. */
const refusals = [400, 413, 414, 422] as const

/**
 * Whether an input of the call was refused: by the client before anything was sent (a broken rule, or the `TypeError` of
 * {@link isInputTypeError}), or by the service (400, 413, 414 or 422).
 *
 * @example
 * ```ts
 * import { isClientError, isInvalidInput, isNotFound, isSignInRequired } from "@catalog-client/core/guards"
 *
 * export const statusFor = (error: unknown) => {
 *   if (isSignInRequired(error)) return 401
 *   if (isInvalidInput(error)) return 400
 *   if (isNotFound(error)) return 404
 *   return isClientError(error) ? 502 : 500
 * }
 * ```
 */
export const isInvalidInput = <E>(
  error: Given<E>
): error is Given<E> &
  (ClientValidationError | InputTypeError | (ClientRestError & { readonly status: (typeof refusals)[number] })) =>
  member(error, "_tag") === "ClientValidationError" ||
  isInputTypeError(error) ||
  (refusals.some((status) => hasStatus(error, status)) &&
    !isOfGrant(error) &&
    member(error, "serviceMessage") !== unknownClientId)
