/**
 * The operations on anime as separate exports: a bundle contains only what it imports.
 *
 * @since 0.2.0
 */
import type { ClientAuthError, ClientValidationError } from "./CatalogError.js"
import type {
  CallOptions,
  CollectOptions,
  EffectFace,
  Face,
  FieldsDefaultOf,
  FieldsOptions,
  ItemsOptions,
  PagedItems,
  PageOf,
  Replies,
  Reply,
  WholeListOptions
} from "./Face.js"
import { operation } from "./internal/call/interpreter.js"
import { paged } from "./internal/lists/streams.js"
import { decodeDeletion, decodeWrite } from "./internal/declaration/declaration.js"
import * as Input from "./internal/declaration/inputs.js"
import { changesSomething, hasKeyword, needsToken } from "./internal/declaration/rules.js"
import type { Kinds, ParamsOf } from "./internal/schemas/inputSchemas.js"
import { Anime } from "./model/Item.js"
import { AnimeListStatus } from "./model/ListStatus.js"
import { type AnimeEntry, AnimePage, AnimeRankingPage, SeasonalPage } from "./model/Page.js"
import type { AnySelector, Selected, Selector } from "./Selector.js"
import { AnimeRankingType, Season, SeasonalSort } from "./model/Enumeration.js"
import type { AnimeListUpdateParams } from "./listUpdates.js"

/** Parameters of operations on one anime. */
export interface AnimeParams extends ParamsOf<typeof animeParams> {}
export const animeParams = (kinds: Kinds) => ({
  /** The anime's ID. */
  id: kinds.id
})

/** Parameters of `anime.search` and `manga.search`. */
export interface SearchParams extends ParamsOf<typeof searchParams> {}
export const searchParams = (kinds: Kinds) => ({
  /** A keyword, which can't be blank. The service accepts 3 to 64 characters. */
  q: kinds.keyword,
  /** Entries per page: 1 to 100, by default 100. */
  limit: kinds.limit(100),
  /** Entries to skip: 0 by default. */
  offset: kinds.offset
})

/** Parameters of `anime.seasonal`. */
export interface SeasonalParams extends ParamsOf<typeof seasonalParams> {}
export const seasonalParams = (kinds: Kinds) => ({
  /** For example 2017. */
  year: kinds.year,
  /** `winter`, `spring`, `summer` or `fall`. Other values are sent unchanged, but the service may refuse them. */
  season: kinds.word<Season>(Season),
  /**
   * `anime_num_list_users` sorts by popularity. Users report that `anime_score` does the same on the live service, so to sort
   * by score, request `mean` and sort the entries yourself. By default, the service decides on the order.
   */
  sort: kinds.optional(kinds.word<SeasonalSort>(SeasonalSort)),
  /** Entries per page: 1 to 500, by default 100. Whole lists request 500. */
  limit: kinds.limit(500),
  /** Entries to skip: 0 by default. */
  offset: kinds.offset
})

/** Parameters of `anime.ranking`. */
export interface AnimeRankingParams extends ParamsOf<typeof animeRankingParams> {}
export const animeRankingParams = (kinds: Kinds) => ({
  /**
   * What to rank: `all`, `airing`, `upcoming`, `tv`, `ova`, `movie`, `special`, `bypopularity` or `favorite`. Other values are
   * sent unchanged, but the service may refuse them.
   */
  rankingType: kinds.word<AnimeRankingType>(AnimeRankingType),
  /** Entries per page: 1 to 500, by default 100. Whole lists request 500. */
  limit: kinds.limit(500),
  /** Entries to skip: 0 by default. */
  offset: kinds.offset
})

/** The argument of `anime.suggestions`; `limit` is at most 100. */
export interface SuggestionsOptions<S = AnySelector | undefined> extends ItemsOptions<AnimeEntry, S> {
  /** Entries per page: 1 to 100, by default 100. */
  readonly limit?: number | undefined
  /** Entries to skip: 0 by default. */
  readonly offset?: number | undefined
}

/** What the service suggests: one page, or the whole list. */
export interface Suggestions<F extends Face, D = never> {
  <const S extends Selector<AnimeEntry> | undefined = never>(
    options?: SuggestionsOptions<S>
  ): Reply<F, PageOf<AnimePage, Selected<AnimeEntry, S, D>>, ClientAuthError>
  /** All pages, one after the other, until one has no `next`. */
  readonly pages: <const S extends Selector<AnimeEntry> | undefined = never>(
    options?: SuggestionsOptions<S> & WholeListOptions
  ) => Replies<F, PageOf<AnimePage, Selected<AnimeEntry, S, D>>, ClientAuthError>
  /** All entries of all pages. One page is in memory at a time; with `distinct`, also the ids that were seen. */
  readonly items: <const S extends Selector<AnimeEntry> | undefined = never>(
    options?: SuggestionsOptions<S> & WholeListOptions
  ) => Replies<F, Selected<AnimeEntry, S, D>, ClientAuthError>
  /** The first `max` entries as an array. */
  readonly collect: <const S extends Selector<AnimeEntry> | undefined = never>(
    options: SuggestionsOptions<S> & CollectOptions
  ) => Reply<F, ReadonlyArray<Selected<AnimeEntry, S, D>>, ClientAuthError>
}

/** The operations on anime, on any face. */
export interface AnimeOperations<F extends Face, D = never> {
  /**
   * Reads one anime. By default, the reply has `id`, `title` and `main_picture`.
   *
   * A client ID is enough. Only the `my_list_status` field needs an access token. Fails with `ClientRestError` (404:
   * there is no such anime) and `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   *
   * export const anime = Catalog.anime.get({ id: 30230 }, { fields: ["mean", "genres", "start_season"] })
   * ```
   */
  readonly get: <const S extends Selector<Anime> | undefined = never>(
    params: AnimeParams,
    options?: FieldsOptions<Anime, S>
  ) => Reply<F, Selected<Anime, S, FieldsDefaultOf<D, "anime">>>

  /**
   * Searches anime by keyword and reads one page of results.
   *
   * A client ID is enough. Only the `my_list_status` field needs an access token.
   *
   * Fails with {@link ClientValidationError} (`EmptyKeyword`: `q` is blank), `ClientRestError` and `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   * import { Effect } from "effect"
   *
   * export const titles = Catalog.anime
   *   .search({ q: "diamond", limit: 10 })
   *   .pipe(Effect.map((page) => page.data.map((entry) => entry.node.title)))
   * ```
   */
  readonly search: PagedItems<F, SearchParams, AnimePage, ClientValidationError, FieldsDefaultOf<D, "anime">>

  /**
   * Reads one page of a season's anime.
   *
   * To compute the current season, see [This season](https://catalog-client.github.io/catalog-client/recipes/titles#this-season).
   *
   * A client ID is enough. Only the `my_list_status` field needs an access token.
   *
   * Fails with `ClientRestError` and `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   *
   * export const popular = Catalog.anime.seasonal({ year: 2017, season: "winter", sort: "anime_num_list_users" })
   * ```
   */
  readonly seasonal: PagedItems<F, SeasonalParams, SeasonalPage, never, FieldsDefaultOf<D, "anime">>

  /**
   * Reads one page of a ranking of anime.
   *
   * A client ID is enough. Only the `my_list_status` field needs an access token.
   *
   * Fails with `ClientRestError` and `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   *
   * export const onAir = Catalog.anime.ranking({ rankingType: "airing", limit: 10 }, { fields: "mean" })
   * ```
   */
  readonly ranking: PagedItems<F, AnimeRankingParams, AnimeRankingPage, never, FieldsDefaultOf<D, "anime">>

  /**
   * Reads one page of what the service suggests to the signed-in user.
   *
   * Fails with {@link ClientAuthError} (no access token), `ClientRestError` and `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   *
   * export const tonight = Catalog.anime.suggestions({ limit: 5, fields: ["mean"] })
   * ```
   */
  readonly suggestions: Suggestions<F, FieldsDefaultOf<D, "anime">>

  /**
   * Adds an anime to the user's list, or changes its entry there, and returns the whole entry.
   *
   * Only the fields that you set are sent. The reply shows what the service stored: it rounds scores, and limits the episode
   * count (the limit is undocumented).
   *
   * Fails with {@link ClientValidationError} (`NothingToChange`: no field is set), {@link ClientAuthError} (no access token),
   * `ClientRestError` (404: there is no such anime) and `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   *
   * export const done = Catalog.anime.updateMyListStatus({ id: 30230, status: "completed", score: 9, tags: ["sport"] })
   * ```
   */
  readonly updateMyListStatus: <const S extends Selector<AnimeListStatus> | undefined = never>(
    params: AnimeListUpdateParams,
    options?: FieldsOptions<AnimeListStatus, S>
  ) => Reply<F, Selected<AnimeListStatus, S, FieldsDefaultOf<D, "listStatus">>, ClientValidationError | ClientAuthError>

  /**
   * Removes an anime from the user's list.
   *
   * If the anime is not on the list, the call succeeds. The service's reference says 404, so expect both.
   *
   * Fails with {@link ClientAuthError} (no access token), `ClientRestError` (404: there is no such anime) and
   * `ClientNetworkError`.
   *
   * @example
   * ```ts
   * import { Catalog } from "@catalog-client/core"
   *
   * export const gone = Catalog.anime.deleteFromList({ id: 30230 })
   * ```
   */
  readonly deleteFromList: (params: AnimeParams, options?: CallOptions) => Reply<F, void, ClientAuthError>
}

type Operations = AnimeOperations<EffectFace>

/** Reads one anime: {@link AnimeOperations.get}. */
export const get: Operations["get"] = /*#__PURE__*/ operation({
  name: "catalog.anime.get",
  method: "GET",
  path: "/anime/{id}",
  inputs: { id: Input.finiteNumber },
  finds: "anime",
  fields: "anime",
  cacheable: true,
  reply: Anime
})

/** Searches anime by keyword: {@link AnimeOperations.search}. */
export const search: Operations["search"] = /*#__PURE__*/ paged({
  name: "catalog.anime.search",
  method: "GET",
  path: "/anime",
  inputs: { q: Input.keyword },
  fields: "anime",
  limit: { default: 100, maximum: 100 },
  nsfw: true,
  cacheable: true,
  rule: hasKeyword,
  reply: AnimePage
})

/** Reads a season's anime: {@link AnimeOperations.seasonal}. */
export const seasonal: Operations["seasonal"] = /*#__PURE__*/ paged({
  name: "catalog.anime.seasonal",
  method: "GET",
  path: "/anime/season/{year}/{season}",
  inputs: {
    year: Input.finiteNumber,
    season: Input.season,
    sort: /*#__PURE__*/ Input.queryOf("a sort such as anime_score")
  },
  fields: "anime",
  limit: { maximum: 500 },
  nsfw: true,
  cacheable: true,
  reply: SeasonalPage
})

/** Reads a ranking of anime: {@link AnimeOperations.ranking}. */
export const ranking: Operations["ranking"] = /*#__PURE__*/ paged({
  name: "catalog.anime.ranking",
  method: "GET",
  path: "/anime/ranking",
  inputs: { rankingType: /*#__PURE__*/ Input.wordAs("ranking_type", "a rankingType such as all or bypopularity") },
  fields: "anime",
  limit: { maximum: 500 },
  nsfw: true,
  cacheable: true,
  reply: AnimeRankingPage
})

/** Reads what the service suggests: {@link AnimeOperations.suggestions}. */
export const suggestions: Operations["suggestions"] = /*#__PURE__*/ paged({
  name: "catalog.anime.suggestions",
  method: "GET",
  path: "/anime/suggestions",
  fields: "anime",
  limit: { maximum: 100 },
  nsfw: true,
  token: needsToken,
  reply: AnimePage
})

/** Changes the user's own entry of an anime: {@link AnimeOperations.updateMyListStatus}. */
export const updateMyListStatus: Operations["updateMyListStatus"] = /*#__PURE__*/ operation({
  name: "catalog.anime.updateMyListStatus",
  method: "PATCH",
  path: "/anime/{id}/my_list_status",
  inputs: {
    id: Input.finiteNumber,
    status: /*#__PURE__*/ Input.form(Input.animeStatuses),
    num_watched_episodes: Input.count,
    score: Input.score,
    comments: Input.comments,
    is_rewatching: Input.yesOrNo,
    num_times_rewatched: Input.count,
    rewatch_value: Input.rewatchValue,
    priority: Input.priority,
    tags: Input.tags,
    start_date: Input.date,
    finish_date: Input.date
  } satisfies Record<Exclude<keyof AnimeListUpdateParams, "num_episodes_watched">, Input.Input>,
  finds: "anime",
  fields: "listStatus",
  rule: changesSomething,
  token: needsToken,
  reply: AnimeListStatus,
  decode: /*#__PURE__*/ decodeWrite(AnimeListStatus)
})

/** Removes an anime from the user's list: {@link AnimeOperations.deleteFromList}. */
export const deleteFromList: Operations["deleteFromList"] = /*#__PURE__*/ operation({
  name: "catalog.anime.deleteFromList",
  method: "DELETE",
  path: "/anime/{id}/my_list_status",
  inputs: { id: Input.finiteNumber },
  finds: "list entry",
  token: needsToken,
  reply: undefined,
  decode: decodeDeletion
})
