/**
 * The stacks of rejections: where the program waited for a call.
 */
import { createCatalog } from "catalog-client"
import { ClientNetworkError, isNotFound, Resilience } from "@catalog-client/core"
import { isClientError } from "@catalog-client/core/guards"
import { Effect } from "effect"
import { setTimeout as after } from "node:timers/promises"
import { expect, test, vi } from "vitest"
import { all, catalogOver, json, policyOf, made } from "./support/faces.js"
import { anime } from "./support/stubService.js"
import { rejection } from "./support/eventually.js"

test("a mistake names the line of the program that made it", async () => {
  await using catalog = createCatalog({ fetch: () => Promise.resolve(json(anime)) })
  const oops = { id: "1" } as never
  for (const call of [
    () => catalog.anime.get(oops),
    () => catalog.anime.get({ id: 1 }, { timeout: -1 }),
    () => catalog.anime.search.collect({ q: "x" }, { max: NaN })
  ]) {
    const error = await rejection(call())
    expect(error).toBeInstanceOf(TypeError)
    const lines = String(error.stack).split("\n")
    expect(lines[1]).toContain("stack.test")
  }
})

test("a mistake shows where the program waited for it", async () => {
  const { catalog } = catalogOver(() => json(anime))
  const oops = { id: "1", rankingType: 1 } as never
  const waits: ReadonlyArray<() => Promise<unknown>> = [
    async function waitsForIt() {
      await catalog.anime.get(oops)
    },
    async function waitsForIt() {
      await all(catalog.anime.ranking.items(oops))
    }
  ]
  for (const wait of waits) {
    const error = await rejection(wait())
    expect(error).toBeInstanceOf(TypeError)
    // Node's own lines come first if other timers fire in the same turn.
    expect(error.stack).toMatch(
      /^TypeError: [^\n]+\n(    at .*node:internal.*\n)*(    at (async )?(read|all|Object\.get) .*\n)*    at (async )?waitsForIt .*stack\.test/
    )
  }
})

test("a rejection shows where the program waited", async () => {
  const catalog = createCatalog({ fetch: () => after(1, json({}, { status: 404 })) })
  const stop = new AbortController()
  const waits: ReadonlyArray<() => Promise<unknown>> = [
    async function waitsForIt() {
      await catalog.anime.get({ id: 1 })
    },
    async function waitsForIt() {
      await Promise.all([catalog.anime.search.collect({ q: "x" }, { max: 1 }), Promise.resolve()])
    },
    async function waitsForIt() {
      await all(catalog.anime.search.pages({ q: "x" }))
    },
    async function waitsForIt() {
      const found = createCatalog({
        fetch: () => Promise.resolve(json({ data: [{ node: anime }, { node: anime }], paging: {} }))
      })
      for await (const entry of found.anime.search.items({ q: "x" }, { signal: stop.signal })) {
        expect(entry).toBeDefined()
        stop.abort()
      }
    },
    async function waitsForIt() {
      await catalog.close()
      await catalog.anime.get({ id: 1 })
    },
    async function waitsForIt() {
      await createCatalog({ fetch: () => after(1, json({})) }).user.me()
    }
  ]
  for (const wait of waits) {
    const error = await rejection(wait())
    expect(isClientError(error)).toBe(true)
    const { message, name, stack } = error
    expect(stack?.startsWith(`${name}: ${message}\n    at `), stack).toBe(true)
    expect(stack).toMatch(/at (async )?waitsForIt .*stack\.test/)
    expect(stack).not.toContain("core/dist/internal")
  }
})

test("an error that two calls share shows no lines of either", async () => {
  const fetch = () => after(1, json({}, { status: 404 }))
  const catalog = createCatalog({ fetch, policies: [made(Resilience.dedupe())] })
  const stacks: Array<string> = []
  const one = async () => {
    await catalog.anime.get({ id: 1 }).catch((error: unknown) => stacks.push(String((error as Error).stack)))
  }
  const other = async () => {
    await catalog.anime.get({ id: 1 }).catch((error: unknown) => stacks.push(String((error as Error).stack)))
  }
  await Promise.all([one(), other()])
  expect(stacks[0]).not.toContain("at async other")
  expect(stacks[1]).not.toContain("at async")
})

test.each([
  Object.freeze(
    new ClientNetworkError({
      operation: "catalog.anime.get",
      method: "GET",
      url: "u",
      reason: "Cancelled",
      attempts: 1
    })
  ),
  { message: 5 },
  new TypeError("a mistake of the program"),
  new Error("catalog.anime.get: a policy has a mistake")
])("a call rejects with the error or defect of a policy: %s", async (thrown) => {
  const stack = thrown instanceof Error ? thrown.stack : undefined
  const policy = policyOf(
    () => (thrown instanceof ClientNetworkError ? Effect.fail(thrown) : Effect.die(thrown)),
    () => Promise.reject(thrown)
  )
  const { catalog } = catalogOver(() => after(1, json(anime)), { policies: [policy] })
  const error = await rejection(catalog.anime.get({ id: 1 }))
  expect(error).toBe(thrown)
  expect(error.stack).toBe(stack)
})

test("without V8 the stack stays the message", async () => {
  // As Safari has it: frames alone.
  const frames = { stack: "load@https://page.example/app.js:1:2" }
  const capture = vi
    .spyOn(Error, "captureStackTrace")
    .mockImplementation((holder) => void Object.assign(holder, frames))
  const catalog = createCatalog({ fetch: () => after(1, json({}, { status: 404 })) })
  const error = await rejection(catalog.anime.get({ id: 1 }))
  capture.mockRestore()
  expect(error.stack).toBe(`ClientRestError: ${error.message}`)
})

const prepare = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace")
const { stackTraceLimit } = Error

test.each<[how: string, change: () => unknown]>([
  ["are call sites", () => (Error.prepareStackTrace = (_, sites) => sites)],
  ["are nothing", () => (Error.prepareStackTrace = () => undefined)],
  [
    "cannot be prepared",
    () =>
      (Error.prepareStackTrace = () => {
        throw new Error("no stack")
      })
  ],
  ["have no limit", () => Reflect.deleteProperty(Error, "stackTraceLimit")],
  ["have no lines", () => (Error.stackTraceLimit = 0)]
])("where stacks %s, a call rejects with the same errors", async (_, change) => {
  const catalog = createCatalog({ fetch: () => after(1, json({}, { status: 404 })) })
  const closed = createCatalog()
  await closed.close()
  const calls = [
    () => catalog.anime.get({ id: 1 }),
    () => catalog.anime.get({ id: 1 }, { policies: [Resilience.retry(), made(Resilience.dedupe())] }),
    () => catalog.anime.search.collect({ q: "x" }, { max: 1 }),
    () => all(catalog.anime.search.items({ q: "x" })),
    () => catalog.anime.search({ q: " " }),
    () => closed.anime.get({ id: 1 }),
    () => catalog.anime.get({ id: "1" } as never),
    () => catalog.anime.get({ id: 1 }, { timeout: -1 })
  ]
  change()
  const limit = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit")
  const errors: Array<unknown> = []
  for (const call of calls) {
    errors.push(await call().catch((error: unknown) => error))
  }
  const limitAfter = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit")
  if (prepare === undefined) {
    Reflect.deleteProperty(Error, "prepareStackTrace")
  } else {
    Object.defineProperty(Error, "prepareStackTrace", prepare)
  }
  Error.stackTraceLimit = stackTraceLimit
  expect(limitAfter).toEqual(limit)
  const missing = { name: "ClientRestError", status: 404 }
  const mistake = { name: "TypeError", message: expect.stringContaining("catalog.anime.get") as string }
  expect(errors).toMatchObject([
    missing,
    missing,
    missing,
    missing,
    { reason: "EmptyKeyword" },
    { reason: "Cancelled" },
    mistake,
    mistake
  ])
  expect(errors.filter(isNotFound)).toHaveLength(4)
})
