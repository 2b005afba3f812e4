/**
 * `@catalog-client/core` for the tests that run against `catalog-client`: what both have is that of `catalog-client`.
 */

export * from "@catalog-client/core"
export {
  addedByProxy,
  ClientAuthError,
  ClientNetworkError,
  ClientRestError,
  ClientValidationError,
  createCatalog,
  DEFAULT_REQUEST_TIMEOUT,
  Fields,
  isCancelled,
  isClientError,
  isCredentialsUnavailable,
  isForbidden,
  isInputTypeError,
  isInvalidInput,
  isNotFound,
  isPolicyRefusal,
  isRateLimited,
  isRetryable,
  isSignInRequired,
  isTimeout,
  isUnauthorized,
  Operation,
  Resilience,
  ServiceProfile
} from "catalog-client"
