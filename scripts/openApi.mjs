// docs/openapi.json.
import { CatalogApi } from "@catalog-client/core/testing"
import { OpenApi } from "@effect/platform"
import { declaredOperations, found } from "./declarations.mjs"
import { exchanges } from "./exchanges.mjs"

/**
 * @typedef {object} JsonSchema What we read of a JSON Schema.
 * @property {string} [$ref]
 * @property {string} [type]
 * @property {string} [description]
 * @property {JsonSchema} [items]
 * @property {Record<string, JsonSchema>} [properties]
 *
 * @typedef {object} OpenApiOperation
 * @property {string} operationId
 * @property {ReadonlyArray<{ readonly name: string }>} parameters
 * @property {ReadonlyArray<object>} security
 * @property {{ 200: { description: string, content: { "application/json": { schema: JsonSchema, example?: unknown } } } }} responses
 *
 * @typedef {object} OpenApiDocument
 * @property {Record<string, Record<string, OpenApiOperation>>} paths
 * @property {{ schemas: Record<string, JsonSchema> }} components
 */

/** @param {OpenApiOperation} operation */
export const jsonOf = (operation) => operation.responses[200].content["application/json"]

/**
 * What docs/openapi.json holds: the declaration of the embedded service, with the doc comments of the operations and of
 * the models, and with an example of each response.
 */
export const openApi = async () => {
  const declared = OpenApi.fromApi(CatalogApi, { additionalPropertiesStrategy: "allow" })
  // A copy: Effect keeps what it has made of an API.
  /** @type {OpenApiDocument} */
  const document = JSON.parse(JSON.stringify(declared))
  const { domains, commentOn } = declaredOperations()
  const comments = new Map(
    domains.flatMap(({ name, operations }) =>
      operations.map((operation) => [`${name}.${operation.name}`, operation.comment])
    )
  )
  const recorded = await exchanges()
  for (const methods of Object.values(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const { operationId, responses, ...rest } = operation
      // The first sentence is the summary. What the client fails with is no matter of the service.
      const [summary, ...more] = found(comments.get(operationId), operationId).split(/(?<=[.])\s+(?=[A-Z`])/)
      const description = more.filter((sentence) => !/^Fails with|ClientRestError/.test(sentence)).join(" ")
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
