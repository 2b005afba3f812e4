/**
 * `@catalog-client/core` for the tests that run against `catalog-client`: what both have is that of `catalog-client`.
 */
import type * as core from "@catalog-client/core"
import { createCatalog as create } from "catalog-client"
import { over } from "./adapt.js"

export * from "@catalog-client/core"
export {
  addedByProxy,
  ClientAuthError,
  ClientNetworkError,
  ClientRestError,
  ClientValidationError,
  DEFAULT_REQUEST_TIMEOUT,
  Fields,
  isCancelled,
  isClientError,
  isCredentialsUnavailable,
  isForbidden,
  isInputMistake,
  isInvalidInput,
  isNotFound,
  isPolicyRefusal,
  isRateLimited,
  isRetryable,
  isSignInRequired,
  isTimeout,
  isUnauthorized,
  ServiceProfile
} from "catalog-client"
export { operations as Operation, policies as Resilience } from "./adapt.js"

/** For the tests that take another way over it. */
export const isBundle = true

export const createCatalog = ((options?: object) => over(create, options)) as typeof core.createCatalog
