import * as Schema from "effect/Schema"

/**
 * A `Schema` of a record that the service owns: members that it does not name are kept when it decodes.
 *
 * @internal
 */
export const record = <Fields extends Schema.Struct.Fields>(
  identifier: string,
  fields: Fields
): Schema.Struct<Fields> => {
  const rest = Schema.Record(Schema.String, Schema.Unknown)
  const open = Schema.StructWithRest(struct(fields), [rest]).annotate({ identifier })
  return Object.assign(open, { fields }) as unknown as Schema.Struct<Fields>
}

/** A member that may be missing, and is never `undefined`. */
export type Optional<A> = Schema.optionalKey<Schema.Codec<A>>

/**
 * Makes a member {@link Optional}. Name the type of a record, `optional<Picture>(Picture)`: the declarations of the package
 * would repeat its members otherwise.
 *
 * @internal
 */
export const optional = <A>(schema: Schema.Codec<A>): Optional<A> => Schema.optionalKey(schema)

/**
 * A required string.
 *
 * @internal
 */
export const requiredText = Schema.String

/**
 * A required number.
 *
 * @internal
 */
export const requiredNumber = Schema.Number

/**
 * An optional record of strings, with any keys.
 *
 * @internal
 */
export const textsByName = /*#__PURE__*/ (() =>
  optional<{ readonly [name: string]: string }>(Schema.Record(Schema.String, Schema.String)))()

/**
 * Anything.
 *
 * @internal
 */
export const anything = Schema.Unknown

/**
 * A `Schema` of an object that this library owns.
 *
 * @internal
 */
export const struct = <Fields extends Schema.Struct.Fields>(fields: Fields): Schema.Struct<Fields> =>
  Schema.Struct(fields)

/** The services that the Schemas of fields need. */
export type Requirements<Fields extends Schema.Struct.Fields> =
  | Schema.Struct.DecodingServices<Fields>
  | Schema.Struct.EncodingServices<Fields>

/**
 * Whether a value is a field of a record: in Effect 4, a member like {@link Optional} is a Schema.
 *
 * @internal
 */
export const isField: (value: unknown) => boolean = Schema.isSchema

/**
 * An optional string.
 *
 * @internal
 */
export const text = /*#__PURE__*/ optional(requiredText)

/**
 * An optional number.
 *
 * @internal
 */
export const number = /*#__PURE__*/ optional(requiredNumber)

/**
 * An optional boolean.
 *
 * @internal
 */
export const flag = /*#__PURE__*/ optional(Schema.Boolean)

/**
 * An array.
 *
 * @internal
 */
export const array = Schema.Array

/**
 * An optional array.
 *
 * @internal
 */
export const list = <A>(element: Schema.Codec<A>): Optional<ReadonlyArray<A>> =>
  optional<ReadonlyArray<A>>(array(element))

/**
 * An optional array of strings.
 *
 * @internal
 */
export const texts = /*#__PURE__*/ list(requiredText)

/** A `Schema` of an open set: the words that are known, or any other string. */
export type OpenSet<Words extends string> = Schema.Codec<Words | (string & {})>

/**
 * Makes a `Schema` of an {@link OpenSet}.
 *
 * @internal
 */
export const words = <const Words extends readonly [string, ...ReadonlyArray<string>]>(
  identifier: string,
  known: Words
): OpenSet<Words[number]> =>
  Schema.Union([oneOf(...known), Schema.String as Schema.Codec<string & {}>]).annotate({ identifier })

/**
 * A `Schema` of a closed set.
 *
 * @internal
 */
export const oneOf = <const Literals extends readonly [string | number, ...ReadonlyArray<string | number>]>(
  ...literals: Literals
): Schema.Codec<Literals[number]> => Schema.Literals(literals)

/**
 * A value of one of several Schemas.
 *
 * @internal
 */
export const union = <const Members extends ReadonlyArray<Schema.Constraint>>(
  ...members: Members
): Schema.Union<Members> => Schema.Union(members)
