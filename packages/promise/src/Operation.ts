/**
 * Custom operations.
 */
import type { Arguments, CallOptions, CollectOptions, WholeListOptions } from "#core/Face.js"
import { operation as operationOf } from "#core/internal/call/interpreter.js"
import { mistake } from "#core/internal/common/mistakes.js"
import { hasMethod, isPromise } from "#core/internal/common/values.js"
import { fromCustom } from "#core/internal/declaration/custom.js"
import type { Schemas } from "#core/internal/declaration/schemas.js"
import { makePaged } from "#core/internal/lists/streams.js"
import type * as core from "#core/Operation.js"
import type { AsyncList } from "./Face.js"
import type { StandardSchema } from "./StandardSchema.js"

export type { AnyPage, Method } from "#core/Operation.js"
export type { Arguments }
export type { StandardSchema } from "./StandardSchema.js"

/** Inputs by their names. A Schema returns what is sent: a string, a number, a boolean or an array of strings. */
export type InputSchemas = Readonly<
  Record<string, StandardSchema<unknown, string | number | boolean | ReadonlyArray<string> | null | undefined>>
>

/** An operation as data, for {@link make}. */
export interface Declaration<Path, Inputs, R> {
  /**
   * The name in errors, spans, metrics and policies, for example `studio.get`. Choose one name for each operation. Names that
   * begin with `catalog.` or `OAuth.` belong to the client.
   */
  readonly name: string
  /** `Resilience.retry` repeats a `POST` or `PATCH` only after a refusal (429), unless its option `writes` is true. */
  readonly method: core.Method
  /** The path, relative to the base URL, with inputs in braces: `/studio/{id}`. */
  readonly path: Path
  /**
   * The Schemas of the inputs, each under the name that is sent: those in braces are sent in the path, all others in the query
   * (`GET` and `DELETE`) or in a form.
   */
  readonly inputs?: Inputs
  /** The Schema of the reply. Without one, the body of a response is ignored. */
  readonly reply?: R
  /** Whether the operation acts for a user: without an access token it fails with `ClientAuthError`. */
  readonly token?: boolean
  /** Whether `Resilience.cache` may keep replies: only of a `GET` whose reply is the same for every user. */
  readonly cacheable?: boolean
}

type InputOf<S> = S extends StandardSchema<infer Input, infer _Output> ? Input : never

/** What a Schema returns. */
type OutputOf<S> = S extends StandardSchema<infer _Input, infer Output> ? Output : never

type Optional<Inputs> = { [Name in keyof Inputs]: undefined extends InputOf<Inputs[Name]> ? Name : never }[keyof Inputs]

type Simplify<A> = { readonly [Name in keyof A]: A[Name] } & {}

/** The params of a call, from the Schemas of its inputs. */
type ParamsIn<Inputs> = Simplify<
  { readonly [Name in Exclude<keyof Inputs, Optional<Inputs>>]: InputOf<Inputs[Name]> } & {
    readonly [Name in Optional<Inputs>]?: InputOf<Inputs[Name]>
  }
>

type NamesIn<Path> = string extends Path
  ? never
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Name | NamesIn<Rest>
    : never

/** `unknown` for a declaration that can be used, or else what is wrong. */
type CheckedPath<Path, Inputs> = [Exclude<NamesIn<Path>, keyof Inputs>] extends [never]
  ? unknown
  : {
      readonly name: {
        readonly mistake: `the path has {${Exclude<NamesIn<Path>, keyof Inputs>}}: give its Schema in inputs`
      }
    }

/** What the entries of a page are: its `data`, or the posts in that. */
type PageEntry<Page> = Page extends { readonly data: ReadonlyArray<infer Entry> }
  ? Entry
  : Page extends { readonly data: { readonly posts: ReadonlyArray<infer Entry> } }
    ? Entry
    : never

const isSchema = (value: unknown): boolean =>
  hasMethod((value as Partial<StandardSchema> | null | undefined)?.["~standard"], "validate")

const validateBy =
  ({ "~standard": standard }: StandardSchema) =>
  (given: unknown) => {
    const result = standard.validate(given ?? undefined)
    if (isPromise(result)) {
      throw mistake("Schemas of an operation must validate synchronously, and one of them does not")
    }
    return result as Exclude<typeof result, PromiseLike<unknown>>
  }

/** How an operation uses the Schemas of a library that implements Standard Schema. */
const standardSchemas: Schemas<StandardSchema, StandardSchema> = {
  example: "Operation.type<number>()",
  isSchema,
  isInput: isSchema,
  encoderOf: (_name, schema) => validateBy(schema),
  decoderOf: validateBy
}

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
  /** All entries of all pages. One page is in memory at a time; with `distinct`, also the ids that were seen. */
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
 *   inputs: { id: Operation.type<number>() },
 *   reply: Operation.type<{ readonly name: string }>()
 * })
 *
 * const catalog = createCatalog({ clientId: "my-client-id" })
 * export const nameOf = async (id: number) => (await catalog.call(studio, { id }, { timeout: 2_000 })).name
 * ```
 */
export const make: <
  const Path extends string,
  Inputs extends InputSchemas = {},
  R extends StandardSchema<unknown, unknown> | undefined = undefined
>(
  declaration: Declaration<Path, Inputs, R> & CheckedPath<Path, Inputs>
) => Operation<ParamsIn<Inputs>, R extends undefined ? void : OutputOf<R>> = (declaration: object) =>
  operationOf(fromCustom("Operation.make", declaration, standardSchemas)) as never

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
 *   inputs: { q: Operation.type<string>() },
 *   limit: { maximum: 100 },
 *   reply: Operation.type<{ readonly data: ReadonlyArray<{ readonly name: string }>; readonly paging?: Paging }>()
 * })
 *
 * const catalog = createCatalog({ clientId: "my-client-id" })
 * export const names = async () => {
 *   for await (const { name } of catalog.call.items(studios, { q: "bones" })) console.log(name)
 * }
 * ```
 */
export const paged: <
  const Path extends string,
  R extends StandardSchema<unknown, core.AnyPage>,
  Inputs extends InputSchemas = {}
>(
  declaration: Declaration<Path, Inputs, R> &
    CheckedPath<Path, Inputs> & {
      readonly reply: R
      readonly limit: {
        /** The largest `limit` that the service accepts; whole lists request it. */
        readonly maximum: number
        /** The `limit` to send if a call sets none; without it, the service decides. */
        readonly default?: number
      }
    }
) => PagedOperation<Simplify<ParamsIn<Inputs> & core.PageParams>, OutputOf<R>, PageEntry<OutputOf<R>>> = (
  declaration: object
) => makePaged(fromCustom("Operation.paged", declaration, standardSchemas)) as never

const anything: StandardSchema<never> = {
  "~standard": { version: 1, vendor: "catalog-client", validate: (value) => ({ value: value as never }) }
}

/**
 * A Schema that accepts any value: for programs without a Schema library. Nothing checks that a value has the type: a reply is
 * only parsed, and an input is sent unchanged. Of a page, only `data` and `paging.next` are checked.
 *
 * @example
 * ```ts
 * import { Operation } from "catalog-client"
 *
 * export const studio = Operation.make({
 *   name: "studio.get",
 *   method: "GET",
 *   path: "/studio/{id}",
 *   inputs: { id: Operation.type<number>() },
 *   reply: Operation.type<{ readonly name: string }>()
 * })
 * ```
 */
export const type = <A>(): StandardSchema<A> => anything
