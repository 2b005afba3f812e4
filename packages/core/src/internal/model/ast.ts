/**
 * Reads the AST of Effect's Schemas; `schema.ts` and `parser.ts` beside it make and run them.
 */
// Counterpart for Effect 4: effect4/core/src/internal/model/ast.ts
// Counterpart for catalog-client: packages/promise/counterparts/core/internal/model/ast.ts
import * as AST from "effect/SchemaAST"

export type Ast = AST.AST

export type Member = AST.PropertySignature

/** The members of a record by name; empty for anything else. */
export const membersOf = (ast: Ast): ReadonlyMap<string, Member> =>
  new Map(AST.isTypeLiteral(ast) ? ast.propertySignatures.map((member) => [String(member.name), member]) : [])

/** Whether an AST is a record without an index signature. */
export const isRecord = (ast: Ast): boolean => AST.isTypeLiteral(ast) && ast.indexSignatures.length === 0

export const elementOf = (ast: Ast): Ast | undefined =>
  AST.isTupleType(ast) && ast.elements.length === 0 && ast.rest.length === 1 ? ast.rest[0]?.type : undefined

const isWord = (ast: Ast): boolean =>
  AST.isUnion(ast) ? ast.types.every(isWord) : AST.isLiteral(ast) && typeof ast.literal === "string"

/** The types of a union. For an open set it is the string alone, which includes the known words. */
export const alternativesOf = (ast: Ast): ReadonlyArray<Ast> | undefined =>
  !AST.isUnion(ast)
    ? undefined
    : ast.types.some(AST.isStringKeyword)
      ? ast.types.filter((type) => !isWord(type))
      : ast.types

/** The `typeof` of a simple value. */
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

export const anythingAst: Ast = AST.unknownKeyword
