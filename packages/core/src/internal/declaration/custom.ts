/**
 * Turns a custom declaration into one that the interpreter takes.
 */
import * as Schema from "effect/Schema"
import { printable } from "../common/cause.js"
import { foundIn, isOptionsObject, show } from "../common/mistakes.js"
import { anything } from "../model/ast.js"
import type { Issue, Validate } from "../model/parser.js"
import { type Declaration, invalid, type Method } from "./declaration.js"
import { type Input, invalidInput, plain, query, segment } from "./inputs.js"
import { needsToken } from "./rules.js"
import { decoderOf, encoderOf, example, isInput, isSchema } from "./schemas.js"

const methods: ReadonlyArray<unknown> = ["GET", "POST", "PUT", "PATCH", "DELETE"] satisfies ReadonlyArray<Method>

const members = ["name", "method", "path", "inputs", "reply", "token", "cacheable"]

const membersOfPages = ["most", "usual"]

/** A declaration that may be wrong. */
type Given = { readonly [name: string]: unknown }

/** What is wrong with a part of a declaration; `undefined` if nothing is. */
type Check = (given: Given, isPaged: boolean) => string | undefined

const checkName: Check = ({ name }) =>
  typeof name !== "string" || !/^[A-Za-z][\w.-]*$/.test(name)
    ? `name must be a string of letters, digits, ".", "-" and "_", for example "studio.get", but it is ${show(name)}`
    : /^(catalog|OAuth)\./.test(name)
      ? 'names that begin with "catalog." or "OAuth." are reserved for the client: choose another, for example "studio.get"'
      : undefined

const checkMembers: Check = (given, isPaged) => {
  const known = isPaged ? [...members, ...membersOfPages] : members
  const unknown = Object.keys(given).find((member) => !known.includes(member))
  const hint = membersOfPages.includes(unknown ?? "") ? "use Operation.paged for pages" : `it takes ${known.join(", ")}`
  return unknown === undefined ? undefined : `unknown member "${unknown}": ${hint}`
}

const checkMethod: Check = ({ cacheable, method }) =>
  !methods.includes(method)
    ? `method must be one of ${methods.join(", ")}, but it is ${show(method)}`
    : cacheable === true && method !== "GET"
      ? `cacheable is for GET, and the method is ${show(method)}`
      : undefined

const checkInputs: Check = ({ inputs = {} }, isPaged) => {
  if (!isOptionsObject(inputs) || isSchema(inputs)) {
    return `inputs must be an object of Schemas, for example { id: ${example} }`
  }
  const wrong = Object.keys(inputs).find((name) => !isInput(inputs[name]))
  return wrong !== undefined
    ? `the input "${wrong}" must be a Schema, but it is ${show(inputs[wrong])}`
    : isPaged && ("limit" in inputs || "offset" in inputs)
      ? "every operation with pages takes limit and offset: inputs must not have them"
      : undefined
}

/** The names in braces. */
const namesIn = (path: string): ReadonlyArray<string> =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name)

const checkPath: Check = ({ inputs, path }) => {
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

const checkFlags: Check = (given) => {
  const wrong = ["token", "cacheable"].find((flag) => typeof (given[flag] ?? false) !== "boolean")
  return wrong === undefined ? undefined : `${wrong} must be true or false, but it is ${show(given[wrong])}`
}

const checkReply: Check = ({ reply }, isPaged) =>
  isPaged && reply === undefined
    ? "reply must be the Schema of a page with data and paging"
    : reply !== undefined && !isSchema(reply)
      ? `reply must be a Schema, or absent if there is no reply, but it is ${show(reply)}`
      : undefined

const checkPages: Check = ({ most, usual }, isPaged) => {
  const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0
  const wrong = isCount(most) ? "usual" : "most"
  return !isPaged || (isCount(most) && isCount(usual ?? most))
    ? undefined
    : `${wrong} must be a whole number of entries, 1 or more, but it is ${show(wrong === "most" ? most : usual)}`
}

const checks = [checkName, checkMembers, checkMethod, checkInputs, checkPath, checkFlags, checkReply, checkPages]

/** An input that its Schema encodes, and that is then sent like one of the client. */
const inputOf = (place: Input["place"], encode: Validate): Input => {
  const { text } = place === "path" ? segment : query
  return {
    place,
    isFixed: true,
    text: (given, input, operation) => {
      const { issues, value } = encode(given)
      if (issues !== undefined) {
        const why = printable((issues[0]?.message ?? "it does not say").slice(0, 200))
        throw invalidInput(operation, input, `what its Schema accepts (${why})`, given)
      }
      return text(place === "path" ? plain(value, input, operation) : value, input, operation)
    }
  }
}

type Place = NonNullable<Issue["path"]>

const keyOf = (part: Place[number]): string | number => {
  const key = typeof part === "object" ? part.key : part
  return typeof key === "number" ? key : String(key)
}

/** What a Schema expected: its messages can also show the value that was found, which errors do not. */
const expectedIn = ({ message }: Issue): string => {
  const [, type] = /^Expected ([^,]+)(?:, .*)?$/su.exec(message) ?? []
  const expected = type === undefined ? "what its Schema accepts" : printable(type.slice(0, 200))
  return /^(string|number|boolean)$/.test(expected) ? `a ${expected}` : expected
}

/** Decodes a body. Of several places where it is wrong, the deepest is reported: of a union, that of the nearest alternative. */
const replyBy =
  (decode: Validate): Declaration["decode"] =>
  (body, rejection) => {
    const { issues, value } = decode(body)
    if (issues === undefined) {
      return value
    }
    // Not `map`, which returns an array of the path's own class.
    const places = issues.map((issue) => ({ path: Array.from(issue.path ?? [], keyOf), expected: expectedIn(issue) }))
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

/** A declaration without mistakes. */
interface Valid extends Pick<Declaration, "name" | "method" | "path"> {
  readonly inputs?: Readonly<Record<string, Schema.Struct.Fields[string]>>
  readonly reply?: Schema.Schema.AnyNoContext
  readonly token?: boolean
  readonly cacheable?: boolean
  readonly most: number
  readonly usual?: number
}

/** Validates a declaration, and makes what the interpreter takes. Throws a `TypeError` that says what is wrong. */
export const declared = (where: "Operation.make" | "Operation.paged", declaration: object): Declaration => {
  const isPaged = where === "Operation.paged"
  const given: Given = (isOptionsObject(declaration) ? declaration : undefined) ?? {}
  for (const check of checks) {
    const wrong = check(given, isPaged)
    if (wrong !== undefined) {
      const name = typeof given["name"] === "string" ? ` ${show(given["name"])}` : ""
      throw new TypeError(`${where}${name}: ${wrong}`)
    }
  }
  const { cacheable, inputs = {}, method, most, name, path, reply, token, usual } = given as unknown as Valid
  const inPath = namesIn(path)
  const others = method === "GET" || method === "DELETE" ? "query" : "form"
  const all = Object.entries(inputs).map(
    ([name, schema]) => [name, inputOf(inPath.includes(name) ? "path" : others, encoderOf(name, schema))] as const
  )
  return {
    name,
    method,
    path,
    ...((isPaged || all.length > 0) && { inputs: Object.fromEntries(all) }),
    ...(token === true && { token: needsToken }),
    ...(cacheable === true && { cacheable }),
    ...(isPaged && { limit: { most, ...(usual !== undefined && { usual }) } }),
    ...(reply === undefined
      ? { reply }
      : // Policies that share replies tell operations of one name apart by this object.
        { reply: Schema.make<unknown>(anything), decode: replyBy(decoderOf(reply)) })
  }
}
