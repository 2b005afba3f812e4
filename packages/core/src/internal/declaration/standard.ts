/**
 * Validates with a Schema of any library that implements Standard Schema.
 */
import { hasMethod, mistake } from "../common/mistakes.js"
import { type Declaration, invalid } from "./declaration.js"
import { invalidInput } from "./request.js"
import { anything } from "../../model/schema.js"

interface Issue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

type Result =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<Issue>; readonly value?: undefined }

/** The part of a Schema that is used. */
export interface Standard {
  readonly "~standard": { readonly validate: (value: unknown) => Result | Promise<Result> }
}

/** Whether a value is a Schema of a library that implements Standard Schema. */
export const isStandard = (value: unknown): value is Standard =>
  hasMethod((value as Partial<Standard> | null | undefined)?.["~standard"], "validate")

const validate = (operation: string, schema: Standard, value: unknown): Result => {
  const result = schema["~standard"].validate(value)
  if (result instanceof Promise) {
    throw mistake(`${operation}: its Schemas must validate synchronously, and one of them does not`)
  }
  return result
}

/** What is sent for an input. Throws a `TypeError` for an invalid one. */
export const encodeStandard = (operation: string, schema: Standard, input: string, given: unknown): unknown => {
  const { issues, value } = validate(operation, schema, given)
  if (issues !== undefined) {
    throw invalidInput(operation, input, `what its Schema accepts (${issues[0]?.message ?? "it does not say"})`, given)
  }
  return value
}

const keyOf = (part: PropertyKey | { readonly key: PropertyKey }): string | number => {
  const key = typeof part === "object" ? part.key : part
  return typeof key === "number" ? key : String(key)
}

/** Turns a body into the reply of an operation. */
export const replyOfStandard = (
  operation: string,
  schema: Standard
): Required<Pick<Declaration, "reply" | "decode">> => ({
  reply: anything,
  decode: (body, path) => {
    const { issues, value } = validate(operation, schema, body)
    if (issues !== undefined) {
      path.push(...(issues[0]?.path ?? []).map(keyOf))
      return invalid
    }
    return value
  }
})
