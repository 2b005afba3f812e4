/**
 * A catalog, its operations and their lists. An editor shows type arguments, defaults too, and nearly every catalog has no
 * default `fields`: so each interface is there with such a default (`CatalogWith<D>`), and without (`Catalog`).
 *
 * An interface here without members gets those of its base, written out: see `promiseDeclarations.mjs`.
 */
/// <reference lib="esnext.disposable" preserve="true" />
import type * as anime from "#core/anime.js"
import type { CredentialSource } from "#core/internal/settings/slots.js"
import type * as face from "#core/Face.js"
import type { AnyList, CatalogResponse, FieldsDefault } from "#core/Face.js"
import type * as forum from "#core/forum.js"
import type * as manga from "#core/manga.js"
import type * as user from "#core/user.js"
import type { CatalogOptions } from "./CatalogOptions.js"
import type { PromiseFace } from "./Face.js"
import type { Call } from "./Operation.js"

/** An operation whose reply is one page of a list, and that can read the whole list. */
export interface Paged<Params, Page, Entry> extends face.Paged<PromiseFace, Params, Page, Entry> {}

/**
 * An operation whose reply is one page of items, and that can read the whole list. `D` is the selector for calls without
 * one.
 */
export interface PagedItemsWith<Params, Page extends AnyList, D> extends face.PagedItems<
  PromiseFace,
  Params,
  Page,
  never,
  D
> {}

/**
 * A paged operation, such as `anime.search`: call it for one page, or use `items`, `pages` or `collect`.
 *
 * @example
 * ```ts
 * import { createCatalog } from "catalog-client"
 *
 * const catalog = createCatalog({ clientId: "my-client-id" })
 * const { search } = catalog.anime
 *
 * const page = await search({ q: "diamond no ace" })
 * const two = await search.collect({ q: "diamond no ace" }, { max: 2 })
 * console.log(page.data.length, two.length)
 *
 * for await (const { node } of search.items({ q: "diamond no ace" })) {
 *   console.log(node.title)
 * }
 * ```
 *
 * ```text
 * 3 2
 * Diamond no Ace
 * Diamond no Ace: Second Season
 * Diamond no Ace: Act II
 * ```
 */
export interface PagedItems<Params, Page extends AnyList> extends PagedItemsWith<Params, Page, never> {}

/** What the service suggests: one page, or the whole list. `D` is the selector for calls without one. */
export interface SuggestionsWith<D> extends anime.Suggestions<PromiseFace, D> {}

/** {@link SuggestionsWith}, without a default selector. */
export interface Suggestions extends SuggestionsWith<never> {}

/** The operations on anime, with the default `fields` of the catalog. */
export interface AnimeOperationsWith<D> extends anime.AnimeOperations<PromiseFace, D> {}

/** The operations on anime. */
export interface AnimeOperations extends AnimeOperationsWith<never> {}

/** The operations on manga, with the default `fields` of the catalog. */
export interface MangaOperationsWith<D> extends manga.MangaOperations<PromiseFace, D> {}

/** The operations on manga. */
export interface MangaOperations extends MangaOperationsWith<never> {}

/** The operations on users and their lists, with the default `fields` of the catalog. */
export interface UserOperationsWith<D> extends user.UserOperations<PromiseFace, D> {}

/** The operations on users and their lists. */
export interface UserOperations extends UserOperationsWith<never> {}

/** The operations on the forum. */
export interface ForumOperations extends forum.ForumOperations<PromiseFace> {}

/** The operations of a catalog, with its default `fields`. */
export interface CatalogOperationsWith<D> {
  /** Reads and searches anime; rankings, seasons, suggestions; the user's own entries. */
  readonly anime: AnimeOperationsWith<D>
  /** Reads and searches manga; rankings; the user's own entries. */
  readonly manga: MangaOperationsWith<D>
  /** Profiles and lists. */
  readonly user: UserOperationsWith<D>
  /** Boards, topics and posts. */
  readonly forum: ForumOperations
}

/** The operations of a catalog. */
export interface CatalogOperations extends CatalogOperationsWith<never> {
  readonly anime: AnimeOperations
  readonly manga: MangaOperations
  readonly user: UserOperations
  readonly forum: ForumOperations
}

declare const fields: unique symbol

/**
 * All operations as promises, with the credentials that the next call sends.
 *
 * A call that fails is rejected with the error itself (`instanceof ClientRestError`, `_tag`), or with a `TypeError` for a
 * bug in the program, such as an invalid option.
 *
 * {@link CatalogWith} is a catalog with the `fields` option: replies follow it, so a function that takes any catalog is
 * generic.
 *
 * @example
 * ```ts
 * import type { CatalogWith, FieldsDefault } from "catalog-client"
 *
 * export const boardsOf = <D extends FieldsDefault | undefined>(catalog: CatalogWith<D>) => catalog.forum.boards()
 * ```
 */
export interface Catalog extends CatalogOperations, AsyncDisposable {
  /** A catalog with default `fields` has another type, even where its replies could pass for those without. */
  readonly [fields]?: never
  /**
   * The access token that the next call sends; `undefined` if it comes from a function, a session or a proxy. With a
   * session, an assigned value takes precedence, and `undefined` switches back to the session. A program that acts for
   * several users makes a view for each, with {@link withOptions}.
   */
  get accessToken(): string | undefined
  set accessToken(source: CredentialSource | undefined)
  /** The client ID that the next call sends, with the same rules. */
  get clientId(): string | undefined
  set clientId(source: CredentialSource | undefined)
  /**
   * A view of this catalog with other options: for a user, for example. It shares connections, limits and caches, and
   * starts with the options and credentials that this catalog has now. Headers are merged, and policies replace those of
   * the same `stage` (see {@link Policy}). If `accessToken` or `clientId` is present but `undefined`, none is sent. A view
   * need not be closed.
   *
   * @example
   * ```ts
   * import { createCatalog } from "catalog-client"
   *
   * const catalog = createCatalog({ clientId: "my-client-id" })
   *
   * const reader = catalog.withOptions({ accessToken: "my-access-token" })
   * console.log((await reader.user.me()).name)
   * ```
   *
   * ```text
   * sample_reader
   * ```
   */
  withOptions<const D extends FieldsDefault | undefined = never>(options: CatalogOptions<D>): CatalogFor<D>
  /**
   * Calls a custom operation, made by `Operation.make` or `Operation.paged`: `catalog.call(operation, params,
   * options)`, and `call.pages`, `call.items` and `call.collect` for whole lists.
   */
  readonly call: Call
  /**
   * Returns the reply of a call together with the status, headers and URL of its response; for `collect`, those of the last
   * page that was read. Takes the promise that an operation itself returned, and throws a `TypeError` for any other: an
   * async function and `then` make a new one.
   *
   * @example
   * ```ts
   * import { createCatalog } from "catalog-client"
   *
   * const catalog = createCatalog({ clientId: "my-client-id" })
   *
   * const { data, headers, status } = await catalog.withResponse(catalog.anime.get({ id: 30230 }))
   * console.log(status, headers["content-type"], data.title)
   * ```
   *
   * ```text
   * 200 application/json; charset=UTF-8 Diamond no Ace: Second Season
   * ```
   */
  withResponse<A>(reply: Promise<A>): Promise<CatalogResponse<A>>
  /**
   * Ends the calls in flight, of its views too, and releases the catalog's resources; a view ends only its own calls. These
   * calls, and later ones, are rejected with `ClientNetworkError`, `reason: "Cancelled"`. Closing twice is fine, and an
   * unclosed catalog does not keep the process alive.
   */
  close(): Promise<void>
}

/** A {@link Catalog}, or with a default for `fields` a {@link CatalogWith}. */
export type CatalogFor<D extends FieldsDefault | undefined> = [D] extends [undefined] ? Catalog : CatalogWith<D>

/** `Omit` would lose the types of their setters. */
type Slot = "accessToken" | "clientId"

/** {@link Catalog}, with the default `fields` of the catalog. */
export interface CatalogWith<D extends FieldsDefault | undefined>
  extends CatalogOperationsWith<D>, Omit<Catalog, keyof CatalogOperations | Slot | "withOptions" | typeof fields> {
  readonly [fields]?: D
  /** {@link Catalog.accessToken} */
  get accessToken(): string | undefined
  set accessToken(source: CredentialSource | undefined)
  /** {@link Catalog.clientId} */
  get clientId(): string | undefined
  set clientId(source: CredentialSource | undefined)
  /** {@link Catalog.withOptions}: the view keeps the default `fields`, unless others are set. */
  withOptions<const D2 extends FieldsDefault | undefined = D>(options: CatalogOptions<D2>): CatalogFor<D2>
}
