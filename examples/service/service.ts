/**
 * The service over a client: one `CatalogClient` for all users, and a token with each call.
 */
import { CatalogClient, type ClientError } from "@catalog-client/core"
import { isInputTypeError, isInvalidInput, isNotFound, isSignInRequired } from "@catalog-client/core/guards"
import { HttpApiBuilder } from "@effect/platform"
import { Effect, Layer, Option, Redacted } from "effect"
import { Api, Authorization, BadRequest, NotFound, Token, Unauthorized, Unavailable } from "./api.js"

const AuthorizationLive = Layer.succeed(Authorization, {
  bearer: (token) => (Redacted.value(token) === "" ? Effect.fail(new Unauthorized()) : Effect.succeed(token))
})

/** The error that a caller of this service gets. The log has the details; no error holds a token. */
const told = <A, R>(effect: Effect.Effect<A, ClientError, R>) =>
  effect.pipe(
    Effect.tapError((error) => Effect.logDebug(error.message)),
    Effect.mapError((error) => {
      if (isSignInRequired(error)) {
        return new Unauthorized()
      }
      if (isInvalidInput(error)) {
        return new BadRequest({ message: error.message })
      }
      return isNotFound(error) ? new NotFound() : new Unavailable()
    }),
    // An id that is not a number comes from the caller. Any other defect is a bug of this service: 500.
    Effect.catchSomeDefect((defect) =>
      isInputTypeError(defect) ? Option.some(new BadRequest({ message: defect.message })) : Option.none()
    )
  )

const ShelfLive = HttpApiBuilder.group(Api, "shelf", (handlers) =>
  Effect.map(CatalogClient, ({ anime, user }) =>
    handlers
      .handle("read", () =>
        Effect.gen(function* () {
          const accessToken = yield* Token
          const fields = ["list_status"] as const
          const params = { username: "@me", status: "watching" } as const
          const [{ name: owner }, entries] = yield* Effect.all(
            [user.me({ accessToken }), user.animeList.collect(params, { accessToken, fields, max: 500 })],
            { concurrency: "unbounded" }
          )
          const watching = entries.map(({ list_status, node }) => ({
            id: node.id,
            title: node.title,
            watched: list_status?.num_episodes_watched ?? 0
          }))
          return { owner, watching }
        }).pipe(told)
      )
      .handle("watched", ({ path: { id }, payload: { watched } }) =>
        Effect.gen(function* () {
          const accessToken = yield* Token
          const update = { id, status: "watching", num_watched_episodes: watched } as const
          const { num_episodes_watched } = yield* anime.updateMyListStatus(update, { accessToken })
          return { id, watched: num_episodes_watched ?? watched }
        }).pipe(told)
      )
  )
)

const AnimeLive = HttpApiBuilder.group(Api, "anime", (handlers) =>
  Effect.map(CatalogClient, ({ anime }) =>
    handlers
      .handle("title", ({ path: { id } }) =>
        anime.get({ id }).pipe(
          Effect.map(({ title }) => ({ title })),
          told
        )
      )
      .handle("search", ({ urlParams }) => anime.search(urlParams).pipe(told))
  )
)

/** The service; it needs a client, and nothing else. */
export const ServiceLive = HttpApiBuilder.api(Api).pipe(
  Layer.provide([ShelfLive, AnimeLive]),
  Layer.provide(AuthorizationLive)
)
