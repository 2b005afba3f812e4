/**
 * Constructors of the client's own Schemas, which add fewer bytes to a page than Effect's.
 */
// Counterpart for Effect 4: effect4/core/src/internal/model/schema.ts
// Counterpart for catalog-client: packages/promise/counterparts/core/internal/model/schema.ts
import * as Schema from "effect/Schema"

/** A `Schema` of a record that the service owns: members that it does not name are kept when it decodes. */
export const record = <Fields extends Schema.Struct.Fields>(
  identifier: string,
  fields: Fields
): Schema.Struct<Fields> => struct(fields).annotations({ identifier, parseOptions: { onExcessProperty: "preserve" } })

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
export type Optional<A> = Schema.PropertySignature<"?:", A, never, "?:", A>

/**
 * Makes a member {@link Optional}. Name the type of a record, `optional<Picture>(Picture)`: the declarations of the package
 * would repeat its members otherwise.
 *
 * The same as `Schema.optionalWith(schema, { exact: true })`, which would bundle the code for all its other options.
 */
export const optional = <A>(schema: Schema.Schema<A>): Optional<A> =>
  Schema.makePropertySignature(new Schema.PropertySignatureDeclaration(schema.ast, true, true, {}, undefined))

export const requiredString = Schema.String

export const requiredNumber = Schema.Number

export const optionalStringsByName = /*#__PURE__*/ (() =>
  optional(Schema.Record({ key: Schema.String, value: Schema.String })))()

export const anything = Schema.Unknown

export const struct = <Fields extends Schema.Struct.Fields>(fields: Fields): Schema.Struct<Fields> =>
  Schema.Struct(fields)

/** Whether a value is a field of a record: a Schema, or a member like {@link Optional}. */
export const isField = (value: unknown): boolean => Schema.isSchema(value) || Schema.isPropertySignature(value)

export const optionalString = /*#__PURE__*/ optional(requiredString)

export const optionalNumber = /*#__PURE__*/ optional(requiredNumber)

export const optionalBoolean = /*#__PURE__*/ optional(Schema.Boolean)

export const array = Schema.Array

export const optionalList = <A>(element: Schema.Schema<A>): Optional<ReadonlyArray<A>> =>
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
 *
 * export const seasons = Season.words
 * ```
 */
export interface OpenSet<Words extends ReadonlyArray<string>> extends Schema.Schema<Words[number] | (string & {})> {
  /** The known words, in the order of the service's reference. */
  readonly words: Words
}

/** Makes a `Schema` of an {@link OpenSet}. */
export const enumeration = <const Words extends readonly [string, ...ReadonlyArray<string>]>(
  identifier: string,
  ...words: Words
): OpenSet<Words> =>
  Object.assign(
    Schema.Union(oneOf(...words), Schema.String as Schema.Schema<string & {}>).annotations({ identifier }),
    { words }
  )

export const oneOf = <const Literals extends readonly [string | number, ...ReadonlyArray<string | number>]>(
  ...literals: Literals
): Schema.Schema<Literals[number]> => Schema.Literal(...literals)

export const union = Schema.Union
