/**
 * Encodes inputs and decodes replies by the Schemas of a custom operation: those of any library that implements Standard
 * Schema.
 */
import { mistake } from "#core/internal/common/mistakes.js"
import { hasMethod, isPromise } from "#core/internal/common/values.js"
import type { StandardSchema } from "#promise/StandardSchema.js"

export const example = "Operation.type<number>()"

export const isSchema = (value: unknown): value is StandardSchema =>
  hasMethod((value as Partial<StandardSchema> | null | undefined)?.["~standard"], "validate")

export const isInput = (value: unknown): value is StandardSchema => isSchema(value)

export const decoderOf =
  ({ "~standard": standard }: StandardSchema) =>
  (given: unknown) => {
    const result = standard.validate(given ?? undefined)
    if (isPromise(result)) {
      throw mistake("Schemas of an operation must validate synchronously, and one of them does not")
    }
    return result as Exclude<typeof result, PromiseLike<unknown>>
  }

export const encoderOf = (_name: string, schema: StandardSchema) => decoderOf(schema)
