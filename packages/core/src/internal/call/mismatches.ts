/**
 * Finds where a reply does not match its Schema. This runs only for a reply that the guard has rejected, so it may take its
 * time: it knows paths, and makes copies without the optional members of a wrong type.
 */
import type * as Schema from "effect/Schema"
import { alternativesOf, type Ast, elementOf, isRecord, membersOf, primitiveOf } from "../../model/ast.js"
import { memoize } from "../common/memoize.js"
import type { Mismatch } from "../telemetry/mismatches.js"
import * as Guard from "./guard.js"

type Path = ReadonlyArray<string | number>

const expectedOf = (ast: Ast): string =>
  alternativesOf(ast)?.map(expectedOf).join(" or ") ??
  (elementOf(ast) ? "an array" : isRecord(ast) ? "an object" : primitiveOf(ast) ? `a ${primitiveOf(ast)}` : String(ast))

/** The type of a value, never the value. */
const foundIn = (value: unknown): string => {
  switch (typeof value) {
    case "undefined":
      return "nothing"
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "an array" : "an object"
    case "number":
      return Number.isFinite(value) ? "a number" : "a number that is too large"
    default:
      return `a ${typeof value}`
  }
}

/** Why a value is not of its type. */
export class Rejected {
  readonly expected: string
  readonly found: string

  constructor(
    readonly path: Path,
    ast: Ast,
    value: unknown
  ) {
    this.expected = expectedOf(ast)
    this.found = foundIn(value)
  }
}

interface Search {
  /** Whether what stands at a path may be left out. */
  readonly omits: (path: Path) => boolean
  /** What was left out so far. */
  readonly omitted: Array<Rejected>
}

/** Reads a value: gives the value, a copy of it where something is left out, or why it is rejected. */
type Read = (search: Search, ast: Ast, value: unknown, path: Path, isInOptional: boolean) => unknown

const read: Read = (search, ast, value, path, isInOptional) => {
  const guarded = Guard.checkAst(ast, value)
  if (guarded !== Guard.invalid) {
    return guarded
  }
  const { omitted } = search
  const before = omitted.length
  const element = elementOf(ast)
  const mended =
    element !== undefined && Array.isArray(value)
      ? readArray(search, element, value, path, isInOptional)
      : isRecord(ast) && foundIn(value) === "an object"
        ? readRecord(search, ast, value, path, isInOptional)
        : readAlternatives(search, ast, value, path, isInOptional)
  if (mended instanceof Rejected) {
    // What was left out within it does not count.
    omitted.length = before
  }
  return mended
}

const membersIn = /*#__PURE__*/ memoize(membersOf)

const readRecord: Read = (search, ast, value, path, isInOptional) => {
  const copy = { ...(value as Record<string, unknown>) }
  for (const [key, { isOptional, type }] of membersIn(ast)) {
    const given = Object.hasOwn(copy, key) ? copy[key] : undefined
    const isAbsent = isOptional && (given === undefined || given === null)
    const member = isAbsent ? undefined : read(search, type, given, [...path, key], isInOptional || isOptional)
    if (member instanceof Rejected) {
      if (!isOptional || !search.omits([...path, key])) {
        return member
      }
      search.omitted.push(member)
    }
    if (isAbsent || member instanceof Rejected) {
      delete copy[key]
    } else {
      copy[key] = member
    }
  }
  return copy
}

const readArray: Read = (search, type, value, path, isInOptional) => {
  const copy: Array<unknown> = []
  for (const [index, given] of (value as ReadonlyArray<unknown>).entries()) {
    const place = [...path, index]
    const element = read(search, type, given, place, isInOptional)
    if (!(element instanceof Rejected)) {
      copy.push(element)
    } else if (search.omits(place) && (isInOptional || element.path.length === place.length)) {
      search.omitted.push(element)
    } else {
      // It is of the right type, but lacks a required member.
      return element
    }
  }
  return copy
}

/** The first alternative that can be read. If there is none, reports the one that got furthest. */
const readAlternatives: Read = (search, ast, value, path, isInOptional) => {
  let furthest = new Rejected(path, ast, value)
  for (const alternative of alternativesOf(ast) ?? []) {
    const given = read(search, alternative, value, path, isInOptional)
    if (!(given instanceof Rejected)) {
      return given
    }
    furthest = given.path.length > furthest.path.length ? given : furthest
  }
  return furthest
}

/** A path as metrics and warnings show it: `data[].node.mean`. */
const patternOf = (path: Path): string =>
  path.reduce<string>((at, key) => (typeof key === "number" ? `${at}[]` : at === "" ? key : `${at}.${key}`), "")

/** One mismatch for each pattern. */
const counted = (omitted: ReadonlyArray<Rejected>): ReadonlyArray<Mismatch> => {
  const byPath = new Map<string, Mismatch>()
  for (const { expected, found, path: at } of omitted) {
    const path = patternOf(at)
    const { count, ...first } = byPath.get(path) ?? { path, expected, found, count: 0 }
    byPath.set(path, { ...first, count: count + 1 })
  }
  return [...byPath.values()]
}

/** What could be read of a reply, and what was left out. */
interface Mended {
  readonly reply: unknown
  readonly mismatches: ReadonlyArray<Mismatch>
}

/**
 * Reads a value without what does not match and may be left out: optional members, elements of a wrong type, and any
 * element within an optional member. Gives the first mismatch if that is not enough. Throws a `RangeError` for a value that
 * is nested too deeply.
 */
export const mended = <A, I>(
  schema: Schema.Schema<A, I>,
  value: unknown,
  omits: (path: Path) => boolean
): Mended | Rejected => {
  Guard.checkDepth(value, 0)
  const search: Search = { omits, omitted: [] }
  const reply = read(search, schema.ast, value, [], false)
  return reply instanceof Rejected ? reply : { reply, mismatches: counted(search.omitted) }
}
