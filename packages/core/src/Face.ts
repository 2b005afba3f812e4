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
import type { Selector } from "./Fields.js"

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
  (params: Params, options?: Options): Reply<Face, A, E>
}

/** The options that every operation takes. Contract: Common options object. */
export interface CallOptions extends Omit<CallDefaults, "nsfw"> {}

/** The options of an operation whose reply can be narrowed or widened. Contract: Common options object. */
export interface FieldsOptions extends CallOptions {
  /** What the reply holds besides `id` and `title`. */
  readonly fields?: Selector | undefined
}

/** The options of an operation that answers with items. */
export interface ItemsOptions extends FieldsOptions, Pick<CallDefaults, "nsfw"> {}
