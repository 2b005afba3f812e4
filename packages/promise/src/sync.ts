/**
 * Making a user's list what it should be.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { ClientError } from "#core/CatalogError.js"
import type { FieldsDefault } from "#core/Face.js"
import { type Calls, type ReadListOptions, reads, wholeList, wholeListBy } from "#sync/internal/calls.js"
import type { Kind } from "#sync/internal/members.js"
import type { Entry } from "#sync/plan.js"
import type { Catalog, CatalogWith } from "./Catalog.js"

export type { ReadListOptions } from "#sync/internal/calls.js"
export { type Export, fromXml } from "#sync/fromXml.js"
export {
  type Change,
  describe,
  type Entry,
  type Kept,
  type Kind,
  type EntryMembers,
  plan,
  type Plan,
  type PlanOptions,
  type Problem,
  type Rule,
  type Wanted
} from "#sync/plan.js"

const attempt = <A>(call: () => Promise<A>): Effect.Effect<A, ClientError> =>
  Effect.tryPromise({ try: call, catch: (error) => error as ClientError })

const callsOf = ({ user }: Catalog): Calls<never> => ({
  list: (kind, options) => {
    const params = { username: options.username ?? "@me" }
    return attempt(() =>
      kind === "anime"
        ? user.animeList.collect(params, { ...reads.anime, ...wholeList(options) })
        : user.mangaList.collect(params, { ...reads.manga, ...wholeList(options) })
    )
  }
})

const run = async <A>(effect: Effect.Effect<A, ClientError>): Promise<A> => {
  const exit = await Effect.runPromiseExit(effect)
  if (Exit.isSuccess(exit)) {
    return exit.value
  }
  throw Cause.squash(exit.cause)
}

/**
 * Reads a whole list from the service itself, by id: with the titles that a list leaves out by default, with every member, and
 * past any cache. A list of several pages is read until two reads agree.
 *
 * @example
 * ```ts
 * import type { Catalog } from "catalog-client"
 * import { readList } from "catalog-client/sync"
 *
 * export const backup = async (catalog: Catalog) => JSON.stringify([...(await readList(catalog, "anime")).values()])
 * ```
 */
export const readList = <D extends FieldsDefault | undefined>(
  catalog: Catalog | CatalogWith<D>,
  kind: Kind,
  options: ReadListOptions = {}
): Promise<ReadonlyMap<number, Entry>> => run(wholeListBy(callsOf(catalog as Catalog), kind, options))
