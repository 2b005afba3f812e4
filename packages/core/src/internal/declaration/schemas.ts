/**
 * Encodes inputs and decodes replies by the Schemas of a custom operation.
 */
// Counterpart for catalog-client: packages/promise/replaced/core/internal/declaration/schemas.ts
import * as Schema from "effect/Schema"
import { isPresent } from "../common/values.js"
import { decodeWith, encodeWith, type Validate } from "../model/parser.js"
import { isField } from "../model/schema.js"

export const example = "Schema.Number"

export const isSchema = (value: unknown): value is Schema.Schema.AnyNoContext => Schema.isSchema(value)

/** Whether a value is the Schema of an input, which can be optional. */
export const isInput = (value: unknown): value is Schema.Struct.Fields[string] => isField(value)

/** Encodes an input. One that is `undefined` or `null` is absent. */
export const encoderOf = (name: string, field: Schema.Struct.Fields[string]): Validate => {
  const encode = encodeWith(Schema.Struct({ [name]: field }) as unknown as Schema.Schema<unknown>)
  return (value) => {
    const encoded = encode(isPresent(value) ? { [name]: value } : {})
    return encoded.issues === undefined ? { value: Object.values(encoded.value as object)[0] } : encoded
  }
}

/** Removes `__proto__` from the records of a body, which a decoder would assign as their prototype. */
const dropPrototypes = (value: unknown): void => {
  if (typeof value === "object" && value !== null) {
    if (Object.hasOwn(value, "__proto__")) {
      delete (value as { ["__proto__"]?: unknown })["__proto__"]
    }
    for (const member of Object.values(value)) {
      dropPrototypes(member)
    }
  }
}

export const decoderOf = (schema: Schema.Schema.AnyNoContext): Validate => {
  const decode = decodeWith(schema)
  return (body) => {
    dropPrototypes(body)
    return decode(body)
  }
}
