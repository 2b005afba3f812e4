/**
 * The types of the two faces, Effects and promises. The signature of an operation is written once, and a face says what a call
 * returns: an Effect, with requirements or, from a `CatalogClient`, without; or a promise of `catalog-client`.
 *
 * @since 0.2.0
 */
import type { HttpClient } from "./platform/httpClient.js"
import type { Effect } from "effect/Effect"
import type { Stream } from "effect/Stream"
import type { CallDefaults, CatalogConfigOptions } from "./internal/settings/settings.js"
import type { ClientNetworkError, ClientRestError } from "./CatalogError.js"
import type { Policy } from "./internal/policies/policy.js"
import type { Credentials } from "./Credentials.js"
import type { CredentialOptions, CredentialSource } from "./internal/settings/slots.js"
import type { Anime, Manga } from "./model/Item.js"
import type { AnimeListStatus, MangaListStatus } from "./model/ListStatus.js"
import type { AnimeListEntry, MangaListEntry } from "./model/Page.js"
import type { User } from "./model/User.js"
import type { AnySelector, Checked, IsMisspelt, Selected, Selector } from "./Selector.js"

/**
 * What the operations of a face return. A face stands for a type with parameters, which TypeScript cannot pass to another type:
 * {@link Reply} sets `A` and `E`, and `reply` reads them from `this`, like a `TypeLambda` of Effect.
 */
export interface Face {
  /** The value of a reply. */
  readonly A: unknown
  /** The errors of an operation. */
  readonly E: unknown
  /** What a call returns: an Effect, or a promise. */
  readonly reply: unknown
  /** What a whole list returns: a Stream, or an `AsyncList`. */
  readonly replies: unknown
}

/** A reply with details of its response. Secrets are redacted. */
export interface CatalogResponse<A> {
  /** The reply itself. */
  readonly data: A
  /** The HTTP status; `undefined` if nothing was sent because a policy already had the reply. */
  readonly status: number | undefined
  /** The response headers with lower-case names, without secrets; empty if nothing was sent. */
  readonly headers: Readonly<Record<string, string>>
  /** The URL of the request, without secrets. */
  readonly url: string
  /** How many requests the call sent: 1 unless it was retried, 0 if nothing was sent. */
  readonly attempts: number
  /**
   * The body as it was received: parsed JSON, including what `data` lacks because it is null or has another type than expected.
   * `undefined` if nothing was sent, or the operation has no reply.
   */
  readonly raw: unknown
}

/** The face of `Catalog`: an Effect with the operation's own errors, and a Stream of a whole list. */
export interface EffectFace extends Face {
  readonly reply: Effect<this["A"], this["E"], HttpClient | Credentials>
  readonly replies: Stream<this["A"], this["E"], HttpClient | Credentials>
}

/** The face of a `CatalogClient`: an Effect and a Stream without requirements, which the client has. */
export interface ClientFace extends Face {
  readonly reply: Effect<this["A"], this["E"]>
  readonly replies: Stream<this["A"], this["E"]>
}

/** A face with its parameters: the value, and the errors besides the two that every operation has. */
type Applied<F, A, E> = F & { readonly A: A; readonly E: E | ClientRestError | ClientNetworkError }

/** What a call with the reply `A` returns on a face. */
export type Reply<F extends Face, A, E = never> = Applied<F, A, E>["reply"]

/** What a whole list of `A` returns on a face. */
export type Replies<F extends Face, A, E = never> = Applied<F, A, E>["replies"]

/**
 * The arguments of a call: an operation without inputs takes options alone, and params that are all optional can be left out.
 */
export type Arguments<Params, Options> = [keyof Params] extends [never]
  ? [options?: Options]
  : {} extends Params
    ? [params?: Params, options?: Options]
    : [params: Params, options?: Options]

/** How a whole list is read. */
export interface WholeListOptions {
  /**
   * How many pages to read ahead of the page in use; 0 for none.
   *
   * @default 1
   */
  readonly prefetch?: number | undefined
  /**
   * Whether to skip entries whose `id` was seen before: entries shift if the list is edited meanwhile. `pages` returns pages
   * unchanged.
   *
   * @default false
   */
  readonly distinct?: boolean | undefined
  /**
   * The page to continue after, or an object with its `paging`, which a program can store. `undefined` means the beginning.
   * Only the query of `paging.next` counts, and it overrides the params.
   */
  readonly after?: { readonly paging?: { readonly next?: string | undefined } | undefined } | undefined
  // Any result but an Effect, which would not run.
  /** Is called before the entries of each page are returned. What it throws is ignored. */
  readonly onPage?: ((progress: ListProgress) => void | boolean | number | string | PromiseLike<unknown>) | undefined
}

/** How far a whole list is, for the `onPage` option. The service does not say how long a list is. */
export interface ListProgress {
  /** The number of the page: 1 for the first one that is read. */
  readonly page: number
  /** How many entries the list has returned, those of this page included. */
  readonly count: number
}

/** How many entries to collect. */
export interface CollectOptions extends Omit<WholeListOptions, "prefetch"> {
  /** How many entries to collect at most, `Infinity` for all. No page beyond them is requested. */
  readonly max: number
}

/** An operation whose reply is one page of a list, and that can read the whole list. */
export interface Paged<F extends Face, Params, Page, Entry, E = never> {
  (...inputs: Arguments<Params, CallOptions>): Reply<F, Page, E>
  /** All pages, one after the other, until one has no `next`. */
  readonly pages: (...inputs: Arguments<Params, CallOptions & WholeListOptions>) => Replies<F, Page, E>
  /** All entries of all pages. One page is in memory at a time; with `distinct`, also the ids that were seen. */
  readonly items: (...inputs: Arguments<Params, CallOptions & WholeListOptions>) => Replies<F, Entry, E>
  /** The first `max` entries as an array. */
  readonly collect: (params: Params, options: CallOptions & CollectOptions) => Reply<F, ReadonlyArray<Entry>, E>
}

/** A page whose entries are `Entry`. */
export type PageOf<Page, Entry> = {
  readonly [K in keyof Page]: K extends "data" ? ReadonlyArray<Entry> : Page[K]
} & {}

/** The members that every page has. */
export interface AnyPage {
  readonly data: ReadonlyArray<unknown> | { readonly posts: ReadonlyArray<unknown> }
  readonly paging?:
    | { readonly next?: string | null | undefined; readonly previous?: string | null | undefined }
    | null
    | undefined
}

/** A page of items with any kind of entries. */
export interface AnyList {
  readonly data: ReadonlyArray<unknown>
}

/** What the entries of a page are. */
export type EntryIn<Page extends AnyList> = Page["data"][number]

/**
 * An operation whose reply is one page of items, and that can read the whole list. `F` is the face: of `Catalog`, which
 * requires `HttpClient | Credentials`, or of a `CatalogClient`, which requires nothing. `E` are the errors besides the two that
 * every operation has, and `D` is the selector of calls without one.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials } from "@catalog-client/core"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Console, Effect, Stream } from "effect"
 *
 * const { search } = Catalog.anime
 *
 * const program = Effect.gen(function* () {
 *   const page = yield* search({ q: "diamond no ace" })
 *   const two = yield* search.collect({ q: "diamond no ace" }, { max: 2 })
 *   yield* Console.log(page.data.length, two.length)
 *   yield* search.items({ q: "diamond no ace" }).pipe(Stream.runForEach(({ node }) => Console.log(node.title)))
 * })
 *
 * await Effect.runPromise(Effect.provide(program, [EmbeddedCatalog.layer(), Credentials.layerNone]))
 * ```
 *
 * ```text
 * 3 2
 * Diamond no Ace
 * Diamond no Ace: Second Season
 * Diamond no Ace: Act II
 * ```
 */
export interface PagedItems<F extends Face, Params, Page extends AnyList, E = never, D = never> {
  <const S extends Selector<EntryIn<Page>> | undefined = never>(
    params: Params,
    options?: ItemsOptions<EntryIn<Page>, S>
  ): Reply<F, PageOf<Page, Selected<EntryIn<Page>, S, D>>, E>
  /** All pages, one after the other, until one has no `next`. */
  readonly pages: <const S extends Selector<EntryIn<Page>> | undefined = never>(
    params: Params,
    options?: ItemsOptions<EntryIn<Page>, S> & WholeListOptions
  ) => Replies<F, PageOf<Page, Selected<EntryIn<Page>, S, D>>, E>
  /** All entries of all pages. One page is in memory at a time; with `distinct`, also the ids that were seen. */
  readonly items: <const S extends Selector<EntryIn<Page>> | undefined = never>(
    params: Params,
    options?: ItemsOptions<EntryIn<Page>, S> & WholeListOptions
  ) => Replies<F, Selected<EntryIn<Page>, S, D>, E>
  /** The first `max` entries as an array. */
  readonly collect: <const S extends Selector<EntryIn<Page>> | undefined = never>(
    params: Params,
    options: ItemsOptions<EntryIn<Page>, S> & CollectOptions
  ) => Reply<F, ReadonlyArray<Selected<EntryIn<Page>, S, D>>, E>
}

/** The options that every operation takes. Omitted ones have the values of the catalog or client. */
export interface CallOptions extends Omit<CallDefaults, "nsfw">, CredentialOptions {
  /** The client ID of this call, instead of the configured one; if it is `undefined`, none is sent. */
  readonly clientId?: CredentialSource | undefined
  /**
   * The access token of this call, instead of the configured one. If `accessToken` is present but `undefined`, none is sent.
   */
  readonly accessToken?: CredentialSource | undefined
  /** Extra headers of this call, merged over the configured ones. */
  readonly headers?: CatalogConfigOptions["headers"]
  /** Policies of this call, in addition to those of all calls. Each replaces the policy of the same stage. */
  readonly policies?: ReadonlyArray<Policy> | undefined
}

/** The options of an operation that takes a selector. */
export interface FieldsOptions<M, S = AnySelector | undefined> extends CallOptions {
  /**
   * A selector: what the reply contains besides `id` and `title` (`id` and `name` of a user). Without it, an item also
   * contains `main_picture`.
   */
  readonly fields?: Checked<M, S> | undefined
}

/** The options of an operation whose reply contains items. */
export interface ItemsOptions<M, S = AnySelector | undefined> extends FieldsOptions<M, S>, Pick<CallDefaults, "nsfw"> {}

/** The records that a selector can apply to. */
export interface Records {
  /** Anime that are read, searched, ranked or suggested. */
  readonly anime: Anime
  /** Manga that are read, searched or ranked. */
  readonly manga: Manga
  /** Profiles of users. */
  readonly user: User
  /** The reply of a list write. */
  readonly listStatus: AnimeListStatus & MangaListStatus
  /** Entries of an anime list. */
  readonly animeListEntry: AnimeListEntry
  /** Entries of a manga list. */
  readonly mangaListEntry: MangaListEntry
}

/** The selectors of calls that set no `fields`, by the record that is read. */
export type FieldsByRecord = { readonly [K in keyof Records]?: Selector<Records[K]> | undefined }

/**
 * A selector for all records, or a selector for each of them. With a selector for all, each record contains the named fields
 * that it has, besides `id` and `title` (`id` and `name` of a user).
 */
export type FieldsDefault =
  | Selector<Anime | Manga | User | AnimeListStatus | MangaListStatus | AnimeListEntry | MangaListEntry>
  | FieldsByRecord

/** A record with the members of all records. */
type AnyRecord = Anime & Manga & User & Records["listStatus"] & AnimeListEntry & MangaListEntry

/** The default `D`, if the records have all its names. */
export type CheckedDefault<D> = [D] extends [undefined]
  ? D
  : FieldsDefault extends D
    ? D
    : [D] extends [AnySelector | undefined]
      ? Checked<AnyRecord, D>
      : true extends { [K in keyof D]: IsMisspelt<Records[K & keyof Records], D[K]> }[keyof D]
        ? { readonly [K in keyof D]: Checked<Records[K & keyof Records], D[K]> }
        : D | FieldsDefault

/** The part of a default that applies to a record. */
export type FieldsDefaultOf<D, K extends keyof FieldsByRecord> = D extends AnySelector
  ? D
  : D extends { readonly [P in K]?: infer S }
    ? S
    : never
