// What the console of a page's programs shows of a value.
import { inspect as inspectOfNode } from "node:util"
import { createCatalog } from "catalog-client"
import { EmbeddedCatalog } from "catalog-client/testing"
import { Cause, Exit, Option, Runtime } from "effect"
import { describe, expect, it } from "vitest"
import { inspect, table } from "./inspect.js"

const circular = () => {
  const one: Record<string, unknown> = { id: 1 }
  one["self"] = one
  one["other"] = { one, list: [one] }
  return one
}

const nested = (levels: number, wrap: (value: unknown) => unknown): unknown => {
  let value: unknown = {}
  for (let level = 0; level < levels; level++) {
    value = wrap(value)
  }
  return value
}

const again = () => ({ [Symbol.for("nodejs.util.inspect.custom")]: again })

class Titles {
  readonly first = { id: 1, tags: ["a"] }
  get count() {
    return 1
  }
}

const withoutStacks = (text: string): string => text.replaceAll(/\n +(?:at|[.]{3}) .*?(?= \{$|$)/gm, "")

const throwing = (): never => {
  throw new Error("it cannot be read")
}
const hostile = new Proxy({}, { getPrototypeOf: throwing, ownKeys: throwing, get: throwing, has: throwing })
const revoked = Proxy.revocable({}, {})
revoked.revoke()

it("a table shows members that are getters, and calls none", () => {
  expect(table([{ a: 1 }, Object.defineProperty({}, "a", { get: throwing, enumerable: true })])).toContain("[Getter]")
})

describe("the console of a program", () => {
  it.each<[string, () => unknown]>([
    ["a circular object", circular],
    ["two circles", () => [circular(), circular()]],
    ["an object that appears twice", () => ({ a: circular()["id"], b: [{}, {}] })],
    [
      "getters and setters",
      () =>
        Object.defineProperties(
          { a: 1 },
          {
            b: { get: throwing, enumerable: true },
            c: { set: throwing, enumerable: true },
            d: { get: throwing, set: throwing, enumerable: true }
          }
        )
    ],
    ["an invalid date", () => new Date(Number.NaN)],
    [
      "a map",
      () =>
        new Map<unknown, unknown>([
          ["one", { id: 1 }],
          [2, new Map()]
        ])
    ],
    ["a map of many", () => ({ titles: new Map(Array.from({ length: 102 }, (_, id) => [id, `title ${id}`])) })],
    ["a set", () => [new Set(["a", new Set([1])]), new Set()]],
    ["a map that has itself", () => [new Map()].map((map) => map.set("self", map))],
    ["an address", () => ({ url: new URL("https://one:two@catalog.test:8080/v2?limit=1&q=a#top") })],
    ["parameters", () => [new URLSearchParams("limit=1&q=a"), new URLSearchParams()]],
    ["objects of classes", () => [new Titles(), new (class Empty {})(), Object.create(null)]],
    ["what shows itself", () => [Option.some({ id: 1 }), { exit: Exit.fail("no") }]],
    ["functions", () => [() => 1, function named() {}, /a+/g]]
  ])("shows %s as Node does", (_, make) => {
    expect(inspect(make())).toBe(inspectOfNode(make(), { depth: 20, breakLength: 80 }))
  })

  it.each<[string, () => unknown]>([
    ["an error with members", () => Object.assign(new TypeError("one"), { status: 404, body: { error: "not_found" } })],
    ["an error within others", () => ({ errors: [Object.assign(new Error("one"), { id: 1 }), new Error("two")] })],
    ["a cause", () => new Error("one", { cause: new TypeError("two", { cause: { id: 1 } }) })],
    ["several errors", () => new AggregateError([Object.assign(new Error("one"), { id: 1 })], "all")]
  ])("shows %s as Node does, without its stack", (_, make) => {
    expect(inspect(make())).toBe(withoutStacks(inspectOfNode(make())))
  })

  it("shows of an error of the client what the service responded with", async () => {
    const catalog = createCatalog({ fetch: EmbeddedCatalog.fetch(), clientId: "embedded-client" })
    const error: unknown = await catalog.anime.get({ id: 999_999 }).catch((cause: unknown) => cause)
    expect(inspect(error)).toMatch(/^ClientRestError: .*\/e\/status-404 \{\n  operation: 'catalog.anime.get',\n/)
    expect(inspect(error)).toBe(withoutStacks(inspectOfNode(error)))
  })

  it("shows of an error that Effect has made its message", () => {
    const failure: unknown = Cause.squash(Cause.die("no"))
    expect(failure).toBe("no")
    expect(inspect(Runtime.makeFiberFailure(Cause.fail(new Error("one"))))).toBe("(FiberFailure) Error: one")
  })

  it("shows of a long array what Node does", () => {
    const more = "... 900 more items"
    expect(inspect(Array(1000).fill(0))).toContain(more)
    expect(inspectOfNode(Array(1000).fill(0))).toContain(more)
  })

  it.each<[string, unknown]>([
    ["a deep object", nested(100_000, (inner) => ({ inner }))],
    ["a deep array", nested(100_000, (inner) => [inner])],
    ["a deep map", nested(100_000, (inner) => new Map([[inner, inner]]))],
    ["what shows itself anew", { [Symbol.for("nodejs.util.inspect.custom")]: again }],
    ["what grows with each level", nested(100, (inner) => [inner, inner, { inner }])],
    ["many members", Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`m${at}`, { at }]))],
    ["a proxy that throws", hostile],
    ["a revoked proxy", revoked.proxy],
    ["one of them within another", { a: [hostile], b: revoked.proxy, c: 1 }],
    ["an error that throws", Object.defineProperty(new Error("one"), "message", { get: throwing })],
    ["an error whose name is a symbol", Object.assign(new Error("one"), { name: Symbol("a") })],
    [
      "a tag that throws",
      new (class {
        get [Symbol.toStringTag]() {
          return throwing()
        }
      })()
    ]
  ])("shows something of %s, and not too much", (_, value) => {
    const text = inspect(value)
    expect(text).not.toBe("")
    expect(text.length).toBeLessThan(2_000_000)
    expect(() => [table(value), table([value, { a: 1 }])]).not.toThrow()
  })
})
