/**
 * What every platform exports.
 */
export {
  ClientAuthError,
  type ClientError,
  ClientNetworkError,
  ClientRestError,
  ClientValidationError
} from "#core/CatalogError.js"
export type { HookEvents, Hooks } from "#core/internal/policies/hookEvents.js"
export type { CatalogCall, Policy } from "#core/internal/policies/policy.js"
export { addedByProxy } from "#core/internal/settings/slots.js"
export type { CredentialOptions, CredentialSource } from "#core/internal/settings/slots.js"
export type {
  CallOptions,
  CatalogResponse,
  CollectOptions,
  FieldsDefault,
  FieldsOptions,
  ItemsOptions,
  ListProgress,
  WholeListOptions
} from "#core/Face.js"
export type { AnySelector, Selected, Selector } from "#core/Selector.js"
export type * from "#core/generated/types.js"
export * from "#core/guards.js"
export { DEFAULT_REQUEST_TIMEOUT } from "#core/internal/settings/limits.js"
export { ServiceProfile } from "#core/ServiceProfile.js"
export type {
  AnimeOperations,
  AnimeOperationsWith,
  Catalog,
  CatalogFor,
  CatalogWith,
  ForumOperations,
  MangaOperations,
  MangaOperationsWith,
  Paged,
  PagedItems,
  PagedItemsWith,
  Suggestions,
  SuggestionsWith,
  UserOperations,
  UserOperationsWith
} from "./Catalog.js"
export type { CatalogLogger, CatalogLogLevel, CatalogOptions, CatalogSession, LogFields } from "./CatalogOptions.js"
export type { CatalogOf, CatalogOperation, CreateCatalogOf, PickedOperations } from "./createCatalog.js"
export type { AsyncList } from "./Face.js"
export * as Fields from "./Fields.js"
export { fromEnvironment } from "./fromEnvironment.js"
export * from "./models.js"
export * as Operation from "./Operation.js"
export type { Dispatcher, TransportOptions } from "./platform.js"
export { Redacted } from "./Redacted.js"
export * as Resilience from "./Resilience.js"
export type { Telemetry } from "./telemetry.js"
