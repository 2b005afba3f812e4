/**
 * Turns a custom declaration into one that the interpreter takes.
 */
import { isNamed, show } from "../common/mistakes.js"
import type { Declaration } from "./declaration.js"
import { type Input, plain, query, segment } from "./inputs.js"
import { changes, hasKeyword, needsToken } from "./rules.js"
import { encoderOf, example, type Fields, isInput, isPage, isSchema, replyOf } from "./schemas.js"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

const places = { segments: "path", query: "query", form: "form" } as const

const members = ["name", "method", "path", ...Object.keys(places), "reply", "token", "rule", "cacheable"]

const membersOfPages = ["most", "usual"]

type Given = { readonly [name: string]: unknown }

/** Throws what is wrong with a declaration. */
type Fail = (what: string) => never

const fieldsIn = (given: Given, place: keyof typeof places, fail: Fail): Fields => {
  const fields = given[place] ?? {}
  if (!isNamed(fields) || isSchema(fields)) {
    return fail(`${place} must be an object of Schemas, for example { id: ${example} }`)
  }
  for (const [name, field] of Object.entries(fields)) {
    if (!isInput(field)) {
      return fail(`the input "${name}" in ${place} must be a Schema, but it is ${show(field)}`)
    }
  }
  return fields as Fields
}

/** Encodes a value by its Schema, then like an input of the client. */
const inputOf = (
  operation: string,
  name: string,
  schema: Fields[string],
  place: Input["place"]
): Input & { readonly wire: string } => {
  const { encode, wire } = encoderOf(operation, name, schema)
  return {
    place,
    wire,
    isFixed: true,
    text: (value, ...names) =>
      place === "path" ? segment.text(plain(encode(value), ...names), ...names) : query.text(encode(value), ...names)
  }
}

const twice = (names: ReadonlyArray<string>): string | undefined =>
  names.find((name, index) => names.indexOf(name) !== index)

const checkPath = (path: unknown, segments: ReadonlyArray<string>, fail: Fail): string => {
  if (typeof path !== "string" || !path.startsWith("/")) {
    return fail(
      `path must begin with a slash, and is appended to the base URL, for example "/studio/{id}", but it is ${show(path)}`
    )
  }
  const inputs = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name)
  const [, ...parts] = path.replace(/\{\w+\}/g, "x").split("/")
  // A URL normalizes dots away, and an empty segment is a mistake except at the end.
  if (
    !parts.every(
      (part, index) => /^(?!\.{1,2}$)[\w.~!$'()*+,;:@-]*$/.test(part) && (part || index === parts.length - 1)
    )
  ) {
    return fail(
      `path ${show(path)} must contain only plain segments and inputs like {id}: put what follows a "?" into query, and a string to encode into segments`
    )
  }
  const missing = inputs.find((name) => !segments.includes(name))
  if (missing !== undefined) {
    return fail(`path has {${missing}}, and segments has no Schema for it: add segments: { ${missing}: ${example} }`)
  }
  const surplus = segments.find((name) => !inputs.includes(name))
  if (surplus !== undefined) {
    return fail(`segments has "${surplus}", and path has no {${surplus}}: inputs of the query belong in query`)
  }
  const repeated = twice(inputs)
  if (repeated !== undefined) {
    return fail(`path has {${repeated}} twice`)
  }
  return path
}

/** Validates a declaration, and makes what the interpreter takes. Throws a `TypeError` that says what is wrong. */
export const declared = (where: "Operation.make" | "Operation.paged", declaration: object): Declaration => {
  const isPaged = where === "Operation.paged"
  const given = declaration as Given
  const name = isNamed(given) ? given?.["name"] : undefined
  const fail: Fail = (what) => {
    throw new TypeError(`${where}${typeof name === "string" ? ` ${show(name)}` : ""}: ${what}`)
  }
  if (typeof name !== "string" || !/^[A-Za-z][\w.-]*$/.test(name)) {
    return fail(
      `name must be a string of letters, digits, ".", "-" and "_", for example "studio.get", but it is ${show(name)}`
    )
  }
  if (/^(catalog|OAuth)\./.test(name)) {
    return fail(
      'names that begin with "catalog." or "OAuth." are reserved for the client: choose another, for example "studio.get"'
    )
  }
  const known = isPaged ? [...members, ...membersOfPages] : members
  const unknown = Object.keys(given).find((member) => !known.includes(member))
  if (unknown !== undefined) {
    const hint = membersOfPages.includes(unknown) ? "use Operation.paged for pages" : `it takes ${known.join(", ")}`
    return fail(`unknown member "${unknown}": ${hint}`)
  }
  const method = methods.find((method) => method === given["method"])
  if (method === undefined) {
    return fail(`method must be one of ${methods.join(", ")}, but it is ${show(given["method"])}`)
  }
  const inputs = Object.entries(places).flatMap(([member, place]) =>
    Object.entries(fieldsIn(given, member as keyof typeof places, fail)).map(
      ([input, schema]) => [input, inputOf(name, input, schema, place)] as const
    )
  )
  const namesIn = (place: Input["place"]) => inputs.filter(([, input]) => input.place === place).map(([name]) => name)
  const path = checkPath(given["path"], namesIn("path"), fail)
  if (inputs.some(([name, { place, wire }]) => place === "path" && name !== wire)) {
    return fail("inputs of the path keep their names: segments cannot rename them with Schema.fromKey")
  }
  const ofPages = isPaged ? ["limit", "offset"] : []
  const repeated =
    twice([...inputs.map(([name]) => name), ...ofPages]) ?? twice([...inputs.map(([, { wire }]) => wire), ...ofPages])
  if (repeated !== undefined) {
    return fail(
      ofPages.includes(repeated)
        ? `the input "${repeated}" is declared twice: every operation with pages takes it`
        : `the input "${repeated}" is declared twice`
    )
  }
  if (namesIn("form").length > 0 && (method === "GET" || method === "DELETE")) {
    return fail(`form is for POST, PUT and PATCH, and ${method} sends none: put these inputs into query`)
  }
  for (const flag of ["token", "cacheable"]) {
    if (typeof (given[flag] ?? false) !== "boolean") {
      return fail(`${flag} must be true or false, but it is ${show(given[flag])}`)
    }
  }
  const { cacheable, most, reply, rule, token, usual } = given
  if (cacheable === true && method !== "GET") {
    return fail(`cacheable is for GET, and the method is ${method}`)
  }
  if (reply !== undefined && !isSchema(reply)) {
    return fail(`reply must be a Schema, or absent if there is no reply, but it is ${show(reply)}`)
  }
  if (isPaged) {
    if (reply === undefined || !isPage(reply)) {
      return fail(
        "reply must be the Schema of a page with data and paging: Operation.page makes it from the Schema of an entry"
      )
    }
    for (const [name, value] of [
      ["most", most],
      ["usual", usual ?? most]
    ] as const) {
      if (!Number.isSafeInteger(value) || (value as number) < 1) {
        return fail(`${name} must be a whole number of entries, 1 or more, but it is ${show(value)}`)
      }
    }
  }
  if (rule !== undefined && rule !== "keyword" && rule !== "changes") {
    return fail(`rule must be "keyword" or "changes", but it is ${show(rule)}`)
  }
  if (rule === "keyword" ? !namesIn("query").includes("q") : rule === "changes" && namesIn("form").length === 0) {
    return fail(
      `the rule "${rule}" is about ${rule === "keyword" ? "an input q of the query" : "inputs of a form"}, and there is none`
    )
  }
  return {
    name,
    method,
    path,
    ...((isPaged || inputs.length > 0) && { inputs: Object.fromEntries(inputs) }),
    ...(token === true && { token: needsToken }),
    ...(cacheable === true && { cacheable }),
    ...(isPaged && { limit: { most: most as number, ...(usual !== undefined && { usual: usual as number }) } }),
    ...(rule !== undefined && { rule: rule === "keyword" ? hasKeyword : changes }),
    ...(reply === undefined ? { reply } : replyOf(name, reply))
  }
}
