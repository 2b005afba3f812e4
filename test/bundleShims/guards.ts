/**
 * `@catalog-client/core/guards` for the tests that run against `catalog-client`.
 */
export {
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
  isUnauthorized
} from "catalog-client"
