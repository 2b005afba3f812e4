/** What the service stores, from the types of its replies. */

/** A value of a reply with all of its members, and theirs. */
export type Whole<A> =
  A extends ReadonlyArray<infer E> ? ReadonlyArray<Whole<E>> : A extends object ? Always<A, keyof A> : NonNullable<A>

/** Members of a reply that every stored record has. */
export type Always<A, Names extends keyof A> = { readonly [Name in keyof Pick<A, Names>]-?: Whole<A[Name]> }

/** Members of a reply that a stored record can lack. */
export type Sometimes<A, Names extends keyof A> = { readonly [Name in keyof Pick<A, Names>]?: Whole<A[Name]> }
