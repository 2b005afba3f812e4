// The OpenAPI document of the service, which the site has as openapi.json.
import { CatalogApi } from "@catalog-client/testing"
import { OpenApi } from "@effect/platform"
import { declaredOperations, found } from "../../scripts/generate/declarations.mjs"
import { exchanges } from "./exchanges.mjs"
import { elementOf, modelFor, models, replyOf } from "../../scripts/generate/models.mjs"

/** @import { SchemaAST } from "effect" */

/**
 * @typedef {object} JsonSchema What we read of a JSON Schema.
 * @property {string} [$ref]
 * @property {string} [type]
 * @property {string} [description]
 * @property {unknown} [default]
 * @property {ReadonlyArray<unknown>} [examples]
 * @property {ReadonlyArray<unknown>} [enum]
 * @property {ReadonlyArray<JsonSchema>} [anyOf]
 * @property {JsonSchema} [items]
 * @property {Record<string, JsonSchema>} [properties]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {number} [minLength]
 * @property {number} [maxLength]
 *
 * @typedef {object} OpenApiOperation
 * @property {string} operationId
 * @property {ReadonlyArray<{ readonly name: string, readonly schema: JsonSchema }>} parameters
 * @property {{ content: Record<string, { schema: JsonSchema }> }} [requestBody]
 * @property {ReadonlyArray<object>} security
 * @property {{ 200: { description: string, content: { "application/json": { schema: JsonSchema, example?: unknown } } } }} responses
 *
 * @typedef {object} OpenApiDocument
 * @property {Record<string, Record<string, OpenApiOperation>>} paths
 * @property {{ schemas: Record<string, JsonSchema> }} components
 */

/** @param {OpenApiOperation} operation */
const jsonOf = (operation) => operation.responses[200].content["application/json"]

/**
 * What a member is when it is not null, and `undefined` if it is never null.
 *
 * @param {JsonSchema | undefined} schema
 * @returns {JsonSchema | undefined}
 */
const unlessNull = (schema) =>
  schema?.anyOf?.some(({ type }) => type === "null") && schema.anyOf.length === 2
    ? schema.anyOf.find(({ type }) => type !== "null")
    : undefined

/**
 * Makes a string an open enum: the values that the client knows, or any other.
 *
 * @param {JsonSchema} schema
 * @param {ReadonlyArray<string>} values
 */
const open = (schema, values) => {
  if (schema.type !== "string") {
    throw new Error(`This is no string: ${JSON.stringify(schema)}`)
  }
  delete schema.type
  delete schema.examples
  schema.anyOf = [{ type: "string", enum: values }, { type: "string" }]
}

/**
 * Opens the enums of a reply, and of the records in it, where the client's Schema of the reply has a set of values.
 *
 * @param {OpenApiDocument} document
 * @param {JsonSchema} schema
 * @param {SchemaAST.AST} ast
 */
const openEnums = ({ components }, schema, ast) => {
  const seen = new Set()
  /** @type {(schema: JsonSchema | undefined, ast: SchemaAST.AST) => void} */
  const visit = (schema, ast) => {
    const element = elementOf(ast)
    const model = modelFor(ast)
    if (schema?.$ref !== undefined) {
      const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)
      if (!seen.has(name)) {
        seen.add(name)
        visit(components.schemas[name], ast)
      }
    } else if (element !== undefined) {
      visit(schema?.items, element)
    } else if (schema !== undefined && schema.anyOf === undefined && model !== undefined) {
      if (model.values.length > 0) {
        open(schema, model.values)
      }
      for (const { name, type } of model.members) {
        const member = schema.properties?.[name]
        const value = unlessNull(member)
        visit(value ?? member, type)
        // An enum that was opened is one with null.
        if (member !== undefined && value?.anyOf !== undefined) {
          member.anyOf = [...value.anyOf, { type: "null" }]
        }
      }
    }
  }
  visit(schema, ast)
}

/**
 * The declaration of the embedded service, with the doc comments of the operations and of the models, with the values that
 * the client knows, and with an example of each response.
 */
export const openApi = async () => {
  const declared = OpenApi.fromApi(CatalogApi, { additionalPropertiesStrategy: "allow" })
  // A copy: Effect keeps what it has made of an API.
  /** @type {OpenApiDocument} */
  const document = JSON.parse(JSON.stringify(declared))
  const { domains, commentOn } = declaredOperations()
  const operations = new Map(
    domains.flatMap(({ name, operations }) => operations.map((operation) => [`${name}.${operation.name}`, operation]))
  )
  const recorded = await exchanges()
  for (const methods of Object.values(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const { operationId, responses, ...rest } = operation
      // The first sentence is the summary. What the client fails with is no matter of the service.
      const { comment, inputs } = found(operations.get(operationId), operationId)
      const [summary, ...more] = comment.split(/(?<=[.])\s+(?=[A-Z`])/)
      const description = more.filter((sentence) => !/^Fails with|ClientRestError/.test(sentence)).join(" ")
      const form = Object.values(operation.requestBody?.content ?? {})[0]?.schema.properties ?? {}
      for (const { name, type } of inputs) {
        const values = models.get(type)?.values ?? []
        const parameter = operation.parameters.find(
          (parameter) => parameter.name.replaceAll("_", "") === name.toLowerCase()
        )
        if (values.length > 0) {
          open(found(parameter?.schema ?? form[name], `${operationId} ${name}`), values)
        }
      }
      const reply = replyOf(operationId)
      if (reply !== undefined) {
        openEnums(document, jsonOf(operation).schema, reply)
      }
      jsonOf(operation).example = recorded.get(operationId)?.body
      responses[200].description = found(summary, `summary of ${operationId}`)
      const said = { operationId, summary, ...(description && { description }) }
      methods[method] = { ...said, ...rest, responses }
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const description = commentOn(name).replaceAll(/\s+/g, " ")
    if (description !== "") {
      document.components.schemas[name] = { description, ...schema }
    }
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
