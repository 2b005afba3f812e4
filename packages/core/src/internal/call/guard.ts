/**
 * Validates a parsed reply by its Schema, in one pass: a reply that matches is returned itself, not a copy.
 *
 * `Schema.decodeUnknown` would work, but costs about ten times as much as `JSON.parse`. A guard is composed of closures,
 * once per Schema. It supports only the kinds of Schema that the models use; any other is an error when the guard is made.
 */
import type * as Schema from "effect/Schema"
import { alternativesOf, anything, type Ast, elementOf, isRecord, membersOf, primitiveOf } from "../../model/ast.js"
import { memoize } from "../common/memoize.js"
import { invalid } from "../operation/declaration.js"
import { Reading } from "./mismatches.js"

export { invalid }

/**
 * Returns the value; a copy of it, if parts are left out; or `invalid`, which the reading explains. Left out are optional
 * members that are null, and what does not match as far as the reading allows.
 */
export type Guard = (value: unknown, level: number, reading: Reading) => unknown

/** The deepest nesting of a reply: a recursive walk of a deeper one would overflow the stack. */
const deepest = 500

/** The level of a value's members. */
const within = (level: number): number => {
  if (level >= deepest) {
    throw new RangeError(`nested more than ${deepest} levels deep`)
  }
  return level + 1
}

/** Walks values without a Schema, only to check their depth. Throws a `RangeError` for one that is nested too deeply. */
export const checkDepth = (value: unknown, level: number): void => {
  if (typeof value === "object" && value !== null) {
    const inner = within(level)
    if (Array.isArray(value)) {
      // By index: `for in` would give an array's keys as strings.
      for (let index = 0; index < value.length; index++) {
        checkDepth(value[index], inner)
      }
    } else {
      for (const key in value) {
        checkDepth((value as Readonly<Record<string, unknown>>)[key], inner)
      }
    }
  }
}

const isAnything: Guard = (value, level, reading) => {
  if (!reading.isVast) {
    checkDepth(value, level)
  }
  return value
}

/** Leaves a rejected part out. It must not be nested too deeply either. */
const isLeftOut = (part: unknown, level: number, reading: Reading, mark: number): boolean => {
  isAnything(part, level, reading)
  return reading.omit(mark)
}

interface Member {
  readonly key: string
  readonly type: Ast
  readonly guard: Guard
  readonly isOptional: boolean
  /** The `typeof` of its values, if checking that is enough: faster than calling the guard. Not for numbers: `Infinity` is one. */
  readonly primitive: string | undefined
}

const unknownMember = (key: string): Member => ({
  key,
  type: anything,
  guard: isAnything,
  isOptional: false,
  primitive: undefined
})

const other = /*#__PURE__*/ unknownMember("")

/** The most members that are remembered of a record, since a reply can have any number. */
const most = 64

/** A record with more members is changed in place: a copy would cost more than parsing it. */
const widest = 1_000

/** Characters of a reply whose names are not enumerated if some look like numbers, since `for in` makes strings of them. */
const vast = 2 * 1024 * 1024

/** Whether a name may be a number. */
const hasNumericName = (json: string): boolean => /\d"[\s:]/.test(json)

/** Checks the depth of JSON without its values. */
const checkDepthOf = (json: string): void => {
  const bytes = new TextEncoder().encode(json)
  let level = 0
  let isString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === 0x22) {
      isString = !isString
    } else if (byte === 0x5c) {
      // Only a string holds a backslash, which escapes the next character.
      at++
    } else if (!isString) {
      // Brackets and braces differ in one bit.
      const kind = byte | 0x20
      level = kind === 0x7b ? within(level) : kind === 0x7d ? level - 1 : level
    }
  }
}

/** Some members of a record. */
const select = (record: Readonly<Record<string, unknown>>, keys: Iterable<string>): Record<string, unknown> => {
  const selected: Record<string, unknown> = {}
  for (const key of keys) {
    const value = record[key]
    if (value !== undefined) {
      selected[key] = value
    }
  }
  return selected
}

/** A record with other values for some members, without those that are `invalid`. */
const changed = (
  record: Readonly<Record<string, unknown>>,
  changes: ReadonlyMap<string, unknown>,
  isWide: boolean
): unknown => {
  // In a copy, assigning `__proto__` would set the prototype.
  const isCopied = !isWide && !Object.hasOwn(record, "__proto__")
  const result: Record<string, unknown> = isCopied ? {} : record
  if (isCopied) {
    for (const key in record) {
      const value = changes.get(key) ?? record[key]
      if (value !== invalid) {
        result[key] = value
      }
    }
  } else {
    for (const [key, value] of changes) {
      if (value === invalid) {
        delete result[key]
      } else {
        result[key] = value
      }
    }
  }
  return result
}

const startsWithDigit = (key: string): boolean => key < ":" && key >= "0"

const ofRecord = (ast: Ast): Guard => {
  const members = new Map(
    [...membersOf(ast)].map(([key, { type, isOptional }]): [string, Member] => {
      const kind = primitiveOf(onlyOf(type))
      return [key, { key, type, guard: compile(type), isOptional, primitive: kind === "number" ? undefined : kind }]
    })
  )
  const required = [...members.values()].filter(({ isOptional }) => !isOptional)
  const hasNumeric = [...members.keys()].some(startsWithDigit)
  // The members of the previous record. The next one mostly has the same ones in the same order, which saves the lookup.
  const before: Array<Member> = []
  const memberAt = (position: number, key: string): Member => {
    // A key that is an index has a new string each time, which a lookup would have to hash.
    const known = hasNumeric || !startsWithDigit(key) ? members.get(key) : undefined
    if (position >= most) {
      return known ?? other
    }
    return (before[position] = known ?? unknownMember(key))
  }
  return (value, level, reading) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return reading.reject(ast, value, level)
    }
    const inner = within(level)
    const record = value as Record<string, unknown>
    const isSelected = reading.isVast && Object.keys(record).length > widest
    const given = isSelected ? select(record, members.keys()) : record
    const { path } = reading
    for (let index = 0; index < required.length; index++) {
      const member = required[index] ?? other
      if (given[member.key] === undefined) {
        path[level] = member
        return reading.reject(member.type, undefined, inner)
      }
    }
    let changes: Map<string, unknown> | undefined
    let position = 0
    // Loops over the members present, since most of the possible ones are missing.
    for (const key in given) {
      let member = before[position]
      if (member?.key !== key) {
        member = memberAt(position, key)
      }
      position++
      const value = given[key]
      const kind = typeof value
      if (kind === member.primitive || (kind !== "object" && member.guard === isAnything)) {
        continue
      }
      let read: unknown = invalid
      if (value !== null || !member.isOptional) {
        const { mark } = reading
        path[level] = member
        read = member.guard(value, inner, reading)
        if (read === value) {
          continue
        }
        if (read === invalid && !(member.isOptional && isLeftOut(value, inner, reading, mark))) {
          return invalid
        }
        if (read !== invalid && !reading.isShared) {
          record[key] = read
          continue
        }
      }
      ;(changes ??= new Map()).set(key, read)
    }
    return changes === undefined ? value : changed(record, changes, isSelected || position > widest)
  }
}

const ofArray = (ast: Ast, type: Ast): Guard => {
  const guard = compile(type)
  return (value, level, reading) => {
    if (!Array.isArray(value)) {
      return reading.reject(ast, value, level)
    }
    const inner = within(level)
    let copy: Array<unknown> | undefined
    for (let index = 0; index < value.length; index++) {
      const element: unknown = value[index]
      const { mark } = reading
      reading.path[level] = index
      const read = guard(element, inner, reading)
      if (read === invalid && !(reading.canOmitElement(inner) && isLeftOut(element, inner, reading, mark))) {
        return invalid
      }
      if (read !== element && copy === undefined) {
        if (read !== invalid && !reading.isShared) {
          value[index] = read
        } else {
          copy = value.slice(0, index)
        }
      }
      if (read !== invalid) {
        copy?.push(read)
      }
    }
    return copy ?? value
  }
}

const kinds = ["string", "number", "boolean", "null", "object", "array"]

/** One of the kinds. */
const kindOf = (value: unknown): string => (Array.isArray(value) ? "array" : value === null ? "null" : typeof value)

/** The kind of the values of a type; `undefined`: any. */
const kindIn = (ast: Ast): string | undefined =>
  primitiveOf(ast) ?? (elementOf(ast) ? "array" : isRecord(ast) ? "object" : undefined)

const ofUnion = (ast: Ast, types: ReadonlyArray<Ast>): Guard => {
  const guards = new Map(
    kinds.map((kind) => [kind, types.filter((type) => (kindIn(type) ?? kind) === kind).map(compile)])
  )
  return (value, level, reading) => {
    const able = guards.get(kindOf(value)) ?? []
    const [only] = able
    return only === undefined
      ? reading.reject(ast, value, level)
      : able.length === 1
        ? only(value, level, reading)
        : reading.readFirst(able, value, level)
  }
}

/** The only type of a union that has one: an open set of words is a string. */
const onlyOf = (ast: Ast): Ast => {
  const [only, ...others] = alternativesOf(ast) ?? []
  return only !== undefined && others.length === 0 ? only : ast
}

const ofPrimitive =
  (ast: Ast, primitive: string): Guard =>
  (value, level, reading) =>
    // `JSON.parse` turns a number that is too large into `Infinity`.
    (primitive === "number" ? Number.isFinite(value) : typeof value === primitive)
      ? value
      : reading.reject(ast, value, level)

const build = (given: Ast): Guard => {
  const ast = onlyOf(given)
  const primitive = primitiveOf(ast)
  if (primitive !== undefined) {
    return ofPrimitive(ast, primitive)
  }
  const element = elementOf(ast)
  if (element !== undefined) {
    return ofArray(ast, element)
  }
  const alternatives = alternativesOf(ast)
  if (alternatives !== undefined) {
    return ofUnion(ast, alternatives)
  }
  if (isRecord(ast)) {
    return ofRecord(ast)
  }
  if (ast === anything) {
    return isAnything
  }
  throw new Error(`A guard cannot be made from ${ast._tag}: ${String(ast)}`)
}

const compile = /*#__PURE__*/ memoize(build)

/**
 * Validates a value by a Schema, in one pass. Returns it, without what the reading leaves out, or `invalid`. Throws a
 * `RangeError` for one that is nested too deeply.
 *
 * The models have no transformations, so their AST is that of their values.
 */
export const check = <A, I>(
  schema: Schema.Schema<A, I>,
  value: unknown,
  reading: Reading = new Reading(),
  json = ""
): unknown => {
  reading.isVast = json.length > vast && hasNumericName(json)
  if (reading.isVast) {
    checkDepthOf(json)
  }
  return compile(schema.ast)(value, 0, reading)
}
