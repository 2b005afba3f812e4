/**
 * Custom operations: endpoints that the client does not have.
 *
 * @since 0.2.0
 */
import type { Effect } from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Stream } from "effect/Stream"
import type { Simplify } from "effect/Types"
import type { ClientAuthError, ClientNetworkError, ClientRestError, ClientValidationError } from "./CatalogError.js"
import type { Credentials } from "./Credentials.js"
import type { CallOptions, CollectOptions, Face, Replies, Reply, WholeListOptions } from "./Face.js"
import { operationOf } from "./internal/call/interpreter.js"
import { declared } from "./internal/declaration/custom.js"
import { pagedOf } from "./internal/lists/streams.js"
import { Paging } from "./model/Common.js"
import type { Requirements } from "./model/schema.js"
import type { HttpClient } from "./platform/httpClient.js"
import type { StandardSchema } from "./StandardSchema.js"

export type { StandardSchema } from "./StandardSchema.js"

/** Marks operations that {@link make} and {@link paged} made. */
export const TypeId: unique symbol = Symbol.for("@catalog-client/core/Operation")

/** @see {@link TypeId} */
export type TypeId = typeof TypeId

type InputOf<S> = S extends StandardSchema<infer Input, infer _Output> ? Input : never

type OutputOf<S> = S extends StandardSchema<infer _Input, infer Output> ? Output : never

/** The Schema of an input, or of a member of a record. */
type Field = Schema.Struct.Fields[string]

/** Inputs by their names. The Schema of each encodes what a program passes to what is sent. */
export type Inputs = Readonly<Record<PropertyKey, Field | StandardSchema>>

/** The Schema of a reply. */
type AnySchema = Schema.Schema.AnyNoContext | StandardSchema

/** The HTTP method of an operation. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** What is checked before anything is sent. */
export type Rule = "keyword" | "changes"

/**
 * An operation as data, for {@link make}.
 *
 * Schemas are those of Effect, or {@link StandardSchema}s. The Schema of an input must encode to a string, a finite number, a boolean or, in a query or form, an array of strings,
 * which is joined with commas. `Schema.optional` makes an input optional. An input is sent under its own name;
 * `Schema.fromKey` renames it. Schemas must need no services and decode synchronously.
 */
export interface Declaration<Path, M, Segments, Query, Form, R, Token, Check> {
  /**
   * What errors, spans, metrics and policies call it, for example `studio.get`. Choose one name for each operation. Names
   * that begin with `catalog.` or `OAuth.` belong to the client.
   */
  readonly name: string
  /** `POST` and `PATCH` are not retried by `Resilience.retry`, unless its option `writes` says so. */
  readonly method: M
  /** Relative to the base URL, with inputs in braces: `/studio/{id}`. */
  readonly path: Path
  /** The inputs of the path. */
  readonly segments?: Segments
  /** The inputs of the query. */
  readonly query?: Query
  /** The inputs of a form, for `POST`, `PUT` and `PATCH`. */
  readonly form?: Form
  /** The Schema of the reply. Without one, the body of a response is ignored. Members that it does not name are kept. */
  readonly reply?: R
  /** Whether the operation acts for a user: without an access token it fails with `ClientAuthError`. */
  readonly token?: Token
  /**
   * `keyword`: the input `q` must not be blank. `changes`: at least one input of the form must be set. A call that breaks
   * the rule fails with `ClientValidationError`.
   */
  readonly rule?: Check
  /** Whether `Resilience.cache` may keep replies: only of a `GET` whose reply is the same for every user. */
  readonly cacheable?: boolean
}

/** What {@link paged} also takes: how large pages are. */
export interface Pages {
  /** The largest `limit` that the service accepts; whole lists request it. */
  readonly most: number
  /** The `limit` to send if a call sets none; without it, the service decides. */
  readonly usual?: number
}

/** Which part of a list. */
export interface PageParams {
  /** Entries per page. */
  readonly limit?: number | undefined
  /** Entries to skip: 0 by default. */
  readonly offset?: number | undefined
}

/** What a reply of {@link paged} must contain. */
export interface AnyPage {
  readonly data: ReadonlyArray<unknown> | { readonly posts: ReadonlyArray<unknown> }
  readonly paging?:
    | { readonly next?: string | null | undefined; readonly previous?: string | null | undefined }
    | null
    | undefined
}

/** The arguments of a call: an operation without inputs takes options alone. */
export type Arguments<Params, Options> = [keyof Params] extends [never]
  ? [options?: Options]
  : {} extends Params
    ? [params?: Params, options?: Options]
    : [params: Params, options?: Options]

/** A custom operation, as an Effect. */
export interface Operation<Params, A, E> {
  (...inputs: Arguments<Params, CallOptions>): Effect<A, E, HttpClient | Credentials>
  readonly [TypeId]: TypeId
}

/** A custom operation that reads one page, and can read the whole list. */
export interface PagedOperation<Params, Page, Entry, E> extends Operation<Params, Page, E> {
  /** All pages, one after the other, until one has no `next`. */
  readonly pages: (
    ...inputs: Arguments<Params, CallOptions & WholeListOptions>
  ) => Stream<Page, E, HttpClient | Credentials>
  /** All entries of all pages, in constant memory. */
  readonly items: (
    ...inputs: Arguments<Params, CallOptions & WholeListOptions>
  ) => Stream<Entry, E, HttpClient | Credentials>
  /** The first `max` entries as an array. */
  readonly collect: (
    params: Params,
    options: CallOptions & CollectOptions
  ) => Effect<ReadonlyArray<Entry>, E, HttpClient | Credentials>
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
 * Calls custom operations on a catalog of promises or on a client: as `call(operation, params, options)`, with the
 * arguments that the operation takes. Any other value is a `TypeError`.
 */
export interface Call<F extends Face> {
  <Op extends Any>(operation: Op, ...inputs: Parameters<Op>): One<F, ReturnType<Op>>
  /** All pages, one after the other, until one has no `next`. */
  readonly pages: <Op extends AnyPaged>(
    operation: Op,
    ...inputs: Parameters<Op["pages"]>
  ) => Many<F, ReturnType<Op["pages"]>>
  /** All entries of all pages, in constant memory. */
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

/** What a compiler shows where a declaration is wrong. */
type Mistake<Message extends string> = { readonly name: { readonly mistake: Message } }

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

type Sent = string | number | boolean | null | undefined

/** The inputs with a Schema of Effect: one that is also of Standard Schema is used as one of Effect. */
type EffectIn<Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends Field ? Name : never]: Extract<Fields[Name], Field>
}

/** The inputs with a Schema of another library. */
type StandardIn<Fields> = { [Name in keyof Fields]: Fields[Name] extends Field ? never : Name }[keyof Fields]

/** What a Schema makes of an input. */
type EncodedOf<S> = S extends Field ? Schema.Schema.Encoded<S> : OutputOf<S>

/** The names of the inputs that do not encode to what can be sent. */
type UnsentIn<Fields extends Inputs, To> = {
  [Name in keyof Fields]: EncodedOf<Fields[Name]> extends To ? never : Name
}[keyof Fields]

type Unsent<Segments extends Inputs, Query extends Inputs, Form extends Inputs> =
  | UnsentIn<Segments, string | number | boolean>
  | UnsentIn<Query, Sent | ReadonlyArray<string>>
  | UnsentIn<Form, Sent | ReadonlyArray<string>>

type Twice<Segments, Query, Form> =
  | (keyof Segments & keyof Query)
  | (keyof Segments & keyof Form)
  | (keyof Query & keyof Form)

type NameText<Name> = Name extends string ? Name : never

/** `Then` for a declaration that can be used, or else what is wrong. */
type CheckedDeclaration<Path, M, Segments extends Inputs, Query extends Inputs, Form extends Inputs, Then> = [
  string extends Path ? never : Exclude<NamesIn<Path>, keyof Segments>
] extends [never]
  ? [string extends Path ? never : Exclude<keyof Segments, NamesIn<Path>>] extends [never]
    ? [Twice<Segments, Query, Form>] extends [never]
      ? [Unsent<Segments, Query, Form>] extends [never]
        ? [Requirements<EffectIn<Segments>> | Requirements<EffectIn<Query>> | Requirements<EffectIn<Form>>] extends [
            never
          ]
          ? [keyof Form, M] extends [never, Method] | [PropertyKey, "POST" | "PUT" | "PATCH"]
            ? Then
            : Mistake<"form is for POST, PUT and PATCH: put these inputs into query">
          : Mistake<"the Schema of an input needs a service: provide it to the Schema">
        : Mistake<`the Schema of ${NameText<
            Unsent<Segments, Query, Form>
          >} must encode to a string, a number, a boolean or, outside of the path, an array of strings`>
      : Mistake<`${NameText<Twice<Segments, Query, Form>>} is declared twice`>
    : Mistake<`the path has no {${NameText<Exclude<keyof Segments, NamesIn<Path>>>}}: segments are the inputs of the path`>
  : Mistake<`the path has {${NameText<Exclude<NamesIn<Path>, keyof Segments>>}}: give its Schema in segments`>

/** The inputs with a Schema of another library that can be absent. */
type OptionalIn<Fields> = {
  [Name in StandardIn<Fields>]: undefined extends InputOf<Fields[Name]> ? Name : never
}[StandardIn<Fields>]

type Given<Fields extends Inputs> = Schema.Struct.Type<EffectIn<Fields>> & {
  readonly [Name in Exclude<StandardIn<Fields>, OptionalIn<Fields>>]: InputOf<Fields[Name]>
} & { readonly [Name in OptionalIn<Fields>]?: InputOf<Fields[Name]> }

type ParamsOf<Segments extends Inputs, Query extends Inputs, Form extends Inputs> = Simplify<
  Given<Segments> & Given<Query> & Given<Form>
>

type ReplyOf<R> = R extends Schema.Schema.AnyNoContext
  ? Schema.Schema.Type<R>
  : R extends StandardSchema
    ? OutputOf<R>
    : void

type EntryOf<Page> = Page extends { readonly data: ReadonlyArray<infer Entry> }
  ? Entry
  : Page extends { readonly data: { readonly posts: ReadonlyArray<infer Entry> } }
    ? Entry
    : never

/** The error of an operation that needs a token. */
type AuthErrorOf<Token> = Token extends true ? ClientAuthError : never

/** The error of an operation with a rule. */
type RuleErrorOf<Check> = [Check] extends [never] ? never : ClientValidationError

const anything: StandardSchema<never> = {
  "~standard": { version: 1, vendor: "catalog-client", validate: (value) => ({ value: value as never }) }
}

/**
 * A Schema that accepts any value: for programs without a Schema library. The type is the program's word; the reply is only
 * parsed, and an input is sent as it is.
 *
 * @example
 * ```ts
 * import { Operation } from "@catalog-client/core"
 *
 * export const studio = Operation.make({
 *   name: "studio.get",
 *   method: "GET",
 *   path: "/studio/{id}",
 *   segments: { id: Operation.type<number>() },
 *   reply: Operation.type<{ readonly name: string }>()
 * })
 * ```
 */
export const type = <A>(): StandardSchema<A> => anything

// The unions of errors are written out, so that a hover shows them and not the name of an alias.

/**
 * Makes a custom operation: an endpoint that the client does not have, with everything that its operations have.
 *
 * It is a function that returns an Effect; `call` of a promise catalog and of a `CatalogClient` takes it too. It fails
 * with `ClientRestError` and `ClientNetworkError`, with `ClientAuthError` if it needs a `token`, and with
 * `ClientValidationError` if it has a `rule`. An input that its Schema refuses is a `TypeError`, with Effect a defect.
 *
 * Throws a `TypeError` that says what is wrong with a declaration.
 *
 * @example
 * ```ts
 * import { createCatalog, Operation } from "@catalog-client/core"
 * import { Schema } from "effect"
 *
 * const studio = Operation.make({
 *   name: "studio.get",
 *   method: "GET",
 *   path: "/studio/{id}",
 *   segments: { id: Schema.Number },
 *   query: { language: Schema.optional(Schema.String) },
 *   reply: Schema.Struct({ id: Schema.Number, name: Schema.String, founded: Schema.optional(Schema.Date) })
 * })
 *
 * // With Effect: it needs a transport and Credentials, as Catalog.anime.get does.
 * export const one = studio({ id: 11 })
 *
 * // With promises.
 * const catalog = createCatalog({ fetch, clientId: "my-client-id" })
 * export const nameOf = async (id: number) => (await catalog.call(studio, { id }, { timeout: 2_000 })).name
 * ```
 */
export const make = <
  const Path extends string,
  const M extends Method,
  Segments extends Inputs = {},
  Query extends Inputs = {},
  Form extends Inputs = {},
  R extends AnySchema | undefined = undefined,
  const Token extends boolean = false,
  const Check extends Rule = never
>(
  declaration: Declaration<Path, M, Segments, Query, Form, R, Token, Check> &
    CheckedDeclaration<Path, M, Segments, Query, Form, unknown>
): Operation<
  ParamsOf<Segments, Query, Form>,
  ReplyOf<R>,
  ClientRestError | ClientNetworkError | AuthErrorOf<Token> | RuleErrorOf<Check>
> =>
  Object.assign(operationOf(declared("Operation.make", declaration)), { [TypeId]: TypeId }) as unknown as Operation<
    ParamsOf<Segments, Query, Form>,
    ReplyOf<R>,
    ClientRestError | ClientNetworkError | AuthErrorOf<Token> | RuleErrorOf<Check>
  >

/**
 * The Schema of a page with entries of one kind, as the service sends pages: `data` and `paging`.
 *
 * @example
 * ```ts
 * import { Operation } from "@catalog-client/core"
 * import { Schema } from "effect"
 *
 * export const StudioPage = Operation.page(Schema.Struct({ id: Schema.Number, name: Schema.String }))
 * ```
 */
export const page = <A, I>(
  entry: Schema.Schema<A, I>
): Schema.Struct<{ data: Schema.Array$<Schema.Schema<A, I>>; paging: Schema.optional<typeof Paging> }> =>
  Schema.Struct({ data: Schema.Array(entry), paging: Schema.optional(Paging) })

/**
 * Makes a custom operation whose reply is a page of a list. It also takes the params `limit` and `offset`, and has
 * `pages`, `items` and `collect` for whole lists, like the lists of the client.
 *
 * The reply must contain `data` and `paging`; {@link page} makes its Schema from that of an entry.
 *
 * @example
 * ```ts
 * import { createCatalog, Operation } from "@catalog-client/core"
 * import { Schema } from "effect"
 *
 * const studios = Operation.paged({
 *   name: "studio.search",
 *   method: "GET",
 *   path: "/studio",
 *   query: { q: Schema.String },
 *   most: 100,
 *   reply: Operation.page(Schema.Struct({ id: Schema.Number, name: Schema.String }))
 * })
 *
 * // With Effect, a Stream.
 * export const all = studios.items({ q: "bones" })
 *
 * // With promises.
 * const catalog = createCatalog({ fetch, clientId: "my-client-id" })
 * export const names = async () => {
 *   for await (const { name } of catalog.call.items(studios, { q: "bones" })) console.log(name)
 * }
 * ```
 */
export const paged = <
  const Path extends string,
  const M extends Method,
  R extends AnySchema,
  Segments extends Inputs = {},
  Query extends Inputs = {},
  Form extends Inputs = {},
  const Token extends boolean = false,
  const Check extends Rule = never
>(
  declaration: Declaration<Path, M, Segments, Query, Form, R, Token, Check> &
    Pages & { readonly reply: R } & CheckedDeclaration<
      Path,
      M,
      Segments,
      Query,
      Form,
      ReplyOf<R> extends AnyPage
        ? "paging" extends keyof ReplyOf<R>
          ? unknown
          : Mistake<"the reply must be a page with data and paging: Operation.page makes its Schema from the Schema of an entry">
        : Mistake<"the reply must be a page with data and paging: Operation.page makes its Schema from the Schema of an entry">
    >
): PagedOperation<
  Simplify<ParamsOf<Segments, Query, Form> & PageParams>,
  ReplyOf<R>,
  EntryOf<ReplyOf<R>>,
  ClientRestError | ClientNetworkError | AuthErrorOf<Token> | RuleErrorOf<Check>
> =>
  Object.assign(pagedOf(declared("Operation.paged", declaration)), {
    [TypeId]: TypeId
  }) as unknown as PagedOperation<
    Simplify<ParamsOf<Segments, Query, Form> & PageParams>,
    ReplyOf<R>,
    EntryOf<ReplyOf<R>>,
    ClientRestError | ClientNetworkError | AuthErrorOf<Token> | RuleErrorOf<Check>
  >
