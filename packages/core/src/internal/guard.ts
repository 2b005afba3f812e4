/**
 * Judges a parsed reply by its Schema, in one walk and without a copy: the value that comes back is the one that went in.
 *
 * `Schema.decodeUnknown` would do, at about ten times the cost of `JSON.parse`. A guard is composed of closures, once per
 * Schema; it understands what the models are made of and refuses to be made from anything else.
 */
import * as AST from "effect/SchemaAST"
import type * as Schema from "effect/Schema"

/** Where a fault is, from the inside out while a guard returns. */
export type Path = Array<string | number>

/** What a guard returns for a value that is not of its Schema. */
export const invalid: unique symbol = Symbol("invalid")

/**
 * Gives the value back, or `invalid` with the way to the fault in `path`. Where an optional member was null, the object
 * that held it is replaced by a copy without the key.
 */
export type Guard = (value: unknown, path: Path) => unknown

const without = (record: Readonly<Record<string, unknown>>, key: string): Record<string, unknown> => {
  const { [key]: _, ...rest } = record
  return rest
}

const ofStruct = (ast: AST.TypeLiteral): Guard => {
  if (ast.indexSignatures.length > 0) {
    throw new Error(`A guard cannot be made from an index signature: ${String(ast)}`)
  }
  const members = ast.propertySignatures.map((member) => ({
    key: String(member.name),
    isOptional: member.isOptional,
    guard: compile(member.type)
  }))
  return (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return invalid
    }
    let record = value as Record<string, unknown>
    for (const { key, isOptional, guard } of members) {
      const member = record[key]
      if (member === undefined && isOptional) {
        continue
      }
      if (member === null && isOptional) {
        record = without(record, key)
        continue
      }
      const guarded = guard(member, path)
      if (guarded === invalid) {
        path.push(key)
        return invalid
      }
      if (guarded !== member) {
        record[key] = guarded
      }
    }
    return record
  }
}

const ofArray = (ast: AST.TupleType): Guard => {
  const [rest, ...more] = ast.rest
  if (rest === undefined || more.length > 0 || ast.elements.length > 0) {
    throw new Error(`A guard cannot be made from a tuple: ${String(ast)}`)
  }
  const guard = compile(rest.type)
  return (value, path) => {
    if (!Array.isArray(value)) {
      return invalid
    }
    for (let index = 0; index < value.length; index++) {
      const element: unknown = value[index]
      const guarded = guard(element, path)
      if (guarded === invalid) {
        path.push(index)
        return invalid
      }
      if (guarded !== element) {
        value[index] = guarded
      }
    }
    return value
  }
}

const ofUnion = (ast: AST.Union): Guard => {
  // In an open set the literals say nothing that the string does not.
  const types = ast.types.some(AST.isStringKeyword)
    ? ast.types.filter((type) => !(AST.isLiteral(type) && typeof type.literal === "string"))
    : ast.types
  const guards = types.map(compile)
  const [first, ...others] = guards
  if (first !== undefined && others.length === 0) {
    return first
  }
  return (value, path) => {
    // Where none fits, the one that came furthest was meant.
    let furthest: Path = []
    for (const guard of guards) {
      const way: Path = []
      const guarded = guard(value, way)
      if (guarded !== invalid) {
        return guarded
      }
      furthest = way.length > furthest.length ? way : furthest
    }
    path.push(...furthest)
    return invalid
  }
}

const ofSuspend = (ast: AST.Suspend): Guard => {
  let guard: Guard | undefined
  return (value, path) => (guard ??= compile(ast.f()))(value, path)
}

const isString: Guard = (value) => (typeof value === "string" ? value : invalid)
const isNumber: Guard = (value) => (typeof value === "number" ? value : invalid)
const isBoolean: Guard = (value) => (typeof value === "boolean" ? value : invalid)
const isAnything: Guard = (value) => value

const build = (ast: AST.AST): Guard => {
  switch (ast._tag) {
    case "TypeLiteral":
      return ofStruct(ast)
    case "TupleType":
      return ofArray(ast)
    case "Union":
      return ofUnion(ast)
    case "Suspend":
      return ofSuspend(ast)
    case "Literal":
      return (value) => (value === ast.literal ? value : invalid)
    case "StringKeyword":
      return isString
    case "NumberKeyword":
      return isNumber
    case "BooleanKeyword":
      return isBoolean
    case "UnknownKeyword":
      return isAnything
    default:
      throw new Error(`A guard cannot be made from ${ast._tag}: ${String(ast)}`)
  }
}

const guards = new WeakMap<AST.AST, Guard>()

const compile = (ast: AST.AST): Guard => {
  let guard = guards.get(ast)
  if (guard === undefined) {
    guard = build(ast)
    guards.set(ast, guard)
  }
  return guard
}

/** The guard of a Schema's values; made once. The models have no transformations, so their AST is that of their values. */
export const make = <A, I>(schema: Schema.Schema<A, I>): Guard => compile(schema.ast)
