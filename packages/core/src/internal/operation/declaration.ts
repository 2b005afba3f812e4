/**
 * What an operation is: data that says how its inputs become a request and what its reply is.
 */
import type * as Schema from "effect/Schema"
import type { ClientAuthError, ClientNetworkError, ClientRestError, ClientValidationError } from "../../CatalogError.js"
import type { FieldsByRecord } from "../../Face.js"
import type { WireNames } from "../../ServiceProfile.js"

/** The name of an input, the same in `params` and in `options`. */
export type Input = keyof WireNames

/** A client-side rule: the error of a call that breaks it. */
export type Rule = (operation: Declaration, params: Params) => ClientValidationError | undefined

/** Whether an access token is required: the error of a call that has none to send. */
export type Token = (
  operation: string,
  params: Params,
  reason: ClientAuthError["reason"]
) => ClientAuthError | undefined

/** What a caller gave, not yet validated. */
export type Params = { readonly [name: string]: unknown }

/** All that a caller gave. */
export interface Inputs {
  readonly params: Params
  readonly options: Params
}

/** An operation as data. */
export interface Declaration {
  /** As in the contract: `catalog.anime.get`. */
  readonly name: string
  readonly method: "GET" | "PATCH" | "DELETE"
  /** As in the contract: `/anime/{id}`. */
  readonly path: string
  /** Inputs of `params` that go into the query. */
  readonly query?: ReadonlyArray<Input>
  /** Inputs of `params` that go into a form. */
  readonly form?: ReadonlyArray<Input>
  /** The record that `fields` selects from; `undefined`: the operation has no `fields`. */
  readonly fields?: keyof FieldsByRecord
  /** Whether it takes `nsfw`. */
  readonly nsfw?: true
  /** Whether a cache may keep its reply: it is the same for every user, but for list statuses. */
  readonly cacheable?: true
  /**
   * An operation with pages, which takes `limit` and `offset`: what is sent as `limit` where none is given, and the largest
   * that the service takes.
   */
  readonly limit?: { readonly usual?: number; readonly most: number }
  /** Whether its pages name the one before, too. */
  readonly hasPrevious?: true
  readonly rule?: Rule
  readonly token?: Token
  /** What a success says; `undefined`: its body is ignored. */
  readonly reply: Schema.Schema.AnyNoContext | undefined
}

/** Whether an operation takes params. One that has none takes all of its inputs as options. */
export const hasParams = ({ path, query }: Declaration): boolean => path.includes("{") || query !== undefined

/** The reply of an operation. Where it is selected, only the signature can say what is left of it. */
export type Reply<D> = D extends { readonly fields: string }
  ? never
  : D extends { readonly reply: Schema.Schema<infer A> }
    ? A
    : void

/** The errors of an operation: its rows of the contract's table. */
export type Errors<D> =
  | ClientRestError
  | ClientNetworkError
  | (D extends { readonly rule: Rule } ? ClientValidationError : never)
  | (D extends { readonly token: Token } ? ClientAuthError : never)
