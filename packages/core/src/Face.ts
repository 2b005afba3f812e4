/**
 * The two faces that every operation has: an Effect, and a promise.
 *
 * An operation's signature is written once, over a type lambda that says what a reply is. Each face is one such lambda.
 *
 * @since 0.1.0
 */
import type { HttpClient } from "@effect/platform/HttpClient"
import type { Effect } from "effect/Effect"
import type { Kind, TypeLambda } from "effect/HKT"
import type { CallDefaults } from "./CatalogConfig.js"
import type { ClientNetworkError, ClientRestError } from "./CatalogError.js"
import type { Credentials } from "./Credentials.js"
import type { Anime, Manga } from "./model/Item.js"
import type { AnimeListStatus, MangaListStatus } from "./model/ListStatus.js"
import type { AnimeListEntry, MangaListEntry } from "./model/Page.js"
import type { User } from "./model/User.js"
import type { AnySelector, Selected, Selector } from "./Selector.js"

/** A reply is an Effect with the operation's own errors; it needs a transport and `Credentials`. */
export interface EffectFace extends TypeLambda {
  readonly type: Effect<this["Target"], this["Out1"], HttpClient | Credentials>
}

/** A reply is a promise, rejected with the very error object that the Effect would fail with. */
export interface PromiseFace extends TypeLambda {
  readonly type: Promise<this["Target"]>
}

/** The reply `A` of an operation with the errors `E`, on one of the faces. */
export type Reply<Face extends TypeLambda, A, E = ClientRestError | ClientNetworkError> = Kind<
  Face,
  unknown,
  never,
  E,
  A
>

/** An operation that answers with one page of a list. */
export interface Paged<Face extends TypeLambda, Params, Options, A, E = ClientRestError | ClientNetworkError> {
  (...inputs: Inputs<Params, Options>): Reply<Face, A, E>
}

/** Params that are all optional can be left out. */
type Inputs<Params, Options> = {} extends Params
  ? [params?: Params, options?: Options]
  : [params: Params, options?: Options]

/** A page whose entries are `Entry`. */
export type PageOf<Page, Entry> = {
  readonly [K in keyof Page]: K extends "data" ? ReadonlyArray<Entry> : Page[K]
} & {}

/**
 * An operation that answers with one page of items, whose entries hold what was selected; `D` is the selector that counts
 * where a call gives none.
 */
export interface PagedItems<
  Face extends TypeLambda,
  Params,
  Page extends { readonly data: ReadonlyArray<unknown> },
  E = ClientRestError | ClientNetworkError,
  D = never
> {
  <const S extends Selector<Page["data"][number]> | undefined = never>(
    params: Params,
    options?: ItemsOptions<S>
  ): Reply<Face, PageOf<Page, Selected<Page["data"][number], S, D>>, E>
}

/** The options that every operation takes. Contract: Common options object. */
export interface CallOptions extends Omit<CallDefaults, "nsfw"> {}

/** The options of an operation whose reply is selected. Contract: Common options object. */
export interface FieldsOptions<S = AnySelector | undefined> extends CallOptions {
  /** What the reply holds besides `id` and `title`. */
  readonly fields?: S
}

/** The options of an operation that answers with items. */
export interface ItemsOptions<S = AnySelector | undefined> extends FieldsOptions<S>, Pick<CallDefaults, "nsfw"> {}

/** Selectors that count where a call gives none, by the record that is read. */
export interface FieldsByRecord {
  /** Anime that are read, searched, ranked or suggested. */
  readonly anime?: Selector<Anime>
  /** Manga that are read, searched or ranked. */
  readonly manga?: Selector<Manga>
  readonly user?: Selector<User>
  /** What a list write answers. */
  readonly listStatus?: Selector<AnimeListStatus & MangaListStatus>
  /** Entries of an anime list. */
  readonly animeListEntry?: Selector<AnimeListEntry>
  /** Entries of a manga list. */
  readonly mangaListEntry?: Selector<MangaListEntry>
}

/** One selector for all records, where each takes the names that it knows; or one for each. */
export type FieldsDefault = AnySelector | FieldsByRecord

/** The part of a default that counts for a record. */
export type FieldsDefaultOf<D, K extends keyof FieldsByRecord> = [D] extends [AnySelector]
  ? D
  : D extends { readonly [P in K]?: infer S }
    ? S
    : never
