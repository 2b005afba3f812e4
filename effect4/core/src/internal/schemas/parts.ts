/**
 * Constructors of the Schemas of the subpath `schemas`: with descriptions, ranges and plausible samples, which the client's
 * own Schemas do not have.
 */
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import type { Ast } from "../model/ast.js"
import type { Optional } from "../model/schema.js"
import { changes, maxSample, mustOf, type Numbers, type Strings } from "./formats.js"

/** The annotation of a description; none if it is empty. */
const described = (description: string) => (description === "" ? {} : { description })

/** A check that accepts every value, for the samples of another check: Effect 4 makes samples only for checks. */
const samplesOf = <A>({ annotations }: AST.Filter<A>): AST.Filter<A> =>
  Schema.makeFilter<A>(() => true, { arbitraryConstraint: annotations?.arbitraryConstraint })

/** A number of a reply: the format limits only its samples, because the service can send other numbers. */
export const number = (format: Numbers, description = ""): Schema.Codec<number> => {
  const inRange = samplesOf(Schema.isBetween({ minimum: format.minimum, maximum: maxSample(format) }))
  const finite = Schema.Finite.annotate(described(description))
  return format.isWhole ? finite.check(inRange, samplesOf(Schema.isInt())) : finite.check(inRange)
}

/** A string of a reply: the format limits only its samples, because the service can send other strings. */
export const text = (format: Strings, description = ""): Schema.Codec<string> =>
  Schema.String.annotate(described(description)).check(samplesOf(Schema.isPattern(format.sample)))

/** A number of an input, which must be of the format. */
export const checkedNumber = (format: Numbers, description: string): Schema.Codec<number> => {
  const { isWhole, maximum, minimum } = format
  const message = mustOf(format)
  const inRange =
    maximum === undefined
      ? Schema.isGreaterThanOrEqualTo(minimum, { message })
      : Schema.isBetween({ minimum, maximum }, { message })
  const checked = number(format, description).check(inRange)
  return isWhole ? checked.check(Schema.isInt({ message })) : checked
}

/** A string of an input, which must be of the format. */
export const checkedText = (format: Strings, description: string): Schema.Codec<string> => {
  const { accepts, maxLength, minLength, must: message } = format
  const checked = text(format, description).check(Schema.isPattern(accepts, { message }))
  const long = minLength === undefined ? checked : checked.check(Schema.isMinCodePoints(minLength, { message }))
  return maxLength === undefined ? long : long.check(Schema.isMaxCodePoints(maxLength, { message }))
}

export const flag = (description: string): Schema.Codec<boolean> => Schema.Boolean.annotate(described(description))

/** Words, of which at least one is known. */
export type Words<A extends string = string> = readonly [A, ...ReadonlyArray<A>]

/** A word of an open set: the known ones are examples. */
export const words = (known: Words, description: string): Schema.Codec<string> => {
  const pattern = new RegExp(`^(${known.map((word) => word.replace("+", "[+]")).join("|")})$`)
  return Schema.String.annotate({ ...described(description), examples: known }).check(
    samplesOf(Schema.isPattern(pattern))
  )
}

export const list = <A>(element: Schema.Codec<A>, description = ""): Schema.Codec<ReadonlyArray<A>> =>
  Schema.Array(element).annotate(described(description))

export const either = <A, B>(one: Schema.Codec<A>, other: Schema.Codec<B>, description = ""): Schema.Codec<A | B> =>
  Schema.Union([one, other]).annotate(described(description))

/** A member that may be missing, with its own description if its Schema has another. */
export const optional = <A>(schema: Schema.Codec<A>, description = ""): Optional<A> => {
  const member = Schema.optionalKey(schema)
  return description === "" ? member : member.annotateKey({ description })
}

/** An input that may be missing or `undefined`. */
export const optionalInput = <A>(schema: Schema.Codec<A>): Schema.optional<Schema.Codec<A>> => Schema.optional(schema)

/** A record, or inputs. */
export const struct = <Fields extends Schema.Struct.Fields>(
  identifier: string,
  description: string,
  fields: Fields
): Schema.Struct<Fields> => Schema.Struct(fields).annotate({ identifier, description })

/**
 * The inputs of an operation: its params, and the options that not every operation has. An operation without inputs takes an
 * object without members, because an empty struct would accept every value but null.
 */
export const inputsOf = <Fields extends Schema.Struct.Fields>(
  operation: string,
  fields: Fields
): Schema.Struct<Fields> => {
  const struct = Schema.Struct(fields)
  const isEmpty = Object.keys(fields).length === 0
  const inputs = isEmpty ? struct.rebuild(Schema.Record(Schema.String, Schema.Never).ast) : struct
  return inputs.annotate({ title: `catalog.${operation} inputs` })
}

/**
 * Inputs of an update, which have to change something. In Effect 4, a struct with a check is still a struct. Samples have the
 * id and a change, because a property test begins with the fewest members.
 */
export const update = <Fields extends Schema.Struct.Fields>(schema: Schema.Struct<Fields>): Schema.Struct<Fields> =>
  schema.check(
    Schema.makeFilter<object>(changes, { message: "must change something", arbitraryConstraint: { minProperties: 2 } })
  )

/** The name of a record. */
export const identifierOf = (ast: Ast): string => AST.resolveIdentifier(ast) ?? ""

/** The known words of an open set; none for anything else. */
export const wordsOf = (ast: Ast): ReadonlyArray<string> =>
  AST.isUnion(ast) ? ast.types.flatMap(wordsOf) : AST.isLiteral(ast) ? [String(ast.literal)] : []
