// docs/openapi.json.
import { CatalogApi } from "@catalog-client/core/testing"
import { OpenApi } from "@effect/platform"
import { declaredOperations } from "./declarations.mjs"
import { exchanges } from "./exchanges.mjs"

/**
 * What docs/openapi.json holds: the declaration of the embedded service, with the doc comments of the operations and of
 * the models, and with an example of each response.
 */
export const openApi = async () => {
  const document = OpenApi.fromApi(CatalogApi, { additionalPropertiesStrategy: "allow" })
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
      const [summary, ...more] = comments.get(operationId).split(/(?<=[.])\s+(?=[A-Z`])/)
      const description = more.filter((sentence) => !/^Fails with|ClientRestError/.test(sentence)).join(" ")
      responses[200].content["application/json"].example = recorded.get(operationId).body
      responses[200].description = summary
      methods[method] = { operationId, summary, ...(description && { description }), ...rest, responses }
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
