/**
 * Encodes and decodes by a program's own Schemas: the only module that depends on the issues of Effect's parser.
 */
// Counterpart for Effect 4: effect4/core/src/internal/model/parser.ts
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import { mistake } from "../common/mistakes.js"

/** What is wrong with a value, and where. */
export interface Issue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/** Returns a value as a Schema decodes or encodes it, or the issues. */
export type Validate = (
  value: unknown
) =>
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: ReadonlyArray<Issue> }

const validateWith =
  (parse: (value: unknown) => Either.Either<unknown, ParseResult.ParseIssue>): Validate =>
  (value) => {
    const parsed = parse(value)
    if (Either.isRight(parsed)) {
      return { value: parsed.right }
    }
    const issues = ParseResult.ArrayFormatter.formatIssueSync(parsed.left)
    if (issues.some(({ _tag }) => _tag === "Forbidden")) {
      throw mistake("Schemas of an operation must decode and encode synchronously, and one of them does not")
    }
    return { issues }
  }

export const encodeWith = (schema: Schema.Schema<unknown>): Validate =>
  validateWith(ParseResult.encodeUnknownEither(schema))

export const decodeWith = (schema: Schema.Schema.AnyNoContext): Validate =>
  validateWith(ParseResult.decodeUnknownEither(schema))
