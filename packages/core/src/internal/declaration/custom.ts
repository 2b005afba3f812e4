/**
 * Turns a custom declaration into one that the interpreter takes.
 */
import { isNamed, show } from "../common/mistakes.js"
import type { Declaration } from "./declaration.js"
import { changes, hasKeyword, needsToken } from "./rules.js"
import { encoder, example, type Fields, isInput, isPage, isSchema, replyOf, wireNamesOf } from "./schemas.js"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

const places = ["segments", "query", "form"] as const

const members = ["name", "method", "path", ...places, "reply", "token", "rule", "cacheable"]

const membersOfPages = ["most", "usual"]

type Given = { readonly [name: string]: unknown }

/** Throws what is wrong with a declaration. */
type Fail = (what: string) => never

const fieldsIn = (given: Given, place: (typeof places)[number], fail: Fail): Fields => {
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

const twice = (names: ReadonlyArray<string>): string | undefined =>
  names.find((name, index) => names.indexOf(name) !== index)

const checkPath = (path: unknown, segments: Fields, fail: Fail): string => {
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
  const missing = inputs.find((name) => !Object.hasOwn(segments, name))
  if (missing !== undefined) {
    return fail(`path has {${missing}}, and segments has no Schema for it: add segments: { ${missing}: ${example} }`)
  }
  const surplus = Object.keys(segments).find((name) => !inputs.includes(name))
  if (surplus !== undefined) {
    return fail(`segments has "${surplus}", and path has no {${surplus}}: inputs of the query belong in query`)
  }
  const repeated = twice(inputs)
  if (repeated !== undefined) {
    return fail(`path has {${repeated}} twice`)
  }
  const wire = wireNamesOf(segments)
  if (!inputs.every((name) => wire.includes(name))) {
    return fail("inputs of the path keep their names: segments cannot rename them with Schema.fromKey")
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
  const [segments, query, form] = [
    fieldsIn(given, "segments", fail),
    fieldsIn(given, "query", fail),
    fieldsIn(given, "form", fail)
  ]
  const path = checkPath(given["path"], segments, fail)
  const fields = { ...segments, ...query, ...form }
  const ofPages = isPaged ? ["limit", "offset"] : []
  const inQuery = wireNamesOf(query)
  const inForm = wireNamesOf(form)
  const repeated =
    twice([...Object.keys(segments), ...Object.keys(query), ...Object.keys(form), ...ofPages]) ??
    twice([...wireNamesOf(segments), ...inQuery, ...inForm, ...ofPages])
  if (repeated !== undefined) {
    return fail(
      ofPages.includes(repeated)
        ? `the input "${repeated}" is declared twice: every operation with pages takes it`
        : `the input "${repeated}" is declared twice`
    )
  }
  if (inForm.length > 0 && (method === "GET" || method === "DELETE")) {
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
  if (rule === "keyword" ? !Object.hasOwn(query, "q") : rule === "changes" && inForm.length === 0) {
    return fail(
      `the rule "${rule}" is about ${rule === "keyword" ? "an input q of the query" : "inputs of a form"}, and there is none`
    )
  }
  const hasInputs = isPaged || Object.keys(fields).length > 0
  const encode = encoder(name, fields)
  return {
    name,
    method,
    path,
    // An operation with inputs takes them as params.
    ...(hasInputs && { query: inQuery, inputs: Object.keys(fields) }),
    ...(inForm.length > 0 && { form: inForm }),
    ...(token === true && { token: needsToken }),
    ...(cacheable === true && { cacheable }),
    ...(isPaged && { limit: { most: most as number, ...(usual !== undefined && { usual: usual as number }) } }),
    ...(rule === "keyword" && { rule: hasKeyword }),
    // Params have the names of the declaration, which can differ from those on the wire.
    ...(rule === "changes" && {
      rule: (operation, params) => changes({ ...operation, form: Object.keys(form) }, params)
    }),
    encode: isPaged ? (params) => ({ ...encode(params), limit: params["limit"], offset: params["offset"] }) : encode,
    ...(reply === undefined ? { reply } : replyOf(name, reply))
  }
}
