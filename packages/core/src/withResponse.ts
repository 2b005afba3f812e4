/**
 * A reply together with details of its response.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import type { CatalogResponse } from "./Face.js"
import { mistake } from "./internal/common/mistakes.js"
import { type CallState, type CallTracker, CallTrackerTag } from "./internal/declaration/call.js"
import type { Inputs } from "./internal/declaration/declaration.js"
import { responseOf } from "./internal/reply/response.js"

/**
 * Returns the reply of an operation together with status, headers and URL of its response. A whole list and a call that is
 * repeated have those of the last one.
 *
 * An Effect that makes no call is a mistake of the program, as is one in which several calls return a reply: wrap each call.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials, Operation } from "@catalog-client/core"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Console, Effect } from "effect"
 *
 * const program = Catalog.anime.get({ id: 1 }).pipe(
 *   Operation.withResponse,
 *   Effect.flatMap(({ data, status, url }) => Console.log(data.title, status, url))
 * )
 * await Effect.runPromise(Effect.provide(program, [EmbeddedCatalog.layer(), Credentials.layerNone]))
 * ```
 *
 * ```text
 * Cowboy Bebop 200 https://api.myanimelist.net/v2/anime/1
 * ```
 */
export const withResponse = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<CatalogResponse<A>, E, R> =>
  Effect.suspend(() => {
    const replied = new Map<Inputs, CallState>()
    const tracker: CallTracker = { last: undefined, replied }
    return Effect.map(Effect.provideService(effect, CallTrackerTag, tracker), (data) => {
      const [call = tracker.last, ...more] = replied.values()
      if (call === undefined || more.length > 0) {
        throw mistake(
          "Operation.withResponse takes an Effect that makes one call, for example Operation.withResponse(Catalog.anime.get({ id: 30230 })), " +
            `but this one makes ${call === undefined ? "no call" : `${replied.size} calls`}`
        )
      }
      return responseOf(data, call)
    })
  })
