/**
 * Custom operations: endpoints that the client does not have, or an endpoint with inputs that the client does not have.
 *
 * @since 0.2.0
 */
// Counterpart for the types of catalog-client: packages/promise/src/Operation.ts
import type { Effect } from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Stream } from "effect/Stream"
import type { Simplify } from "effect/Types"
import type { ClientNetworkError, ClientRestError } from "./CatalogError.js"
import type { Credentials } from "./Credentials.js"
import type { Arguments, CallOptions, EffectFace, Face, Paged, Replies, Reply } from "./Face.js"
import { operation } from "./internal/call/interpreter.js"
import { fromCustom } from "./internal/declaration/custom.js"
import { effectSchemas } from "./internal/declaration/schemas.js"
import type { Method } from "./internal/declaration/declaration.js"
import type {
  AuthErrorOf,
  CheckedDeclaration,
  CheckedPages,
  EntryOf,
  ParamsOf,
  ReplyOf,
  StubOf
} from "./internal/declaration/inference.js"
import { makePaged } from "./internal/lists/streams.js"
import { Paging } from "./model/Common.js"
import type { HttpClient } from "./platform/httpClient.js"

export type {
  AnyPage,
  Arguments,
  CallOptions as Options,
  CatalogResponse as Response,
  CollectOptions,
  EffectFace as Face,
  FieldsOptions,
  ItemsOptions,
  ListProgress,
  Paged,
  PagedItems,
  WholeListOptions
} from "./Face.js"
export type { Method } from "./internal/declaration/declaration.js"
export { withResponse } from "./withResponse.js"

/** Marks operations that {@link make} and {@link paged} made. */
export const TypeId: unique symbol = Symbol.for("@catalog-client/core/Operation")

/** @see {@link TypeId} */
export type TypeId = typeof TypeId

/** Inputs by name. Each Schema encodes a program's value to the value that is sent. */
export type InputSchemas = Schema.Struct.Fields

/** An operation as data, for {@link make}. Its Schemas must need no services, and decode and encode synchronously. */
export interface Declaration<Path, Inputs, R, Token> {
  /**
   * Its name in errors, spans, metrics and policies, for example `studio.get`. Choose one name for each operation. Names
   * that begin with `catalog.` or `OAuth.` belong to the client.
   */
  readonly name: string
  /**
   * `Resilience.retry` repeats a `POST` or `PATCH` only if the service refused it (429), unless its option `writes` is true.
   */
  readonly method: Method
  /** Relative to the base URL, with inputs in braces: `/studio/{id}`. */
  readonly path: Path
  /**
   * The Schemas of the inputs, each under the name that is sent: those in braces are sent in the path, all others in the
   * query (`GET` and `DELETE`) or in a form. Each encodes to a string, a finite number, a boolean or, outside of the path,
   * an array of strings, which is joined with commas. `Schema.optional` makes an input optional.
   */
  readonly inputs?: Inputs
  /** The Schema of the reply. Without one, the body of a response is ignored. */
  readonly reply?: R
  /** Whether the operation acts for a user: without an access token it fails with `ClientAuthError`. */
  readonly token?: Token
  /** Whether `Resilience.cache` may keep replies: only of a `GET` whose reply is the same for every user. */
  readonly cacheable?: boolean
}

/** The size of pages, for {@link paged}. */
export interface Pages {
  readonly limit: {
    /** The largest `limit` that the service accepts; whole lists request it. */
    readonly maximum: number
    /** The `limit` to send if a call sets none; without it, the service decides. */
    readonly default?: number
  }
}

/** Selects a part of a list. */
export interface PageParams {
  /** Entries per page. */
  readonly limit?: number | undefined
  /** Entries to skip: 0 by default. */
  readonly offset?: number | undefined
}

/** A custom operation, as an Effect. */
export interface Operation<Params, A, E> {
  (...inputs: Arguments<Params, CallOptions>): Effect<A, E, HttpClient | Credentials>
  readonly [TypeId]: TypeId
}

/** A custom operation that reads one page, and can read the whole list. */
export interface PagedOperation<Params, Page, Entry, E> extends Paged<EffectFace, Params, Page, Entry, E> {
  readonly [TypeId]: TypeId
}

/** Any custom operation. */
export interface Any {
  (...inputs: never): Effect<unknown, unknown, HttpClient | Credentials>
  readonly [TypeId]: TypeId
}

/** Any custom operation that has pages. */
export interface AnyPaged extends Any {
  readonly pages: (...inputs: never) => Stream<unknown, unknown, HttpClient | Credentials>
  readonly items: (...inputs: never) => Stream<unknown, unknown, HttpClient | Credentials>
  readonly collect: (...inputs: never) => Effect<unknown, unknown, HttpClient | Credentials>
}

type One<F extends Face, T> = T extends Effect<infer A, infer E, infer _R> ? Reply<F, A, E> : never

type Many<F extends Face, T> = T extends Stream<infer A, infer E, infer _R> ? Replies<F, A, E> : never

/**
 * Calls custom operations on a client: as `call(operation, params, options)`, with the
 * arguments that the operation takes. Any other value is a `TypeError`.
 */
export interface Call<F extends Face> {
  <Op extends Any>(operation: Op, ...inputs: Parameters<Op>): One<F, ReturnType<Op>>
  /** All pages, one after the other, until one has no `next`. */
  readonly pages: <Op extends AnyPaged>(
    operation: Op,
    ...inputs: Parameters<Op["pages"]>
  ) => Many<F, ReturnType<Op["pages"]>>
  /** All entries of all pages. One page is in memory at a time; with `distinct`, also the ids that were seen. */
  readonly items: <Op extends AnyPaged>(
    operation: Op,
    ...inputs: Parameters<Op["items"]>
  ) => Many<F, ReturnType<Op["items"]>>
  /** The first `max` entries as an array. */
  readonly collect: <Op extends AnyPaged>(
    operation: Op,
    ...inputs: Parameters<Op["collect"]>
  ) => One<F, ReturnType<Op["collect"]>>
}

/**
 * Makes a custom operation: a function that returns an Effect, which `call` of a `CatalogClient` takes too. It fails with
 * `ClientRestError` and `ClientNetworkError`, and with `ClientAuthError` if it needs a `token`. An input that its Schema
 * refuses is a `TypeError`, with Effect a defect. Throws a `TypeError` for a declaration that is wrong.
 *
 * @example
 * ```ts
 * import { Operation } from "@catalog-client/core"
 * import { Schema } from "effect"
 *
 * const studio = Operation.make({
 *   name: "studio.get",
 *   method: "GET",
 *   path: "/studio/{id}",
 *   inputs: { id: Schema.Number, language: Schema.optional(Schema.String) },
 *   reply: Schema.Struct({ id: Schema.Number, name: Schema.String, founded: Schema.optional(Schema.Date) })
 * })
 *
 * export const one = studio({ id: 11 })
 * ```
 */
export const make: <
  const Path extends string,
  Inputs extends InputSchemas = {},
  R extends Schema.Schema.AnyNoContext | undefined = undefined,
  const Token extends boolean = false
>(
  declaration: Declaration<Path, Inputs, R, Token> & CheckedDeclaration<Path, Inputs>
) => Operation<ParamsOf<Inputs>, ReplyOf<R>, ClientRestError | ClientNetworkError | AuthErrorOf<Token>> = (
  declaration: object
) => Object.assign(operation(fromCustom("Operation.make", declaration, effectSchemas)), { [TypeId]: TypeId }) as never

/**
 * The Schema of a page with entries of one kind, as the service sends pages: `data` and `paging`.
 *
 * @example
 * ```ts
 * import { Operation } from "@catalog-client/core"
 * import { Schema } from "effect"
 *
 * export const StudioPage = Operation.pageSchema(Schema.Struct({ id: Schema.Number, name: Schema.String }))
 * ```
 */
export const pageSchema = <A, I>(
  entry: Schema.Schema<A, I>
): Schema.Struct<{ data: Schema.Array$<Schema.Schema<A, I>>; paging: Schema.optional<typeof Paging> }> =>
  Schema.Struct({ data: Schema.Array(entry), paging: Schema.optional(Paging) })

/**
 * Makes a custom operation whose reply is a page of a list, as {@link pageSchema} makes its Schema. It also takes the params
 * `limit` and `offset`, and has `pages`, `items` and `collect` for whole lists.
 *
 * @example
 * ```ts
 * import { Operation } from "@catalog-client/core"
 * import { Schema } from "effect"
 *
 * const studios = Operation.paged({
 *   name: "studio.search",
 *   method: "GET",
 *   path: "/studio",
 *   inputs: { q: Schema.String },
 *   limit: { maximum: 100 },
 *   reply: Operation.pageSchema(Schema.Struct({ id: Schema.Number, name: Schema.String }))
 * })
 *
 * export const all = studios.items({ q: "bones" })
 * ```
 */
export const paged: <
  const Path extends string,
  R extends Schema.Schema.AnyNoContext,
  Inputs extends InputSchemas = {},
  const Token extends boolean = false
>(
  declaration: Declaration<Path, Inputs, R, Token> &
    Pages & { readonly reply: R } & CheckedPages<Path, Inputs, ReplyOf<R>>
) => PagedOperation<Simplify<ParamsOf<Inputs> & PageParams>, ReplyOf<R>, EntryOf<ReplyOf<R>>, AuthErrorOf<Token>> = (
  declaration: object
) => Object.assign(makePaged(fromCustom("Operation.paged", declaration, effectSchemas)), { [TypeId]: TypeId }) as never

/** A test's replacement of a custom operation, made by {@link stub}. */
export interface Stub {
  readonly operation: Any
  readonly reply: (...inputs: never) => Effect<unknown, unknown>
}

/**
 * Replaces a custom operation in a client for tests, `CatalogClient.layerMock({ call: […] })`. `pages`, `items` and `collect`
 * come from the pages that the function returns.
 *
 * @example
 * ```ts
 * import { CatalogClient, Operation } from "@catalog-client/core"
 * import { Effect } from "effect"
 *
 * const ping = Operation.make({ name: "ping", method: "GET", path: "/ping" })
 *
 * export const Test = CatalogClient.layerMock({ call: [Operation.stub(ping, () => Effect.void)] })
 * ```
 */
export const stub = <Op extends Any>(operation: Op, reply: StubOf<Op>): Stub => ({ operation, reply })
