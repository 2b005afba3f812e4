/**
 * The client: every operation as an Effect.
 *
 * @since 0.2.0
 */
export type { AnimeOperations, Suggestions } from "./anime.js"
export { Catalog } from "./Catalog.js"
export { CatalogClient } from "./CatalogClient.js"
export { CatalogConfig, DEFAULT_REQUEST_TIMEOUT } from "./CatalogConfig.js"
export {
  ClientAuthError,
  ClientError,
  ClientNetworkError,
  ClientRestError,
  ClientValidationError
} from "./CatalogError.js"
export { CatalogHooks } from "./CatalogHooks.js"
export { CatalogPolicy } from "./CatalogPolicy.js"
export { Credentials } from "./Credentials.js"
export * as Fields from "./Fields.js"
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
} from "./guards.js"
export type { ForumOperations } from "./forum.js"
export type * from "./generated/types.js"
export type { MangaOperations } from "./manga.js"
// The compiler names a part of a reply by a module that a program can import, once it has read that module.
// oxlint-disable-next-line unicorn/require-module-specifiers -- in the declarations, it makes the compiler read it
export type {} from "./models.js"
export * as Operation from "./Operation.js"
export * as Resilience from "./Resilience.js"
export { ServiceProfile } from "./ServiceProfile.js"
export * as Transport from "./Transport.js"
export type { UserOperations } from "./user.js"
