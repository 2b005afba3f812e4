/**
 * Turns a custom declaration into one that the interpreter takes.
 */
import * as Schema from "effect/Schema"
import { printable } from "../common/values.js"
import { foundIn, hasProperties, show } from "../common/mistakes.js"
import { checkNames } from "../common/options.js"
import { anythingAst } from "../model/ast.js"
import type { Issue, Validate } from "../model/parser.js"
import { type Declaration, decodePage, invalid, type Method } from "./declaration.js"
import { type Input, invalidInput, plain, query, segment } from "./inputs.js"
import { needsToken } from "./rules.js"
import type { Schemas } from "./schemas.js"

const httpMethods: ReadonlyArray<unknown> = ["GET", "POST", "PUT", "PATCH", "DELETE"] satisfies ReadonlyArray<Method>

const declarationNames = { name: 1, method: 1, path: 1, inputs: 1, reply: 1, token: 1, cacheable: 1 }

type UncheckedDeclaration = { readonly [name: string]: unknown }

type AnySchemas = Schemas<never, never>

/** What is wrong with a part of a declaration; `undefined` if nothing is. */
type PartCheck = (given: UncheckedDeclaration, isPaged: boolean, schemas: AnySchemas) => string | undefined

/** What the names of the client's own operations begin with. */
const reserved = ["catalog", "OAuth"]

const checkName: PartCheck = ({ name }) =>
  typeof name !== "string" || !/^[A-Za-z][\w.-]*$/.test(name)
    ? `name must be a string of letters, digits, ".", "-" and "_", for example "studio.get", but it is ${show(name)}`
    : reserved.includes(name.split(".", 1)[0] ?? "")
      ? 'names that begin with "catalog." or "OAuth." are reserved for the client: choose another, for example "studio.get"'
      : undefined

const checkMethod: PartCheck = ({ method }) =>
  httpMethods.includes(method)
    ? undefined
    : `method must be one of ${httpMethods.join(", ")}, but it is ${show(method)}`

const checkInputSchemas: PartCheck = ({ inputs = {} }, isPaged, { example, isInput, isSchema }) => {
  if (!hasProperties(inputs) || isSchema(inputs)) {
    return `inputs must be an object of Schemas, for example { id: ${example} }`
  }
  const wrong = Object.keys(inputs).find((name) => !isInput(inputs[name]))
  return wrong !== undefined
    ? `the input "${wrong}" must be a Schema, but it is ${show(inputs[wrong])}`
    : isPaged && ("limit" in inputs || "offset" in inputs)
      ? "every operation with pages takes limit and offset: inputs must not have them"
      : undefined
}

const namesIn = (path: string): ReadonlyArray<string> =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name)

const checkPath: PartCheck = ({ inputs, path }, _isPaged, { example }) => {
  if (typeof path !== "string" || !path.startsWith("/")) {
    return `path must begin with a slash, and is appended to the base URL, for example "/studio/{id}", but it is ${show(path)}`
  }
  const [, ...parts] = path.replace(/\{\w+\}/g, "x").split("/")
  // A URL normalizes dots away, and an empty segment is a mistake except at the end.
  const isPlain = (part: string, index: number) =>
    /^(?!\.{1,2}$)[\w.~!$'()*+,;:@-]*$/.test(part) && (part !== "" || index === parts.length - 1)
  if (!parts.every(isPlain)) {
    return `path ${show(path)} must contain only plain segments and inputs like {id}: what follows a "?", and a string to encode, belongs in inputs`
  }
  const names = namesIn(path)
  const missing = names.find((name) => !Object.hasOwn(inputs ?? {}, name))
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  return missing !== undefined
    ? `path has {${missing}}, and inputs has no Schema for it: add inputs: { ${missing}: ${example} }`
    : repeated !== undefined
      ? `path has {${repeated}} twice`
      : undefined
}

const checkReply: PartCheck = ({ reply }, isPaged, { isSchema }) =>
  isSchema(reply) || (reply === undefined && !isPaged)
    ? undefined
    : `reply must be a Schema${isPaged ? " of a page with data and paging" : ", or absent if there is no reply"}, but it is ${show(reply)}`

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0

const checkPageLimit: PartCheck = ({ limit }, isPaged) =>
  isPaged && !isCount((limit as ValidDeclaration["limit"])?.maximum)
    ? "limit must say how large pages are, for example { maximum: 100 }"
    : undefined

const checks = [checkName, checkMethod, checkInputSchemas, checkPath, checkReply, checkPageLimit]

/** An input that its Schema encodes, and that is then sent like any other. */
const inputOf = (place: Input["place"], encode: Validate): Input => {
  const { write } = place === "path" ? segment : query
  return {
    place,
    isFixed: true,
    write: (given, input, operation) => {
      const { issues, value } = encode(given)
      if (issues !== undefined) {
        const why = printable((issues[0]?.message ?? "it does not say").slice(0, 200))
        throw invalidInput(operation, input, `what its Schema accepts (${why})`, given)
      }
      return write(place === "path" ? plain(value, input, operation) : value, input, operation)
    }
  }
}

type IssuePath = NonNullable<Issue["path"]>

const pathKey = (part: IssuePath[number]): string | number => {
  const key = typeof part === "object" ? part.key : part
  return typeof key === "number" ? key : String(key)
}

/** What a Schema expected, without the value that was found: messages of a Schema can show it, but errors must not. */
const expectedIn = ({ message }: Issue): string => {
  const [, type] = /^Expected ([^,]+)(?:, .*)?$/su.exec(message) ?? []
  const expected = type === undefined ? "what its Schema accepts" : printable(type.slice(0, 200))
  return /^(string|number|boolean)$/.test(expected) ? `a ${expected}` : expected
}

/** Decodes a body. Of several issues, reports the deepest: in a union, that is the closest member. */
const replyBy =
  (decode: Validate, isPaged: boolean): Declaration["decode"] =>
  (body, rejection) => {
    const { issues, value } = decode(body)
    if (issues === undefined) {
      return isPaged ? decodePage(value, rejection) : value
    }
    // Not `map`, which returns an array of the path's own class.
    const places = issues.map((issue) => ({ path: Array.from(issue.path ?? [], pathKey), expected: expectedIn(issue) }))
    const path = places.reduce<Array<string | number>>(
      (deepest, { path }) => (path.length > deepest.length ? path : deepest),
      []
    )
    const alternatives = places.filter((place) => String(place.path) === String(path))
    const found = path.reduce<unknown>((value, key) => (value as { readonly [key]: unknown } | null)?.[key], body)
    rejection.path = path
    rejection.expected = [...new Set(alternatives.map(({ expected }) => expected))].join(" or ")
    rejection.found = foundIn(found)
    return invalid
  }

interface ValidDeclaration extends Pick<Declaration, "name" | "method" | "path"> {
  readonly inputs?: Readonly<Record<string, never>>
  readonly reply?: never
  readonly token?: boolean
  readonly cacheable?: boolean
  readonly limit?: Declaration["limit"]
}

/** Validates a declaration and turns it into the interpreter's form. Throws a `TypeError` that says what is wrong. */
export const fromCustom = (
  calledAs: "Operation.make" | "Operation.paged",
  declaration: object,
  schemas: AnySchemas
): Declaration => {
  const isPaged = calledAs === "Operation.paged"
  checkNames(calledAs, declaration, isPaged ? { ...declarationNames, limit: 1 } : declarationNames)
  const given = declaration as UncheckedDeclaration
  for (const check of checks) {
    const wrong = check(given, isPaged, schemas)
    if (wrong !== undefined) {
      const name = typeof given["name"] === "string" ? ` ${show(given["name"])}` : ""
      throw new TypeError(`${calledAs}${name}: ${wrong}`)
    }
  }
  const { cacheable, inputs = {}, limit, method, name, path, reply, token } = given as unknown as ValidDeclaration
  const inPath = namesIn(path)
  const others = method === "GET" || method === "DELETE" ? "query" : "form"
  const all = Object.entries(inputs).map(
    ([name, schema]) =>
      [name, inputOf(inPath.includes(name) ? "path" : others, schemas.encoderOf(name, schema))] as const
  )
  return {
    name,
    method,
    path,
    finds: "record or path",
    ...((isPaged || all.length > 0) && { inputs: Object.fromEntries(all) }),
    ...(token && { token: needsToken }),
    ...(cacheable && { cacheable }),
    ...(limit && { limit }),
    ...(reply === undefined
      ? { reply }
      : // `cache` and `dedupe` distinguish operations of the same name by this object.
        { reply: Schema.make<unknown>(anythingAst), decode: replyBy(schemas.decoderOf(reply), isPaged) })
  }
}
