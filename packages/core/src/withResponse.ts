/**
 * A reply together with details of its response.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import type { CatalogResponse } from "./Face.js"
import { type LastCall, LastCallTag } from "./internal/declaration/call.js"
import { responseOf } from "./internal/reply/response.js"

/**
 * Returns the reply of an operation together with status, headers and URL of its response. If the Effect makes several calls,
 * for example `collect`, they belong to the call that began last.
 *
 * With promises it is a method of the catalog: `catalog.withResponse(catalog.anime.get({ id: 30230 }))`.
 *
 * @example
 * ```ts
 * import { Catalog, withResponse } from "@catalog-client/core"
 * import { Effect } from "effect"
 *
 * export const requestId = Catalog.forum.boards().pipe(
 *   withResponse,
 *   Effect.map(({ headers }) => headers["x-request-id"])
 * )
 * ```
 */
export const withResponse = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<CatalogResponse<A>, E, R> =>
  Effect.suspend(() => {
    const last: LastCall = { call: undefined }
    return Effect.map(Effect.provideService(effect, LastCallTag, last), (data) => responseOf(data, last))
  })
