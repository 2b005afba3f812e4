import { type AsyncList, type Catalog as PromiseCatalog, Operation as Own } from "catalog-client"
import {
  CatalogClient,
  type ClientAuthError,
  type ClientNetworkError,
  type ClientRestError,
  type Credentials,
  Operation
} from "@catalog-client/core"
import type { HttpClient } from "@effect/platform"
import { Context, Effect, type ParseResult, Schema, type Stream } from "effect"
import { describe, expectTypeOf, test } from "vitest"

type Network = ClientRestError | ClientNetworkError
type Called<A, E> = Effect.Effect<A, E, HttpClient.HttpClient | Credentials>
type Streamed<A, E> = Stream.Stream<A, E, HttpClient.HttpClient | Credentials>
type Studio = { readonly id: number; readonly founded?: Date | undefined }

const Studio = Schema.Struct({ id: Schema.Number, founded: Schema.optional(Schema.Date) })
const base = { name: "studio.get", method: "GET", path: "/studio" } as const

const get = Operation.make({
  ...base,
  path: "/studio/{id}/{part}",
  inputs: {
    id: Schema.Number,
    part: Schema.String,
    since: Schema.optional(Schema.Date),
    tags: Schema.Array(Schema.String)
  },
  reply: Studio
})
const ping = Operation.make(base)
const touch = Operation.make({
  name: "studio.touch",
  method: "PATCH",
  path: "/studio",
  inputs: { name: Schema.optional(Schema.String) },
  token: true
})
const list = Operation.paged({
  ...base,
  inputs: { q: Schema.String },
  token: true,
  limit: { maximum: 10 },
  reply: Operation.pageSchema(Studio)
})
const posts = Operation.paged({
  ...base,
  limit: { maximum: 10 },
  reply: Schema.Struct({
    data: Schema.Struct({ title: Schema.String, posts: Schema.Array(Schema.Number) }),
    paging: Schema.Struct({ next: Schema.NullOr(Schema.String) })
  })
})

type Params = {
  readonly id: number
  readonly part: string
  readonly since?: Date | undefined
  readonly tags: ReadonlyArray<string>
}

declare const catalog: PromiseCatalog
const params = { id: 1, part: "x", tags: ["a"] }

describe("an operation of a program has the types that its declaration says", () => {
  test("params", () => {
    expectTypeOf<Parameters<typeof get>[0]>().toEqualTypeOf<Params>()
    expectTypeOf<Parameters<typeof ping>["length"]>().toEqualTypeOf<0 | 1>()
    expectTypeOf(touch).toBeCallableWith()
    expectTypeOf(list).toBeCallableWith({ q: "x", limit: 1, offset: 2 }, { timeout: 5 })
    // @ts-expect-error -- params are required
    get()
    // @ts-expect-error -- `id` is a number
    get({ ...params, id: "1" })
    // @ts-expect-error -- there is no such input
    get({ id: 1, part: "x", tags: [], other: 1 })
    // @ts-expect-error -- it has no selector
    get(params, { fields: "id" })
    // @ts-expect-error -- it takes options alone
    ping({}, {})
    // @ts-expect-error -- it has no pages
    get({ ...params, limit: 1 })
  })

  test("reply, errors and requirements", () => {
    expectTypeOf(get(params)).toEqualTypeOf<Called<Studio, Network>>()
    expectTypeOf(ping()).toEqualTypeOf<Called<void, Network>>()
    expectTypeOf(touch()).toEqualTypeOf<Called<void, Network | ClientAuthError>>()
    expectTypeOf(list({ q: "x" })).toEqualTypeOf<Called<typeof page.Type, Network | ClientAuthError>>()
  })

  const page = Operation.pageSchema(Studio)

  test("whole lists", () => {
    type Errors = Network | ClientAuthError
    expectTypeOf(list.pages({ q: "x" }, { prefetch: 2 })).toEqualTypeOf<Streamed<typeof page.Type, Errors>>()
    expectTypeOf(list.items({ q: "x" })).toEqualTypeOf<Streamed<Studio, Errors>>()
    expectTypeOf(list.collect({ q: "x" }, { max: 1 })).toEqualTypeOf<Called<ReadonlyArray<Studio>, Errors>>()
    expectTypeOf(posts.items({}, { distinct: true })).toEqualTypeOf<Streamed<number, Network>>()
    expectTypeOf(posts.items()).toEqualTypeOf<Streamed<number, Network>>()
    // @ts-expect-error -- max is required
    list.collect({ q: "x" })
  })
})

describe("on the other faces", () => {
  test("promises", () => {
    const get = Own.make({
      ...base,
      path: "/studio/{id}",
      inputs: { id: Own.type<number>() },
      reply: Own.type<Studio>()
    })
    const ping = Own.make(base)
    const list = Own.paged({
      ...base,
      inputs: { q: Own.type<string>() },
      limit: { maximum: 10 },
      reply: Own.type<{ readonly data: ReadonlyArray<Studio> }>()
    })
    expectTypeOf(catalog.call(get, { id: 1 })).toEqualTypeOf<Promise<Studio>>()
    expectTypeOf(catalog.call(ping, { timeout: 5 })).toEqualTypeOf<Promise<void>>()
    expectTypeOf(catalog.call.items(list, { q: "x" })).toEqualTypeOf<AsyncList<Studio>>()
    expectTypeOf(catalog.call.pages(list, { q: "x" }, { distinct: true })).toExtend<AsyncList<Own.AnyPage>>()
    expectTypeOf(catalog.call.collect(list, { q: "x" }, { max: 1 })).toEqualTypeOf<Promise<ReadonlyArray<Studio>>>()
    // @ts-expect-error -- params are required
    void catalog.call(get)
    // @ts-expect-error -- an id is a number
    void catalog.call(get, { id: "1" })
    // @ts-expect-error -- it has no pages
    catalog.call.items(get, { id: 1 })
    // @ts-expect-error -- Operation.make of catalog-client has not made it
    void catalog.call(() => Promise.resolve(1))
  })

  test("a client as a value", () => {
    Effect.gen(function* () {
      const client = yield* CatalogClient
      expectTypeOf(client.call(get, params)).toEqualTypeOf<Effect.Effect<Studio, Network>>()
      expectTypeOf(client.call(touch)).toEqualTypeOf<Effect.Effect<void, Network | ClientAuthError>>()
      expectTypeOf(client.call.items(posts)).toEqualTypeOf<Stream.Stream<number, Network>>()
    })
  })
})

describe("a declaration that is wrong does not compile", () => {
  const service = Context.GenericTag<"service", { readonly text: string }>("service")
  const needing = Schema.transformOrFail(Schema.String, Schema.String, {
    strict: true,
    decode: (text): Effect.Effect<string, ParseResult.ParseIssue, "service"> => Effect.as(service, text),
    encode: (text) => Effect.succeed(text)
  })

  test("of the path", () => {
    // @ts-expect-error -- the path has {id}
    Operation.make({ ...base, path: "/studio/{id}" })
    // @ts-expect-error -- a segment is one text
    Operation.make({ ...base, path: "/{id}", inputs: { id: Schema.Array(Schema.String) } })
    // @ts-expect-error -- a segment is required
    Operation.make({ ...base, path: "/{id}", inputs: { id: Schema.optional(Schema.String) } })
  })

  test("of inputs", () => {
    // @ts-expect-error -- an object cannot be sent
    Operation.make({ ...base, inputs: { a: Schema.Struct({ b: Schema.String }) } })
    // @ts-expect-error -- Schema.Date encodes to a text
    Operation.make({ ...base, inputs: { a: Schema.DateFromSelf } })
    // @ts-expect-error -- an input has the name that is sent
    Operation.make({ ...base, inputs: { a: Schema.optional(Schema.String).pipe(Schema.fromKey("b")) } })
    // @ts-expect-error -- not a Schema
    Operation.make({ ...base, inputs: { a: "string" } })
    // @ts-expect-error -- an input must need no service
    Operation.make({ ...base, inputs: { a: needing } })
    // @ts-expect-error -- nor may an optional one
    Operation.make({ ...base, inputs: { a: Schema.optional(needing), b: Schema.String } })
    // @ts-expect-error -- nor may one of pages
    Operation.paged({ ...base, inputs: { a: needing }, limit: { maximum: 1 }, reply: Operation.pageSchema(Studio) })
  })

  test("of the rest", () => {
    // @ts-expect-error -- the reply must need no service
    Operation.make({ ...base, reply: needing })
    // @ts-expect-error -- not a method
    Operation.make({ ...base, method: "HEAD" })
    // @ts-expect-error -- not a member
    Operation.make({ ...base, querry: {} })
    // @ts-expect-error -- the largest page is missing
    Operation.paged({ ...base, reply: Operation.pageSchema(Studio) })
    // @ts-expect-error -- not a page
    Operation.paged({ ...base, limit: { maximum: 1 }, reply: Studio })
    // @ts-expect-error -- its links are missing
    Operation.paged({ ...base, limit: { maximum: 1 }, reply: Schema.Struct({ data: Schema.Array(Studio) }) })
  })
})

test("a stub has the params, the reply and the errors of its operation", () => {
  Operation.stub(get, ({ id, tags }, options) => {
    expectTypeOf(id).toEqualTypeOf<number>()
    expectTypeOf(tags).toEqualTypeOf<ReadonlyArray<string>>()
    expectTypeOf(options?.timeout).not.toBeAny()
    return Effect.succeed({ id })
  })
  // @ts-expect-error -- the reply has an id
  Operation.stub(get, () => Effect.succeed({}))
  // @ts-expect-error -- the operation fails with its own errors alone
  Operation.stub(get, () => Effect.fail("no"))
})
