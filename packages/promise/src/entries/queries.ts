/**
 * Keys, options and infinite pages for TanStack Query, by their shape: plain objects for React, Vue, Solid and Svelte.
 */
import type { EntryIn, AnyList, FieldsDefault, FieldsDefaultOf, PageOf } from "#core/Face.js"
import type {
  Anime,
  AnimeListPage,
  AnimeListParams,
  AnimeListStatus,
  AnimeListUpdateParams,
  AnimePage,
  AnimeParams,
  AnimeRankingPage,
  AnimeRankingParams,
  ForumBoards,
  ForumTopicPage,
  ForumTopicsPage,
  Manga,
  MangaListPage,
  MangaListParams,
  MangaListStatus,
  MangaListUpdateParams,
  MangaPage,
  MangaParams,
  MangaRankingPage,
  MangaRankingParams,
  SearchParams,
  SeasonalPage,
  SeasonalParams,
  TopicParams,
  TopicsParams,
  User,
  UserParams
} from "#core/generated/types.js"
import type { AnimeEntry } from "#core/model/Page.js"
import type { Checked, Selected, Selector } from "#core/Selector.js"
import { show } from "#core/internal/common/mistakes.js"
import { checkNames } from "#core/internal/common/options.js"
import { isMe } from "#core/internal/declaration/inputs.js"
import type { CatalogWith } from "../Catalog.js"
import type { CatalogOf } from "../createCatalog.js"
import { ofCaller, withoutParams, writes } from "../internal/queryKinds.js"

/** The key of a query, or the beginning of the keys of several. */
export type QueryKey = ReadonlyArray<unknown>

/** The options of a query whose data is `A`, for `useQuery`, `createQuery`, `fetchQuery` and so on. */
export interface Query<A> {
  readonly queryKey: QueryKey
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<A>
}

/**
 * The options of an infinite query, for `useInfiniteQuery` and so on. A page's param is the query of the service's own link.
 */
export interface PagesQuery<A> {
  readonly queryKey: QueryKey
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: string | undefined }) => Promise<A>
  readonly initialPageParam: string | undefined
  readonly getNextPageParam: (page: A) => string | undefined
  readonly getPreviousPageParam: (page: A) => string | undefined
}

/** The options of a mutation, for `useMutation` and so on: its variables are the params of the write. */
export interface Mutation<Params, A> {
  readonly mutationKey: QueryKey
  readonly mutationFn: (params: Params) => Promise<A>
}

/** What a query takes of the options of a call. Everything else, for example credentials and timeouts, is the catalog's. */
interface ReadOptions<M, S> {
  /** A selector: what the reply contains. */
  readonly fields?: Checked<M, S> | undefined
}

/** {@link ReadOptions} of a list. */
interface ListOptions<M, S> extends ReadOptions<M, S> {
  /** Whether the list contains titles for adults. */
  readonly nsfw?: boolean | undefined
}

/** {@link ListOptions} of what the service suggests, which has no params. */
interface SuggestionsOptions<S> extends ListOptions<AnimeEntry, S> {
  /** Entries per page: at most 100. */
  readonly limit?: number | undefined
}

/** A query of one record. */
type ReadOne<Params, M, D> = <const S extends Selector<M> | undefined = never>(
  params: Params,
  options?: ReadOptions<M, S>
) => Query<Selected<M, S, D>>

/** A query of one page of a list, or of its pages. */
interface ReadPages<Params, Page extends AnyList, D> {
  <const S extends Selector<EntryIn<Page>> | undefined = never>(
    params: Params,
    options?: ListOptions<EntryIn<Page>, S>
  ): Query<PageOf<Page, Selected<EntryIn<Page>, S, D>>>
  /** All pages, for an infinite query. They are as large as the service allows, unless there is a `limit`. */
  readonly pages: <const S extends Selector<EntryIn<Page>> | undefined = never>(
    params: Omit<Params, "offset">,
    options?: ListOptions<EntryIn<Page>, S>
  ) => PagesQuery<PageOf<Page, Selected<EntryIn<Page>, S, D>>>
}

/** A query of what the service suggests: one page, or the pages. */
interface ReadSuggestions<D> {
  <const S extends Selector<AnimeEntry> | undefined = never>(
    options?: SuggestionsOptions<S> & { readonly offset?: number | undefined }
  ): Query<PageOf<AnimePage, Selected<AnimeEntry, S, D>>>
  /** All pages, for an infinite query. */
  readonly pages: <const S extends Selector<AnimeEntry> | undefined = never>(
    options?: SuggestionsOptions<S>
  ) => PagesQuery<PageOf<AnimePage, Selected<AnimeEntry, S, D>>>
}

/** A change to an entry of the user's own list. */
type Update<Params, M, D> = <const S extends Selector<M> | undefined = never>(
  options?: ReadOptions<M, S>
) => Mutation<Params, Selected<M, S, D>>

/** Beginnings of keys, for `invalidateQueries({ queryKey })` and the like. */
export interface QueryKeys {
  /** All queries of this scope. */
  readonly all: QueryKey
  /** All queries of anime. */
  readonly anime: QueryKey
  /** All queries of manga. */
  readonly manga: QueryKey
  /** Other users' lists. */
  readonly user: QueryKey
  /** All queries of the forum. */
  readonly forum: QueryKey
  /** What belongs to the caller: the profile, the lists of `@me`, and suggestions. */
  readonly mine: QueryKey
  /** One title, with whatever `fields`. */
  readonly item: (kind: "anime" | "manga", id: number) => QueryKey
  /** All lists of a kind. */
  readonly lists: (kind: "anime" | "manga" | "user" | "forum" | "mine") => QueryKey
  /**
   * What a change of an entry makes stale: the title, and what belongs to the caller. Lists with `my_list_status` are not in
   * it.
   */
  readonly changedBy: (kind: "anime" | "manga", id: number) => ReadonlyArray<QueryKey>
}

/** What {@link createQueries} returns. */
export interface Queries<D = never> {
  readonly keys: QueryKeys
  readonly anime: {
    readonly get: ReadOne<AnimeParams, Anime, FieldsDefaultOf<D, "anime">>
    readonly search: ReadPages<SearchParams, AnimePage, FieldsDefaultOf<D, "anime">>
    readonly seasonal: ReadPages<SeasonalParams, SeasonalPage, FieldsDefaultOf<D, "anime">>
    readonly ranking: ReadPages<AnimeRankingParams, AnimeRankingPage, FieldsDefaultOf<D, "anime">>
    readonly suggestions: ReadSuggestions<FieldsDefaultOf<D, "anime">>
    readonly updateMyListStatus: Update<AnimeListUpdateParams, AnimeListStatus, FieldsDefaultOf<D, "listStatus">>
    readonly deleteFromList: () => Mutation<AnimeParams, void>
  }
  readonly manga: {
    readonly get: ReadOne<MangaParams, Manga, FieldsDefaultOf<D, "manga">>
    readonly search: ReadPages<SearchParams, MangaPage, FieldsDefaultOf<D, "manga">>
    readonly ranking: ReadPages<MangaRankingParams, MangaRankingPage, FieldsDefaultOf<D, "manga">>
    readonly updateMyListStatus: Update<MangaListUpdateParams, MangaListStatus, FieldsDefaultOf<D, "listStatus">>
    readonly deleteFromList: () => Mutation<MangaParams, void>
  }
  readonly user: {
    readonly me: <const S extends Selector<User> | undefined = never>(
      options?: ReadOptions<User, S>
    ) => Query<Selected<User, S, FieldsDefaultOf<D, "user">>>
    readonly get: ReadOne<UserParams, User, FieldsDefaultOf<D, "user">>
    readonly animeList: ReadPages<AnimeListParams, AnimeListPage, FieldsDefaultOf<D, "animeListEntry">>
    readonly mangaList: ReadPages<MangaListParams, MangaListPage, FieldsDefaultOf<D, "mangaListEntry">>
  }
  readonly forum: {
    readonly boards: () => Query<ForumBoards>
    readonly topics: {
      (params?: TopicsParams): Query<ForumTopicsPage>
      readonly pages: (params?: Omit<TopicsParams, "offset">) => PagesQuery<ForumTopicsPage>
    }
    readonly topic: {
      (params: TopicParams): Query<ForumTopicPage>
      readonly pages: (params: Omit<TopicParams, "offset">) => PagesQuery<ForumTopicPage>
    }
  }
}

/** {@link Queries} of a catalog with some of the operations. */
type QueriesOf<Picked, D = never> = Pick<Queries<D>, "keys"> & {
  readonly [Domain in Exclude<keyof Queries<D>, "keys"> & keyof Picked]: Pick<
    Queries<D>[Domain],
    keyof Queries<D>[Domain] & keyof Picked[Domain]
  >
}

/** Without `exactOptionalPropertyTypes`, TypeScript 5 infers `undefined` from a catalog without default `fields`. */
type DefaultOf<D> = [D] extends [undefined] ? never : D

/** Makes the queries of a catalog, also of one with some of the operations. */
interface CreateQueries {
  <D extends FieldsDefault | undefined = never>(catalog: CatalogWith<D>, options: QueriesOptions): Queries<DefaultOf<D>>
  <Picked, D extends FieldsDefault | undefined = never>(
    catalog: CatalogOf<Picked, D>,
    options: QueriesOptions
  ): QueriesOf<Picked, DefaultOf<D>>
}

/** Options of {@link createQueries}. */
export interface QueriesOptions {
  /**
   * Who reads, for example the id of the user, or `public`. It is the first part of each key, so that one user never sees what
   * is cached for another. Keys can be stored and logged: it must never be a token.
   */
  readonly scope: string | number
}

interface Page {
  readonly paging?: { readonly next?: string | undefined; readonly previous?: string | undefined } | undefined
}

interface Operation {
  (...inputs: ReadonlyArray<unknown>): Promise<unknown>
  readonly pages?: (...inputs: ReadonlyArray<unknown>) => AsyncIterable<Page>
}

type Members = Readonly<Record<string, unknown>>

interface Context {
  readonly signal: AbortSignal
  readonly pageParam?: string | undefined
}

const selection = { fields: 1, nsfw: 1 }

/** A selector in a key: the same for another order, and for an array. */
const selectorOf = (fields: unknown): string => {
  const parts: Array<string> = []
  let depth = 0
  let part = ""
  for (const character of `${String(fields).replaceAll(/\s/g, "")},`) {
    depth += character === "{" ? 1 : character === "}" ? -1 : 0
    if (character === "," && depth === 0) {
      parts.push(part)
      part = ""
    } else {
      part += character
    }
  }
  return [...new Set(parts)].filter(Boolean).sort().join()
}

/** The query of a link; nothing else of a link is used. */
const queryIn = (link: string | undefined) => (link === undefined ? undefined : (/[?][^#]*/.exec(link)?.[0] ?? link))

/** Refuses a scope that names nobody, or that is a token: a token is longer than any name. */
const checkScope = (calledAs: string, scope: unknown, accessToken: string | undefined): void => {
  const isToken = scope === accessToken || String(scope).length > 200
  if (isToken || (typeof scope === "string" ? scope === "" : typeof scope !== "number")) {
    const found = isToken ? "a token" : show(scope)
    throw new TypeError(`${calledAs}: scope must be who reads, for example the id of a user, but it is ${found}`)
  }
}

/** The params of a query, what it selects as part of its key, and the arguments of its call. */
const inputsOf = (domain: string, name: string, [first, second]: ReadonlyArray<unknown>) => {
  const hasParams = !withoutParams.includes(name)
  const given = (hasParams ? second : first) ?? {}
  checkNames(
    `queries.${domain}.${name}`,
    given,
    name === "suggestions" ? { ...selection, limit: 1, offset: 1 } : selection
  )
  const { fields, nsfw, ...others } = given as { fields?: unknown; nsfw?: unknown }
  const options = { ...(fields !== undefined && { fields }), ...(nsfw !== undefined && { nsfw }) }
  const params = (hasParams ? (first ?? {}) : others) as Members
  return {
    params,
    selected: fields === undefined ? options : { ...options, fields: selectorOf(fields) },
    argumentsOf: (params: Members, more: Members = {}) =>
      hasParams ? [params, { ...options, ...more }] : [{ ...params, ...options, ...more }]
  }
}

type KeyOf = (...parts: ReadonlyArray<unknown>) => QueryKey

const readOf = (keyOf: KeyOf, domain: string, name: string, operation: Operation) => {
  const { pages } = operation
  /** A key without the scope and the selection. */
  const placeOf = ({ id, ...params }: Members, ...method: ReadonlyArray<string>) => {
    const owner = ofCaller.includes(name) || isMe(params["username"]) ? "mine" : domain
    return pages === undefined && id !== undefined
      ? [owner, "item", id]
      : [owner, ...(pages ? ["list"] : []), name, ...method, id === undefined ? params : { ...params, id }]
  }
  const one = (...given: ReadonlyArray<unknown>) => {
    const { argumentsOf, params, selected } = inputsOf(domain, name, given)
    return {
      queryKey: keyOf(...placeOf(params), selected),
      queryFn: ({ signal }: Context) => operation(...argumentsOf(params, { signal }))
    }
  }
  if (pages === undefined) {
    return one
  }
  const all = (...given: ReadonlyArray<unknown>) => {
    const { argumentsOf, params, selected } = inputsOf(domain, name, given)
    const { offset: _, ...rest } = params
    return {
      queryKey: keyOf(...placeOf(rest, "pages"), selected),
      queryFn: async ({ pageParam, signal }: Context) => {
        const after = pageParam === undefined ? undefined : { paging: { next: pageParam } }
        const iterator = pages(...argumentsOf(rest, { signal, prefetch: 0, after }))[Symbol.asyncIterator]()
        try {
          return (await iterator.next()).value as unknown
        } finally {
          await iterator.return?.()
        }
      },
      initialPageParam: undefined,
      getNextPageParam: ({ paging }: Page) => queryIn(paging?.next),
      getPreviousPageParam: ({ paging }: Page) => queryIn(paging?.previous)
    }
  }
  return Object.assign(one, { pages: all })
}

const writeOf =
  (keyOf: KeyOf, domain: string, name: string, operation: Operation) =>
  (options: Members = {}) => {
    const { argumentsOf } = inputsOf(domain, name, [undefined, options])
    return { mutationKey: keyOf(domain, name), mutationFn: (params: Members) => operation(...argumentsOf(params)) }
  }

/** The keys that invalidate several queries at once. */
const keysOf = (keyOf: KeyOf): QueryKeys => ({
  all: keyOf(),
  anime: keyOf("anime"),
  manga: keyOf("manga"),
  user: keyOf("user"),
  forum: keyOf("forum"),
  mine: keyOf("mine"),
  item: (kind, id) => keyOf(kind, "item", id),
  lists: (kind) => keyOf(kind, "list"),
  changedBy: (kind, id) => [keyOf(kind, "item", id), keyOf("mine")]
})

/**
 * Makes options for TanStack Query from a catalog: `queryKey` and `queryFn` for each read, also for infinite queries (`pages`),
 * and `mutationKey` and `mutationFn` for each write. They are plain objects, so they fit each adapter, and `data` has the type
 * of the reply, with the selected `fields`. A query that no component needs any more is cancelled.
 *
 * A key contains the scope, params, `fields` and `nsfw`, and nothing of the catalog. Catalogs with other defaults of these need
 * another scope. TanStack Query repeats each failed query three times: set `retry: false`, and let the catalog retry.
 *
 * @example
 * ```ts
 * import { createCatalog, Resilience } from "catalog-client"
 * import { createQueries } from "catalog-client/queries"
 *
 * const catalog = createCatalog({ baseUrl: "/catalog", policies: [Resilience.retry()] })
 * export const queries = createQueries(catalog, { scope: "public" })
 *
 * // useQuery(one), useInfiniteQuery(all)
 * export const one = queries.anime.get({ id: 30230 }, { fields: ["mean"] })
 * export const all = queries.anime.ranking.pages({ rankingType: "all", limit: 20 })
 * ```
 */
export const createQueries: CreateQueries = (
  catalog: { readonly accessToken: string | undefined },
  options: QueriesOptions
) => {
  const calledAs = "createQueries"
  checkNames(calledAs, options, { scope: 1 })
  const { scope } = options
  checkScope(calledAs, scope, catalog?.accessToken)
  const keyOf: KeyOf = (...parts) => ["catalog-client", scope, ...parts]
  const domainOf = (domain: string): object =>
    Object.fromEntries(
      Object.entries(((catalog as Members)[domain] ?? {}) as Readonly<Record<string, Operation>>).map(
        ([name, operation]) => [name, (writes.includes(name) ? writeOf : readOf)(keyOf, domain, name, operation)]
      )
    )
  const queries: object = {
    keys: keysOf(keyOf),
    ...Object.fromEntries(["anime", "manga", "user", "forum"].map((domain) => [domain, domainOf(domain)]))
  }
  return queries as never
}
