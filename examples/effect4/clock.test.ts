import { CatalogClient, CatalogPolicy, Resilience } from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/testing"
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"

const service = EmbeddedCatalog.layerClient({
  faults: [{ on: "anime.get", times: 1, status: 429, headers: { "retry-after": "30" } }]
}).pipe(Layer.provide(CatalogPolicy.layer(Resilience.retry())))

it.effect("a refused call is repeated after Retry-After", () =>
  Effect.gen(function* () {
    const { anime } = yield* CatalogClient
    const fiber = yield* Effect.forkChild(anime.get({ id: 1 }))

    yield* TestClock.adjust("29 seconds")
    expect(fiber.pollUnsafe()).toBe(undefined)

    yield* TestClock.adjust("1 second")
    const { title } = yield* Fiber.join(fiber)
    expect(title).toBe("Cowboy Bebop")
  }).pipe(Effect.provide(service))
)

const limited = EmbeddedCatalog.layerClient().pipe(
  Layer.provide(CatalogPolicy.layer(Resilience.rateLimit({ limit: 1, interval: "1 second" })))
)

it.effect("a list of three pages takes two seconds", () =>
  Effect.gen(function* () {
    const { anime } = yield* CatalogClient
    const fiber = yield* Effect.forkChild(anime.search.collect({ q: "diamond", limit: 1 }, { max: Infinity }))

    yield* TestClock.adjust("1 second")
    expect(fiber.pollUnsafe()).toBe(undefined)

    yield* TestClock.adjust("1 second")
    expect(yield* Fiber.join(fiber)).toHaveLength(3)
  }).pipe(Effect.provide(limited))
)
