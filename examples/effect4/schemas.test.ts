/**
 * What programs build from the Schemas of the client: an endpoint, a property test, and tools of a language model.
 */
import { CatalogClient, ClientError } from "@catalog-client/core"
import { AnimeNode, AnimePage, operations, SearchParams } from "@catalog-client/core/schemas"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { Arbitrary, Effect, Layer, Schema, Stream, Struct } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { expect, it } from "vitest"

/** OpenAPI describes a query as strings. Shows the numbers that they stand for, with their ranges. */
const withRanges = (numbers: Record<string, Schema.Constraint>) =>
  OpenApi.annotations({
    transform: ({ parameters, ...operation }) => ({
      ...operation,
      parameters: parameters.map((parameter: { readonly name: string }) => {
        const number = numbers[parameter.name]
        return number === undefined ? parameter : { ...parameter, schema: Schema.toJsonSchemaDocument(number).schema }
      })
    })
  })

const { limit, offset } = SearchParams.fields
const search = HttpApiEndpoint.get("search", "/anime", { query: SearchParams, success: AnimePage }).annotateMerge(
  withRanges({ limit: Schema.required(limit), offset: Schema.required(offset) })
)
const Api = HttpApi.make("mine").add(HttpApiGroup.make("anime").add(search))

const ApiLive = HttpApiBuilder.group(
  Api,
  "anime",
  Effect.fn(function* (handlers) {
    const { anime } = yield* CatalogClient
    return handlers.handle("search", ({ query }) => Effect.orDie(anime.search(query)))
  })
)

it("an endpoint takes the params of a search from a query, and refuses a wrong one", async () => {
  const { dispose, handler } = HttpRouter.toWebHandler(
    HttpApiBuilder.layer(Api).pipe(
      Layer.provide(ApiLive),
      Layer.provide(EmbeddedCatalog.layerClient()),
      Layer.provide(HttpServer.layerServices)
    ),
    { disableLogger: true }
  )
  const get = (query: string) => handler(new Request(`http://mine.test/anime?${query}`))
  expect(await (await get("q=diamond&limit=1")).json()).toMatchObject({ data: [{ node: { id: 18689 } }] })
  expect((await get("q=diamond&limit=5000")).status).toBe(400)
  expect((await get("q=%20%20%20")).status).toBe(400)
  await dispose()
  expect(OpenApi.fromApi(Api).paths["/anime"]?.get?.parameters).toMatchObject([
    { name: "q", schema: { type: "string", minLength: 3, maxLength: 64 } },
    { name: "limit", schema: { type: "integer", minimum: 1, maximum: 100 }, required: false },
    { name: "offset", schema: { type: "integer", minimum: 0 }, required: false }
  ])
})

it("a property holds for every anime", async () => {
  const named = AnimeNode.mapFields(Struct.pick(["title", "start_date"]))
  const isPlausible = ({ start_date = "2017", title }: typeof named.Type) => title !== "" && /^\d{4}/.test(start_date)
  const result = await Effect.runPromise(Arbitrary.checkEffect(Arbitrary.schema(named), isPlausible))
  expect(result._tag).toBe("Passed")
})

const { description, inputs, reply } = operations.anime.search
const tools = Toolkit.make(
  Tool.make("anime_search", {
    description,
    parameters: Schema.toCodecJson(inputs),
    success: reply,
    failure: ClientError
  })
)
const ToolsLive = tools.toLayer(
  Effect.map(CatalogClient, ({ anime }) =>
    tools.of({ anime_search: ({ fields, nsfw, ...params }) => anime.search(params, { fields, nsfw }) })
  )
)

it("an operation is a tool of a language model", async () => {
  expect(Tool.getJsonSchema(tools.tools.anime_search)).toMatchObject({
    properties: { q: { type: "string", minLength: 3, maxLength: 64, description: expect.stringContaining("keyword") } }
  })
  const results = Effect.gen(function* () {
    const { handle } = yield* tools
    // By the JSON Schema, an input that is left out can be null.
    const call = yield* handle("anime_search", { q: "diamond", limit: 1, offset: null, fields: ["mean"] })
    return yield* Stream.runCollect(call)
  })
  const Live = Layer.provide(ToolsLive, EmbeddedCatalog.layerClient())
  expect(await Effect.runPromise(Effect.provide(results, Live))).toMatchObject([
    { result: { data: [{ node: { id: 18689 } }] } }
  ])
})

it("every operation has a description, inputs and a reply", () => {
  for (const domain of Object.values(operations)) {
    for (const { description, inputs, reply } of Object.values(domain)) {
      expect(description).toMatch(/^[A-Z].*[.]$/)
      expect(Schema.isSchema(reply)).toBe(true)
      expect(Tool.getJsonSchemaFromSchema(inputs)).toMatchObject({ type: "object" })
      expect(["x", [], null].filter((value) => Schema.is<Schema.Constraint>(inputs)(value))).toEqual([])
    }
  }
})
