import {
  CatalogClient,
  CatalogConfig,
  CatalogHooks,
  type ClientAuthError,
  type ClientNetworkError,
  type ClientRestError,
  type ClientValidationError,
  Credentials,
  Operation
} from "@catalog-client/core"
import type { HttpClient } from "@effect/platform"
import { Effect, type Layer, Redacted, Stream } from "effect"
import { expectTypeOf, test } from "vitest"

declare const client: CatalogClient.Service

type Usual = ClientRestError | ClientNetworkError

test("an operation of a client requires nothing, and has the errors of its row", () => {
  const get = client.anime.get({ id: 1 }, { fields: "mean" })
  expectTypeOf(get).toEqualTypeOf<
    Effect.Effect<{ readonly id: number; readonly title: string; readonly mean?: number }, Usual>
  >()
  expectTypeOf(client.user.me()).toExtend<Effect.Effect<unknown, ClientAuthError | Usual>>()
  expectTypeOf(client.anime.deleteFromList({ id: 1 })).toEqualTypeOf<Effect.Effect<void, ClientAuthError | Usual>>()
  const items = client.anime.search.items({ q: "x" }, { fields: "mean" })
  expectTypeOf(items).toEqualTypeOf<
    Stream.Stream<
      { readonly node: { readonly id: number; readonly title: string; readonly mean?: number } },
      ClientValidationError | Usual
    >
  >()
})

test("dropping replies requires nothing and cannot fail", () => {
  const drop = client.invalidateCache(({ operation, params }) => operation === "catalog.anime.get" && "id" in params)
  expectTypeOf(drop).toEqualTypeOf<Effect.Effect<void>>()
  expectTypeOf(client.invalidateCache()).toEqualTypeOf<Effect.Effect<void>>()
  // @ts-expect-error -- a filter says yes or no
  client.invalidateCache(() => "no")
})

test("options go before an Effect or after it", () => {
  const call = client.user.me()
  expectTypeOf(CatalogConfig.with(call, { timeout: 1 })).toEqualTypeOf(call)
  expectTypeOf(call.pipe(CatalogConfig.with({ timeout: 1 }))).toEqualTypeOf(call)
})

test("a slot takes an Effect of a string, of a Redacted one, and of an Option", () => {
  const needing = {} as Effect.Effect<string, "broken", HttpClient.HttpClient>
  const slots = { accessToken: Effect.succeed(Redacted.make("one")), clientId: Effect.succeed("two") }
  expectTypeOf(Credentials.layer(slots)).toEqualTypeOf<Layer.Layer<Credentials>>()
  expectTypeOf(Credentials.layer({ accessToken: needing, clientId: Effect.succeedNone })).toEqualTypeOf<
    Layer.Layer<Credentials, never, HttpClient.HttpClient>
  >()
  client.anime.get({ id: 1 }, slots)
  // @ts-expect-error -- a number is no credential
  Credentials.layer({ clientId: Effect.succeed(1) })
})

test("hooks need what their Effects need", () => {
  const needing = {} as Effect.Effect<number, "broken", HttpClient.HttpClient>
  expectTypeOf(CatalogHooks.layer({ onRetry: () => needing, onWait: () => Effect.log("waits") })).toEqualTypeOf<
    Layer.Layer<never, never, HttpClient.HttpClient>
  >()
  expectTypeOf(CatalogHooks.layer({ onRetry: ({ attempt }) => attempt })).toEqualTypeOf<Layer.Layer<never>>()
  const annotated: CatalogHooks.Hooks<HttpClient.HttpClient> = { onRetry: () => needing, onWait: () => undefined }
  expectTypeOf(CatalogHooks.layer(annotated)).toEqualTypeOf<Layer.Layer<never, never, HttpClient.HttpClient>>()
  // @ts-expect-error -- the annotation says that it needs nothing
  const unnamed: CatalogHooks.Hooks = { onRetry: () => needing }
  expectTypeOf(CatalogHooks.layer(unnamed)).toEqualTypeOf<Layer.Layer<never>>()
  // @ts-expect-error -- there is no such hook
  CatalogHooks.layer({ onRetries: () => undefined })
})

test("a client that is made with fields follows them", () => {
  const mean = Effect.flatMap(CatalogClient.make({ fields: ["mean"] }), (client) => client.anime.get({ id: 1 }))
  expectTypeOf(mean).toEqualTypeOf<
    Effect.Effect<
      { readonly id: number; readonly title: string; readonly mean?: number },
      Usual,
      HttpClient.HttpClient | Credentials
    >
  >()
})

test("a stub returns a reply, and nothing else", () => {
  CatalogClient.layerMock({ anime: { get: ({ id }) => Effect.succeed({ id, title: "One" }) } })
  const page = { data: [], paging: {} }
  const items = () => Stream.empty
  CatalogClient.layerMock({ user: { animeList: () => Effect.succeed(page) } })
  CatalogClient.layerMock({ user: { animeList: Object.assign(() => Effect.succeed(page), { items }) } })
  const numbers = () => Stream.make(1)
  // @ts-expect-error entries have nodes
  CatalogClient.layerMock({ user: { animeList: Object.assign(() => Effect.succeed(page), { items: numbers }) } })
  // @ts-expect-error a reply has a title
  CatalogClient.layerMock({ anime: { get: ({ id }) => Effect.succeed({ id }) } })
  // @ts-expect-error there is no such operation
  CatalogClient.layerMock({ anime: { got: () => Effect.void } })
})

test("withResponse keeps errors and requirements", () => {
  const response = Operation.withResponse(client.anime.deleteFromList({ id: 1 }))
  expectTypeOf<Effect.Effect.Error<typeof response>>().toEqualTypeOf<ClientAuthError | Usual>()
  expectTypeOf<Effect.Effect.Success<typeof response>["status"]>().toEqualTypeOf<number | undefined>()
})
