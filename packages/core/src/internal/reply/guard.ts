/**
 * Validates a parsed reply by its Schema, in one pass, because `Schema.decodeUnknown` takes many times as long as `JSON.parse`.
 * A guard is composed of closures, once per Schema, for the kinds of Schema that the models use.
 */
import type * as Schema from "effect/Schema"
import { alternativesOf, anythingAst, type Ast, elementOf, isRecord, membersOf, primitiveOf } from "../model/ast.js"
import { foundIn } from "../common/mistakes.js"
import { memoize } from "../common/memoize.js"
import { invalid } from "../declaration/declaration.js"
import { expectedOf, type Guard, GuardState } from "./mismatches.js"

/** The deepest nesting of a reply: walking a deeper one would overflow the stack. */
const maxDepth = 500

const levelBelow = (level: number): number => {
  if (level >= maxDepth) {
    throw new RangeError(`nested more than ${maxDepth} levels deep`)
  }
  return level + 1
}

/** Throws a `RangeError` for a value that is nested too deeply. */
export const checkDepth = (value: unknown, level: number, isLarge = true): void => {
  if (typeof value === "object" && value !== null) {
    const inner = levelBelow(level)
    // `for in` needs no list of the values, but makes a string for each numeric name.
    const members: object = isLarge && !Array.isArray(value) ? Object.values(value) : value
    if (Array.isArray(members)) {
      for (let index = 0; index < members.length; index++) {
        checkDepth(members[index], inner, isLarge)
      }
    } else {
      for (const name in members) {
        checkDepth(members[name as keyof typeof members], inner, isLarge)
      }
    }
  }
}

const acceptAny: Guard = (value, level, state) => {
  checkDepth(value, level, state.isLarge)
  return value
}

/** Records that a wrong part is omitted. Returns `false` if it must not be. */
const tryOmit = (part: unknown, level: number, state: GuardState, countBefore: number): boolean => {
  checkDepth(part, level, state.isLarge)
  return state.recordOmission(countBefore)
}

interface GuardedMember {
  readonly key: string
  readonly type: Ast
  readonly guard: Guard
  readonly isOptional: boolean
  /** The `typeof` of its values, if they are primitive. */
  readonly primitive: string | undefined
}

/** How many members of a record are remembered in their order. No record of the service has more. */
const maxCachedOrder = 64

/** Drops unknown members of a large record first, because `for in` makes a string for each numeric name. */
const dropUnknownMembers = (
  record: Readonly<Record<string, unknown>>,
  members: ReadonlyMap<string, GuardedMember>,
  level: number
): Readonly<Record<string, unknown>> => {
  const values = Object.values(record)
  if (values.length <= members.size) {
    return record
  }
  checkDepth(values, level)
  return Object.fromEntries(
    [...members.keys()].filter((key) => Object.hasOwn(record, key)).map((key) => [key, record[key]])
  )
}

/** `JSON.parse` turns a number that is too large into `Infinity`. */
const isNotInfinite = (value: unknown): boolean => typeof value !== "number" || Number.isFinite(value)

const guardedMember = (key: string, type: Ast, isOptional: boolean): GuardedMember => ({
  key,
  type,
  guard: compile(type),
  isOptional,
  primitive: primitiveOf(onlyOf(type))
})

const ofRecord = (ast: Ast): Guard => {
  const members = new Map(
    [...membersOf(ast)].map(([key, { type, isOptional }]) => [key, guardedMember(key, type, isOptional)])
  )
  const required = [...members.values()].filter(({ isOptional }) => !isOptional)
  // The members of the previous record. The next record usually has the same order, which saves the lookup.
  const lastOrder: Array<GuardedMember> = []
  return (reply, level, state) => {
    if (typeof reply !== "object" || reply === null || Array.isArray(reply)) {
      return state.reject(ast, reply, level)
    }
    const inner = levelBelow(level)
    const record = reply as Record<string, unknown>
    const given = state.isLarge ? dropUnknownMembers(record, members, level) : record
    const { path } = state
    for (const member of required) {
      if (given[member.key] === undefined) {
        path[level] = member
        return state.reject(member.type, undefined, inner)
      }
    }
    let position = 0
    // Loops over the members present, because most of the possible ones are missing.
    for (const key in given) {
      let member = lastOrder[position]
      if (member?.key !== key) {
        member = members.get(key) ?? guardedMember(key, anythingAst, false)
        if (position < maxCachedOrder) {
          lastOrder[position] = member
        }
      }
      position++
      const value = given[key]
      const kind = typeof value
      // Most values need no call of the guard.
      if ((kind === member.primitive && isNotInfinite(value)) || (kind !== "object" && member.guard === acceptAny)) {
        continue
      }
      let read: unknown = invalid
      if (value !== null || !member.isOptional) {
        const { omittedCount } = state
        path[level] = member
        read = member.guard(value, inner, state)
        if (read === value) {
          continue
        }
        if (read === invalid && !(member.isOptional && tryOmit(value, inner, state, omittedCount))) {
          return invalid
        }
      }
      // The value is changed in place: it was parsed for this guard, and nothing else has it.
      if (read === invalid) {
        delete record[key]
      } else {
        record[key] = read
      }
    }
    return reply
  }
}

const ofArray = (ast: Ast, type: Ast): Guard => {
  const guard = compile(type)
  return (value, level, state) => {
    if (!Array.isArray(value)) {
      return state.reject(ast, value, level)
    }
    const inner = levelBelow(level)
    let copy: Array<unknown> | undefined
    for (let index = 0; index < value.length; index++) {
      const element: unknown = value[index]
      const { omittedCount } = state
      state.path[level] = index
      const read = guard(element, inner, state)
      if (read === invalid && !(state.canOmitElement(inner) && tryOmit(element, inner, state, omittedCount))) {
        return invalid
      }
      if (read !== element) {
        copy ??= value.slice(0, index)
      }
      if (read !== invalid) {
        copy?.push(read)
      }
    }
    return copy ?? value
  }
}

/** In no model do two types of a union have the same kind: string, object or array. */
const ofUnion = (ast: Ast, types: ReadonlyArray<Ast>): Guard => {
  const guards = new Map(types.map((type) => [expectedOf(type), compile(type)]))
  return (value, level, state) => {
    const guard = guards.get(foundIn(value))
    return guard === undefined ? state.reject(ast, value, level) : guard(value, level, state)
  }
}

/** Unwraps a union of one type: an open set of words is a string. */
const onlyOf = (ast: Ast): Ast => {
  const [only, ...others] = alternativesOf(ast) ?? []
  return only !== undefined && others.length === 0 ? only : ast
}

const ofPrimitive =
  (ast: Ast, primitive: string): Guard =>
  (value, level, state) =>
    typeof value === primitive && isNotInfinite(value) ? value : state.reject(ast, value, level)

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
  if (ast === anythingAst) {
    return acceptAny
  }
  throw new Error(`A guard cannot be made from ${ast._tag}: ${String(ast)}`)
}

const compile = /*#__PURE__*/ memoize(build)

/**
 * Returns a value without the omitted parts, or `invalid` if a required part is wrong. Throws a `RangeError` if it is nested
 * too deeply. The models have no transformations, so encoded and decoded values have the same AST.
 */
export const readReply = <A, I>(schema: Schema.Schema<A, I>, value: unknown, state = new GuardState()): unknown =>
  compile(schema.ast)(value, 0, state)
