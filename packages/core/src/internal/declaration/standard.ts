/**
 * Validates with a Schema of any library that implements Standard Schema.
 */
import { hasMethod, mistake } from "../common/mistakes.js"
import { type Declaration, invalid } from "./declaration.js"
import { invalidInput } from "./inputs.js"
import { anything } from "../model/schema.js"
import type { StandardResult, StandardSchema } from "../../StandardSchema.js"

/** Whether a value is a Schema of a library that implements Standard Schema. */
export const isStandard = (value: unknown): value is StandardSchema =>
  hasMethod((value as Partial<StandardSchema> | null | undefined)?.["~standard"], "validate")

const validate = (operation: string, schema: StandardSchema, value: unknown): StandardResult<unknown> => {
  const result = schema["~standard"].validate(value)
  if (result instanceof Promise) {
    throw mistake(`${operation}: its Schemas must validate synchronously, and one of them does not`)
  }
  return result
}

/** The name of an input on the wire, and what encodes its value. Throws a `TypeError` for an invalid one. */
export interface Encoder {
  readonly wire: string
  readonly encode: (value: unknown) => unknown
}

/** Encodes an input. */
export const encoderOfStandard = (operation: string, wire: string, schema: StandardSchema): Encoder => ({
  wire,
  encode: (given) => {
    const result = validate(operation, schema, given ?? undefined)
    if (result.issues !== undefined) {
      const [issue] = result.issues
      throw invalidInput(
        operation,
        wire,
        `what its Schema accepts (${issue?.message ?? "it does not say"})`,
        given ?? undefined
      )
    }
    return result.value
  }
})

const keyOf = (part: PropertyKey | { readonly key: PropertyKey }): string | number => {
  const key = typeof part === "object" ? part.key : part
  return typeof key === "number" ? key : String(key)
}

/** Turns a body into the reply of an operation. */
export const replyOfStandard = (
  operation: string,
  schema: StandardSchema
): Required<Pick<Declaration, "reply" | "decode">> => ({
  reply: anything,
  decode: (body, path) => {
    const result = validate(operation, schema, body)
    if (result.issues !== undefined) {
      path.push(...(result.issues[0]?.path ?? []).map(keyOf))
      return invalid
    }
    return result.value
  }
})
