/**
 * The client: every operation, as Effects and as promises.
 *
 * @since 0.2.0
 */
export { Catalog, type CatalogOperations } from "./Catalog.js"
export {
  CatalogClient,
  type CatalogClientOptions,
  type CatalogClientService,
  type CatalogClientStubs
} from "./CatalogClient.js"
export {
  type CallDefaults,
  CatalogConfig,
  type CatalogConfigOptions,
  type CatalogSettings,
  DEFAULT_MAX_RESPONSE_BYTES,
  DEFAULT_REQUEST_TIMEOUT,
  type FromConfig
} from "./CatalogConfig.js"
export {
  ClientAuthError,
  ClientError,
  ClientNetworkError,
  ClientRestError,
  ClientValidationError
} from "./CatalogError.js"
export {
  type CallEvent,
  CatalogHooks,
  type HookDetails,
  type Hooks,
  type MismatchEvent,
  type RequestEvent,
  type ResponseEvent,
  type RetryEvent,
  type WaitEvent
} from "./CatalogHooks.js"
export { type CatalogCall, CatalogPolicy, type Policy, type PolicyStage } from "./CatalogPolicy.js"
export {
  addedByProxy,
  type CredentialRenewal,
  Credentials,
  type CredentialSlot,
  type CredentialSlots,
  type CredentialSource,
  type CredentialsService,
  type CredentialValue,
  type CredentialValues
} from "./Credentials.js"
export type {
  AsyncList,
  CallOptions,
  CatalogResponse,
  ClientFace,
  CollectOptions,
  EffectFace,
  Face,
  FieldsByRecord,
  FieldsDefault,
  FieldsDefaultOf,
  FieldsOptions,
  ItemsOptions,
  Paged,
  PagedItems,
  PageOf,
  PromiseFace,
  Replies,
  Reply,
  WholeListOptions
} from "./Face.js"
export * as Fields from "./Fields.js"
export * from "./guards.js"
export type { AnySelector, Selected, Selector } from "./Selector.js"
export type {
  AnimeListUpdateParams,
  AnimeOperations,
  AnimeParams,
  AnimeRankingParams,
  SearchParams,
  SeasonalParams
} from "./anime.js"
export type { ForumOperations, TopicParams, TopicsParams } from "./forum.js"
export type { MangaListUpdateParams, MangaOperations, MangaParams, MangaRankingParams } from "./manga.js"
export {
  Anime,
  AnimeListPage,
  AnimeListStatus,
  AnimePage,
  AnimeRankingPage,
  ForumBoards,
  ForumTopicPage,
  ForumTopicsPage,
  Manga,
  MangaListPage,
  MangaListStatus,
  MangaPage,
  MangaRankingPage,
  SeasonalPage,
  User
} from "./model/index.js"
export { withResponse } from "./withResponse.js"
export { createCatalog } from "./createCatalog.js"
export type {
  CatalogLogger,
  CatalogLogLevel,
  CatalogOptions,
  CatalogSession,
  CreateCatalogOptions,
  PromiseCatalog,
  TransportOptions,
  ViewOptions
} from "./PromiseCatalog.js"
export * as Operation from "./Operation.js"
export * as Resilience from "./Resilience.js"
export { type CredentialHeader, type OAuthEndpoints, ServiceProfile } from "./ServiceProfile.js"
export * as Transport from "./Transport.js"
export type { AnimeListParams, MangaListParams, UserOperations, UserParams } from "./user.js"
