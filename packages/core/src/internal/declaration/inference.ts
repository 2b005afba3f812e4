/**
 * The types of a custom operation, from the types of its declaration.
 */
import type { Effect } from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { Stream } from "effect/Stream"
import type { Simplify } from "effect/Types"
import type { ClientAuthError } from "../../CatalogError.js"
import type { AnyPage } from "../../Face.js"

/** The type of a wrong declaration, which shows a message in the compiler's error. */
type Mistake<Message extends string> = { readonly name: { readonly mistake: Message } }

type NamesIn<Path> = string extends Path
  ? never
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Name | NamesIn<Rest>
    : never

/** What can be sent in a path. A query or form can also have a list of strings, or nothing. */
type Sendable = string | number | boolean

/** The inputs whose encoded value cannot be sent, or has another name. */
type Unsent<Path, Inputs extends Schema.Struct.Fields, Encoded = Schema.Struct.Encoded<Inputs>> = {
  [Name in keyof Encoded]-?: Name extends keyof Inputs
    ? Encoded[Name] extends Sendable | (Name extends NamesIn<Path> ? never : ReadonlyArray<string> | null | undefined)
      ? never
      : Name
    : Name
}[keyof Encoded] &
  string

/** `Then` for a valid declaration, otherwise what is wrong. */
export type CheckedDeclaration<Path, Inputs extends Schema.Struct.Fields, Then = unknown> = [
  Exclude<NamesIn<Path>, keyof Inputs>
] extends [never]
  ? [Unsent<Path, Inputs>] extends [never]
    ? [Schema.Schema.Context<Schema.Struct<Inputs>>] extends [never]
      ? Then
      : Mistake<"the Schemas of inputs must need no services">
    : Mistake<`the Schema of ${Unsent<
        Path,
        Inputs
      >} must encode to a string, a number, a boolean or, outside of the path, an array of strings, under its own name`>
  : Mistake<`the path has {${Exclude<NamesIn<Path>, keyof Inputs>}}: give its Schema in inputs`>

/** `CheckedDeclaration` for an operation with pages. */
export type CheckedPages<Path, Inputs extends Schema.Struct.Fields, Page> = CheckedDeclaration<
  Path,
  Inputs,
  [Page, "paging"] extends [AnyPage, keyof Page]
    ? unknown
    : Mistake<"the reply must be a page with data and paging: Operation.pageSchema makes its Schema from the Schema of an entry">
>

export type ParamsOf<Inputs extends Schema.Struct.Fields> = Simplify<Schema.Struct.Type<Inputs>>

/** What the Schema of a reply decodes to. */
export type ReplyOf<R> = R extends Schema.Schema.AnyNoContext ? Schema.Schema.Type<R> : void

/** What the entries of a page are: its `data`, or the posts in that. */
export type EntryOf<Page> = Page extends { readonly data: ReadonlyArray<infer Entry> }
  ? Entry
  : Page extends { readonly data: { readonly posts: ReadonlyArray<infer Entry> } }
    ? Entry
    : never

export type AuthErrorOf<Token> = Token extends true ? ClientAuthError : never

/** A test's replacement of a function. Its reply needs only the members that the test uses. */
type FunctionStub<Of> = Of extends (...inputs: infer Inputs) => Effect<infer A, infer E, infer _R>
  ? (...inputs: Inputs) => Effect<A, E>
  : Of extends (...inputs: infer Inputs) => Stream<infer A, infer E, infer _R>
    ? (...inputs: Inputs) => Stream<A, E>
    : never

/** A test's replacement of an operation. Whole lists come from the pages that it returns, unless they have stubs, too. */
export type StubOf<Of> = FunctionStub<Of> & { readonly [Name in keyof Of]?: FunctionStub<Of[Name]> }
