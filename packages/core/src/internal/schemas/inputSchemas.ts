/**
 * The kinds of inputs as Schemas, with ranges and samples. A domain declares its params as functions of this module, and
 * imports its type alone: a page with an operation bundles no Schema of inputs. How an input is sent is in
 * `declaration/inputs.ts`.
 */
import type * as Schema from "effect/Schema"
import { anyCount, type Numbers, type Strings, whole } from "./formats.js"
import * as formats from "./formats.js"
import * as parts from "./parts.js"

/** Makes an input again, with its description. */
type Describe<S> = (description: string) => S

const input = <S extends object>(describe: Describe<S>): S => Object.assign(describe(""), { describe })

export const withDescription = <S>(schema: S, description: string): S =>
  (schema as { readonly describe?: Describe<S> }).describe?.(description) ?? schema

const number = (format: Numbers): Schema.Schema<number> =>
  input((description) => parts.checkedNumber(format, description))

const text = (format: Strings): Schema.Schema<string> => input((description) => parts.checkedText(format, description))

const texts = (format: Strings): Schema.Schema<ReadonlyArray<string>> =>
  input((description) => parts.list(parts.text(format), description))

/** An input that may be missing or `undefined`. */
const optional = <A>(schema: Schema.Schema<A>): Schema.optional<Schema.Schema<A>> =>
  input((description) => parts.optionalInput(withDescription(schema, description)))

const flag = (): Schema.Schema<boolean> => input(parts.flag)

const kindsOf = () => ({
  optional,
  /** A word of an open set. Name its type, `word<Season>(Season)`: an editor would show all words otherwise. */
  word: <A extends string>({ words }: { readonly words: parts.Words<A> }): Schema.Schema<A> =>
    input((description) => parts.words(words, description) as unknown as Schema.Schema<A>),
  /** The `limit` of an operation, as its declaration has it. */
  limit: (maximum: number): Schema.optional<Schema.Schema<number>> => optional(number(whole(1, maximum))),
  /** The `offset` of an operation with pages. */
  offset: optional(number(anyCount)),
  id: number(formats.id),
  year: number(formats.year),
  count: number(anyCount),
  score: number(formats.score),
  priority: number(formats.priority),
  /** How much something is worth watching or reading again. */
  repeatValue: number(formats.repeatValue),
  yesOrNo: flag(),
  keyword: text(formats.keyword),
  username: text(formats.username),
  prose: text(formats.prose),
  /** A date that is written; an empty string removes one. */
  date: text(formats.writtenDate),
  tags: texts(formats.word),
  /** The options of operations that are inputs. */
  fields: optional(texts(formats.field)),
  nsfw: optional(flag())
})

/** The kinds of inputs, as the functions of domains take them. */
export interface Kinds extends Readonly<ReturnType<typeof kindsOf>> {}

export const kinds: Kinds = /*#__PURE__*/ kindsOf()

/** What params are declared as. */
export type Declare<Fields extends Schema.Struct.Fields> = (kinds: Kinds) => Fields

/** The type of params, as their function declares them. */
export type ParamsOf<F extends Declare<Schema.Struct.Fields>> = Schema.Schema.Type<Schema.Struct<ReturnType<F>>>

/** The type of a member that is not written; an error of the compiler shows what to do. */
export interface NotWritten<Instead extends string> {
  readonly "is not written": Instead
}
