/**
 * The operations on manga as separate exports: a bundle contains only what it imports.
 *
 * @since 0.2.0
 */
import type { ClientAuthError, ClientValidationError } from "./CatalogError.js"
import type { CallOptions, EffectFace, Face, FieldsDefaultOf, FieldsOptions, PagedItems, Reply } from "./Face.js"
import { operation } from "./internal/call/interpreter.js"
import { paged } from "./internal/lists/streams.js"
import { decodeDeletion, decodeWrite } from "./internal/declaration/declaration.js"
import * as Input from "./internal/declaration/inputs.js"
import { changesSomething, hasKeyword, needsToken } from "./internal/declaration/rules.js"
import type { Kinds, ParamsOf } from "./internal/schemas/inputSchemas.js"
import { Manga } from "./model/Item.js"
import { MangaListStatus } from "./model/ListStatus.js"
import { MangaPage, MangaRankingPage } from "./model/Page.js"
import type { Selected, Selector } from "./Selector.js"
import type { SearchParams } from "./anime.js"
import { MangaRankingType } from "./model/Enumeration.js"
import type { MangaListUpdateParams } from "./listUpdates.js"

/** Parameters of operations on one manga. */
export interface MangaParams extends ParamsOf<typeof mangaParams> {}
export const mangaParams = (kinds: Kinds) => ({
  /** The manga's ID. */
  id: kinds.id
})

/** Parameters of `manga.ranking`. */
export interface MangaRankingParams extends ParamsOf<typeof mangaRankingParams> {}
export const mangaRankingParams = (kinds: Kinds) => ({
  /**
   * What to rank: `all`, `manga`, `novels`, `oneshots`, `doujin`, `manhwa`, `manhua`, `bypopularity` or `favorite`. Other
   * values are sent unchanged, but the service may refuse them.
   */
  rankingType: kinds.word<MangaRankingType>(MangaRankingType),
  /** Entries per page: 1 to 500, by default 100. Whole lists request 500. */
  limit: kinds.limit(500),
  /** Entries to skip: 0 by default. */
  offset: kinds.offset
})

/** The operations on manga, on any face. */
export interface MangaOperations<F extends Face, D = never> {
  /**
   * Reads one manga. By default, the reply has `id`, `title` and `main_picture`.
   *
   * A client ID is enough. Only the `my_list_status` field needs an access token. Fails with `ClientRestError` (404:
   * there is no such manga) and `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   *
   * export const manga = Catalog.manga.get({ id: 2 }, { fields: "num_volumes, authors{first_name,last_name}" })
   * ```
   */
  readonly get: <const S extends Selector<Manga> | undefined = never>(
    params: MangaParams,
    options?: FieldsOptions<Manga, S>
  ) => Reply<F, Selected<Manga, S, FieldsDefaultOf<D, "manga">>>

  /**
   * Searches manga by keyword and reads one page of results.
   *
   * A client ID is enough. Only the `my_list_status` field needs an access token.
   *
   * Fails with {@link ClientValidationError} (`EmptyKeyword`: `q` is blank), `ClientRestError` and `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   *
   * export const found = Catalog.manga.search({ q: "vagabond" }, { fields: ["mean"], nsfw: true })
   * ```
   */
  readonly search: PagedItems<F, SearchParams, MangaPage, ClientValidationError, FieldsDefaultOf<D, "manga">>

  /**
   * Reads one page of a ranking of manga.
   *
   * A client ID is enough. Only the `my_list_status` field needs an access token.
   *
   * Fails with `ClientRestError` and `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   *
   * export const novels = Catalog.manga.ranking({ rankingType: "novels", limit: 10 })
   * ```
   */
  readonly ranking: PagedItems<F, MangaRankingParams, MangaRankingPage, never, FieldsDefaultOf<D, "manga">>

  /**
   * Adds a manga to the user's list, or changes its entry there, and returns the whole entry.
   *
   * Only the fields that you set are sent. The reply shows what the service stored: it rounds scores, and limits the progress
   * (the limit is undocumented).
   *
   * Fails with {@link ClientValidationError} (`NothingToChange`: no field is set), {@link ClientAuthError} (no access token),
   * `ClientRestError` (404: there is no such manga) and `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   *
   * export const further = Catalog.manga.updateMyListStatus({ id: 2, status: "reading", num_chapters_read: 12 })
   * ```
   */
  readonly updateMyListStatus: <const S extends Selector<MangaListStatus> | undefined = never>(
    params: MangaListUpdateParams,
    options?: FieldsOptions<MangaListStatus, S>
  ) => Reply<F, Selected<MangaListStatus, S, FieldsDefaultOf<D, "listStatus">>, ClientValidationError | ClientAuthError>

  /**
   * Removes a manga from the user's list.
   *
   * If the manga is not on the list, the call succeeds. The service's reference says 404, so expect both.
   *
   * Fails with {@link ClientAuthError} (no access token), `ClientRestError` (404: there is no such manga) and
   * `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   *
   * export const gone = Catalog.manga.deleteFromList({ id: 2 })
   * ```
   */
  readonly deleteFromList: (params: MangaParams, options?: CallOptions) => Reply<F, void, ClientAuthError>
}

type Operations = MangaOperations<EffectFace>

/** Reads one manga: {@link MangaOperations.get}. */
export const get: Operations["get"] = /*#__PURE__*/ operation({
  name: "catalog.manga.get",
  method: "GET",
  path: "/manga/{id}",
  inputs: { id: Input.finiteNumber },
  finds: "manga",
  fields: "manga",
  cacheable: true,
  reply: Manga
})

/** Searches manga by keyword: {@link MangaOperations.search}. */
export const search: Operations["search"] = /*#__PURE__*/ paged({
  name: "catalog.manga.search",
  method: "GET",
  path: "/manga",
  inputs: { q: Input.keyword },
  fields: "manga",
  limit: { default: 100, maximum: 100 },
  nsfw: true,
  cacheable: true,
  rule: hasKeyword,
  reply: MangaPage
})

/** Reads a ranking of manga: {@link MangaOperations.ranking}. */
export const ranking: Operations["ranking"] = /*#__PURE__*/ paged({
  name: "catalog.manga.ranking",
  method: "GET",
  path: "/manga/ranking",
  inputs: { rankingType: /*#__PURE__*/ Input.wordAs("ranking_type", "a rankingType such as all or bypopularity") },
  fields: "manga",
  limit: { maximum: 500 },
  nsfw: true,
  cacheable: true,
  reply: MangaRankingPage
})

/** Changes the user's own entry of a manga: {@link MangaOperations.updateMyListStatus}. */
export const updateMyListStatus: Operations["updateMyListStatus"] = /*#__PURE__*/ operation({
  name: "catalog.manga.updateMyListStatus",
  method: "PATCH",
  path: "/manga/{id}/my_list_status",
  inputs: {
    id: Input.finiteNumber,
    status: /*#__PURE__*/ Input.form(Input.mangaStatuses),
    num_chapters_read: Input.count,
    num_volumes_read: Input.count,
    score: Input.score,
    comments: Input.comments,
    is_rereading: Input.yesOrNo,
    num_times_reread: Input.count,
    reread_value: Input.rewatchValue,
    priority: Input.priority,
    tags: Input.tags,
    start_date: Input.date,
    finish_date: Input.date
  } satisfies Record<keyof MangaListUpdateParams, Input.Input>,
  finds: "manga",
  fields: "listStatus",
  rule: changesSomething,
  token: needsToken,
  reply: MangaListStatus,
  decode: /*#__PURE__*/ decodeWrite(MangaListStatus)
})

/** Removes a manga from the user's list: {@link MangaOperations.deleteFromList}. */
export const deleteFromList: Operations["deleteFromList"] = /*#__PURE__*/ operation({
  name: "catalog.manga.deleteFromList",
  method: "DELETE",
  path: "/manga/{id}/my_list_status",
  inputs: { id: Input.finiteNumber },
  finds: "list entry",
  token: needsToken,
  reply: undefined,
  decode: decodeDeletion
})
