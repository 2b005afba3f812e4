/**
 * The Schemas of inputs and replies for interfaces of a program's own: the client accepts each sample, and what it or the
 * service would refuse is no input.
 */
import { createCatalog } from "catalog-client"
import * as typesAlone from "@catalog-client/core/models"
import * as Schemas from "@catalog-client/core/schemas"
import { FastCheck as fc, Schema } from "effect"
import { describe, expect, test } from "vitest"
import * as Models from "../src/generated/models.js"
import { readReply } from "../src/internal/reply/guard.js"
import { runs } from "./support/full.js"
import { examples, takesParams } from "./support/operations.js"
import { arbitraryOf, check, jsonSchemaOf, jsonSchemasOf, unlikeModels } from "./support/schemas.js"

const { operations: described, ...named } = Schemas

type AnySchema = Schema.Schema<unknown>

const models = Models as Readonly<Record<string, unknown>>
const isRecord = (model: unknown) => !("words" in (model as object))
const records = Object.entries(named).filter(([name, schema]) => name in models && isRecord(schema))

/** An operation as a row of operations.ts names it. */
const at = <A>(domains: object, name: string): A => {
  const [domain = "", method = ""] = name.split(".")
  return (domains as Record<string, Record<string, A>>)[domain]?.[method] as A
}

interface Inputs {
  readonly [name: string]: unknown
}

const inputsOf = (name: string) => at<{ readonly inputs: Schema.Schema<Inputs> }>(described, name).inputs

const refusal = <A, I>(schema: Schema.Schema<A, I>, value: unknown): unknown => {
  try {
    Schema.decodeUnknownSync(schema)(value)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

test("every record and every set of words of the service has one Schema", () => {
  expect(Object.keys(named).filter((name) => name in models)).toEqual(Object.keys(models).toSorted())
  expect(Object.keys(typesAlone)).toEqual([])
})

test.each(records)("%s has samples that the client's own Schema keeps, with unknown members", (name, record) => {
  const decode = Schema.decodeUnknownSync(models[name] as AnySchema)
  fc.assert(
    fc.property(arbitraryOf(record as AnySchema), (sample) => {
      const more = { ...(sample as object), surprise: 1 }
      expect(decode(more)).toEqual(more)
    }),
    runs(12)
  )
})

test("a set of words has those that are known, for a menu, and takes others", () => {
  expect(Schemas.Season.words).toEqual(["winter", "spring", "summer", "fall"])
  const sets = Object.values(named).filter((schema) => "words" in schema)
  expect(sets.length).toBeGreaterThan(10)
  for (const model of sets) {
    for (const word of [...(model.words as ReadonlyArray<unknown>), "a new word"]) {
      expect(Schema.is(model as AnySchema)(word)).toBe(true)
    }
  }
})

test("a guard is not made from other Schemas than those of models", () => {
  for (const schema of unlikeModels) {
    expect(() => readReply(schema, {})).toThrow("A guard cannot be made from")
  }
})

/** What the client makes of one call with some inputs: the requests that it sends, and its error. */
const callOf = async (name: string, hasParams: boolean, { fields, nsfw, ...params }: Inputs) => {
  let requests = 0
  const catalog = createCatalog({
    accessToken: "token",
    fetch: () => {
      requests += 1
      return Promise.resolve(new Response("{}", { status: 403 }))
    }
  })
  const options = { ...(fields !== undefined && { fields }), ...(nsfw !== undefined && { nsfw }) }
  const call = at<(...inputs: ReadonlyArray<object>) => Promise<unknown>>(catalog, name)
  const reply = hasParams ? call(params, options) : call({ ...params, ...options })
  const error = await reply.catch((error: Error) => error.name)
  return { requests, error }
}

describe.each(examples)("$name", (row) => {
  const { name } = row
  const inputs = inputsOf(name)

  test("takes every sample of its inputs", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryOf(inputs), async (sample) => {
        // The client refuses a username that would be another path.
        fc.pre(!/"username":"[.]{1,2}"/.test(JSON.stringify(sample)))
        expect(await callOf(name, takesParams(row), sample)).toEqual({ requests: 1, error: "ClientRestError" })
      }),
      runs(20)
    )
  })

  test("has the largest limit of its declaration", () => {
    expect(jsonSchemasOf(inputs)["limit"]).toEqual(
      row.limit && expect.objectContaining({ minimum: 1, maximum: row.limit.maximum })
    )
  })

  test("describes its inputs, an object, and each of them", () => {
    expect(jsonSchemaOf(inputs)).toMatchObject({ type: "object", title: `catalog.${name} inputs` })
    for (const [input, schema] of Object.entries(jsonSchemasOf(inputs))) {
      expect(schema, `${input}: npm run api writes its description`).toMatchObject({
        description: expect.stringMatching(/^[A-Z`0-9].+[.]$/)
      })
    }
  })
})

test("inputs refuse what the client or the service refuses, and say what they must be", () => {
  expect(refusal(named.SearchParams, { q: " \n " })).toContain("must have 3 to 64 characters, and not only spaces")
  expect(refusal(named.SearchParams, { q: "diamond", limit: 5000 })).toContain("must be a whole number from 1 to 100")
  expect(refusal(named.AnimeListParams, { username: "@me", limit: 5000 })).toContain("a whole number from 1 to 1000")
  expect(refusal(named.AnimeListParams, { username: " " })).toContain("must not be blank")
  expect(refusal(named.AnimeParams, { id: NaN })).toBeTruthy()
  expect(refusal(named.AnimeParams, { id: 1.5 })).toContain("must be a whole number of at least 1")
  expect(refusal(named.SeasonalParams, { year: 20170, season: "winter" })).toContain("from 1917 to 2100")
  const update = (change: object) => refusal(named.MangaListUpdateParams, { id: 2, ...change })
  // What is written as `1e-7`, the service refuses.
  for (const score of [10.5, 7.5, 1e-7, -1]) {
    expect(update({ score })).toContain("must be a whole number from 0 to 10")
  }
  expect(update({ num_chapters_read: 1e21 })).toContain("must be a whole number of at least 0")
  expect(update({ reread_value: 6 })).toContain("must be a whole number from 0 to 5")
  expect(update({ priority: 3 })).toContain("must be a whole number from 0 to 2")
  expect(update({ num_chapters_read: -1 })).toContain("must be a whole number of at least 0")
  expect(update({ start_date: "yesterday" })).toContain("must be YYYY-MM-DD, YYYY-MM or YYYY, or empty")
  expect(update({ start_date: "", finish_date: "2017-03", score: 7, tags: [], comments: "" })).toBeUndefined()
})

test("an operation without inputs has the JSON Schema of an empty object", () => {
  expect(jsonSchemaOf(described.forum.boards.inputs)).toMatchObject({ type: "object", additionalProperties: false })
})

test("errors name types, and do not repeat descriptions in their place", () => {
  for (const wrong of [{ q: 5 }, { q: "diamond", limit: "many" }, { q: "diamond", fields: "mean" }]) {
    expect(refusal(inputsOf("anime.search"), wrong)).not.toMatch(/A keyword|Entries|A selector/)
  }
  expect(refusal(named.Anime, { id: 1, title: "One", genres: 5 })).not.toContain("Genres and themes")
  expect(refusal(inputsOf("anime.updateMyListStatus"), { id: 1, score: "9" })).not.toContain("num_watched_episodes")
})

test.each<[string, unknown]>([
  ["AnimeListUpdateParams", named.AnimeListUpdateParams],
  ["MangaListUpdateParams", named.MangaListUpdateParams],
  ["the inputs of anime.updateMyListStatus", described.anime.updateMyListStatus.inputs],
  ["the inputs of manga.updateMyListStatus", described.manga.updateMyListStatus.inputs]
])("a property test of %s has samples, and each changes something", (_, update) => {
  const others = ["id", "fields", "nsfw"]
  const isUpdate = (sample: Inputs) =>
    sample["id"] !== undefined &&
    Object.keys(sample).some((name) => !others.includes(name) && sample[name] !== undefined)
  expect(check(update as Schema.Schema<Inputs>, isUpdate, 1_000)).toEqual({ holds: true, runs: 1_000 })
  expect(update).toHaveProperty("fields.score")
})

test("words stay open, with the known ones as examples", () => {
  expect(refusal(named.SeasonalParams, { year: 2017, season: "a fifth season" })).toBeUndefined()
  expect(jsonSchemasOf(named.SeasonalParams)["season"]).toMatchObject({ examples: Models.Season.words })
  expect(jsonSchemasOf(named.AnimeListParams)["status"]).toMatchObject({ examples: Models.AnimeListStatusValue.words })
})

test("ranges are in the JSON Schema", () => {
  expect(jsonSchemasOf(named.SearchParams)).toMatchObject({
    q: {
      description: "A keyword, which can't be blank. The service accepts 3 to 64 characters.",
      minLength: 3,
      maxLength: 64
    },
    limit: { type: "integer", minimum: 1, maximum: 100 }
  })
})

test("samples are plausible", () => {
  const known: ReadonlyArray<unknown> = Models.AnimeStatus.words
  fc.assert(
    fc.property(
      arbitraryOf(named.AnimeNode),
      ({ id, mean = 0, start_date = "2017", status = "finished_airing", title }) => {
        expect(Number.isSafeInteger(id) && id > 0).toBe(true)
        expect(mean >= 0 && mean <= 10).toBe(true)
        expect(start_date).toMatch(/^\d{4}(-\d\d){0,2}$/)
        expect(title).toMatch(/^[A-Z][a-z]+/)
        expect(known).toContain(status)
      }
    ),
    runs(40)
  )
})
