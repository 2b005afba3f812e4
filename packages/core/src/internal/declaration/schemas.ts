/**
 * Encodes inputs and decodes replies by the Schemas of a custom declaration.
 */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { encodedOf, loosened } from "../../model/ast.js"
import { isPresent, mistake } from "../common/mistakes.js"
import { type Declaration, invalid, type Params } from "./declaration.js"
import { invalidInput } from "./request.js"

type Key = string | number

/** Where a value is invalid. In a union, the alternative that got furthest counts. */
const placeOf = (issue: ParseResult.ParseIssue, operation: string): ReadonlyArray<Key> => {
  switch (issue._tag) {
    case "Pointer":
      return [
        ...[issue.path].flat().map((key) => (typeof key === "number" ? key : String(key))),
        ...placeOf(issue.issue, operation)
      ]
    case "Composite":
      return [issue.issues]
        .flat()
        .map((inner: ParseResult.ParseIssue) => placeOf(inner, operation))
        .reduce((furthest, place) => (place.length > furthest.length ? place : furthest))
    case "Refinement":
    case "Transformation":
      return placeOf(issue.issue, operation)
    case "Forbidden":
      throw mistake(`${operation}: its Schemas must decode and encode synchronously, and one of them does not`)
    default:
      return []
  }
}

/** Turns params into what is sent. A name that is missing or null is left out, as with the client's operations. */
export const encoder = (operation: string, fields: Schema.Struct.Fields): NonNullable<Declaration["encode"]> => {
  const encode = ParseResult.encodeUnknownEither(Schema.Struct(fields) as unknown as Schema.Schema<unknown, Params>)
  return (params) => {
    const given = Object.fromEntries(Object.entries(params).filter(([, value]) => isPresent(value)))
    const encoded = encode(given)
    if (Either.isRight(encoded)) {
      return encoded.right
    }
    const [input = "params"] = placeOf(encoded.left, operation)
    const field = fields[input]
    const must = field !== undefined && "ast" in field ? String(field.ast) : "what its Schema accepts"
    throw invalidInput(operation, String(input), must, params[input])
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
  const decode = ParseResult.decodeUnknownEither(schema, { onExcessProperty: "preserve" })
  return {
    reply,
    decode: (body, path) => {
      dropPrototypes(body)
      const decoded = decode(body)
      if (Either.isRight(decoded)) {
        return decoded.right
      }
      path.push(...placeOf(decoded.left, operation))
      return invalid
    }
  }
}
