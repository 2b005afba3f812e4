/**
 * Makes a user's list what it should be.
 *
 * @since 0.2.0
 */
import type { ClientError, Credentials } from "@catalog-client/core"
import { animeList, mangaList } from "@catalog-client/core/user"
import type { HttpClient } from "@effect/platform"
import type * as Effect from "effect/Effect"
import { type Calls, type ReadListOptions, reads, wholeList, wholeListBy } from "./internal/calls.js"
import type { Kind } from "./internal/members.js"
import type { Entry } from "./plan.js"

export type { ReadListOptions } from "./internal/calls.js"
export { type Export, fromXml } from "./fromXml.js"
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
} from "./plan.js"

type Needed = HttpClient.HttpClient | Credentials

const calls: Calls<Needed> = {
  list: (kind, options) => {
    const params = { username: options.username ?? "@me" }
    return kind === "anime"
      ? animeList.collect(params, { ...reads.anime, ...wholeList(options) })
      : mangaList.collect(params, { ...reads.manga, ...wholeList(options) })
  }
}

/**
 * Reads a whole list from the service itself, by id: with the titles that a list leaves out by default, with every member, and
 * past any cache. A list of several pages is read until two reads agree.
 *
 * Fails with the errors of `user.animeList` and `user.mangaList`.
 *
 * @example
 * ```ts
 * import { Sync } from "@catalog-client/sync"
 * import { Effect } from "effect"
 *
 * export const backup = Sync.readList("anime").pipe(Effect.map((list) => JSON.stringify([...list.values()])))
 * ```
 */
export const readList = (
  kind: Kind,
  options: ReadListOptions = {}
): Effect.Effect<ReadonlyMap<number, Entry>, ClientError, Needed> => wholeListBy(calls, kind, options)
