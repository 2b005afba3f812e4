import type { AsyncList, CallOptions, CollectOptions, WholeListOptions } from "./Face.js"
import type { StandardSchema } from "./StandardSchema.js"

/** Inputs by their names. What the Schema of each returns is sent: a string, a number, a boolean or an array of strings. */
export type Inputs = Readonly<
  Record<string, StandardSchema<unknown, string | number | boolean | ReadonlyArray<string> | null | undefined>>
>

/** An operation as data, for {@link make}. */
export interface Declaration<Path, M, Segments, Query, Form, R> {
  /**
   * What errors, spans, metrics and policies call it, for example `studio.get`. Choose one name for each operation. Names that
   * begin with `catalog.` or `OAuth.` belong to the client.
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
  /** The Schema of the reply. Without one, the body of a response is ignored. */
  readonly reply?: R
  /** Whether the operation acts for a user: without an access token it fails with `ClientAuthError`. */
  readonly token?: boolean
  /**
   * `keyword`: the input `q` must not be blank. `changes`: at least one input of the form must be set. A call that breaks the
   * rule fails with `ClientValidationError`.
   */
  readonly rule?: "keyword" | "changes"
  /** Whether `Resilience.cache` may keep replies: only of a `GET` whose reply is the same for every user. */
  readonly cacheable?: boolean
}

type Optional<Fields> = { [Name in keyof Fields]: undefined extends InputOf<Fields[Name]> ? Name : never }[keyof Fields]

type Given<Fields> = { readonly [Name in Exclude<keyof Fields, Optional<Fields>>]: InputOf<Fields[Name]> } & {
  readonly [Name in Optional<Fields>]?: InputOf<Fields[Name]>
}

/** `unknown` for a declaration that can be used, or else what is wrong. */
type CheckedDeclaration<Path, M, Segments, Query, Form> = [
  string extends Path ? never : Exclude<NamesIn<Path>, keyof Segments>
] extends [never]
  ? [string extends Path ? never : Exclude<keyof Segments, NamesIn<Path>>] extends [never]
    ? [Twice<Segments, Query, Form>] extends [never]
      ? [keyof Form, M] extends [never, Method] | [PropertyKey, "POST" | "PUT" | "PATCH"]
        ? unknown
        : Mistake<"form is for POST, PUT and PATCH: put these inputs into query">
      : Mistake<`${NameText<Twice<Segments, Query, Form>>} is declared twice`>
    : Mistake<`the path has no {${NameText<Exclude<keyof Segments, NamesIn<Path>>>}}: segments are the inputs of the path`>
  : Mistake<`the path has {${NameText<Exclude<NamesIn<Path>, keyof Segments>>}}: give its Schema in segments`>

type Simplify<A> = { readonly [Name in keyof A]: A[Name] } & {}

/** A custom operation, which `catalog.call` calls. */
export interface Operation<Params, A> {
  readonly name: string
  readonly [operation]: { readonly params: Params; readonly reply: A }
}
declare const operation: unique symbol

/** A custom operation that reads one page, and can read the whole list. */
export interface PagedOperation<Params, Page, Entry> extends Operation<Params, Page> {
  readonly [entries]: Entry
}
declare const entries: unique symbol

/** Calls custom operations: `call(operation, params, options)`. Any other value is a `TypeError`. */
export interface Call {
  <Params, A>(operation: Operation<Params, A>, ...inputs: Arguments<Params, CallOptions>): Promise<A>
  /** All pages, one after the other, until one has no `next`. */
  readonly pages: <Params, Page, Entry>(
    operation: PagedOperation<Params, Page, Entry>,
    ...inputs: Arguments<Params, CallOptions & WholeListOptions>
  ) => AsyncList<Page>
  /** All entries of all pages, in constant memory. */
  readonly items: <Params, Page, Entry>(
    operation: PagedOperation<Params, Page, Entry>,
    ...inputs: Arguments<Params, CallOptions & WholeListOptions>
  ) => AsyncList<Entry>
  /** The first `max` entries as an array. */
  readonly collect: <Params, Page, Entry>(
    operation: PagedOperation<Params, Page, Entry>,
    params: Params,
    options: CallOptions & CollectOptions
  ) => Promise<ReadonlyArray<Entry>>
}

/**
 * Makes a custom operation: an endpoint that the client does not have, with everything that its operations have.
 *
 * Throws a `TypeError` that says what is wrong with a declaration.
 *
 * @example
 * ```ts
 * import { createCatalog, Operation } from "catalog-client"
 *
 * const studio = Operation.make({
 *   name: "studio.get",
 *   method: "GET",
 *   path: "/studio/{id}",
 *   segments: { id: Operation.type<number>() },
 *   reply: Operation.type<{ readonly name: string }>()
 * })
 *
 * const catalog = createCatalog({ clientId: "my-client-id" })
 * export const nameOf = async (id: number) => (await catalog.call(studio, { id }, { timeout: 2_000 })).name
 * ```
 */
export declare const make: <
  const Path extends string,
  const M extends Method,
  Segments extends Inputs = {},
  Query extends Inputs = {},
  Form extends Inputs = {},
  R extends StandardSchema<unknown, unknown> | undefined = undefined
>(
  declaration: Declaration<Path, M, Segments, Query, Form, R> & CheckedDeclaration<Path, M, Segments, Query, Form>
) => Operation<Simplify<Given<Segments> & Given<Query> & Given<Form>>, R extends undefined ? void : OutputOf<R>>

/**
 * Makes a custom operation whose reply is a page of a list. It also takes the params `limit` and `offset`, and
 * `catalog.call.pages`, `items` and `collect` read its whole list.
 *
 * @example
 * ```ts
 * import { createCatalog, Operation, type Paging } from "catalog-client"
 *
 * const studios = Operation.paged({
 *   name: "studio.search",
 *   method: "GET",
 *   path: "/studio",
 *   query: { q: Operation.type<string>() },
 *   most: 100,
 *   reply: Operation.type<{ readonly data: ReadonlyArray<{ readonly name: string }>; readonly paging?: Paging }>()
 * })
 *
 * const catalog = createCatalog({ clientId: "my-client-id" })
 * export const names = async () => {
 *   for await (const { name } of catalog.call.items(studios, { q: "bones" })) console.log(name)
 * }
 * ```
 */
export declare const paged: <
  const Path extends string,
  const M extends Method,
  R extends StandardSchema<unknown, AnyPage>,
  Segments extends Inputs = {},
  Query extends Inputs = {},
  Form extends Inputs = {}
>(
  declaration: Declaration<Path, M, Segments, Query, Form, R> &
    CheckedDeclaration<Path, M, Segments, Query, Form> & {
      readonly reply: R
      /** The largest `limit` that the service accepts; whole lists request it. */
      readonly most: number
      /** The `limit` to send if a call sets none; without it, the service decides. */
      readonly usual?: number
    }
) => PagedOperation<
  Simplify<
    Given<Segments> &
      Given<Query> &
      Given<Form> & {
        /** Entries per page. */
        readonly limit?: number | undefined
        /** Entries to skip: 0 by default. */
        readonly offset?: number | undefined
      }
  >,
  OutputOf<R>,
  EntryOf<OutputOf<R>>
>
