/**
 * `@catalog-client/core/guards` for the tests that run against `catalog-client`.
 */
export {
  isCancelled,
  isClientError,
  isForbidden,
  isInputMistake,
  isInvalidInput,
  isNotFound,
  isRateLimited,
  isSignInRequired,
  isTimeout,
  isUnauthorized
} from "catalog-client"
