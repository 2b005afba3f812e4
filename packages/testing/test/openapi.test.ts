import { CatalogApi } from "@catalog-client/testing"
import { OpenApi } from "@effect/platform"
import { describe, expect, test } from "vitest"
import { examples } from "../../core/test/support/operations.js"
import { start } from "./service.js"
import { onlyEffect3 } from "../../core/test/support/only.js"

const document = OpenApi.fromApi(CatalogApi, { additionalPropertiesStrategy: "allow" })

describe("the OpenAPI document of CatalogApi", () => {
  test("has an endpoint for each operation", () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`)
    )
    expect(operations.toSorted()).toEqual(
      examples.map(({ name, method, endpoint }) => `${name} ${method} ${endpoint}`).toSorted()
    )
  })

  test("has a schema for each reference, and only the service's error responses", () => {
    const text = JSON.stringify(document)
    const referred = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name))
    expect(referred.size).toBeGreaterThan(20)
    expect(referred).toContain("Refusal")
    for (const name of referred) {
      expect(document.components.schemas).toHaveProperty([name ?? ""])
    }
    expect(text).not.toContain("HttpApiDecodeError")
  })

  // No annotation of Effect 4 has the range of a number.
  onlyEffect3(test)("has types, ranges, defaults and known words of inputs", () => {
    const inputOf = (path: string, name: string) =>
      document.paths[path]?.get?.parameters.find((parameter) => parameter.name === name)
    expect(inputOf("/anime/{id}", "id")?.schema).toEqual({ type: "integer", minimum: 1 })
    expect(inputOf("/anime", "limit")?.schema).toMatchObject({ type: "integer", minimum: 1, maximum: 100, default: 10 })
    expect(inputOf("/anime", "nsfw")?.schema).toMatchObject({ type: "boolean", default: false })
    expect(inputOf("/manga", "q")).toMatchObject({ required: true, schema: { type: "string" } })
    expect(inputOf("/manga/ranking", "ranking_type")).toMatchObject({ required: false, schema: { default: "all" } })
    expect(inputOf("/manga/ranking", "ranking_type")?.schema).toHaveProperty("examples")
    expect(inputOf("/forum/topics", "q")).toMatchObject({ required: false })
    expect(JSON.stringify(document)).not.toContain("x-required")
  })

  /** The members of a record of the document that are required, and those that may be null. */
  const membersOf = (name: string) => {
    const { properties = {}, required = [] } = document.components.schemas[name] as {
      readonly properties?: Readonly<Record<string, unknown>>
      readonly required?: ReadonlyArray<string>
    }
    const nullable = Object.keys(properties).filter((member) =>
      /"null"|\[null\]/.test(JSON.stringify(properties[member]))
    )
    return { all: Object.keys(properties), required: [...required].sort(), nullable }
  }

  test.each([
    ["AnimePage", ["data"]],
    ["AnimeSeasonPage", ["data"]],
    ["MangaListPage", ["data"]],
    ["AnimeEntry", ["node"]],
    ["MangaListEntry", ["node"]],
    ["AnimeRankingEntry", ["node", "ranking"]],
    ["Ranking", ["rank"]],
    ["Anime", ["id", "title"]],
    ["Manga", ["id", "title"]],
    ["User", ["id", "name"]],
    ["Boards", ["categories"]],
    ["Category", []],
    ["TopicPage", ["data"]],
    ["Topic", ["posts"]],
    ["AnimeListStatus", []],
    ["Picture", []]
  ])("requires in %s what the client guarantees, and lets the rest be null", (name, required) => {
    const members = membersOf(name)
    expect(members.required).toEqual(required)
    expect(members.nullable).toEqual(members.all.filter((member) => !required.includes(member)))
  })

  test("names the schema of every object", () => {
    const nameless: Array<string> = []
    const look = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) {
        return
      }
      if ("properties" in value && !/^[.]components[.]schemas[.]\w+$|requestBody/.test(path)) {
        nameless.push(path)
      }
      for (const [name, inner] of Object.entries(value)) {
        look(inner, `${path}.${name}`)
      }
    }
    look(document, "")
    expect(nameless).toEqual([])
  })

  onlyEffect3(test)("has a score as a number, since the service rounds one", () => {
    const scores: Array<unknown> = []
    JSON.stringify(document, (name, value: unknown) => {
      if (name === "score") {
        scores.push(value)
      }
      return value
    })
    const written = { type: "number", minimum: 0, maximum: 10 }
    const kept = { anyOf: [{ type: "number" }, { type: "null" }] }
    expect(scores).toEqual([written, written, kept, kept])
  })

  test("lists the form names that the service takes", async () => {
    const { patch } = start()
    for (const [kind, path] of [
      ["anime", "/anime/1"],
      ["manga", "/manga/2"]
    ] as const) {
      const content = document.paths[`/${kind}/{id}/my_list_status`]?.patch?.requestBody?.content
      const schema = content?.["application/x-www-form-urlencoded"]?.schema
      const names = Object.keys(schema !== undefined && "properties" in schema ? schema.properties : {})
      expect(names.length).toBeGreaterThan(9)
      for (const name of names) {
        const value =
          name === "status" ? "completed" : name.startsWith("is_") ? "true" : name.includes("date") ? "2019" : "1"
        expect((await patch(path, { [name]: value })).status, name).toBe(200)
      }
    }
  })
})
