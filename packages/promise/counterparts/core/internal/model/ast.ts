/**
 * The Schemas of the models as data, instead of the AST of Effect's Schema: only what a guard needs.
 */

export type Ast =
  | { readonly _tag: "String" | "Number" | "Boolean" | "Unknown" }
  | { readonly _tag: "Literal"; readonly literal: string | number }
  | { readonly _tag: "Union"; readonly types: ReadonlyArray<Ast> }
  | { readonly _tag: "Array"; readonly element: Ast }
  | { readonly _tag: "Record"; readonly members: ReadonlyMap<string, Member> }
  /** Any names, with values of one type. */
  | { readonly _tag: "Dictionary"; readonly type: Ast }
  /** A `Redacted` value, which encodes to the value itself. */
  | { readonly _tag: "Redacted"; readonly type: Ast }
  /** An instance of a class, which encodes to a record. */
  | { readonly _tag: "Class"; readonly record: Ast; readonly make: new (props: object) => object }

export interface Member {
  readonly name: string
  readonly type: Ast
  readonly isOptional: boolean
}

const none: ReadonlyMap<string, Member> = /*#__PURE__*/ new Map()

/** The members of a record by name; empty for anything else. */
export const membersOf = (ast: Ast): ReadonlyMap<string, Member> => (ast._tag === "Record" ? ast.members : none)

/** Whether it is a record. */
export const isRecord = (ast: Ast): boolean => ast._tag === "Record" || ast._tag === "Dictionary"

export const elementOf = (ast: Ast): Ast | undefined => (ast._tag === "Array" ? ast.element : undefined)

const isWord = (ast: Ast): boolean =>
  ast._tag === "Union" ? ast.types.every(isWord) : ast._tag === "Literal" && typeof ast.literal === "string"

/** The types of a union. For an open set only the string, which covers the known words. */
export const alternativesOf = (ast: Ast): ReadonlyArray<Ast> | undefined =>
  ast._tag !== "Union"
    ? undefined
    : ast.types.some(({ _tag }) => _tag === "String")
      ? ast.types.filter((type) => !isWord(type))
      : ast.types

/** The `typeof` of a simple value. */
export const primitiveOf = ({ _tag }: Ast): "string" | "number" | "boolean" | undefined =>
  _tag === "String" ? "string" : _tag === "Number" ? "number" : _tag === "Boolean" ? "boolean" : undefined

export const anythingAst: Ast = { _tag: "Unknown" }

/** Makes a member of a record. */
export const member = (name: string, type: Ast, isOptional: boolean): Member => ({ name, type, isOptional })

/** Makes a record of members. */
export const recordOf = (members: Iterable<Member>): Ast => ({
  _tag: "Record",
  members: new Map(Array.from(members, (member) => [member.name, member]))
})

/** Makes an array of elements. */
export const arrayOf = (element: Ast): Ast => ({ _tag: "Array", element })
