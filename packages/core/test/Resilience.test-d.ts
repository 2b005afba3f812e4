import { createCatalog } from "catalog-client"
import {
  Catalog,
  CatalogPolicy,
  type ClientNetworkError,
  type ClientRestError,
  type Credentials,
  isRateLimited,
  isRetryable,
  type Operation,
  Resilience
} from "@catalog-client/core"
import type * as parts from "@catalog-client/core/Resilience"
import type { HttpClient } from "@effect/platform"
import { Config, type ConfigError, Effect, type Layer } from "effect"
import { describe, expectTypeOf, test } from "vitest"

describe("policies", () => {
  test("are made by Resilience and are the program's own functions", () => {
    const made = [
      Resilience.breaker(),
      Resilience.dedupe(),
      Resilience.cache({ capacity: 1, timeToLive: 1 }),
      Resilience.rateLimit({ limit: 1, interval: "1 second" })
    ]
    expectTypeOf(made).toExtend<Array<Effect.Effect<CatalogPolicy.Policy>>>()
    expectTypeOf(CatalogPolicy.layer(...made, Resilience.retry(), (_, attempt) => attempt)).toEqualTypeOf<
      Layer.Layer<never>
    >()
    // @ts-expect-error a call takes the policy that the Effect makes
    Catalog.forum.boards({ policies: made })
    createCatalog({ fetch, policies: [Resilience.retry(), (_, attempt) => attempt] })
    createCatalog({ fetch, policies: undefined })
    expectTypeOf<typeof parts>().toEqualTypeOf<typeof Resilience>()
  })

  test("have their types inferred by CatalogPolicy.make, with a stage", () => {
    const made = CatalogPolicy.make(
      (call, attempt) => {
        expectTypeOf(call).toEqualTypeOf<CatalogPolicy.Call>()
        return Effect.tapError(attempt, (error) => {
          expectTypeOf(error).toEqualTypeOf<ClientRestError | ClientNetworkError>()
          return Effect.logDebug(error.message)
        })
      },
      { stage: "retry" }
    )
    expectTypeOf(made).toEqualTypeOf<CatalogPolicy.Policy>()
    // @ts-expect-error there is no such stage
    CatalogPolicy.make((_, attempt) => attempt, { stage: "retries" })
  })

  test("have a store that fails with RateLimitStoreError", () => {
    type Store = Resilience.RateLimitStore.Service
    expectTypeOf<ReturnType<Store["take"]>>().toEqualTypeOf<Effect.Effect<number, Resilience.RateLimitStoreError>>()
    expectTypeOf<ReturnType<Store["hold"]>>().toEqualTypeOf<Effect.Effect<void, Resilience.RateLimitStoreError>>()
  })

  test("can be made by a Layer, with the errors and the requirements of the Effects", () => {
    const one = {} as Effect.Effect<CatalogPolicy.Policy, "sealed", HttpClient.HttpClient>
    const other = {} as Effect.Effect<CatalogPolicy.Policy, "broken", Credentials>
    expectTypeOf(CatalogPolicy.layer(one, Resilience.retry(), other, (_, attempt) => attempt)).toEqualTypeOf<
      Layer.Layer<never, "sealed" | "broken", HttpClient.HttpClient | Credentials>
    >()
    const shared = Resilience.sharedRateLimit({ limit: 1, interval: "1 second", onStoreFailure: "proceed" })
    expectTypeOf(CatalogPolicy.layer(Resilience.retry(), shared)).toEqualTypeOf<
      Layer.Layer<never, never, Resilience.RateLimitStore>
    >()
    expectTypeOf(CatalogPolicy.layerReplace(one, other)).toEqualTypeOf(CatalogPolicy.layer(one, other))
    const limit = Config.number("LIMIT")
    expectTypeOf(
      CatalogPolicy.layer(CatalogPolicy.fromConfig(Resilience.rateLimit, { limit, interval: 1 }))
    ).toEqualTypeOf<Layer.Layer<never, ConfigError.ConfigError>>()
    const kept = ({ limit }: { readonly limit: number }) => Effect.tap(one, () => Effect.logDebug(limit))
    expectTypeOf(CatalogPolicy.fromConfig(kept, { limit })).toEqualTypeOf<
      Effect.Effect<CatalogPolicy.Policy, ConfigError.ConfigError | "sealed", HttpClient.HttpClient>
    >()
    const either = ({ limit }: { readonly limit: number }) => (limit > 1 ? Resilience.retry() : other)
    expectTypeOf(CatalogPolicy.layer(CatalogPolicy.fromConfig(either, { limit }))).toEqualTypeOf<
      Layer.Layer<never, ConfigError.ConfigError | "broken", Credentials>
    >()
    CatalogPolicy.fromConfig(Resilience.retry, { attempts: limit })
    // @ts-expect-error there is no such option
    CatalogPolicy.fromConfig(Resilience.retry, { times: limit })
    // @ts-expect-error the interval is missing
    CatalogPolicy.fromConfig(Resilience.rateLimit, { limit })
    // @ts-expect-error it has no store that can fail: sharedRateLimit has
    Resilience.rateLimit({ limit: 1, interval: 1, onStoreFailure: "proceed" })
  })

  test("keep a call's reply and add no error and no requirement", () => {
    const policies = [Resilience.retry()]
    expectTypeOf(Catalog.anime.get({ id: 1 }, { policies })).toEqualTypeOf(Catalog.anime.get({ id: 1 }))
    expectTypeOf(Catalog.user.me({ policies, totalTimeout: 1 })).toEqualTypeOf(Catalog.user.me())
    expectTypeOf<Operation.Options["policies"]>().toEqualTypeOf<ReadonlyArray<CatalogPolicy.Policy> | undefined>()
    Catalog.forum.boards({ policies })
    Catalog.anime.suggestions({ policies, limit: 1 })
    Catalog.user.animeList.items({ username: "@me" }, { policies })
    Catalog.anime.deleteFromList({ id: 1 }, { policies })
  })

  test("must return the attempt's reply and errors", () => {
    CatalogPolicy.layer((call, attempt) => {
      expectTypeOf(call).toEqualTypeOf<CatalogPolicy.Call>()
      expectTypeOf<Effect.Effect.Error<typeof attempt>>().toEqualTypeOf<ClientRestError | ClientNetworkError>()
      return attempt
    })
    // @ts-expect-error nothing knows what the reply is
    CatalogPolicy.layer(() => 1)
    // @ts-expect-error a policy is a function
    createCatalog({ fetch, policies: [{}] })
    // @ts-expect-error there is no such place
    expectTypeOf<"outermost">().toExtend<CatalogPolicy.Policy["stage"]>()
  })
})

describe("options", () => {
  test("isThrottle may use only the error, or also the call", () => {
    Resilience.retry({ isThrottle: ({ status }, { operation }) => status === 403 && operation === "catalog.anime.get" })
    Resilience.rateLimit({ limit: 1, interval: 1, isThrottle: (error: ClientRestError) => error.status === 420 })
    // @ts-expect-error it has to say yes or no
    Resilience.retry({ isThrottle: () => "no" })
  })

  test("when may use only the error, or also the attempt and what is decided without it", () => {
    Resilience.retry({ when: isRetryable })
    Resilience.retry({ when: (error, { attempt, byDefault }) => byDefault && attempt < 3 && !isRateLimited(error) })
    // @ts-expect-error a retry is decided at once
    Resilience.retry({ when: async () => true })
  })

  test("an unknown or missing option does not compile", () => {
    // @ts-expect-error it is called attempts
    Resilience.retry({ attempt: 3 })
    // @ts-expect-error there is no interval
    Resilience.rateLimit({ limit: 1 })
    // @ts-expect-error it shares what is equal, and there is nothing to say
    Resilience.dedupe({ by: "url" })
    // @ts-expect-error there is no such unit
    Resilience.retry({ baseDelay: "1 moment" })
  })
})
