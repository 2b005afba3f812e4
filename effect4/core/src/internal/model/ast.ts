/**
 * Reads the AST of Effect's Schemas; `schema.ts` and `parser.ts` beside it make and run them.
 */
import * as AST from "effect/SchemaAST"

export type Ast = AST.AST

export interface Member {
  readonly name: string
  readonly type: Ast
  readonly isOptional: boolean
}

/** The members of a record by name; empty for anything else. */
export const membersOf = (ast: Ast): ReadonlyMap<string, Member> =>
  new Map(
    AST.isObjects(ast)
      ? ast.propertySignatures.map(({ name, type }) => [
          String(name),
          { name: String(name), type, isOptional: AST.isOptional(type) }
        ])
      : []
  )

/** Whether an AST is a record, even if the record keeps members with other names. */
export const isRecord = (ast: Ast): boolean =>
  AST.isObjects(ast) && ast.indexSignatures.every(({ type }) => AST.isUnknown(type))

export const elementOf = (ast: Ast): Ast | undefined =>
  AST.isArrays(ast) && ast.elements.length === 0 && ast.rest.length === 1 ? ast.rest[0] : undefined

const isWord = (ast: Ast): boolean =>
  AST.isUnion(ast) ? ast.types.every(isWord) : AST.isLiteral(ast) && typeof ast.literal === "string"

/** The types of a union. For an open set it is the string alone, which includes the known words. */
export const alternativesOf = (ast: Ast): ReadonlyArray<Ast> | undefined =>
  !AST.isUnion(ast) ? undefined : ast.types.some(AST.isString) ? ast.types.filter((type) => !isWord(type)) : ast.types

/** The `typeof` of a simple value. */
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

export const anythingAst: Ast = AST.unknown
