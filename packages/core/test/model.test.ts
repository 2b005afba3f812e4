import * as Models from "@catalog-client/core/models"
import { FastCheck as fc, Schema } from "effect"
import { expect, test } from "vitest"
import { readReply } from "../src/internal/reply/guard.js"
import { type Ast, elementOf, membersOf } from "../src/internal/model/ast.js"
import { runs } from "./support/full.js"
import { arbitraryOf, unlikeModels } from "./support/schemas.js"

const models = Object.entries(Models).map(([name, value]) => [name, value as Schema.Schema<unknown>] as const)

/** What generates an anime would generate all that is related to it. */
const leadsOn = (ast: Ast): boolean => {
  const element = elementOf(ast)
  return (
    ast._tag === "Suspend" ||
    (element !== undefined && leadsOn(element)) ||
    [...membersOf(ast).values()].some(({ type }) => leadsOn(type))
  )
}

const node = { id: 1, title: "One", related_anime: [{ node: { id: 2, title: "Two" } }], recommendations: [] }

const valuesOf = (model: Schema.Schema<unknown>): fc.Arbitrary<unknown> =>
  leadsOn(model.ast)
    ? fc.constantFrom(...[node, { node }, { data: [{ node }] }].filter((value) => Schema.is(model)(value)))
    : arbitraryOf(model)

test.each(models)("%s keeps unknown members and words", (_, model) => {
  const decode = Schema.decodeUnknownSync(model)
  fc.assert(
    fc.property(valuesOf(model), (value) => {
      if (typeof value === "object" && value !== null) {
        expect(decode({ ...value, surprise: 1 })).toEqual({ ...value, surprise: 1 })
      } else {
        expect(decode("a new word")).toBe("a new word")
      }
    }),
    runs(5)
  )
})

test("a guard is not made from other Schemas than those of models", () => {
  for (const schema of unlikeModels) {
    expect(() => readReply(schema, {})).toThrow("A guard cannot be made from")
  }
})

test("a set of words has those that are known, for a menu", () => {
  expect(Models.Season.words).toEqual(["winter", "spring", "summer", "fall"])
  for (const [name, model] of models) {
    for (const word of "words" in model ? (model.words as ReadonlyArray<unknown>) : []) {
      expect(Schema.is(model)(word), name).toBe(true)
    }
  }
})
