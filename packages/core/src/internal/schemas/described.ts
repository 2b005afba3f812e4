/**
 * Schemas with the comments of their types as descriptions: records, made from the client's own Schemas, and inputs.
 */
import type * as Schema from "effect/Schema"
import * as comments from "./comments.js"
import { alternativesOf, type Ast, elementOf, isRecord, membersOf, primitiveOf } from "../model/ast.js"
import type { Optional } from "../model/schema.js"
import { numberNamed, stringNamed } from "./formats.js"
import { type Kinds, kinds, type NotWritten, withDescription } from "./inputSchemas.js"
import * as parts from "./parts.js"

/** The comment on a member; on the whole type if `member` is empty. */
const commentOn = (all: comments.Comments, name: string, member = ""): string => all[name]?.[member] ?? ""

// --- records

/** The Schema of a record, from its type. A member that may be missing is {@link Optional}. */
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

/** An input by the type of its member. */
type Field<A, K extends keyof A> =
  {} extends Pick<A, K> ? Schema.optional<Schema.Schema<Exclude<A[K], undefined>>> : Schema.Schema<A[K]>

/** The fields of inputs by their type. A member that is declared only for an error of the compiler is no input. */
type Fields<A> = {
  readonly [K in keyof A as A[K] extends NotWritten<string> | undefined ? never : K]-?: Field<A, K>
}

/** Inputs by their type: a member that may be missing may be `undefined`, too. */
export type DescribedInputs<A> = Schema.Struct<Fields<A>>

/** The fields of inputs, with the comments on the members of `name`. */
const describedFields = <Of extends object>(name: string, fields: Of): Of =>
  Object.fromEntries(
    Object.entries(fields).map(([member, field]) => [
      member,
      withDescription(field, commentOn(comments.params, name, member))
    ])
  ) as Of

/** Params, from their function. */
export const params = <A>(name: string, declare: (kinds: Kinds) => Fields<A>): DescribedInputs<A> =>
  parts.struct(name, commentOn(comments.params, name), describedFields(name, declare(kinds)))

/** Params of an update. */
export const updateParams = <A>(name: string, declare: (kinds: Kinds) => Fields<A>): DescribedInputs<A> =>
  parts.update(params(name, declare))

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

/** The options of operations that are inputs. */
interface AllOptions {
  readonly fields?: ReadonlyArray<string> | undefined
  readonly nsfw?: boolean | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** The options that one operation has. */
export type DescribedOptions<Names extends keyof AllOptions> = Pick<AllOptions, Names>

/** What an operation takes, as `fields`, and returns. Its comments are those on `name`: `anime.get`. */
export const operation = <A, Reply>(
  name: string,
  fields: Fields<A>,
  reply: Reply
): DescribedOperation<DescribedInputs<A>, Reply> => ({
  description: commentOn(comments.operations, name),
  inputs: parts.inputsOf(name, describedFields("options", fields)),
  reply
})

export const updating = <A, Reply>({
  inputs,
  ...rest
}: DescribedOperation<DescribedInputs<A>, Reply>): DescribedOperation<DescribedInputs<A>, Reply> => ({
  inputs: parts.update(inputs),
  ...rest
})
