/**
 * What programs notice: the rows of the table in docs/decisions/effect-4.md, in its order.
 */
import {
  Catalog,
  CatalogConfig,
  ClientNetworkError,
  Credentials,
  isNotFound,
  Resilience,
  Transport
} from "@catalog-client/core"
import { AnimeListUpdateParams } from "@catalog-client/core/schemas"
import { EmbeddedCatalog } from "@catalog-client/testing"
import * as Cause from "effect/Cause"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { expect, test, vi } from "vitest"
import { labelled, measured } from "./support/telemetry.js"

type Fetch = typeof globalThis.fetch

const anime = { id: 1, title: "One" }
const get = Catalog.anime.get({ id: 1 })
const answers: Fetch = () => Promise.resolve(Response.json(anime))
const hangs: Fetch = () => new Promise(() => {})

const fetching = (fetch: Fetch) => Layer.provide(Transport.layerFetch, Layer.succeed(FetchHttpClient.Fetch, fetch))
const over = (transport: Layer.Layer<HttpClient.HttpClient>) => Layer.merge(transport, Credentials.layerNone)

test("a duration can be an object of units, and {} is no timeout", async () => {
  const timeout: object = { milliseconds: 20 }
  const call = Effect.provide(Catalog.anime.get({ id: 1 }, { timeout }), over(fetching(hangs)))
  await expect(Effect.runPromise(call)).rejects.toMatchObject({ reason: "Timeout", timeoutMs: 20 })
  const patient = Layer.merge(over(fetching(answers)), CatalogConfig.layer({ timeout: {} }))
  expect(await Effect.runPromise(Effect.provide(get, patient))).toEqual(anime)
})

const configured = (
  values: Readonly<Record<string, string>>,
  ...options: Parameters<typeof CatalogConfig.layerConfig>
) =>
  Effect.runPromiseExit(
    Effect.scoped(Layer.build(CatalogConfig.layerConfig(...options))).pipe(
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(values))
    )
  )

test("an empty variable counts as missing", async () => {
  expect(Exit.isSuccess(await configured({ CATALOG_BASE_URL: "" }))).toBe(true)
})

test("an invalid variable is a ConfigError that names it and says why, and a missing one a ConfigError that names it", async () => {
  const exit = await configured({ CATALOG_BASE_URL: "https://me:hunter2@x.example" })
  const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
  expect(error).toBeInstanceOf(Config.ConfigError)
  expect(String(error)).toContain('Invalid data at CATALOG_BASE_URL: "baseUrl must not contain a user name or password')
  expect(String(error)).not.toContain("hunter2")
  const whole = Config.schema(Schema.Struct({ baseUrl: Schema.String }))
  expect(String(await configured({ baseUrl: "x" }, whole))).toContain("Invalid data at baseUrl: ")
  const missing = Layer.build(Credentials.layerConfig({ accessToken: Config.Redacted("NOT_THERE") }))
  const other = await Effect.runPromise(Effect.flip(Effect.scoped(missing)))
  expect(other).toBeInstanceOf(Config.ConfigError)
  expect(String(other)).toContain("NOT_THERE")
})

test("an empty variable of a credential is a ConfigError, unless its Config has a default", async () => {
  const exitWith = (accessToken: Config.Config<Redacted.Redacted<string> | undefined>) =>
    Effect.runPromiseExit(
      Effect.scoped(Layer.build(Credentials.layerConfig({ accessToken }))).pipe(
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown({ TOKEN: "" }))
      )
    )
  expect(String(await exitWith(Config.Redacted("TOKEN")))).toContain("ConfigError")
  expect(Exit.isSuccess(await exitWith(Config.withDefault(Config.Redacted("TOKEN"), undefined)))).toBe(true)
})

test("a negative duration is shown, also in the ConfigError of a variable", async () => {
  const layer = CatalogConfig.layerConfig({ timeout: Config.Duration("TIMEOUT") })
  const provider = ConfigProvider.fromUnknown({ TIMEOUT: "-5 seconds" })
  const error = await Effect.runPromise(
    Effect.flip(Effect.scoped(Layer.build(layer))).pipe(Effect.provideService(ConfigProvider.ConfigProvider, provider))
  )
  expect(String(error)).toContain('but it is "-5000 millis"')
  const refused = Resilience.rateLimit({ limit: 1, interval: Duration.seconds(-5) })
  expect(() => Effect.runSync(refused)).toThrow('but it is "-5000 millis"')
})

test("a reference that a transport provides is as it was for the caller", async () => {
  const Seen = Context.Reference<number>("test/Seen", { defaultValue: () => 0 })
  const within: Array<number> = []
  const providing = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) =>
      client.pipe(
        HttpClient.tapRequest(() => Effect.map(Seen, (seen) => void within.push(seen))),
        HttpClient.transformResponse(Effect.provideService(Seen, 1))
      )
    )
  )
  const program = Effect.andThen(
    get,
    Effect.map(Seen, (seen) => seen)
  )
  expect(await Effect.runPromise(Effect.provide(program, over(Layer.provide(providing, fetching(answers)))))).toBe(0)
  expect(within).toEqual([1])
})

test("the client's label replaces the program's of the same name", async () => {
  const call = get.pipe(labelled({ operation: "nightly", job: "replaced" }), Effect.provide(over(fetching(answers))))
  await Effect.runPromise(call)
  const ours = measured().filter(
    ({ name, labels }) => name === "catalog_requests_total" && labels.some(([, value]) => value === "replaced")
  )
  expect(ours.map(({ labels }) => Object.fromEntries(labels))).toEqual([
    { job: "replaced", operation: "catalog.anime.get", outcome: "Success" }
  ])
})

test("a runtime that is disposed interrupts its calls", async () => {
  const runtime = ManagedRuntime.make(over(fetching(hangs)))
  const call = runtime.runPromiseExit(get)
  await new Promise((resolve) => setTimeout(resolve, 20))
  await runtime.dispose()
  const exit = await call
  expect(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)).toBe(true)
})

test("a body over a derived client is cancelled, if it is cut off", async () => {
  const cancel = vi.fn()
  const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(1000).fill(91))
  const fetch = () => Promise.resolve(new Response(new ReadableStream({ pull, cancel })))
  const derived = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(
      HttpClient.HttpClient,
      HttpClient.tapRequest(() => Effect.void)
    )
  ).pipe(Layer.provide(FetchHttpClient.layer), Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch)))
  const call = Catalog.anime.get({ id: 1 }, { maxResponseBytes: 10_000 })
  const error = await Effect.runPromise(Effect.provide(Effect.flip(call), over(derived)))
  expect(error).toMatchObject({ reason: "ResponseTooLarge" })
  await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(1))
})

test("a transport fails with an HttpClientError that has a reason", async () => {
  const dropping = EmbeddedCatalog.layer({ faults: [{ on: "anime.get", drop: "before-headers" }] })
  const request = HttpClient.get("https://api.myanimelist.net/v2/anime/1")
  const error = await Effect.runPromise(Effect.provide(Effect.flip(request), dropping))
  expect(error).toBeInstanceOf(HttpClientError.HttpClientError)
  expect(error.reason._tag).toBe("TransportError")
})

test("the failure of a call is one of a list of reasons", async () => {
  const exit = await Effect.runPromiseExit(Effect.provide(get, over(fetching(() => Promise.reject(new Error("x"))))))
  const reasons = Exit.isFailure(exit) ? exit.cause.reasons : []
  expect(reasons.map((reason) => Cause.isFailReason(reason) && reason.error)).toEqual([expect.any(ClientNetworkError)])
})

test("runPromise rejects with the error itself, which guards recognize", async () => {
  const missing = Effect.provide(Catalog.anime.get({ id: 999_999 }), over(EmbeddedCatalog.layer()))
  const error: unknown = await Effect.runPromise(missing).catch((error: unknown) => error)
  expect(isNotFound(error)).toBe(true)
})

test("decoding an update that changes nothing fails", () => {
  const parse = Schema.decodeUnknownSync(AnimeListUpdateParams)
  expect(parse({ id: 1, score: 9 })).toEqual({ id: 1, score: 9 })
  expect(() => parse({ id: 1 })).toThrow("must change something")
})
