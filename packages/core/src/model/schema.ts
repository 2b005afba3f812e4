import * as Schema from "effect/Schema"

/**
 * A `Schema` of a record that the service owns: members that it does not name are kept when it decodes.
 *
 * @internal
 */
export const record = <Fields extends Schema.Struct.Fields>(
  identifier: string,
  fields: Fields
): Schema.Struct<Fields> =>
  Schema.Struct(fields).annotations({ identifier, parseOptions: { onExcessProperty: "preserve" } })

/**
 * A member that may be missing, and is never `undefined`.
 *
 * It is what `Schema.optionalWith(schema, { exact: true })` makes; that function brings all its other options with it.
 *
 * @internal
 */
export const optional = <A, I>(schema: Schema.Schema<A, I>): Schema.PropertySignature<"?:", A, never, "?:", I> =>
  Schema.makePropertySignature(new Schema.PropertySignatureDeclaration(schema.ast, true, true, {}, undefined))

/**
 * A text that may be missing.
 *
 * @internal
 */
export const text = /*#__PURE__*/ optional(Schema.String)

/**
 * A number that may be missing.
 *
 * @internal
 */
export const number = /*#__PURE__*/ optional(Schema.Number)

/**
 * A boolean that may be missing.
 *
 * @internal
 */
export const flag = /*#__PURE__*/ optional(Schema.Boolean)

/**
 * An array that may be missing.
 *
 * @internal
 */
export const list = <A, I>(
  element: Schema.Schema<A, I>
): Schema.PropertySignature<"?:", ReadonlyArray<A>, never, "?:", ReadonlyArray<I>> => optional(Schema.Array(element))

/**
 * Texts that may be missing.
 *
 * @internal
 */
export const texts = /*#__PURE__*/ list(Schema.String)

/**
 * A `Schema` of an open set: the words that are known, or any other string.
 *
 * @internal
 */
export const word = <const Words extends readonly [string, ...ReadonlyArray<string>]>(
  identifier: string,
  ...words: Words
): Schema.Schema<Words[number] | (string & {})> =>
  Schema.Union(Schema.Literal(...words), Schema.String as Schema.Schema<string & {}>).annotations({ identifier })
