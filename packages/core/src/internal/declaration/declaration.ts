/**
 * Declarations: data that describe how an operation's inputs become a request, and its reply.
 */
import type * as Schema from "effect/Schema"
import type { ClientAuthError, ClientNetworkError, ClientRestError, ClientValidationError } from "../../CatalogError.js"
import type { AnyPage, FieldsByRecord, FieldsOptions, Records } from "../../Face.js"
import { foundIn } from "../common/mistakes.js"
import type { NotWritten } from "../schemas/inputSchemas.js"
import { membersOf } from "../model/ast.js"
import type { InputsByName } from "./inputs.js"

/** A rule that the client checks. Returns the error of a call that breaks it. */
export type Rule = (declaration: Declaration, params: Params) => ClientValidationError | undefined

/** Returns the error of a call without an access token, if the call needs one. */
export type TokenRequirement = (
  operation: string,
  params: Params,
  whyNoToken: Pick<ClientAuthError, "reason" | "found" | "expected" | "cause">
) => ClientAuthError | undefined

/** The caller's inputs, not yet validated. */
export type Params = { readonly [name: string]: unknown }

export interface Inputs {
  readonly params: Params
  readonly options: Params
}

/** The argument of a call that takes `limit` and `offset`: an operation without params takes only options. */
export const pagingArgument = ({ inputs }: Pick<Declaration, "inputs">): "params" | "options" =>
  inputs ? "params" : "options"

/** The arguments of a call with these inputs. `copyInputs` of `interpreter.ts` is the reverse. */
export const argumentsOf = (declaration: Declaration, { params, options }: Inputs): ReadonlyArray<Params> =>
  pagingArgument(declaration) === "params" ? [params, options] : [options]

/** The HTTP method of an operation. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** Where a reply is wrong and, if that is known, what was expected there and what was found. */
export interface Rejection {
  path: ReadonlyArray<string | number>
  expected?: string
  found?: string
}

/** An operation as data. */
export interface Declaration {
  /** As in the contract: `catalog.anime.get`. */
  readonly name: string
  readonly method: Method
  /** As in the contract: `/anime/{id}`. */
  readonly path: string
  /** What `params` may contain, sent in this order. Omit it if the operation takes only options. */
  readonly inputs?: InputsByName
  /** The record that `fields` selects from; `undefined`: the operation has no `fields`. */
  readonly fields?: keyof FieldsByRecord
  readonly nsfw?: true
  /** Whether a cache may keep its reply: it is the same for every user, except for list statuses. */
  readonly cacheable?: true
  /**
   * Marks an operation with pages, which takes `limit` and `offset` as params, or as options if it has no params: the
   * `limit` that is sent by default, and the largest that the service accepts.
   */
  readonly limit?: { readonly default?: number; readonly maximum: number }
  /** What a 404 did not find, for messages: "anime". Omit it if nothing is looked for. */
  readonly finds?: string
  /** The inputs of which the live service needs one to respond in time, and how messages name them. */
  readonly bound?: { readonly oneOf: ReadonlyArray<string>; readonly expected: string }
  readonly rule?: Rule
  readonly token?: TokenRequirement
  /** The Schema of the reply; `undefined`: there is none, and the body is ignored unless `decode` looks at it. */
  readonly reply: Schema.Schema.AnyNoContext | undefined
  /**
   * Turns a validated body into the reply, if the guard of `reply` is not enough. Returns `invalid` to refuse the body, and
   * can say why in `rejection`. Without a `reply`, an empty body is passed as `null`.
   */
  readonly decode?: ((body: unknown, rejection: Rejection) => unknown) | undefined
}

/** What `decode` and a guard return for an invalid value. */
export const invalid: unique symbol = Symbol("invalid")

/** Whether a body reports an error, although the status means success. */
const hasError = (body: unknown): boolean => Boolean((body as { readonly error?: unknown } | null)?.error)

/** For a deletion, which returns nothing: its body is empty, or JSON without a value and without an error. */
export const decodeDeletion: Declaration["decode"] = (body) =>
  typeof body === "object" && !hasError(body) ? undefined : invalid

/** For a write whose reply has only optional members: requires at least one of them, and no error. */
export const decodeWrite =
  ({ ast }: Schema.Schema.AnyNoContext): Declaration["decode"] =>
  (body) =>
    Object.keys(body as object).some((key) => membersOf(ast).has(key)) && !hasError(body) ? body : invalid

/** The entries of a page; of a topic, its posts. */
export const pageEntries = ({ data }: AnyPage): ReadonlyArray<unknown> => ("posts" in data ? data.posts : data)

/** For a page that a program's Schema accepts: a list can be read only from an array of entries, and a link that is a string. */
export const decodePage: NonNullable<Declaration["decode"]> = (page, rejection) => {
  const { data, paging } = (page ?? {}) as {
    readonly data?: { readonly posts?: unknown } | null
    readonly paging?: { readonly next?: unknown } | null
  }
  const next = paging?.next ?? ""
  const mismatch = !Array.isArray(data?.posts ?? data)
    ? { path: ["data"], expected: "an array", found: foundIn(data) }
    : typeof next !== "string"
      ? { path: ["paging", "next"], expected: "a string", found: foundIn(next) }
      : undefined
  return mismatch === undefined ? page : (Object.assign(rejection, mismatch), invalid)
}

/** The names of a declaration's params. */
type DeclaredParams<D> = D extends { readonly inputs: infer I }
  ? keyof I | (D extends { readonly limit: object } ? "limit" | "offset" : never)
  : never

/** The names of a signature's params, without those that never compile in a call. */
type SignedParams<P> = keyof { [K in keyof P as P[K] extends NotWritten<string> | undefined ? never : K]: 1 }

/** What a selector of a signature selects from. */
type SignedRecord<O> = O extends FieldsOptions<infer M, infer _> ? M : never

/** The names of a record. The entry of a page contains the record as its `node`. */
type NamesIn<M> = keyof (M extends { readonly node: infer N } ? N : M)

/** The entries of a page; any other reply as it is. */
type EntryOf<A> = A extends { readonly data: ReadonlyArray<infer Entry> } ? Entry : A

/**
 * The reply of a declaration, for a signature with the params `P` and the options `O`; if they do not fit, a text that no
 * signature returns. With a selector, only the signature knows the narrowed type.
 */
export type DeclaredReply<D extends Declaration, P, O> = [DeclaredParams<D>, SignedParams<P>] extends [
  SignedParams<P>,
  DeclaredParams<D>
]
  ? D extends { readonly fields: keyof Records; readonly reply: Schema.Schema<infer A> }
    ? [EntryOf<A>, NamesIn<SignedRecord<O>>] extends [SignedRecord<O>, NamesIn<Records[D["fields"]]>]
      ? never
      : "The signature selects from a different record than `fields` and `reply`"
    : D extends { readonly reply: Schema.Schema<infer A> }
      ? A
      : void
  : "The signature has different params than `inputs`"

export type Errors<D> =
  | ClientRestError
  | ClientNetworkError
  | (D extends { readonly rule: Rule } ? ClientValidationError : never)
  | (D extends { readonly token: TokenRequirement } ? ClientAuthError : never)
