/**
 * Reads the Schemas of the models, and makes Schemas of parts of them: the only module that depends on the AST of Effect's
 * Schema.
 */
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { defaultLeafHook, InvalidType } from "effect/SchemaIssue"

/** A Schema as data. */
export type Ast = AST.AST

/** A member of a record. */
export interface Member {
  readonly name: string
  readonly type: Ast
  readonly isOptional: boolean
}

/** The members of a record by their names; none for anything else. */
export const membersOf = (ast: Ast): ReadonlyMap<string, Member> =>
  new Map(
    AST.isObjects(ast)
      ? ast.propertySignatures.map(({ name, type }) => [
          String(name),
          { name: String(name), type, isOptional: AST.isOptional(type) }
        ])
      : []
  )

/** Whether it is a record: one that keeps members of any name is one too. */
export const isRecord = (ast: Ast): boolean =>
  AST.isObjects(ast) && ast.indexSignatures.every(({ type }) => AST.isUnknown(type))

/** The type of an array's elements. */
export const elementOf = (ast: Ast): Ast | undefined =>
  AST.isArrays(ast) && ast.elements.length === 0 && ast.rest.length === 1 ? ast.rest[0] : undefined

const isWord = (ast: Ast): boolean =>
  AST.isUnion(ast) ? ast.types.every(isWord) : AST.isLiteral(ast) && typeof ast.literal === "string"

/** The members of a union. In an open set the known words are left out: the string covers them. */
export const alternativesOf = (ast: Ast): ReadonlyArray<Ast> | undefined =>
  !AST.isUnion(ast) ? undefined : ast.types.some(AST.isString) ? ast.types.filter((type) => !isWord(type)) : ast.types

/** What `typeof` says of a simple value. */
export const primitiveOf = (ast: Ast): "string" | "number" | "boolean" | undefined => {
  if (ast.checks !== undefined || ast.encoding !== undefined) {
    return undefined
  }
  switch (ast._tag) {
    case "String":
      return "string"
    case "Number":
      return "number"
    case "Boolean":
      return "boolean"
    default:
      return undefined
  }
}

/** Accepts any value. */
export const anything: Ast = AST.unknown

/** Makes a member of a record. */
export const member = (name: string, type: Ast, isOptional: boolean): Member => ({ name, type, isOptional })

/** Makes a record of members. */
export const recordOf = (members: Iterable<Member>): Ast =>
  new AST.Objects(
    Array.from(
      members,
      ({ isOptional, name, type }) =>
        new AST.PropertySignature(name, isOptional ? Schema.optionalKey(Schema.make<Schema.Top>(type)).ast : type)
    ),
    []
  )

/** Makes an array of elements. */
export const arrayOf = (element: Ast): Ast => new AST.Arrays(false, [], [element])

/** What a Schema decodes from: itself, if it has no transformations. */
export const encodedOf: (ast: Ast) => Ast = AST.toEncoded

/** The names of the members of what a Schema decodes to: a record or a class. */
export const namesOf = (ast: Ast): ReadonlyArray<PropertyKey> => {
  const type = AST.toType(ast)
  const record = AST.isDeclaration(type) ? type.typeParameters[0] : type
  return record !== undefined && AST.isObjects(record) ? record.propertySignatures.map(({ name }) => name) : []
}

/** What an input must be, in the words of Effect. */
export const expectedOf = ({ ast }: { readonly ast: Ast }): string => {
  const checks = ast.checks?.flatMap(({ annotations }) => annotations?.expected ?? []) ?? []
  return checks.join(" and ") || defaultLeafHook(new InvalidType(ast)).replace("Expected ", "")
}

/** Whether a Schema, or an alternative of a union, passes a test. */
const accepts = (ast: Ast, test: (ast: Ast) => boolean): boolean =>
  AST.isUnion(ast) ? ast.types.some((type) => accepts(type, test)) : test(ast)

/** A Schema that a guard can be made from, and whether it accepts nothing more than the original. */
interface Loose {
  readonly ast: Ast
  readonly isExact: boolean
}

const loose: Loose = { ast: anything, isExact: false }

/**
 * The part of a Schema that a guard can check: what a guard does not know becomes `anything`. The Schema must be what another
 * one decodes from.
 */
export const loosened = (ast: Ast): Loose => {
  if (primitiveOf(ast) !== undefined) {
    return { ast, isExact: true }
  }
  if (AST.isUnknown(ast) || AST.isAny(ast)) {
    return { ast: anything, isExact: true }
  }
  const element = elementOf(ast)
  if (element !== undefined) {
    const { ast, isExact } = loosened(element)
    return { ast: arrayOf(ast), isExact }
  }
  const alternatives = alternativesOf(ast)?.filter((type) => !AST.isUndefined(type))
  if (alternatives !== undefined) {
    const all = alternatives.map(loosened)
    return all.length > 0 && all.every(({ isExact }) => isExact)
      ? { ast: all.length === 1 && all[0] ? all[0].ast : new AST.Union(all.map(({ ast }) => ast)), isExact: true }
      : loose
  }
  if (!isRecord(ast)) {
    return loose
  }
  const members = [...membersOf(ast)].map(([name, { isOptional, type }]) => ({
    ...loosened(type),
    name,
    isOptional,
    // A guard drops an optional member that is null, and refuses a required one that is missing.
    isKnown: !accepts(type, isOptional ? AST.isNull : AST.isUndefined)
  }))
  const known = members.filter(({ ast, isKnown }) => isKnown && ast !== anything)
  return {
    ast: recordOf(known.map(({ ast, isOptional, name }) => member(name, ast, isOptional))),
    isExact: members.every(({ isExact, isKnown }) => isExact && isKnown)
  }
}
