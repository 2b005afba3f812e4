/** `effect/Data` with the names of Effect 3: in Effect 4, plain values are equal by structure. */
import { identity } from "effect/Function"

export * from "effect/Data"

export const tuple = <const A extends ReadonlyArray<unknown>>(...values: A): A => values
export const struct: <A extends object>(value: A) => A = identity
export const array: <A>(values: ReadonlyArray<A>) => ReadonlyArray<A> = identity
