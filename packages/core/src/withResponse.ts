/**
 * A reply together with details of its response.
 *
 * @since 0.2.0
 */
import * as Effect from "effect/Effect"
import type { CatalogResponse } from "./Face.js"
import { type LastCall, LastCallTag } from "./internal/declaration/call.js"
import { urlOf } from "./internal/redaction/secrets.js"
import { headersOf, rawOf } from "./internal/reply/errors.js"

/** A reply with details of its call. */
export const responseOf = <A>(data: A, { call }: LastCall): CatalogResponse<A> => {
  let parsed: { readonly raw: unknown } | undefined
  return {
    data,
    status: call?.progress.response.status,
    headers: call === undefined ? {} : headersOf(call),
    get url() {
      return call === undefined ? "" : urlOf(call)
    },
    attempts: call?.progress.attempts ?? 0,
    // Most programs do not read it, and parsing and redacting a body a second time costs as much as its reply.
    get raw() {
      return (parsed ??= { raw: call && rawOf(call) }).raw
    }
  }
}

/**
 * Returns the reply of an operation together with status, headers and URL of its response. If the Effect makes several calls,
 * for example `collect`, they are those of the call that began last.
 *
 * With promises it is a method of the catalog: `catalog.withResponse(catalog.anime.get({ id: 30230 }))`.
 *
 * @example
 * ```ts
 * import { Catalog, withResponse } from "@catalog-client/core"
 * import { Effect } from "effect"
 *
 * export const program = Effect.gen(function* () {
 *   const { data, headers, status } = yield* Catalog.anime.get({ id: 30230 }).pipe(withResponse)
 *   yield* Effect.log(`${data.title}: ${status}, ${headers["x-request-id"]}`)
 * })
 * ```
 */
export const withResponse = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<CatalogResponse<A>, E, R> =>
  Effect.suspend(() => {
    const last: LastCall = { call: undefined }
    return Effect.map(Effect.provideService(effect, LastCallTag, last), (data) => responseOf(data, last))
  })
