/** What the client does for programs with Effect, beside the behaviours of the suite. */
import { Catalog, CatalogConfig, Credentials } from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/testing"
import type { HttpClient } from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"
import { type Behaviours, equal, ok, one, type Services, title, token, topRanked } from "./suite.js"

/** The behaviours over the transport of a package. */
export const effects = ({ layer }: { readonly layer: Layer.Layer<HttpClient> }, { url }: Services) => {
  const configured = Layer.mergeAll(
    layer,
    Credentials.layer({ accessToken: token }),
    CatalogConfig.layer({ baseUrl: url })
  )

  const run = async <A>(effect: Effect.Effect<A, unknown, Layer.Layer.Success<typeof configured>>): Promise<A> => {
    const runtime = ManagedRuntime.make(configured)
    try {
      return await runtime.runPromise(effect)
    } finally {
      await runtime.dispose()
    }
  }

  return {
    "every read gives its reply, as an Effect": () =>
      run(
        Effect.gen(function* () {
          const { anime, forum, manga, user } = Catalog
          equal((yield* anime.get(one, { fields: ["mean"] })).title, title)
          equal((yield* anime.search({ q: "diamond no ace", limit: 1 })).data.length, 1)
          equal((yield* anime.seasonal({ year: 2017, season: "winter", limit: 1 })).data.length, 1)
          equal((yield* anime.ranking({ rankingType: "movie", limit: 1 })).data.length, 1)
          equal((yield* anime.suggestions({ limit: 1 })).data.length, 1)
          equal((yield* manga.get({ id: 2 })).id, 2)
          equal((yield* manga.search({ q: "vagabond" })).data.length > 0, true)
          equal((yield* manga.ranking({ rankingType: "manga", limit: 1 })).data.length, 1)
          equal((yield* user.me()).name, "sample_reader")
          equal((yield* user.get({ username: "@me" })).name, "sample_reader")
          equal((yield* user.animeList({ username: "@me", limit: 1 })).data.length, 1)
          equal((yield* user.mangaList({ username: "@me", limit: 1 })).data.length, 1)
          ok((yield* forum.boards()).categories.length > 0, "there are no boards")
          equal((yield* forum.topics({ limit: 1 })).data.length, 1)
          ok((yield* forum.topic({ id: 2_000_029, limit: 1 })).data.title !== "", "the topic has no title")
        })
      ),

    "a write is there and then it is not, as Effects": () =>
      run(
        Effect.gen(function* () {
          const { anime, manga } = Catalog
          equal((yield* anime.updateMyListStatus({ id: 21, score: 7 })).score, 7)
          equal(yield* anime.deleteFromList({ id: 21 }), undefined)
          equal((yield* manga.updateMyListStatus({ id: 2, score: 7 })).score, 7)
          equal(yield* manga.deleteFromList({ id: 2 }), undefined)
        })
      ),

    "a whole list is a Stream": () =>
      run(
        Effect.map(Stream.runCollect(Stream.take(Catalog.anime.ranking.items(topRanked), 7)), (entries) =>
          equal(
            [...entries].map(({ ranking }) => ranking.rank),
            [1, 2, 3, 4, 5, 6, 7]
          )
        )
      ),

    "the embedded service is a Layer": () =>
      Effect.map(Catalog.anime.get(one), (anime) => equal(anime.title, title)).pipe(
        Effect.provide([EmbeddedCatalog.layer(), Credentials.none]),
        Effect.runPromise
      )
  } satisfies Behaviours
}

/** The names of these behaviours. */
export const effectBehaviours: ReadonlyArray<string> = Object.keys(
  effects({ layer: EmbeddedCatalog.layer() }, { url: "", wire: "" })
)
