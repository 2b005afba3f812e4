/**
 * The client: every operation as an Effect.
 *
 * @since 0.2.0
 */
export { Catalog } from "./Catalog.js"
export { CatalogClient, type CatalogClientService } from "./CatalogClient.js"
export { CatalogConfig, type CatalogConfigOptions, DEFAULT_REQUEST_TIMEOUT } from "./CatalogConfig.js"
export {
  ClientAuthError,
  ClientError,
  ClientNetworkError,
  ClientRestError,
  ClientValidationError
} from "./CatalogError.js"
export { CatalogHooks, type HookEvents, type Hooks } from "./CatalogHooks.js"
export { type CatalogCall, CatalogPolicy, type Policy } from "./CatalogPolicy.js"
export {
  addedByProxy,
  type CredentialOptions,
  Credentials,
  type CredentialSlot,
  type CredentialSource,
  type CredentialsService
} from "./Credentials.js"
export type {
  CallOptions,
  CatalogResponse,
  ClientFace,
  CollectOptions,
  EffectFace,
  FieldsDefault,
  FieldsOptions,
  ItemsOptions,
  Paged,
  PagedItems,
  ListProgress,
  WholeListOptions
} from "./Face.js"
export * as Fields from "./Fields.js"
export * from "./guards.js"
export type { AnySelector, Selected, Selector } from "./Selector.js"
export type { AnimeOperations, Suggestions } from "./anime.js"
export type { ForumOperations } from "./forum.js"
export * from "./generated/types.js"
export type { MangaOperations } from "./manga.js"
export { withResponse } from "./withResponse.js"
export * as Operation from "./Operation.js"
export * as Resilience from "./Resilience.js"
export { ServiceProfile } from "./ServiceProfile.js"
export * as Transport from "./Transport.js"
export type { UserOperations } from "./user.js"
