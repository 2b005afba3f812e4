import {
  CatalogClient,
  type AsyncList,
  type ClientAuthError,
  type ClientNetworkError,
  type ClientRestError,
  type ClientValidationError,
  type Credentials,
  Operation,
  type PromiseCatalog
} from "@catalog-client/core"
import type { HttpClient } from "@effect/platform"
import { Context, Effect, type ParseResult, Schema, type Stream } from "effect"
import { type as arktype } from "arktype"
import * as v from "valibot"
import { describe, expectTypeOf, test } from "vitest"
import { z } from "zod"

type Network = ClientRestError | ClientNetworkError
type Called<A, E> = Effect.Effect<A, E, HttpClient.HttpClient | Credentials>
type Streamed<A, E> = Stream.Stream<A, E, HttpClient.HttpClient | Credentials>
type Studio = { readonly id: number; readonly founded?: Date | undefined }

const Studio = Schema.Struct({ id: Schema.Number, founded: Schema.optional(Schema.Date) })
const base = { name: "studio.get", method: "GET", path: "/studio" } as const

const get = Operation.make({
  ...base,
  path: "/studio/{id}/{part}",
  segments: { id: Schema.Number, part: Schema.String },
  query: { since: Schema.optional(Schema.Date), tags: Schema.Array(Schema.String) },
  reply: Studio
})
const ping = Operation.make(base)
const touch = Operation.make({
  name: "studio.touch",
  method: "PATCH",
  path: "/studio",
  form: { name: Schema.optional(Schema.String) },
  token: true,
  rule: "changes"
})
const list = Operation.paged({
  ...base,
  query: { q: Schema.String },
  token: true,
  rule: "keyword",
  most: 10,
  reply: Operation.page(Studio)
})
const posts = Operation.paged({
  ...base,
  most: 10,
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
    expectTypeOf(list).toBeCallableWith({ q: "x", limit: 1, offset: 2 }, { timeout: 5, extra: { query: { a: [] } } })
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
    expectTypeOf(touch()).toEqualTypeOf<Called<void, Network | ClientAuthError | ClientValidationError>>()
    expectTypeOf(list({ q: "x" })).toEqualTypeOf<
      Called<typeof page.Type, Network | ClientAuthError | ClientValidationError>
    >()
  })

  const page = Operation.page(Studio)

  test("whole lists", () => {
    type Errors = Network | ClientAuthError | ClientValidationError
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
    expectTypeOf(catalog.call(get, params)).toEqualTypeOf<Promise<Studio>>()
    expectTypeOf(catalog.call(ping, { timeout: 5 })).toEqualTypeOf<Promise<void>>()
    expectTypeOf(catalog.call.items(list, { q: "x" })).toEqualTypeOf<AsyncList<Studio>>()
    expectTypeOf(catalog.call.pages(posts, {}, { distinct: true })).toExtend<AsyncList<Operation.AnyPage>>()
    expectTypeOf(catalog.call.collect(list, { q: "x" }, { max: 1 })).toEqualTypeOf<Promise<ReadonlyArray<Studio>>>()
    // @ts-expect-error -- params are required
    void catalog.call(get)
    // @ts-expect-error -- there is no such input
    void catalog.call(get, { ...params, other: 1, id: "1" })
    // @ts-expect-error -- it has no pages
    catalog.call.items(get, params)
    // @ts-expect-error -- Operation.make has not made it
    void catalog.call(() => Effect.succeed(1))
  })

  test("a client as a value", () => {
    Effect.gen(function* () {
      const client = yield* CatalogClient
      expectTypeOf(client.call(get, params)).toEqualTypeOf<Effect.Effect<Studio, Network>>()
      expectTypeOf(client.call(touch)).toEqualTypeOf<
        Effect.Effect<void, Network | ClientAuthError | ClientValidationError>
      >()
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
    // @ts-expect-error -- the path has no {id}
    Operation.make({ ...base, segments: { id: Schema.Number } })
    // @ts-expect-error -- a segment is one text
    Operation.make({ ...base, path: "/{id}", segments: { id: Schema.Array(Schema.String) } })
    // @ts-expect-error -- a segment is required
    Operation.make({ ...base, path: "/{id}", segments: { id: Schema.optional(Schema.String) } })
  })

  test("of inputs", () => {
    // @ts-expect-error -- twice
    Operation.make({ ...base, path: "/{id}", segments: { id: Schema.Number }, query: { id: Schema.Number } })
    // @ts-expect-error -- an object cannot be sent
    Operation.make({ ...base, query: { a: Schema.Struct({ b: Schema.String }) } })
    // @ts-expect-error -- Schema.Date encodes to a text
    Operation.make({ ...base, query: { a: Schema.DateFromSelf } })
    // @ts-expect-error -- a GET has no form
    Operation.make({ ...base, form: { a: Schema.String } })
    // @ts-expect-error -- not a Schema
    Operation.make({ ...base, query: { a: "string" } })
    // @ts-expect-error -- an input must need no service
    Operation.make({ ...base, query: { a: needing } })
  })

  test("of the rest", () => {
    // @ts-expect-error -- the reply must need no service
    Operation.make({ ...base, reply: needing })
    // @ts-expect-error -- not a method
    Operation.make({ ...base, method: "HEAD" })
    // @ts-expect-error -- not a member
    Operation.make({ ...base, querry: {} })
    // @ts-expect-error -- not a rule
    Operation.make({ ...base, rule: "any" })
    // @ts-expect-error -- the largest page is missing
    Operation.paged({ ...base, reply: Operation.page(Studio) })
    // @ts-expect-error -- not a page
    Operation.paged({ ...base, most: 1, reply: Studio })
    // @ts-expect-error -- its links are missing
    Operation.paged({ ...base, most: 1, reply: Schema.Struct({ data: Schema.Array(Studio) }) })
  })
})

describe("Schemas of other libraries", () => {
  const mixed = Operation.make({
    ...base,
    path: "/studio/{id}",
    segments: { id: z.int() },
    query: {
      since: Schema.optional(Schema.Date),
      language: v.optional(v.string()),
      years: z.array(z.number()).transform((years) => years.map(String)),
      kind: Operation.type<"a" | "b">()
    },
    reply: z.object({ founded: z.string().transform((date) => new Date(date)) })
  })

  test("params are their inputs, and a reply is their output", () => {
    expectTypeOf<Parameters<typeof mixed>[0]>().toEqualTypeOf<{
      readonly id: number
      readonly since?: Date | undefined
      readonly language?: string | undefined
      readonly years: Array<number>
      readonly kind: "a" | "b"
    }>()
    expectTypeOf(mixed({ id: 1, years: [2001], kind: "a" })).toEqualTypeOf<Called<{ founded: Date }, Network>>()
    expectTypeOf(catalog.call(mixed, { id: 1, years: [], kind: "b" })).toEqualTypeOf<Promise<{ founded: Date }>>()
    // @ts-expect-error -- `kind` is required
    mixed({ id: 1, years: [] })
    const effect = Operation.make({ ...base, query: { at: v.string() }, reply: Studio })
    expectTypeOf(effect({ at: "x" })).toEqualTypeOf<Called<Studio, Network>>()
    const ark = Operation.make({ ...base, reply: arktype({ name: "string" }) })
    expectTypeOf(ark()).toEqualTypeOf<Called<{ name: string }, Network>>()
    const given = Operation.make({ ...base, reply: Operation.type<Studio>() })
    expectTypeOf(given()).toEqualTypeOf<Called<Studio, Network>>()
  })

  test("pages", () => {
    const pages = Operation.paged({
      ...base,
      query: { q: z.string() },
      most: 10,
      reply: z.object({
        data: z.array(z.object({ id: z.number() })),
        paging: z.object({ next: z.string().optional() })
      })
    })
    expectTypeOf(pages.items({ q: "x", limit: 2 })).toEqualTypeOf<Streamed<{ id: number }, Network>>()
    // @ts-expect-error -- a reply without pages
    Operation.paged({ ...base, most: 10, reply: Operation.type<{ readonly data: string }>() })
  })

  test("a wrong declaration does not compile", () => {
    // @ts-expect-error -- the path has {id}
    Operation.make({ ...base, path: "/studio/{id}", query: { id: z.int() } })
    // @ts-expect-error -- a date cannot be sent
    Operation.make({ ...base, query: { at: z.date() } })
    // @ts-expect-error -- a form of GET
    Operation.make({ ...base, form: { name: z.string() } })
    // @ts-expect-error -- declared twice
    Operation.make({ ...base, path: "/studio/{id}", segments: { id: z.int() }, query: { id: Schema.Number } })
  })
})
