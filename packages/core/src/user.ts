/**
 * The operations on users and their lists as separate exports: a bundle contains only what it imports.
 *
 * @since 0.2.0
 */
import type { ClientAuthError, ClientValidationError } from "./CatalogError.js"
import type { EffectFace, Face, FieldsDefaultOf, FieldsOptions, PagedItems, Reply } from "./Face.js"
import { operation } from "./internal/call/interpreter.js"
import * as Input from "./internal/declaration/inputs.js"
import { paged } from "./internal/lists/streams.js"
import { namesUser, needsOwnToken, needsToken, needsTokenForMe } from "./internal/declaration/rules.js"
import type { Kinds, ParamsOf } from "./internal/schemas/inputSchemas.js"
import { AnimeListPage, MangaListPage } from "./model/Page.js"
import { User } from "./model/User.js"
import type { Selected, Selector } from "./Selector.js"
import { AnimeListSort, AnimeListStatusValue, MangaListSort, MangaListStatusValue } from "./model/Enumeration.js"

/** Parameters of `user.get`. */
export interface UserParams extends ParamsOf<typeof userParams> {}
export const userParams = (kinds: Kinds) => ({
  /** `@me`, the owner of the access token. Not blank. */
  username: kinds.username
})

/** Whose list it is, and which entries of it. */
const owner = (kinds: Kinds) => ({
  /**
   * A user's name, or `@me` for the owner of the access token. Not blank. You can read any public list. `@me` ignores case
   * and surrounding spaces.
   */
  username: kinds.username,
  /** Entries per page: 1 to 1000, by default 100. Whole lists request 1000. */
  limit: kinds.limit(1000),
  /** Entries to skip: 0 by default. */
  offset: kinds.offset
})

/** Parameters of `user.animeList`. */
export interface AnimeListParams extends ParamsOf<typeof animeListParams> {}
export const animeListParams = (kinds: Kinds) => ({
  ...owner(kinds),
  /** Only entries with this status; entries of every status by default. */
  status: kinds.optional(kinds.word<AnimeListStatusValue>(AnimeListStatusValue)),
  /** Sort order; by default, the service's own. */
  sort: kinds.optional(kinds.word<AnimeListSort>(AnimeListSort))
})

/** Parameters of `user.mangaList`. */
export interface MangaListParams extends ParamsOf<typeof mangaListParams> {}
export const mangaListParams = (kinds: Kinds) => ({
  ...owner(kinds),
  /** Only entries with this status; entries of every status by default. */
  status: kinds.optional(kinds.word<MangaListStatusValue>(MangaListStatusValue)),
  /** Sort order; by default, the service's own. */
  sort: kinds.optional(kinds.word<MangaListSort>(MangaListSort))
})

/** The operations on users, on any face. */
export interface UserOperations<F extends Face, D = never> {
  /**
   * Reads the signed-in user's profile.
   *
   * Fails with {@link ClientAuthError} (no access token), `ClientRestError` and `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   *
   * export const me = Catalog.user.me({ fields: ["anime_statistics"] })
   * ```
   */
  readonly me: <const S extends Selector<User> | undefined = never>(
    options?: FieldsOptions<User, S>
  ) => Reply<F, Selected<User, S, FieldsDefaultOf<D, "user">>, ClientAuthError>

  /**
   * Reads the profile of `@me`, as `user.me` does. For every other name, the service returns 404.
   *
   * Fails with {@link ClientValidationError} (`EmptyUsername`: `username` is blank), {@link ClientAuthError} (no access token),
   * `ClientRestError` (404: another name than `@me`) and `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   *
   * export const me = Catalog.user.get({ username: "@me" })
   * ```
   */
  readonly get: <const S extends Selector<User> | undefined = never>(
    params: UserParams,
    options?: FieldsOptions<User, S>
  ) => Reply<F, Selected<User, S, FieldsDefaultOf<D, "user">>, ClientValidationError | ClientAuthError>

  /**
   * Reads one page of a user's anime list. An entry contains the item's list status if `fields` names `list_status`.
   *
   * `@me` needs an access token; another user's public list needs an access token or a client ID. Fails with
   * {@link ClientValidationError} (`EmptyUsername`: `username` is blank), {@link ClientAuthError} (`@me` without an access
   * token), `ClientRestError` (403: the list is private; 404: there is no such user) and `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   *
   * export const watching = Catalog.user.animeList(
   *   { username: "@me", status: "watching", sort: "list_updated_at" },
   *   { fields: ["list_status{comments}", "num_episodes"], nsfw: true }
   * )
   * ```
   */
  readonly animeList: PagedItems<
    F,
    AnimeListParams,
    AnimeListPage,
    ClientValidationError | ClientAuthError,
    FieldsDefaultOf<D, "animeListEntry">
  >

  /**
   * Reads one page of a user's manga list. An entry contains the item's list status if `fields` names `list_status`.
   *
   * `@me` needs an access token; another user's public list needs an access token or a client ID. Fails with
   * {@link ClientValidationError} (`EmptyUsername`: `username` is blank), {@link ClientAuthError} (`@me` without an access
   * token), `ClientRestError` (403: the list is private; 404: there is no such user) and `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   *
   * export const read = Catalog.user.mangaList({ username: "paper_lantern", status: "completed", limit: 1000 })
   * ```
   */
  readonly mangaList: PagedItems<
    F,
    MangaListParams,
    MangaListPage,
    ClientValidationError | ClientAuthError,
    FieldsDefaultOf<D, "mangaListEntry">
  >
}

type Operations = UserOperations<EffectFace>

/** Reads the signed-in user's profile: {@link UserOperations.me}. */
export const me: Operations["me"] = /*#__PURE__*/ operation({
  name: "catalog.user.me",
  method: "GET",
  path: "/users/@me",
  fields: "user",
  token: needsToken,
  reply: User
})

/** Reads a user's profile: {@link UserOperations.get}. */
export const get: Operations["get"] = /*#__PURE__*/ operation({
  name: "catalog.user.get",
  method: "GET",
  path: "/users/{username}",
  inputs: { username: Input.username },
  finds: "user (only @me has a profile)",
  fields: "user",
  rule: namesUser,
  token: needsOwnToken,
  reply: User
})

/** Reads a user's anime list: {@link UserOperations.animeList}. */
export const animeList: Operations["animeList"] = /*#__PURE__*/ paged({
  name: "catalog.user.animeList",
  method: "GET",
  path: "/users/{username}/animelist",
  inputs: { username: Input.listOwner, status: /*#__PURE__*/ Input.queryOf(Input.animeStatuses), sort: Input.listSort },
  finds: "user",
  fields: "animeListEntry",
  limit: { default: 100, maximum: 1000 },
  nsfw: true,
  rule: namesUser,
  token: needsTokenForMe,
  reply: AnimeListPage
})

/** Reads a user's manga list: {@link UserOperations.mangaList}. */
export const mangaList: Operations["mangaList"] = /*#__PURE__*/ paged({
  name: "catalog.user.mangaList",
  method: "GET",
  path: "/users/{username}/mangalist",
  inputs: { username: Input.listOwner, status: /*#__PURE__*/ Input.queryOf(Input.mangaStatuses), sort: Input.listSort },
  finds: "user",
  fields: "mangaListEntry",
  limit: { default: 100, maximum: 1000 },
  nsfw: true,
  rule: namesUser,
  token: needsTokenForMe,
  reply: MangaListPage
})
