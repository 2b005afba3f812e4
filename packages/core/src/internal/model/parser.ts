/**
 * Encodes and decodes by the Schemas of a custom operation: the only module that depends on the issues of Effect's parser.
 */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { mistake } from "../common/mistakes.js"

/** Where a value is invalid: in a union, in the alternative that got furthest. */
type Place = ReadonlyArray<string | number>

const placeOf = (issue: ParseResult.ParseIssue, operation: string): Place => {
  switch (issue._tag) {
    case "Pointer":
      return [
        ...[issue.path].flat().map((key) => (typeof key === "number" ? key : String(key))),
        ...placeOf(issue.issue, operation)
      ]
    case "Composite":
      return [issue.issues]
        .flat()
        .map((inner: ParseResult.ParseIssue) => placeOf(inner, operation))
        .reduce((furthest, place) => (place.length > furthest.length ? place : furthest))
    case "Refinement":
    case "Transformation":
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
  (operation: string, parse: (value: unknown) => Either.Either<unknown, ParseResult.ParseIssue>): Parser =>
  (value, otherwise) =>
    Either.getOrElse(parse(value), (issue) => otherwise(placeOf(issue, operation)))

/** Encodes a record of fields. */
export const encoderOf = (operation: string, fields: Schema.Struct.Fields): Parser =>
  parser(operation, ParseResult.encodeUnknownEither(Schema.Struct(fields) as unknown as Schema.Schema<unknown>))

/** Decodes a value by a Schema. Members that it does not name are kept. */
export const decoderOf = (operation: string, schema: Schema.Schema.AnyNoContext): Parser =>
  parser(operation, ParseResult.decodeUnknownEither(schema, { onExcessProperty: "preserve" }))
