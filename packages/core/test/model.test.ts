import * as Core from "@catalog-client/core"
import { FastCheck as fc, Schema } from "effect"
import { describe, expect, test } from "vitest"
import { invalid } from "../src/internal/declaration/declaration.js"
import { readReply } from "../src/internal/reply/guard.js"
import { type Ast, elementOf, membersOf } from "../src/model/ast.js"
import { runs } from "./support/full.js"
import { arbitraryOf, unlikeModels } from "./support/schemas.js"

const models = Object.entries(Core).flatMap(([name, value]) =>
  Schema.isSchema(value) && !name.startsWith("Client") ? [[name, value as Schema.Schema<unknown>] as const] : []
)

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

/** Whether JSON can hold a value: to a Schema, `NaN` and `Infinity` are numbers. */
const isJson = (value: unknown): boolean =>
  typeof value === "object" && value !== null
    ? Object.values(value).every(isJson)
    : typeof value !== "number" || Number.isFinite(value)

const valuesOf = (model: Schema.Schema<unknown>): fc.Arbitrary<unknown> =>
  leadsOn(model.ast)
    ? fc.constantFrom(...[node, { node }, { data: [{ node }] }].filter((value) => Schema.is(model)(value)))
    : arbitraryOf(model).filter(isJson)

test("there is a Schema for every record and word of the service", () => {
  expect(models.length).toBeGreaterThan(60)
})

describe.each(models)("%s", (_, model) => {
  test("has a guard that accepts what its Schema accepts, unchanged", () => {
    const is = Schema.is(model)
    fc.assert(
      fc.property(valuesOf(model), (value) => {
        expect(is(value)).toBe(true)
        expect(readReply(model, value)).toBe(value)
      }),
      runs(30)
    )
    expect(readReply(model, Symbol("nothing of the kind"))).toBe(invalid)
  })

  test("keeps unknown members", () => {
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
})

test("a guard is not made from other Schemas than those of models", () => {
  for (const schema of unlikeModels) {
    expect(() => readReply(schema, {})).toThrow("A guard cannot be made from")
  }
})
