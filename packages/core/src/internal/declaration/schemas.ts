/**
 * Encodes inputs and decodes replies by the Schemas of a custom declaration.
 */
import * as Schema from "effect/Schema"
import { encodedOf, expectedOf, loosened, namesOf } from "../model/ast.js"
import { decoderOf, encoderOf as encoderOfFields } from "../model/parser.js"
import { isField } from "../model/schema.js"
import type { StandardSchema } from "../../StandardSchema.js"
import { isPresent } from "../common/mistakes.js"
import { type Declaration, invalid, type Params } from "./declaration.js"
import { invalidInput } from "./inputs.js"
import { type Encoder, encoderOfStandard, isStandard, replyOfStandard } from "./standard.js"

/** The inputs of a declaration: each has a Schema of Effect, or one of another library. */
export type Fields = Readonly<Record<string, Schema.Struct.Fields[string] | StandardSchema>>

/** The reply of a declaration. */
export type AnySchema = Schema.Schema.AnyNoContext | StandardSchema

/** An example of a Schema, for messages. */
export const example = "Schema.Number"

/** Whether a value is a Schema. */
export const isSchema = (value: unknown): value is AnySchema => Schema.isSchema(value) || isStandard(value)

const isEffect = (value: unknown): value is Schema.Struct.Fields[string] => isField(value)

/** Whether a value is the Schema of an input, which can be optional. */
export const isInput = (value: unknown): value is Fields[string] => isEffect(value) || isStandard(value)

/** Whether a reply can be a page: only an Effect Schema says so before there is one. */
export const isPage = (schema: AnySchema): boolean => {
  if (!Schema.isSchema(schema)) {
    return true
  }
  const names = namesOf(schema.ast)
  return names.includes("data") && names.includes("paging")
}

/** The name of an input on the wire, and what encodes its value. One that is missing or null is left out. */
export const encoderOf = (operation: string, name: string, schema: Fields[string]): Encoder => {
  // One of another library can have been made from one of Effect.
  if (!isEffect(schema)) {
    return encoderOfStandard(operation, name, schema)
  }
  const fields = { [name]: schema }
  const wire = String(namesOf(encodedOf(Schema.Struct(fields).ast))[0])
  const encode = encoderOfFields(operation, fields)
  return {
    wire,
    encode: (value) =>
      (
        encode(isPresent(value) ? { [name]: value } : {}, () => {
          throw invalidInput(operation, name, expectedOf(schema).replace(/( [|] undefined)+$/, ""), value)
        }) as Params
      )[wire]
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

/**
 * A Schema that the guard checks, and a decoder for what the guard cannot check or does not change. Most Schemas need none.
 */
export const replyOf = (operation: string, schema: AnySchema): Required<Pick<Declaration, "reply" | "decode">> => {
  if (!Schema.isSchema(schema)) {
    return replyOfStandard(operation, schema)
  }
  const encoded = encodedOf(schema.ast)
  const { ast, isExact } = loosened(encoded)
  const reply = Schema.make<unknown>(ast)
  if (isExact && encoded === schema.ast) {
    return { reply, decode: undefined }
  }
  const decode = decoderOf(operation, schema)
  return {
    reply,
    decode: (body, path) => {
      dropPrototypes(body)
      return decode(body, (place) => {
        path.push(...place)
        return invalid
      })
    }
  }
}
