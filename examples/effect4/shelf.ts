/**
 * A user's shelf as a service over the client: what is left to watch, and marking episodes as watched.
 */
import { CatalogClient, type ClientError, Resilience } from "@catalog-client/core"
import { Context, Data, Effect, Layer } from "effect"

export interface Unfinished {
  readonly id: number
  readonly title: string
  /** Episodes that are left; `undefined` while the anime has no known end. */
  readonly left: number | undefined
}

export class NotOnShelf extends Data.TaggedError("NotOnShelf")<{ readonly id: number }> {}

export class Shelf extends Context.Service<
  Shelf,
  {
    /** What the user is watching, the fewest remaining episodes first. */
    readonly unfinished: Effect.Effect<ReadonlyArray<Unfinished>, ClientError>
    /** Counts one more episode. */
    readonly watchedOne: (id: number) => Effect.Effect<number, ClientError | NotOnShelf>
  }
>()("app/Shelf") {
  static readonly layer = Layer.effect(
    Shelf,
    Effect.gen(function* () {
      const { anime, user } = yield* CatalogClient
      const policies = [Resilience.retry({ attempts: 3 })]

      const watching = user.animeList.collect(
        { username: "@me", status: "watching" },
        { fields: ["num_episodes", "list_status{num_episodes_watched}"], max: 1000, policies }
      )

      return Shelf.of({
        unfinished: watching.pipe(
          Effect.map((entries) =>
            entries
              .map(({ list_status, node: { id, num_episodes, title } }) => ({
                id,
                title,
                left: num_episodes ? num_episodes - (list_status?.num_episodes_watched ?? 0) : undefined
              }))
              .toSorted((one, other) => (one.left ?? Infinity) - (other.left ?? Infinity))
          ),
          Effect.withSpan("Shelf.unfinished")
        ),
        watchedOne: Effect.fn("Shelf.watchedOne")(function* (id) {
          const { my_list_status } = yield* anime.get(
            { id },
            { fields: ["my_list_status{num_episodes_watched}"], policies }
          )
          if (my_list_status === undefined) {
            return yield* new NotOnShelf({ id })
          }
          const watched = (my_list_status.num_episodes_watched ?? 0) + 1
          yield* anime.updateMyListStatus({ id, num_watched_episodes: watched })
          return watched
        })
      })
    })
  )
}
