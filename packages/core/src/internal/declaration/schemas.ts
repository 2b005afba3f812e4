/**
 * Encodes inputs and decodes replies by the Schemas of a custom declaration.
 */
import * as Schema from "effect/Schema"
import { encodedOf, expectedOf, loosened } from "../../model/ast.js"
import { decoderOf, encoderOf } from "../../model/parser.js"
import { isPresent } from "../common/mistakes.js"
import { type Declaration, invalid, type Params } from "./declaration.js"
import { invalidInput } from "./request.js"

/** Turns params into what is sent. A name that is missing or null is left out, as with the client's operations. */
export const encoder = (operation: string, fields: Schema.Struct.Fields): NonNullable<Declaration["encode"]> => {
  const encode = encoderOf(operation, fields)
  return (params) => {
    const given = Object.fromEntries(Object.entries(params).filter(([, value]) => isPresent(value)))
    const encoded = encode(given, ([input = "params"]) => {
      const field = fields[input]
      const must = field ? expectedOf(field).replace(/( [|] undefined)+$/, "") : "what its Schema accepts"
      throw invalidInput(operation, String(input), must, params[input])
    })
    return encoded as Params
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
export const replyOf = (
  operation: string,
  schema: Schema.Schema.AnyNoContext
): Required<Pick<Declaration, "reply" | "decode">> => {
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
