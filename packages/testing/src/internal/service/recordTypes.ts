/** The types of a record's members, for the declaration of the service: optional and possibly null, unless required. */
import * as Schema from "effect/Schema"
import { word } from "./jsonType.js"

export const optional = <A>(schema: Schema.Schema<A>) => Schema.optional(Schema.NullOr(schema))
export const requiredText = Schema.String
export const text = optional(requiredText)
export const decimal = optional(Schema.Number)
export const requiredInteger = Schema.Number.pipe(Schema.annotations({ jsonSchema: { type: "integer" } }))
export const integer = optional(requiredInteger)
/** A string of a format: `date-time`, `uri`. */
const formatted = (format: string) =>
  optional(Schema.String.pipe(Schema.annotations({ jsonSchema: { type: "string", format } })))
export const time = formatted("date-time")
export const url = formatted("uri")
export const words = (...examples: ReadonlyArray<string>) =>
  optional(Schema.String.pipe(Schema.annotations({ jsonSchema: word(...examples) })))
export const date = words("2017-04-01", "2017-04", "2017")
export const flag = optional(Schema.Boolean)
export const requiredList = <A>(item: Schema.Schema<A>) => Schema.Array(item)
export const list = <A>(item: Schema.Schema<A>) => optional(requiredList(item))

export const named = <Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields) =>
  Schema.Struct(fields).pipe(Schema.annotations({ identifier }))
