/**
 * Validates a parsed reply by its Schema, in one pass and without a copy: the returned value is the input itself.
 *
 * `Schema.decodeUnknown` would work, but costs about ten times as much as `JSON.parse`. A guard is composed of closures,
 * once per Schema. It supports only the kinds of Schema that the models use; any other is an error when the guard is made.
 */
import type * as Schema from "effect/Schema"
import { alternativesOf, anything, type Ast, elementOf, isRecord, membersOf, primitiveOf } from "../../model/ast.js"
import { memoize } from "../common/memoize.js"
import { invalid } from "../operation/declaration.js"

export { invalid }

/**
 * Returns the value, or `invalid`; `mismatches.ts` finds out why. If an optional member is null, its object is replaced by a
 * copy without the key.
 */
export type Guard = (value: unknown, level: number) => unknown

/** The deepest nesting of a reply: a recursive walk of a deeper one would overflow the stack. */
export const deepest = 500

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

const without = (record: Readonly<Record<string, unknown>>, key: string): Record<string, unknown> => {
  const { [key]: _, ...rest } = record
  return rest
}

const isString: Guard = (value) => (typeof value === "string" ? value : invalid)
/** `JSON.parse` turns a number that is too large into `Infinity`. */
const isNumber: Guard = (value) => (Number.isFinite(value) ? value : invalid)
const isBoolean: Guard = (value) => (typeof value === "boolean" ? value : invalid)

const isAnything: Guard = (value, level) => {
  checkDepth(value, level)
  return value
}

interface Member {
  readonly key: string
  readonly guard: Guard
  readonly isOptional: boolean
  /** The `typeof` of its values, if checking that is enough. */
  readonly primitive: string | undefined
}

/** The most members that are remembered of a record, since a reply can have any number. */
const most = 64

const simple = { string: isString, number: isNumber, boolean: isBoolean }

/**
 * The `typeof` of the values that a guard accepts: faster than calling the guard. Not for numbers, since `Infinity` is one.
 */
const primitives = new Map<Guard, string>([
  [isString, "string"],
  [isBoolean, "boolean"]
])

const ofRecord = (ast: Ast): Guard => {
  const members = new Map(
    [...membersOf(ast)].map(([key, { type, isOptional }]): [string, Member] => {
      const guard = compile(type)
      return [key, { key, guard, isOptional, primitive: primitives.get(guard) }]
    })
  )
  const required = [...members.values()].flatMap(({ key, isOptional }) => (isOptional ? [] : [key]))
  // The members of the previous record. The next one mostly has the same ones in the same order, which saves the lookup.
  const before: Array<Member> = []
  return (value, level) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return invalid
    }
    const inner = within(level)
    const given = value as Readonly<Record<string, unknown>>
    let record = value as Record<string, unknown>
    for (let index = 0; index < required.length; index++) {
      if (given[required[index] ?? ""] === undefined) {
        return invalid
      }
    }
    let position = 0
    // Loops over the members present, since most of the possible ones are missing.
    for (const key in given) {
      let member = before[position]
      if (member?.key !== key) {
        member = members.get(key) ?? { key, guard: isAnything, isOptional: false, primitive: undefined }
        if (position < most) {
          before[position] = member
        }
      }
      position++
      const value = given[key]
      const kind = typeof value
      if (kind === member.primitive || (kind !== "object" && member.guard === isAnything)) {
        continue
      }
      if (value === null && member.isOptional) {
        record = without(record, key)
        continue
      }
      const guarded = member.guard(value, inner)
      if (guarded === invalid) {
        return invalid
      }
      if (guarded !== value) {
        record[key] = guarded
      }
    }
    return record
  }
}

const ofArray = (element: Ast): Guard => {
  const guard = compile(element)
  return (value, level) => {
    if (!Array.isArray(value)) {
      return invalid
    }
    const inner = within(level)
    for (let index = 0; index < value.length; index++) {
      const element: unknown = value[index]
      const guarded = guard(element, inner)
      if (guarded === invalid) {
        return invalid
      }
      if (guarded !== element) {
        value[index] = guarded
      }
    }
    return value
  }
}

const ofUnion = (types: ReadonlyArray<Ast>): Guard => {
  const guards = types.map(compile)
  const [first, ...others] = guards
  if (first !== undefined && others.length === 0) {
    return first
  }
  return (value, level) => {
    for (const guard of guards) {
      const guarded = guard(value, level)
      if (guarded !== invalid) {
        return guarded
      }
    }
    return invalid
  }
}

const build = (ast: Ast): Guard => {
  const primitive = primitiveOf(ast)
  if (primitive !== undefined) {
    return simple[primitive]
  }
  const element = elementOf(ast)
  if (element !== undefined) {
    return ofArray(element)
  }
  const alternatives = alternativesOf(ast)
  if (alternatives !== undefined) {
    return ofUnion(alternatives)
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

/** Validates a value by the AST of a Schema, whose guard is made once. */
export const checkAst = (ast: Ast, value: unknown): unknown => compile(ast)(value, 0)

/**
 * Validates a value by a Schema. Throws a `RangeError` for one that is nested too deeply.
 *
 * The models have no transformations, so their AST is that of their values.
 */
export const check = <A, I>(schema: Schema.Schema<A, I>, value: unknown): unknown => checkAst(schema.ast, value)
