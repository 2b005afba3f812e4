/**
 * Encodes inputs and decodes replies by the Schemas of a custom declaration.
 */
import * as Schema from "effect/Schema"
import { encodedOf, expectedOf, loosened, namesOf } from "../../model/ast.js"
import { decoderOf, encoderOf } from "../../model/parser.js"
import { isField } from "../../model/schema.js"
import type { StandardSchema } from "../../StandardSchema.js"
import { isPresent } from "../common/mistakes.js"
import { type Declaration, invalid, type Params } from "./declaration.js"
import { invalidInput } from "./request.js"
import { encodeStandard, isStandard, replyOfStandard } from "./standard.js"

/** The inputs of a declaration: each has a Schema of Effect, or one of another library. */
export type Fields = Readonly<Record<string, Schema.Struct.Fields[string] | StandardSchema>>

/** The reply of a declaration. */
export type AnySchema = Schema.Schema.AnyNoContext | StandardSchema

/** An example of a Schema, for messages. */
export const example = "Schema.Number"

/** Whether a value is a Schema. */
export const isSchema = (value: unknown): value is AnySchema => Schema.isSchema(value) || isStandard(value)

/** Whether a value is the Schema of an input, which can be optional. */
export const isInput = (value: unknown): value is Fields[string] => isField(value) || isStandard(value)

/** Those of Effect: one of another library can have been made from one of Effect. */
const effectFieldsIn = (fields: Fields): Schema.Struct.Fields =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, Schema.Struct.Fields[string]] => isField(entry[1]))
  )

/** The names of inputs on the wire. */
export const wireNamesOf = (fields: Fields): ReadonlyArray<string> =>
  // One by one: Effect refuses a record with one name twice, and does not say where.
  Object.entries(fields).flatMap(([name, field]) =>
    isField(field) ? namesOf(encodedOf(Schema.Struct(effectFieldsIn({ [name]: field })).ast)).map(String) : [name]
  )

/** Whether a reply can be a page: only an Effect Schema says so before there is one. */
export const isPage = (schema: AnySchema): boolean => {
  if (!Schema.isSchema(schema)) {
    return true
  }
  const names = namesOf(schema.ast)
  return names.includes("data") && names.includes("paging")
}

/** Turns params into what is sent. A name that is missing or null is left out, as with the client's operations. */
export const encoder = (operation: string, all: Fields): NonNullable<Declaration["encode"]> => {
  const fields = effectFieldsIn(all)
  const encode = encoderOf(operation, fields)
  const others = Object.entries(all).filter((entry): entry is [string, StandardSchema] => !isField(entry[1]))
  return (params) => {
    const given = Object.fromEntries(
      Object.entries(params).filter(([name, value]) => isPresent(value) && !others.some(([other]) => other === name))
    )
    const encoded = encode(given, ([input = "params"]) => {
      const field = fields[input]
      const must = field ? expectedOf(field).replace(/( [|] undefined)+$/, "") : "what its Schema accepts"
      throw invalidInput(operation, String(input), must, params[input])
    })
    const more = others.map(([name, schema]) => [
      name,
      encodeStandard(operation, schema, name, params[name] ?? undefined)
    ])
    return { ...(encoded as Params), ...(Object.fromEntries(more) as Params) }
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
