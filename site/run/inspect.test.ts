// What the console of a page's programs shows of a value.
import { inspect as inspectOfNode } from "node:util"
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
    ["an invalid date", () => new Date(Number.NaN)]
  ])("shows %s as Node does", (_, make) => {
    expect(inspect(make())).toBe(inspectOfNode(make(), { depth: 20, breakLength: 72 }))
  })

  it("shows of a long array what Node does", () => {
    const more = "... 900 more items"
    expect(inspect(Array(1000).fill(0))).toContain(more)
    expect(inspectOfNode(Array(1000).fill(0))).toContain(more)
  })

  it.each<[string, unknown]>([
    ["a deep object", nested(100_000, (inner) => ({ inner }))],
    ["a deep array", nested(100_000, (inner) => [inner])],
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
