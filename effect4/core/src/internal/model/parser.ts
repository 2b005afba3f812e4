/**
 * Encodes and decodes by the Schemas of a custom operation: the only module that depends on the issues of Effect's parser.
 */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import { type Issue, isIssue } from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { mistake } from "../common/mistakes.js"

/** Where a value is invalid: in a union, in the alternative that got furthest. */
type Place = ReadonlyArray<string | number>

const placeOf = (issue: Issue): Place => {
  switch (issue._tag) {
    case "Pointer":
      return [...issue.path.map((key) => (typeof key === "number" ? key : String(key))), ...placeOf(issue.issue)]
    case "Composite":
    case "AnyOf":
      return issue.issues
        .map((inner) => placeOf(inner))
        .reduce((furthest, place) => (place.length > furthest.length ? place : furthest), [])
    case "Filter":
    case "Encoding":
      return placeOf(issue.issue)
    default:
      return []
  }
}

/** Parses a value. `otherwise` takes the place where it is invalid. */
type Parser = <A>(value: unknown, otherwise: (place: Place) => A) => unknown

const parser =
  (operation: string, parse: (value: unknown) => Exit.Exit<unknown, Issue>): Parser =>
  (value, otherwise) => {
    const exit = parse(value)
    if (Exit.isSuccess(exit)) {
      return exit.value
    }
    const failure = Cause.squash(exit.cause)
    if (isIssue(failure)) {
      return otherwise(placeOf(failure))
    }
    throw Cause.isAsyncFiberError(failure)
      ? mistake(`${operation}: its Schemas must decode and encode synchronously, and one of them does not`)
      : failure
  }

/** Encodes a record of fields. */
export const encoderOf = (operation: string, fields: Schema.Struct.Fields): Parser =>
  parser(operation, SchemaParser.encodeUnknownExit(Schema.Struct(fields) as unknown as Schema.Codec<unknown>))

/** Decodes a value by a Schema. Members that it does not name are dropped: Effect 4 cannot keep them. */
export const decoderOf = (operation: string, schema: Schema.Codec<unknown, unknown>): Parser =>
  parser(operation, SchemaParser.decodeUnknownExit(schema))
