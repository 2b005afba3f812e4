/**
 * Encodes and decodes by the Schemas of a custom operation: the only module that depends on the issues of Effect's parser.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Issue } from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { mistake } from "../internal/common/mistakes.js"

/** Where a value is invalid: in a union, in the alternative that got furthest. */
type Place = ReadonlyArray<string | number>

const placeOf = (issue: Issue, operation: string): Place => {
  switch (issue._tag) {
    case "Pointer":
      return [
        ...issue.path.map((key) => (typeof key === "number" ? key : String(key))),
        ...placeOf(issue.issue, operation)
      ]
    case "Composite":
    case "AnyOf":
      return issue.issues
        .map((inner) => placeOf(inner, operation))
        .reduce((furthest, place) => (place.length > furthest.length ? place : furthest), [])
    case "Filter":
    case "Encoding":
      return placeOf(issue.issue, operation)
    case "Forbidden":
      throw mistake(`${operation}: its Schemas must decode and encode synchronously, and one of them does not`)
    default:
      return []
  }
}

/** Parses a value. `otherwise` takes the place where it is invalid. */
type Parser = <A>(value: unknown, otherwise: (place: Place) => A) => unknown

const parser =
  (operation: string, parse: (value: unknown) => Result.Result<unknown, Issue>): Parser =>
  (value, otherwise) =>
    Result.getOrElse(parse(value), (issue) => otherwise(placeOf(issue, operation)))

/** Encodes a record of fields. */
export const encoderOf = (operation: string, fields: Schema.Struct.Fields): Parser =>
  parser(operation, SchemaParser.encodeUnknownResult(Schema.Struct(fields) as unknown as Schema.Codec<unknown>))

/** Decodes a value by a Schema. Members that it does not name are dropped: Effect 4 cannot keep them. */
export const decoderOf = (operation: string, schema: Schema.Codec<unknown, unknown>): Parser =>
  parser(operation, SchemaParser.decodeUnknownResult(schema))
