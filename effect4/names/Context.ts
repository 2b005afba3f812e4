/** `effect/Context` with the names of Effect 3. */
import * as Context from "effect/Context"

export * from "effect/Context"
export { getUnsafe as unsafeGet } from "effect/Context"

export type Tag<I, S> = Context.Key<I, S>

export const Tag =
  <const Id extends string>(id: Id) =>
  <Self, Shape>(): Context.ServiceClass<Self, Id, Shape> =>
    Context.Service<Self, Shape>()(id)

export const GenericTag = <I, S = I>(key: string): Context.Service<I, S> => Context.Service<I, S>(key)

export type Reference<_Self, S> = Context.Reference<S>

export const Reference =
  <_Self>() =>
  <S>(id: string, options: { readonly defaultValue: () => S }): Context.Reference<S> =>
    Context.Reference<S>(id, options)
