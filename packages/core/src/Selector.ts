/**
 * Selectors: their syntax, and the type of the reply that they select.
 *
 * @since 0.2.0
 */

import type { defaultMembers, onDemand, RecordKind } from "./internal/model/defaultMembers.js"

type Blank = " " | "\n" | "\t" | "\r"

// Few parts have blanks, so one check for any blank saves the compiler time.
type Trim<S extends string> = S extends `${string}${Blank}${string}` ? Trimmed<S> : S

type Trimmed<S extends string> = S extends `${Blank}${infer T}`
  ? Trimmed<T>
  : S extends `${infer T}${Blank}`
    ? Trimmed<T>
    : S

type Count<
  S extends string,
  Mark extends string,
  N extends ReadonlyArray<1> = []
> = S extends `${string}${Mark}${infer T}` ? Count<T, Mark, [...N, 1]> : N["length"]

/** Whether braces are balanced. */
type IsWhole<S extends string> = S extends `${string}{${string}`
  ? Count<S, "}"> extends Count<S, "{">
    ? true
    : false
  : true

/** The parts of a selector, split at the commas outside braces. */
type Parts<S extends string, Begun extends string = "", Found = never> = S extends `${infer Head},${infer Tail}`
  ? IsWhole<`${Begun}${Head}`> extends true
    ? Parts<Tail, "", Found | Trim<`${Begun}${Head}`>>
    : Parts<Tail, `${Begun}${Head},`, Found>
  : Exclude<Found | Trim<`${Begun}${S}`>, "">

/** The name of a part, without its braces. */
type NameOf<P> = P extends `${infer N}{${string}` ? Trim<N> : P

/** The parts in the braces after a name. */
type Within<P, N> = P extends `${infer M}{${infer Inner}`
  ? Trim<M> extends N
    ? Parts<Inner extends `${infer Closed}}` ? Closed : Inner>
    : never
  : never

/** All of a selector in one string: a string, or the elements of an array. */
type Text<S> = S extends string ? S : S extends ReadonlyArray<infer E extends string> ? E : never

/** Whether the type of a string is not a literal: `string`, or a template literal with a placeholder. */
type IsWide<S extends string> = "\u0000" extends S ? true : {} extends Record<S, 1> ? true : false

/** One plain object type, which an editor shows member by member. */
type Flat<A> = { [K in keyof A]: A[K] } & {}

type Some<A, K> = Flat<Pick<A, Extract<keyof A, K>>>

type RequiredKeys<M> = { [K in keyof M]-?: {} extends Pick<M, K> ? never : K }[keyof M]

/** A record that wraps a `node`: a page's entry, a relation, an author. A selection applies to the node. */
type Edge<N> = { readonly node?: N }

type KindOf<M> = Extract<keyof M, RecordKind>

/** What a record contains when no fields are named. */
type Default<M> = [KindOf<M>] extends [never]
  ? M extends Edge<infer N>
    ? Flat<{
        readonly [K in keyof M as K extends "list_status" ? never : K]: K extends "node"
          ? Default<Exclude<N, undefined>>
          : M[K]
      }>
    : M
  : Some<M, (typeof defaultMembers)[KindOf<M>][number]>

/** The value of a member that is named without braces. */
type Bare<N, V> = N extends "my_list_status" | "list_status"
  ? Some<V, Exclude<keyof V, (typeof onDemand)[number]>>
  : V extends ReadonlyArray<infer E>
    ? E extends Edge<unknown>
      ? ReadonlyArray<Default<E>>
      : V
    : N extends "node"
      ? Default<V>
      : V

type Value<N, V, Inner> = [Inner] extends [never]
  ? Bare<N, V>
  : V extends ReadonlyArray<infer E>
    ? ReadonlyArray<Narrow<E, Inner>>
    : V extends object
      ? Narrow<V, Inner>
      : V

/** The members with simple values. Picked from the record, so that an editor shows their doc comments. */
type Simple<M> = {
  [K in keyof M]-?: Exclude<M[K], undefined> extends string | number | boolean ? K : never
}[keyof M]

/** The parts of a selector that are not just the name of a simple value. */
type Rest<M, P> = Exclude<P, Simple<M>>

type Members<M, P> = Pick<M, P & Exclude<Simple<M>, RequiredKeys<M>>> & Others<M, Rest<M, P>>

type Others<M, P> = OthersOf<M, P, NameOf<P>>
type OthersOf<M, P, N> = Known<M, P, N & Exclude<keyof M, RequiredKeys<M>>> & Unknown<Exclude<N, keyof M> & string>

/** The members that a record knows. Mapped over the record's keys, so that an editor shows their doc comments. */
type Known<M, P, K extends keyof M> = { readonly [N in K]: Value<N, Exclude<M[N], undefined>, Within<P, N>> }

type Unknown<K extends string> = { readonly [N in K]?: unknown }

/** A name of an edge, with braces or without. */
type PartOf<K> = K extends string ? K | `${K}${Blank | "{"}${string}` : never

/** The parts for the edge itself, and for its node. */
type OwnParts<M, P> = Extract<P, PartOf<Exclude<keyof M, "node">>>
type NodeParts<M, P> = Exclude<P, PartOf<keyof M>> | Within<P, "node">

type NodeOf<N, P> = [P] extends [never] ? Default<N> : Narrow<N, P>

/** The members `K` of a record with other values. An editor shows their doc comments. */
type With<M, K extends keyof M, V> = { readonly [N in K]: V }

/** The key of the node, if it is in the reply. */
type NodeKey<M, P> = M extends { readonly node: unknown }
  ? "node"
  : "node" extends NameOf<P>
    ? "node"
    : [NodeParts<M, P>] extends [never]
      ? never
      : "node"

/** A record narrowed to the named parts. */
type Narrow<M, P> =
  M extends Edge<infer N>
    ? Flat<
        With<M, NodeKey<M, P>, NodeOf<Exclude<N, undefined>, NodeParts<M, P>>> &
          Pick<M, Exclude<RequiredKeys<M>, "node">> &
          Members<M, OwnParts<M, P>>
      >
    : Flat<Pick<M, RequiredKeys<M>> & Members<M, P>>

/** The parts that a record knows: a default for all records can name fields that only some have. */
type KnownParts<M, P> = P extends unknown ? (NameOf<P> extends Name<M> ? P : never) : never

/** If a record knows none of the names, only the members that are always there remain. */
type DefaultParts<M, P> = [KnownParts<M, P>] extends [never] ? Extract<"id", Name<M>> : KnownParts<M, P>

/** The fields of a record; of an entry with a `node`, those of the node, too. */
type Name<M> = string & (M extends { readonly node: infer N } ? Exclude<keyof M, RequiredKeys<M>> | keyof N : keyof M)

/** A record as a selector's string narrows it. `Keep`: whether names that the record does not know stay in the type. */
type SelectedText<M, S extends string, Keep> = [S] extends [never]
  ? Default<M>
  : IsWide<S> extends true
    ? M
    : SelectedParts<M, Parts<S>, Keep>

type SelectedParts<M, P, Keep> = [P] extends [never]
  ? Default<M>
  : Narrow<M, Keep extends true ? P : DefaultParts<M, P>>

/**
 * Names of fields, as one comma-separated string or as an array; a name can be narrowed in braces.
 *
 * `"mean, genres"`, `["mean", "genres"]` and `["my_list_status{tags,comments}"]` are selectors of an anime. An editor
 * completes the names. In a literal, other names do not compile where the selector is used; `Fields.unchecked` allows them.
 * The service ignores names that it does not know. Braces narrow: `authors{first_name}` leaves the first name of an author
 * without the role beside it, and `authors{first_name,role}` leaves both.
 *
 * @example
 * ```ts
 * import { Catalog } from "@catalog-client/core"
 *
 * export const scored = Catalog.anime.get({ id: 30230 }, { fields: ["mean", "my_list_status{tags,comments}"] })
 * ```
 */
export type Selector<M> = Name<M> | (string & {}) | ReadonlyArray<Name<M> | (string & {})>

/** A selector of any record. */
export type AnySelector = string | ReadonlyArray<string>

/**
 * The members that every selection keeps. If the selector is still a type parameter, nothing else is known, and without
 * this the compiler would recurse without end.
 */
type Least<M> = unknown extends M
  ? unknown
  : {
      readonly [K in keyof M as K extends RequiredKeys<M> ? K : never]: M[K] extends object ? Least<M[K]> : M[K]
    }

/**
 * The record `M` as the selector `S` narrows it.
 *
 * `id` and `title` (`id` and `name` of a user) are required members, and the members that were named are optional. `never`
 * and `undefined` mean that the call has no selector: then the default `D` applies, or, without a default, the members
 * that are sent without `fields`. A selector of type `string` keeps every member.
 *
 * @example
 * ```ts
 * import type { Fields } from "@catalog-client/core"
 * import type { Anime } from "@catalog-client/core/models"
 *
 * type Rated = Fields.Selected<Anime, ["mean"]>
 *
 * export const labelOf = ({ mean, title }: Rated) => (mean === undefined ? title : `${title}: ${mean}`)
 * ```
 */
export type Selected<M, S, D = never> = (
  [S] extends [undefined] ? SelectedText<M, Text<D>, false> : SelectedText<M, Text<S>, true>
) extends infer Left
  ? Left extends Least<M>
    ? Left
    : Left & Least<M>
  : never

type ElementOf<V> = V extends ReadonlyArray<infer E> ? E : V

type MisspeltParts<M, P> =
  M extends Edge<infer N>
    ? MisspeltRest<M, Rest<M, OwnParts<M, P>>> | MisspeltParts<Exclude<N, undefined>, NodeParts<M, P>>
    : MisspeltRest<M, Rest<M, P>>

type MisspeltRest<M, P> = P extends unknown
  ? NameOf<P> extends keyof M
    ? `${NameOf<P> & string}.${MisspeltParts<ElementOf<Exclude<M[NameOf<P>], undefined>>, Within<P, NameOf<P>>>}`
    : NameOf<P>
  : never

/** The names in a selector that a record does not have, as paths: `genres.nmae`. */
type Misspelt<M, S> = IsWide<Text<S>> extends true ? never : MisspeltParts<M, Parts<Text<S>>> & string

declare const isUnchecked: unique symbol

/** A selector that can have any names, made by `Fields.unchecked`. */
export interface Unchecked<Part extends string = string> extends ReadonlyArray<Part> {
  readonly [isUnchecked]: true
}

/**
 * Whether a selector has a misspelt name. In an object, so that a type parameter `S` passes here and is checked at its call.
 */
export type IsMisspelt<M, S> = { readonly s: S } extends { readonly s: Unchecked | undefined }
  ? false
  : [Misspelt<M, S>] extends [never]
    ? false
    : true

/** A field of a record; an error of the compiler shows what to do. */
type FieldOf<M, Otherwise extends string> = Name<M> | (string & { readonly otherwise: Otherwise })

/** A selector with its misspelt names corrected. */
type Corrected<M, S> = [S] extends [string | undefined]
  ? FieldOf<M, `no field is called ${Misspelt<M, S>}: correct it, or use Fields.unchecked`>
  : { readonly [I in keyof S]: Checked<M, S[I]> }

/** The selector `S`, if the record `M` has all its names. A `string`, which types cannot check, is accepted. */
// The rest of the union lets editors complete names before S is known.
export type Checked<M, S> = IsMisspelt<M, S> extends true ? Corrected<M, S> : S | Selector<M>
