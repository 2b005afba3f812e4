/**
 * Encodes inputs and decodes replies by the Schemas of a custom declaration: those of any library that implements Standard
 * Schema.
 */
import type { Declaration } from "#core/internal/declaration/declaration.js"
import { encodeStandard, isStandard, replyOfStandard } from "#core/internal/declaration/standard.js"
import type { StandardSchema } from "#core/StandardSchema.js"

type Fields = Readonly<Record<string, StandardSchema>>

export const example = "Operation.type<number>()"

export const isSchema = isStandard

export const isInput = isStandard

export const wireNamesOf: (fields: Fields) => ReadonlyArray<string> = Object.keys

export const isPage = (): boolean => true

export const encoder = (operation: string, fields: Fields): NonNullable<Declaration["encode"]> => {
  const inputs = Object.entries(fields)
  return (params) =>
    Object.fromEntries(
      inputs.map(([name, schema]) => [name, encodeStandard(operation, schema, name, params[name] ?? undefined)])
    )
}

export const replyOf = replyOfStandard
