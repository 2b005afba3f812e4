import { CatalogClient } from "@catalog-client/core"
import { EmbeddedCatalog, type EmbeddedCatalogOptions } from "@catalog-client/testing"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { NotOnShelf, Shelf } from "./shelf.js"
import { layerTracer } from "./tracer.js"

/** Runs a program over an embedded service, with a clock that the test moves; the spans are lines. */
const run = async <A, E>(program: Effect.Effect<A, E, Shelf>, options: EmbeddedCatalogOptions = {}) => {
  const spans: Array<string> = []
  const client = EmbeddedCatalog.layerClient(options, { accessToken: "embedded-token" })
  const value = await Effect.runPromise(
    program.pipe(
      Effect.provide(Layer.provide(Shelf.layer, client)),
      Effect.provide(
        Layer.merge(
          TestClock.layer(),
          layerTracer((line) => spans.push(line))
        )
      )
    )
  )
  return { spans, value }
}

it("lists what is left to watch, the fewest first", async () => {
  const { value } = await run(Effect.flatMap(Shelf, (shelf) => shelf.unfinished))
  expect(value.length).toBeGreaterThan(1)
  const left = value.map(({ left = Infinity }) => left)
  expect(left).toEqual(left.toSorted((one, other) => one - other))
  // One Piece has no known end.
  expect(left.at(-1)).toBe(Infinity)
})

it("counts one more episode, and knows what is not on the shelf", async () => {
  const { value } = await run(
    Effect.gen(function* () {
      const shelf = yield* Shelf
      const id = (yield* shelf.unfinished).at(-1)?.id ?? 0
      const watched = yield* shelf.watchedOne(id)
      const error = yield* Effect.flip(shelf.watchedOne(1))
      return { again: yield* shelf.watchedOne(id), watched, error }
    })
  )
  expect(value.again).toBe(value.watched + 1)
  expect(value.error).toEqual(new NotOnShelf({ id: 1 }))
})

it("tries again after a failure of the service, when the clock has moved", async () => {
  const { spans, value } = await run(
    Effect.gen(function* () {
      const shelf = yield* Shelf
      const fiber = yield* Effect.forkChild(shelf.unfinished, { startImmediately: true })
      yield* TestClock.adjust("1 minute")
      return yield* Fiber.join(fiber)
    }),
    { faults: [{ on: "user.animeList", status: 503, times: 1 }] }
  )
  expect(value.length).toBeGreaterThan(1)
  const names = spans.map((span) => span.replace(/: \d+ ms/, ""))
  expect(names).toEqual([
    "catalog.user.animeList > GET, failed",
    "catalog.user.animeList > GET",
    "Shelf.unfinished > catalog.user.animeList",
    "Shelf.unfinished"
  ])
})

it("needs only the operations that it calls", async () => {
  const client = CatalogClient.layerMock({ anime: { get: ({ id }) => Effect.succeed({ id, title: "One" }) } })
  const error = await Effect.runPromise(
    Effect.flatMap(Shelf, (shelf) => Effect.flip(shelf.watchedOne(1))).pipe(
      Effect.provide(Layer.provide(Shelf.layer, client))
    )
  )
  expect(error).toEqual(new NotOnShelf({ id: 1 }))
})
