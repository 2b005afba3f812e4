/**
 * Schemas with the comments of their types as descriptions: records, made from the client's own Schemas, and inputs.
 */
import type * as Schema from "effect/Schema"
import * as comments from "./comments.js"
import { alternativesOf, type Ast, elementOf, isRecord, membersOf, primitiveOf } from "../model/ast.js"
import type { Optional } from "../model/schema.js"
import { numberNamed, stringNamed } from "./formats.js"
import { type Declare, kinds, withDescription } from "./inputs.js"
import * as parts from "./parts.js"

/** The comment on a member, or on what has the members. */
const commentOn = (all: comments.Comments, name: string, member = ""): string => all[name]?.[member] ?? ""

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

/** The fields of inputs, with the comments on the members of `name`. */
const describedFields = <Fields extends Schema.Struct.Fields>(name: string, fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([member, field]) => [
      member,
      withDescription(field, commentOn(comments.params, name, member))
    ])
  ) as Fields

/** Params, from their function. */
export const params = <Fields extends Schema.Struct.Fields>(
  name: string,
  declare: Declare<Fields>
): Schema.Struct<Fields> => parts.struct(name, commentOn(comments.params, name), describedFields(name, declare(kinds)))

/** Params of an update. */
export const updateParams = <Fields extends Schema.Struct.Fields>(
  name: string,
  declare: Declare<Fields>
): Schema.Struct<Fields> => parts.update(params(name, declare))

// --- operations

/** An operation, described for interfaces of your own. */
export interface DescribedOperation<Inputs, Reply> {
  /** What it does. */
  readonly description: string
  /** What it takes: its params, and `fields` and `nsfw` if it has these options. */
  readonly inputs: Inputs
  /** What it returns. */
  readonly reply: Reply
}

/** What an operation takes, as `fields`, and returns. Its comments are those on `name`: `anime.get`. */
export const operation = <Fields extends Schema.Struct.Fields, Reply>(
  name: string,
  fields: Fields,
  reply: Reply
): DescribedOperation<Schema.Struct<Fields>, Reply> => ({
  description: commentOn(comments.operations, name),
  inputs: parts.inputsOf(name, describedFields("options", fields)),
  reply
})

export const updating = <Fields extends Schema.Struct.Fields, Reply>({
  inputs,
  ...rest
}: DescribedOperation<Schema.Struct<Fields>, Reply>): DescribedOperation<Schema.Struct<Fields>, Reply> => ({
  inputs: parts.update(inputs),
  ...rest
})
