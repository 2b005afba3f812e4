/**
 * Reads the Schemas of the models, and makes Schemas of parts of them: the only module that depends on the AST of Effect's
 * Schema.
 */
import type { Struct } from "effect/Schema"
import * as AST from "effect/SchemaAST"

/** A Schema as data. */
export type Ast = AST.AST

/** A member of a record. */
export type Member = AST.PropertySignature

/** The members of a record by their names; none for anything else. */
export const membersOf = (ast: Ast): ReadonlyMap<string, Member> =>
  new Map(AST.isTypeLiteral(ast) ? ast.propertySignatures.map((member) => [String(member.name), member]) : [])

/** Whether it is a record without an index signature. */
export const isRecord = (ast: Ast): boolean => AST.isTypeLiteral(ast) && ast.indexSignatures.length === 0

/** The type of an array's elements. */
export const elementOf = (ast: Ast): Ast | undefined =>
  AST.isTupleType(ast) && ast.elements.length === 0 && ast.rest.length === 1 ? ast.rest[0]?.type : undefined

const isWord = (ast: Ast): boolean =>
  AST.isUnion(ast) ? ast.types.every(isWord) : AST.isLiteral(ast) && typeof ast.literal === "string"

/** The members of a union. In an open set the known words are left out: the string covers them. */
export const alternativesOf = (ast: Ast): ReadonlyArray<Ast> | undefined =>
  !AST.isUnion(ast)
    ? undefined
    : ast.types.some(AST.isStringKeyword)
      ? ast.types.filter((type) => !isWord(type))
      : ast.types

/** What `typeof` says of a simple value. */
export const primitiveOf = (ast: Ast): "string" | "number" | "boolean" | undefined => {
  switch (ast._tag) {
    case "StringKeyword":
      return "string"
    case "NumberKeyword":
      return "number"
    case "BooleanKeyword":
      return "boolean"
    default:
      return undefined
  }
}

/** Accepts any value. */
export const anything: Ast = AST.unknownKeyword

/** Makes a member of a record. */
export const member = (name: string, type: Ast, isOptional: boolean): Member =>
  new AST.PropertySignature(name, type, isOptional, true)

/** Makes a record of members. */
export const recordOf = (members: Iterable<Member>): Ast => new AST.TypeLiteral([...members], [])

/** Makes an array of elements. */
export const arrayOf = (element: Ast): Ast => new AST.TupleType([], [new AST.Type(element)], true)

/** What a Schema decodes from: itself, if it has no transformations and no refinements. */
export const encodedOf: (ast: Ast) => Ast = AST.encodedAST

/** The names of the members of what a Schema decodes to: a record or a class. */
export const namesOf = (ast: Ast): ReadonlyArray<PropertyKey> =>
  AST.getPropertySignatures(AST.typeAST(ast)).map(({ name }) => name)

/** What an input must be, in the words of Effect. */
export const expectedOf = ({ ast }: Struct.Field): string => {
  switch (ast._tag) {
    case "PropertySignatureDeclaration":
      return String(ast.type)
    case "PropertySignatureTransformation":
      return String(ast.to.type)
    default:
      return String(ast)
  }
}

/** Whether a Schema, or an alternative of a union, passes a test. */
const accepts = (ast: Ast, test: (ast: Ast) => boolean): boolean =>
  AST.isUnion(ast) ? ast.types.some((type) => accepts(type, test)) : test(ast)

const isNull = (ast: Ast): boolean => AST.isLiteral(ast) && ast.literal === null

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
  if (AST.isUnknownKeyword(ast) || AST.isAnyKeyword(ast)) {
    return { ast: anything, isExact: true }
  }
  const element = elementOf(ast)
  if (element !== undefined) {
    const { ast, isExact } = loosened(element)
    return { ast: arrayOf(ast), isExact }
  }
  const alternatives = alternativesOf(ast)?.filter((type) => !AST.isUndefinedKeyword(type))
  if (alternatives !== undefined) {
    const all = alternatives.map(loosened)
    return all.length > 0 && all.every(({ isExact }) => isExact)
      ? { ast: AST.Union.make(all.map(({ ast }) => ast)), isExact: true }
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
    isKnown: !accepts(type, isOptional ? isNull : AST.isUndefinedKeyword)
  }))
  const known = members.filter(({ ast, isKnown }) => isKnown && ast !== anything)
  return {
    ast: recordOf(known.map(({ ast, isOptional, name }) => member(name, ast, isOptional))),
    isExact: members.every(({ isExact, isKnown }) => isExact && isKnown)
  }
}
