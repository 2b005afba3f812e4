/**
 * Constructors of the Schemas of the subpath `schemas`: with descriptions, ranges and plausible samples, which the client's
 * own Schemas do not have.
 */
// Counterpart for Effect 4: effect4/core/src/internal/schemas/parts.ts
import { makeLazy } from "effect/Arbitrary"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import type { Ast } from "../model/ast.js"
import type { Optional } from "../model/schema.js"
import { changes, maxSample, mustOf, type Numbers, type Strings } from "./formats.js"

/** The annotation of a description; none if it is empty. */
const described = (description: string) => (description === "" ? {} : { description })

/** A description for the JSON Schema alone, because the errors of a list or a union would show it instead of the type. */
const describedAsJson = (description: string) => ({ jsonSchema: described(description) })

/** A number of a reply: the format limits only its samples, because the service can send other numbers. */
export const number = (format: Numbers, description = ""): Schema.Schema<number> => {
  const [min, max] = [format.minimum, maxSample(format)]
  return Schema.Number.annotations({
    ...described(description),
    arbitrary: () => (fc) =>
      format.isWhole
        ? fc.integer({ min, max })
        : fc.integer({ min: min * 100, max: max * 100 }).map((cents) => cents / 100)
  })
}

/** A string of a reply: the format limits only its samples, because the service can send other strings. */
export const text = (format: Strings, description = ""): Schema.Schema<string> =>
  Schema.String.annotations({
    ...described(description),
    arbitrary: () => (fc) => fc.stringMatching(format.sample)
  })

/**
 * A number of an input, which must be of the format. Whole numbers have two filters, because a type in a JSON Schema
 * replaces the rest: with one filter, a program could not give an input another description.
 */
export const checkedNumber = (format: Numbers, description: string): Schema.Schema<number> => {
  const { isWhole, maximum, minimum } = format
  const message = () => mustOf(format)
  const all = number(format, description)
  const some = isWhole
    ? all.pipe(
        Schema.filter(Number.isSafeInteger, { message, jsonSchema: { type: "integer", ...described(description) } })
      )
    : all
  return some.pipe(
    Schema.filter((value) => value >= minimum && value <= (maximum ?? Number.MAX_VALUE), {
      message,
      jsonSchema: { minimum, ...(maximum !== undefined && { maximum }) }
    })
  )
}

/** A string of an input, which must be of the format. */
export const checkedText = (format: Strings, description: string): Schema.Schema<string> => {
  const { accepts, maxLength, minLength, must } = format
  return text(format, description).pipe(
    Schema.filter((value) => accepts.test(value), {
      message: () => must,
      jsonSchema: { ...(minLength !== undefined && { minLength }), ...(maxLength !== undefined && { maxLength }) }
    })
  )
}

export const flag = (description: string): Schema.Schema<boolean> => Schema.Boolean.annotations(described(description))

/** Words, of which at least one is known. */
export type Words<A extends string = string> = readonly [A, ...ReadonlyArray<A>]

/** A word of an open set: the known ones are examples. */
export const words = (known: Words, description: string): Schema.Schema<string> =>
  Schema.String.annotations({
    ...described(description),
    examples: known,
    arbitrary: () => (fc) => fc.constantFrom(...known)
  })

export const list = <A>(element: Schema.Schema<A>, description = ""): Schema.Schema<ReadonlyArray<A>> =>
  Schema.Array(element).annotations(describedAsJson(description))

export const either = <A, B>(one: Schema.Schema<A>, other: Schema.Schema<B>, description = ""): Schema.Schema<A | B> =>
  Schema.Union(one, other).annotations(describedAsJson(description))

/** A member that may be missing, with its own description if its Schema has another. */
export const optional = <A>(schema: Schema.Schema<A>, description = ""): Optional<A> =>
  Schema.optionalWith(schema, { exact: true }).annotations(described(description))

/** An input that may be missing or `undefined`. */
export const optionalInput = <A>(schema: Schema.Schema<A>): Schema.optional<Schema.Schema<A>> => Schema.optional(schema)

/** A record, or inputs. */
export const struct = <Fields extends Schema.Struct.Fields>(
  identifier: string,
  description: string,
  fields: Fields
): Schema.Struct<Fields> => Schema.Struct(fields).annotations({ identifier, description })

/** The JSON Schema of no inputs: that of an empty struct admits an array, which a language model's provider refuses. */
const noInputs = { type: "object", properties: {}, required: [], additionalProperties: false }

/** The inputs of an operation: its params, and the options that not every operation has. Errors show the title. */
export const inputsOf = <Fields extends Schema.Struct.Fields>(
  operation: string,
  fields: Fields
): Schema.Struct<Fields> => {
  const title = `catalog.${operation} inputs`
  const isEmpty = Object.keys(fields).length === 0
  return Schema.Struct(fields).annotations({ title, ...(isEmpty && { jsonSchema: { ...noInputs, title } }) })
}

/** Inputs of an update, whose samples all change something. Decoding does not check that: a filter is not a struct. */
export const update = <Fields extends Schema.Struct.Fields>(schema: Schema.Struct<Fields>): Schema.Struct<Fields> =>
  schema.annotations({ arbitrary: () => (fc) => makeLazy(schema)(fc).filter(changes) })

/** The name of a record. */
export const identifierOf = (ast: Ast): string => Option.getOrElse(AST.getIdentifierAnnotation(ast), () => "")

/** The known words of an open set; none for anything else. */
export const wordsOf = (ast: Ast): ReadonlyArray<string> =>
  AST.isUnion(ast) ? ast.types.flatMap(wordsOf) : AST.isLiteral(ast) ? [String(ast.literal)] : []
