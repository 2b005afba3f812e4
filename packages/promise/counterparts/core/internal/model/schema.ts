/**
 * Makes the Schemas of the models, with the names of core's own module.
 */
import * as Schema from "../../../names/Schema.js"

/** A `Schema` of a record that the service owns. */
export const record = (_identifier: string, fields: Schema.Fields) => Schema.Struct(fields)

/** A member that may be missing, and is never `undefined`. */
export const optional = (schema: Schema.Schema): Schema.Schema => Schema.optionalWith(schema)

export const requiredString = Schema.String

export const requiredNumber = Schema.Number

export const optionalStringsByName = /*#__PURE__*/ (() =>
  optional(Schema.make({ _tag: "Dictionary", type: Schema.String.ast })))()

export const anything = Schema.Unknown

export const struct = Schema.Struct

export const optionalString = /*#__PURE__*/ optional(requiredString)

export const optionalNumber = /*#__PURE__*/ optional(requiredNumber)

export const optionalBoolean = /*#__PURE__*/ optional(Schema.Boolean)

export const array = Schema.Array

export const optionalList = (element: Schema.Schema): Schema.Schema => optional(array(element))

export const optionalStrings = /*#__PURE__*/ optionalList(requiredString)

/** A `Schema` of an open set: the known words, or any other string. */
export const enumeration = (_identifier: string, ...words: ReadonlyArray<string>) =>
  Object.assign(union(oneOf(...words), Schema.String), { words })

/** A `Schema` of a closed set. */
export const oneOf = (...literals: ReadonlyArray<string | number>): Schema.Schema =>
  union(...literals.map(Schema.Literal))

export const union = (...members: ReadonlyArray<Schema.Schema>): Schema.Schema =>
  Schema.make({ _tag: "Union", types: members.map(({ ast }) => ast) })
