/**
 * Encodes and decodes by a program's own Schemas: the only module that depends on the issues of Effect's parser.
 */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import type * as Schema from "effect/Schema"
import { isIssue, makeFormatterStandardSchemaV1 } from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
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
  (parse: (value: unknown) => Exit.Exit<unknown, unknown>): Validate =>
  (value) => {
    const exit = parse(value)
    if (Exit.isSuccess(exit)) {
      return { value: exit.value }
    }
    const failure = Cause.squash(exit.cause)
    if (isIssue(failure)) {
      return { issues: makeFormatterStandardSchemaV1()(failure).issues }
    }
    throw Cause.isAsyncFiberError(failure)
      ? mistake("Schemas of an operation must decode and encode synchronously, and one of them does not")
      : failure
  }

export const encodeWith = (schema: Schema.Codec<unknown>): Validate =>
  validateWith(SchemaParser.encodeUnknownExit(schema))

export const decodeWith = (schema: Schema.Codec<unknown, unknown>): Validate =>
  validateWith(SchemaParser.decodeUnknownExit(schema))
