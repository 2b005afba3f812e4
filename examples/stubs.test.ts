import { CatalogClient } from "@catalog-client/core"
import { TestError } from "@catalog-client/testing"
import { expect, it } from "@effect/vitest"
import { Effect, Stream } from "effect"

/** Example application code: the title of a manga, or "unknown". */
const titleOf = (id: number) =>
  Effect.flatMap(CatalogClient, ({ manga }) => manga.get({ id })).pipe(
    Effect.map(({ title }) => title),
    Effect.catchTag("ClientRestError", () => Effect.succeed("unknown"))
  )

/** The titles on a user's list. */
const titlesOn = (username: string) =>
  Effect.flatMap(CatalogClient, ({ user }) =>
    user.animeList.items({ username }).pipe(
      Stream.map(({ node }) => node.title),
      Stream.runCollect
    )
  )

const NotFound = CatalogClient.layerMock({
  manga: { get: () => Effect.fail(TestError.rest({ status: 404 })) }
})

const OneOfEach = CatalogClient.layerMock({
  manga: { get: ({ id }) => Effect.succeed({ id, title: "Monster" }) },
  user: { animeList: () => Effect.succeed({ data: [{ node: { id: 1, title: "Cowboy Bebop" } }], paging: {} }) }
})

it.effect("a manga has a title", () =>
  Effect.gen(function* () {
    expect(yield* titleOf(1)).toBe("Monster")
    expect([...(yield* titlesOn("a_reader"))]).toEqual(["Cowboy Bebop"])
  }).pipe(Effect.provide(OneOfEach))
)

it.effect("a manga that does not exist is unknown", () =>
  Effect.gen(function* () {
    expect(yield* titleOf(404)).toBe("unknown")
  }).pipe(Effect.provide(NotFound))
)
