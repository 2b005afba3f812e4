// The records and the sets of values of core: their Schemas, with the doc comments of their declarations.
import { Catalog } from "@catalog-client/core"
import { Option, Schema, SchemaAST } from "effect"
import { declaredOperations, found } from "./declarations.mjs"
import * as exported from "../../packages/core/dist/generated/models.js"
import { makeFace } from "../../packages/core/dist/internal/call/face.js"

/**
 * @typedef {object} Model A record, or an open set of values.
 * @property {string} name
 * @property {string} comment
 * @property {ReadonlyArray<ModelMember>} members of a record
 * @property {ReadonlyArray<string>} values that are known, of a set
 *
 * @typedef {object} ModelMember
 * @property {string} name
 * @property {boolean} isOptional
 * @property {SchemaAST.AST} type
 * @property {string} comment
 */

const { commentOn, commentsIn } = declaredOperations()

/** @param {SchemaAST.AST} ast */
const identifierOf = (ast) => Option.getOrUndefined(SchemaAST.getIdentifierAnnotation(ast))

/**
 * The strings that a Schema names; none for other Schemas.
 *
 * @param {SchemaAST.AST} ast
 * @returns {ReadonlyArray<string>}
 */
const literalsOf = (ast) =>
  SchemaAST.isUnion(ast)
    ? ast.types.flatMap(literalsOf)
    : SchemaAST.isLiteral(ast) && typeof ast.literal === "string"
      ? [ast.literal]
      : []

/** @param {string} text */
const inOneLine = (text) => text.replaceAll(/\s+/g, " ")

/**
 * @param {string} name
 * @param {SchemaAST.AST} ast
 * @returns {Model}
 */
const modelOf = (name, ast) => {
  const comments = SchemaAST.isTypeLiteral(ast) ? commentsIn(name) : undefined
  return {
    name,
    comment: inOneLine(commentOn(name)),
    members: SchemaAST.isTypeLiteral(ast)
      ? ast.propertySignatures.map(({ isOptional, name, type }) => ({
          name: String(name),
          isOptional,
          type,
          comment: comments?.get(String(name)) ?? ""
        }))
      : [],
    values: literalsOf(ast)
  }
}

/**
 * All models by name, in alphabetical order.
 *
 * @type {ReadonlyMap<string, Model>}
 */
export const models = new Map(
  Object.entries(exported).flatMap(([name, value]) =>
    Schema.isSchema(value) && identifierOf(value.ast) === name ? [[name, modelOf(name, value.ast)]] : []
  )
)

/**
 * The model that a Schema is, if it is one.
 *
 * @param {SchemaAST.AST} ast
 */
export const modelFor = (ast) => models.get(identifierOf(ast) ?? "")

/**
 * The type of a list's elements; undefined for anything else.
 *
 * @param {SchemaAST.AST} ast
 */
export const elementOf = (ast) => (SchemaAST.isTupleType(ast) ? ast.rest[0]?.type : undefined)

/**
 * A type in words, where each model is named by a function.
 *
 * @param {SchemaAST.AST} ast
 * @param {(model: Model) => string} nameOf
 * @returns {string}
 */
export const inWords = (ast, nameOf) => {
  const model = modelFor(ast)
  const element = elementOf(ast)
  if (model !== undefined) {
    return nameOf(model)
  }
  if (element !== undefined) {
    return `list of ${inWords(element, nameOf)}`
  }
  return SchemaAST.isUnion(ast)
    ? ast.types.map((type) => inWords(type, nameOf)).join(" or ")
    : SchemaAST.isTypeLiteral(ast)
      ? "`object`"
      : `\`${String(ast)}\``
}

/** @type {Record<string, Record<string, { readonly reply: Schema.Schema.AnyNoContext | undefined }>>} */
const declarations = makeFace(Catalog, undefined, ({ reply }) => ({ reply }))

/**
 * The Schema of an operation's reply; undefined if it has none.
 *
 * @param {string} name for example `anime.get`
 */
export const replyOf = (name) => {
  const [domain = "", method = ""] = name.split(".")
  return found(declarations[domain]?.[method], name).reply?.ast
}
