/**
 * How the client's own Schemas are written.
 */
import * as Schema from "effect/Schema"

/** A `Schema` of a record that the service owns: members that it does not name are kept when it decodes. */
export const record = <Fields extends Schema.Struct.Fields>(
  identifier: string,
  fields: Fields
): Schema.Struct<Fields> => {
  const rest = Schema.Record(Schema.String, Schema.Unknown)
  const open = Schema.StructWithRest(struct(fields), [rest]).annotate({ identifier })
  return Object.assign(open, { fields }) as unknown as Schema.Struct<Fields>
}

/**
 * A member that may be missing, and is never `undefined`. Declarations of a program name it.
 *
 * @example
 * ```ts
 * import { AnimeNode } from "@catalog-client/core/schemas"
 * import { Schema } from "effect"
 *
 * export const Row = Schema.Struct({ ...AnimeNode.fields, shelf: Schema.String })
 * ```
 */
export type Optional<A> = Schema.optionalKey<Schema.Codec<A>>

/**
 * Makes a member {@link Optional}. Name the type of a record, `optional<Picture>(Picture)`: the declarations of the package
 * would repeat its members otherwise.
 */
export const optional = <A>(schema: Schema.Codec<A>): Optional<A> => Schema.optionalKey(schema)

export const requiredString = Schema.String

export const requiredNumber = Schema.Number

export const optionalStringsByName = /*#__PURE__*/ (() =>
  optional<{ readonly [name: string]: string }>(Schema.Record(Schema.String, Schema.String)))()

export const anything = Schema.Unknown

export const struct = <Fields extends Schema.Struct.Fields>(fields: Fields): Schema.Struct<Fields> =>
  Schema.Struct(fields)

/** Whether a value is a field of a record: in Effect 4, a member like {@link Optional} is a Schema. */
export const isField: (value: unknown) => boolean = Schema.isSchema

export const optionalString = /*#__PURE__*/ optional(requiredString)

export const optionalNumber = /*#__PURE__*/ optional(requiredNumber)

export const optionalBoolean = /*#__PURE__*/ optional(Schema.Boolean)

export const array = <Of extends Schema.Constraint>(element: Of): Schema.$Array<Of> => Schema.Array(element)

export const optionalList = <A>(element: Schema.Codec<A>): Optional<ReadonlyArray<A>> =>
  optional<ReadonlyArray<A>>(array(element))

export const optionalStrings = /*#__PURE__*/ optionalList(requiredString)

/**
 * A `Schema` of an open set: the known words, or any other string.
 *
 * @example
 * ```ts
 * import { Season } from "@catalog-client/core/schemas"
 * import { Schema } from "effect"
 *
 * export const Quarter = Schema.Struct({ year: Schema.Number, season: Season })
 * ```
 */
export interface OpenSet<Words extends ReadonlyArray<string>> extends Schema.Codec<Words[number] | (string & {})> {
  /** The known words, in the order of the service's reference. */
  readonly words: Words
}

/** Makes a `Schema` of an {@link OpenSet}. */
export const enumeration = <const Words extends readonly [string, ...ReadonlyArray<string>]>(
  identifier: string,
  ...words: Words
): OpenSet<Words> =>
  Object.assign(Schema.Union([oneOf(...words), Schema.String as Schema.Codec<string & {}>]).annotate({ identifier }), {
    words
  })

export const oneOf = <const Literals extends readonly [string | number, ...ReadonlyArray<string | number>]>(
  ...literals: Literals
): Schema.Codec<Literals[number]> => Schema.Literals(literals)

export const union = <const Members extends ReadonlyArray<Schema.Constraint>>(
  ...members: Members
): Schema.Union<Members> => Schema.Union(members)
