/**
 * Schemas with the comments of their types as descriptions: records, made from the client's own Schemas, and inputs.
 */
import type * as Schema from "effect/Schema"
import * as comments from "./comments.js"
import { alternativesOf, type Ast, elementOf, isRecord, membersOf, primitiveOf } from "../model/ast.js"
import type { Optional } from "../model/schema.js"
import { anyCount, type Numbers, numberNamed, type Strings, stringNamed, whole } from "./formats.js"
import * as parts from "./parts.js"

/** The comment on a member, or on what has the members. */
const commentOn = (all: comments.Comments, name: string, member = ""): string => all[name]?.[member] ?? ""

/** What an operation does. */
export const descriptionOf = (operation: string): string => commentOn(comments.operations, operation)

// --- records

/** A record by its type: a member that may be missing is {@link Optional}. */
export type Described<A> = Schema.Struct<{
  readonly [K in keyof A]-?: {} extends Pick<A, K> ? Optional<Exclude<A[K], undefined>> : Schema.Schema<A[K]>
}>

type AnySchema = Schema.Schema.AnyNoContext

/** Each record is described once, however many others have it. */
const known: Map<string, AnySchema> = /*#__PURE__*/ new Map()

/** The client's own Schema of a record, with descriptions and samples. */
export const record = <A>({ ast }: Schema.Schema<A>): Described<A> => recordOf(ast) as unknown as Described<A>

const recordOf = (ast: Ast): AnySchema => {
  const identifier = parts.identifierOf(ast)
  const schema = known.get(identifier) ?? described(ast, identifier)
  known.set(identifier, schema)
  return schema
}

const described = (ast: Ast, identifier: string): AnySchema => {
  const fields = Array.from(membersOf(ast).values(), ({ isOptional, name, type }) => {
    const comment = commentOn(comments.records, identifier, String(name))
    const schema = valueOf(type, String(name), comment)
    return [name, isOptional ? parts.optional(schema, isRecord(type) ? comment : "") : schema]
  })
  return parts.struct(
    identifier,
    commentOn(comments.records, identifier),
    Object.fromEntries(fields)
  ) as unknown as AnySchema
}

const valueOf = (ast: Ast, member: string, comment: string): AnySchema => {
  const element = elementOf(ast)
  const [word, ...words] = parts.wordsOf(ast)
  if (isRecord(ast)) {
    return recordOf(ast)
  }
  if (element !== undefined) {
    return parts.list(valueOf(element, member, ""), comment)
  }
  if (word !== undefined) {
    return parts.words([word, ...words], comment)
  }
  const [one, other] = alternativesOf(ast) ?? []
  if (one !== undefined && other !== undefined) {
    return parts.either(valueOf(one, member, ""), valueOf(other, member, ""), comment)
  }
  switch (primitiveOf(ast)) {
    case "number":
      return parts.number(numberNamed(member), comment)
    case "string":
      return parts.text(stringNamed(member, comment), comment)
    default:
      return parts.flag(comment)
  }
}

// --- inputs

/** Makes an input again, with its description. */
type Describe<S> = (description: string) => S

const input = <S extends object>(describe: Describe<S>): S => Object.assign(describe(""), { describe })

const withDescription = <S>(schema: S, description: string): S =>
  (schema as { readonly describe?: Describe<S> }).describe?.(description) ?? schema

export const number = (format: Numbers): Schema.Schema<number> =>
  input((description) => parts.checkedNumber(format, description))

export const text = (format: Strings): Schema.Schema<string> =>
  input((description) => parts.checkedText(format, description))

export const flag = (): Schema.Schema<boolean> => input(parts.flag)

export const texts = (format: Strings): Schema.Schema<ReadonlyArray<string>> =>
  input((description) => parts.list(parts.text(format), description))

/** A word of an open set. Name its type, `word<Season>(Season)`: an editor would show all words otherwise. */
export const word = <A extends string>({ words }: { readonly words: parts.Words<A> }): Schema.Schema<A> =>
  input((description) => parts.words(words, description) as unknown as Schema.Schema<A>)

/** An input that may be missing or `undefined`. */
export const maybe = <A>(schema: Schema.Schema<A>): Schema.optional<Schema.Schema<A>> =>
  input((description) => parts.maybe(withDescription(schema, description)))

/** The `limit` of an operation, as its declaration has it. */
export const limit = (maximum: number): Schema.optional<Schema.Schema<number>> => maybe(number(whole(1, maximum)))

/** The `offset` of an operation with pages. */
export const offset = /*#__PURE__*/ maybe(/*#__PURE__*/ number(anyCount))

/** The fields of inputs, with the comments on the members of `name`. */
export const describedFields = <Fields extends Schema.Struct.Fields>(name: string, fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([member, field]) => [
      member,
      withDescription(field, commentOn(comments.params, name, member))
    ])
  ) as Fields

/** Params of operations. */
export const params = <Fields extends Schema.Struct.Fields>(
  name: string,
  fields: () => Fields
): Schema.Struct<Fields> => parts.struct(name, commentOn(comments.params, name), describedFields(name, fields()))
