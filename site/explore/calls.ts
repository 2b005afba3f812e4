// The calls of the page: an operation by its name, with the types of its inputs and of its reply.
import type { Catalog } from "catalog-client"

type Domain = "anime" | "manga" | "user" | "forum"

type Collecting<D extends Domain> = {
  [N in keyof Catalog[D]]: Catalog[D][N] extends { readonly collect: unknown } ? N & string : never
}[keyof Catalog[D]]

/** An operation, `anime.get`; or a whole list, `user.animeList.collect`. */
export type OperationName = {
  [D in Domain]: `${D}.${keyof Catalog[D] & string}` | `${D}.${Collecting<D>}.collect`
}[Domain]

type MemberOf<A, N> = N extends keyof A ? A[N] : never

type OperationOf<N extends OperationName> = N extends `${infer D extends Domain}.${infer O}.collect`
  ? MemberOf<MemberOf<Catalog[D], O>, "collect">
  : N extends `${infer D extends Domain}.${infer O}`
    ? MemberOf<Catalog[D], O>
    : never

export type InputsOf<N extends OperationName> =
  OperationOf<N> extends (...inputs: infer I extends ReadonlyArray<unknown>) => unknown ? I : never

export type ReplyOf<N extends OperationName> = OperationOf<N> extends (...inputs: never) => Promise<infer A> ? A : never

/** Calls an operation by its name. */
export const invoke = <N extends OperationName>(
  catalog: Catalog,
  name: N,
  inputs: InputsOf<N>
): Promise<ReplyOf<N>> => {
  const operation = name
    .split(".")
    .reduce<unknown>((found, part) => (found as Readonly<Record<string, unknown>>)[part], catalog)
  return (operation as (...inputs: InputsOf<N>) => Promise<ReplyOf<N>>)(...inputs)
}
