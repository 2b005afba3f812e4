/**
 * What compiles on Effect 4 and could mean something else there than on Effect 3.
 */
import {
  Catalog,
  CatalogHooks,
  CatalogPolicy,
  ClientNetworkError,
  Credentials,
  Operation,
  Resilience,
  Transport
} from "@catalog-client/core"
import { OAuthSession, Tokens, TokenStore } from "@catalog-client/oauth"
import { createCatalog } from "catalog-client"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { expect, test, vi } from "vitest"
import { measured, recordingLogger, recordingTracer } from "./support/telemetry.js"

type Fetch = typeof globalThis.fetch

const json = (value: unknown) => Response.json(value)
const answering =
  (value: unknown): Fetch =>
  () =>
    Promise.resolve(json(value))

const over = (fetch: Fetch) => Layer.provide(Transport.layerFetch, Layer.succeed(FetchHttpClient.Fetch, fetch))
const anonymous = (fetch: Fetch) => Layer.merge(over(fetch), Credentials.layer({ clientId: "any" }))
const get = Catalog.anime.get({ id: 1 })

test("an interruption runs observers at once: a call that close ends says so", async () => {
  const catalog = createCatalog({ fetch: () => new Promise(() => {}), clientId: "any" })
  const call = catalog.anime.get({ id: 1 })
  await catalog.close()
  await expect(call).rejects.toMatchObject({ reason: "Cancelled", cause: { message: "the catalog was closed" } })
})

test("a slot has the services of its Layer, and the loggers, the tracer and the level of the call", async () => {
  const [ofLayer, ofCall] = [recordingLogger(), recordingLogger()]
  const Name = Context.Service<string>("test/Name")
  const slot = Effect.gen(function* () {
    yield* Effect.logWarning(`asked by ${yield* Name}`)
    return Option.some(Redacted.make("token"))
  })
  const credentials = Credentials.layer({ accessToken: slot }).pipe(
    Layer.provide([ofLayer.layer, Layer.succeed(Name, "the Layer")])
  )
  const services = Layer.mergeAll(over(answering({ id: 1, title: "One" })), credentials, ofCall.layer)
  await Effect.runPromise(Effect.provide(get, services))
  expect([ofLayer.texts, ofCall.texts]).toEqual([[], ["asked by the Layer"]])
})

test("a shared exchange begins at once, and equal reads over two clients are two", async () => {
  const fetch = vi.fn(answering({ id: 1, title: "One" }))
  const dedupe = CatalogPolicy.layer(Resilience.dedupe())
  const read = () => Effect.provide(get, Layer.merge(anonymous(fetch), dedupe))
  const twice = Effect.provide(Effect.all([get, get], { concurrency: 2 }), Layer.merge(anonymous(fetch), dedupe))
  await Effect.runPromise(twice)
  expect(fetch).toHaveBeenCalledTimes(1)
  await Effect.runPromise(Effect.all([read(), read()], { concurrency: 2 }))
  expect(fetch).toHaveBeenCalledTimes(3)
})

test("a tracer needs no context function", async () => {
  const { layer, spans } = recordingTracer()
  await Effect.runPromise(Effect.provide(get, Layer.merge(anonymous(answering({ id: 1, title: "One" })), layer)))
  expect(spans.map(({ name }) => name)).toEqual(["catalog.anime.get", "GET"])
})

test("stored tokens are strings", async () => {
  const text = TokenStore.encode(Tokens.from({ access_token: "a", refresh_token: "r" }))
  expect(JSON.parse(text)).toMatchObject({ tokens: { accessToken: "a", refreshToken: "r" } })
  const decoded = await Effect.runPromise(TokenStore.decode(text))
  expect(Redacted.value(decoded.accessToken)).toBe("a")
})

test("a KeyValueStore returns strings or undefined", async () => {
  const program = Effect.gen(function* () {
    const values = yield* KeyValueStore.KeyValueStore
    const store = TokenStore.from({
      get: () => values.get("tokens"),
      set: (text) => values.set("tokens", text),
      remove: () => values.remove("tokens")
    })
    const before = yield* store.get
    yield* store.update(() => Effect.succeed(Option.some(Tokens.from({ access_token: "a" }))))
    return [before, yield* store.get]
  })
  const [before, after] = await Effect.runPromise(Effect.provide(program, KeyValueStore.layerMemory))
  expect([before, Option.isSome(after ?? Option.none())]).toEqual([Option.none(), true])
})

test("a session tells its changes", async () => {
  const program = Effect.gen(function* () {
    const session = yield* OAuthSession
    const changes = yield* Effect.forkChild(Stream.runCollect(Stream.take(session.changes, 2)), {
      startImmediately: true
    })
    yield* session.signIn(Tokens.from({ access_token: "a" }))
    yield* session.signOut
    return yield* Fiber.join(changes)
  })
  const session = OAuthSession.layer({ clientId: "any" }).pipe(
    Layer.provide([TokenStore.layerMemory, over(answering({}))])
  )
  expect(await Effect.runPromise(Effect.provide(program, session))).toEqual(["SignedIn", "SignedOut"])
})

test("the fetch of a Layer counts, and without one the platform's of the moment", async () => {
  const [ofLayer, ofPlatform] = [vi.fn(answering({ id: 1, title: "Layer" })), vi.fn(answering({ id: 1, title: "Now" }))]
  expect(await Effect.runPromise(Effect.provide(get, anonymous(ofLayer)))).toEqual({ id: 1, title: "Layer" })
  vi.stubGlobal("fetch", ofPlatform)
  try {
    const services = Layer.merge(Transport.layerFetch, Credentials.layer({ clientId: "any" }))
    expect(await Effect.runPromise(Effect.provide(get, services))).toEqual({ id: 1, title: "Now" })
  } finally {
    vi.unstubAllGlobals()
  }
})

test("records keep unknown members, and a check is checked", async () => {
  const reply = Schema.Struct({ size: Schema.Number.check(Schema.isGreaterThan(5)) })
  const operation = Operation.make({ name: "test", method: "GET", path: "/test", reply })
  const known = anonymous(answering({ id: 1, title: "One", more: [1] }))
  expect(await Effect.runPromise(Effect.provide(get, known))).toEqual({ id: 1, title: "One", more: [1] })
  const run = (size: number) =>
    Effect.runPromise(Effect.provide(Effect.flip(operation()), anonymous(answering({ size }))))
  await expect(run(4)).resolves.toMatchObject({ _tag: "ClientRestError" })
  await expect(run(6)).rejects.toThrow()
})

test("an empty page does not end a Stream, and is none of its chunks", async () => {
  const next = "https://api.myanimelist.net/v2/anime?q=x&offset=1"
  const pages = [
    { data: [], paging: { next } },
    { data: [{ node: { id: 1, title: "One" } }], paging: {} }
  ]
  const fetch = () => Promise.resolve(json(pages.shift()))
  const items = Stream.runCollect(Catalog.anime.search.items({ q: "xyz" }))
  expect(await Effect.runPromise(Effect.provide(items, anonymous(fetch)))).toHaveLength(1)
})

test("metrics have the program's labels", async () => {
  const { labelled } = await import("./support/telemetry.js")
  const call = labelled({ job: "traps" })(get)
  await Effect.runPromise(Effect.provide(call, anonymous(answering({ id: 1, title: "One" }))))
  expect(measured()).toContainEqual(
    expect.objectContaining({ name: "catalog_requests_total", labels: expect.arrayContaining([["job", "traps"]]) })
  )
})

test("errors are encoded with their tag", () => {
  const error = new ClientNetworkError({
    operation: "o",
    method: "GET",
    url: "u",
    reason: "Timeout",
    attempts: 1,
    cause: { name: "n", message: "m" }
  })
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({ _tag: "ClientNetworkError", reason: "Timeout" })
})

test("a warning about a hook finds the loggers of a call that has ended", async () => {
  const { layer, texts } = recordingLogger()
  const hooks = { onResponse: () => Promise.resolve().then(() => Promise.reject(new Error("late"))) }
  const services = Layer.mergeAll(anonymous(answering({ id: 1, title: "One" })), CatalogHooks.layer(hooks), layer)
  await Effect.runPromise(Effect.provide(get, services))
  await vi.waitFor(() => expect(texts).toEqual([expect.stringContaining("the hook onResponse failed")]))
})
