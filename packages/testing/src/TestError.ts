/**
 * The four errors of the client, for tests of a program that handles them.
 *
 * @since 0.2.0
 */
import { ClientAuthError, ClientNetworkError, ClientRestError, ClientValidationError } from "@catalog-client/core"

const exchange = {
  operation: "catalog.anime.get",
  method: "GET",
  url: "https://catalog.test/v2/anime/1",
  attempts: 1
} as const

const codes: { readonly [status: number]: string } = {
  400: "bad_request",
  401: "invalid_token",
  403: "forbidden",
  404: "not_found"
}

/**
 * A `ClientRestError`: by default a response with the status 500 to `anime.get`. With a status from 200 to 299, it is
 * `InvalidBody`.
 *
 * @example
 * ```ts
 * import { isRateLimited } from "@catalog-client/core/guards"
 * import { TestError } from "@catalog-client/testing"
 *
 * console.log(isRateLimited(TestError.rest({ status: 429, retryAfter: 1_000 })))
 * ```
 *
 * ```text
 * true
 * ```
 */
export const rest = (props: Partial<ConstructorParameters<typeof ClientRestError>[0]> = {}): ClientRestError => {
  const status = props.status ?? 500
  const code = codes[status]
  return new ClientRestError({
    ...exchange,
    status,
    ...(status >= 200 && status < 300
      ? { reason: "InvalidBody", body: {}, path: ["id"], expected: "a number", found: "nothing" }
      : { reason: "Status", body: "", ...(code !== undefined && { code, body: { error: code } }) }),
    ...((status === 401 || status === 403) && { credentialSent: true }),
    ...(status === 404 && props.operation === undefined && { expected: "anime" }),
    ...props
  })
}

const causes = {
  Transport: { name: "Error", message: "read ECONNRESET", code: "ECONNRESET" },
  Cancelled: { name: "AbortError", message: "This operation was aborted" }
}

/**
 * A `ClientNetworkError`: by default a connection that broke (`Transport`).
 *
 * @example
 * ```ts
 * import { TestError } from "@catalog-client/testing"
 *
 * console.log(TestError.network({ reason: "Timeout" }).timeoutMs)
 * ```
 *
 * ```text
 * 30000
 * ```
 */
export const network = (
  props: Partial<ConstructorParameters<typeof ClientNetworkError>[0]> = {}
): ClientNetworkError => {
  const reason = props.reason ?? "Transport"
  return new ClientNetworkError({
    ...exchange,
    reason,
    ...(reason === "Timeout" && { timeoutMs: 30_000 }),
    ...((reason === "Transport" || reason === "Cancelled") && { cause: causes[reason] }),
    ...props
  })
}

/**
 * A `ClientAuthError`: by default a call of `user.me` without an access token (`Missing`).
 *
 * @example
 * ```ts
 * import { TestError } from "@catalog-client/testing"
 *
 * console.log(TestError.auth({ reason: "SignedOut" }).operation)
 * ```
 *
 * ```text
 * catalog.user.me
 * ```
 */
export const auth = (props: Partial<ConstructorParameters<typeof ClientAuthError>[0]> = {}): ClientAuthError =>
  new ClientAuthError({ operation: "catalog.user.me", reason: "Missing", ...props })

const rules = {
  EmptyKeyword: { operation: "catalog.anime.search", field: "q" },
  NothingToChange: {
    operation: "catalog.anime.updateMyListStatus",
    field: "params",
    expected: "status or num_watched_episodes"
  },
  EmptyUsername: { operation: "catalog.user.get", field: "username" }
}

/**
 * A `ClientValidationError`: by default a search without a keyword.
 *
 * @example
 * ```ts
 * import { TestError } from "@catalog-client/testing"
 *
 * console.log(TestError.validation({ reason: "NothingToChange" }).field)
 * ```
 *
 * ```text
 * params
 * ```
 */
export const validation = (
  props: Partial<Pick<ClientValidationError, "operation" | "reason" | "field" | "expected" | "ignored">> = {}
): ClientValidationError => {
  const reason = props.reason ?? "EmptyKeyword"
  return new ClientValidationError({ reason, ...rules[reason], ...props })
}
