/**
 * Encodes inputs and decodes replies by the Schemas of a custom operation.
 */
import * as Schema from "effect/Schema"
import { isPresent } from "../common/values.js"
import { decodeWith, encodeWith, type Validate } from "../model/parser.js"
import { isField } from "../model/schema.js"

/** What a declaration is made with: Schemas of Effect, or others. */
export interface Schemas<S, I> {
  /** A Schema, as a message shows it. */
  readonly example: string
  readonly isSchema: (value: unknown) => boolean
  /** Whether a value is the Schema of an input, which can be optional. */
  readonly isInput: (value: unknown) => boolean
  readonly encoderOf: (name: string, input: I) => Validate
  readonly decoderOf: (schema: S) => Validate
}

/** Encodes an input. One that is `undefined` or `null` is absent. */
const encoderOf = (name: string, field: Schema.Struct.Fields[string]): Validate => {
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

const decoderOf = (schema: Schema.Schema.AnyNoContext): Validate => {
  const decode = decodeWith(schema)
  return (body) => {
    dropPrototypes(body)
    return decode(body)
  }
}

export const effectSchemas: Schemas<Schema.Schema.AnyNoContext, Schema.Struct.Fields[string]> = {
  example: "Schema.Number",
  isSchema: Schema.isSchema,
  isInput: isField,
  encoderOf,
  decoderOf
}
