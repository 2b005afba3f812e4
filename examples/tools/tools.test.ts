import { EmbeddedCatalog } from "@catalog-client/testing"
import { Tool } from "@effect/ai"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { toolkit, ToolsLive } from "./tools.js"

const Live = Layer.provide(ToolsLive, EmbeddedCatalog.layerClient())

it("describes every operation and its inputs to a model", () => {
  const descriptions = Object.values(toolkit.tools).map(({ description }) => description)
  expect(descriptions).toHaveLength(19)
  expect(descriptions).toEqual(descriptions.map(() => expect.stringMatching(/^[A-Z].*[.]$/)))
  for (const { parametersSchema } of Object.values(toolkit.tools)) {
    expect(Tool.getJsonSchemaFromSchemaAst(parametersSchema.ast)).toMatchObject({ type: "object" })
  }
  expect(Tool.getJsonSchema(toolkit.tools.anime_seasonal)).toMatchObject({
    required: ["year", "season"],
    properties: {
      season: { type: "string", examples: ["winter", "spring", "summer", "fall"] },
      limit: { type: "integer", minimum: 1, maximum: 500, description: expect.stringMatching(/^Entries per page/) }
    }
  })
})

it("runs the calls of a model, reads and writes", () =>
  Effect.gen(function* () {
    const { handle } = yield* toolkit
    const found = yield* handle("anime_search", { q: "diamond", limit: 2, fields: ["mean"] })
    expect(found.encodedResult).toMatchObject({
      data: [{ node: { id: 18689 } }, { node: { mean: expect.any(Number) } }]
    })
    const update = { id: 30230, score: 9, tags: ["sport"], fields: ["tags"] }
    expect((yield* handle("anime_update", update)).result).toMatchObject({ score: 9, tags: ["sport"] })
    expect((yield* handle("anime_delete", { id: 30230 })).result).toBeUndefined()
    expect((yield* handle("forum_boards", {})).result).toHaveProperty("categories")
  }).pipe(Effect.provide(Live), Effect.runPromise))

it("sends no input that is out of its range", () =>
  Effect.gen(function* () {
    const { handle } = yield* toolkit
    const error = yield* Effect.flip(handle("user_anime_list", { username: "@me", limit: 5000 }))
    expect(String(error)).toContain("must be a whole number from 1 to 1000")
  }).pipe(Effect.provide(Live), Effect.runPromise))
