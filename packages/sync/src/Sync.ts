/**
 * Makes a user's list what it should be.
 *
 * @since 0.2.0
 */
import type { ClientError } from "@catalog-client/core"
import { CatalogClient } from "@catalog-client/core/CatalogClient"
import { checkNames } from "@catalog-client/core/internal"
import type { AnimeListEntry, MangaListEntry } from "@catalog-client/core/models"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  type Calls,
  listOptions,
  ownEntry,
  paramsOf,
  type ReadListOptions,
  readWholeList,
  selections
} from "./internal/calls.js"
import type { EntryMembers, Kind } from "./internal/members.js"
import { applyNames, type ApplyOptions, type Outcome, prepareRun } from "./internal/run.js"
import type { Entry, Plan } from "./plan.js"

export type { ReadListOptions } from "./internal/calls.js"
export type { ApplyOptions, Outcome } from "./internal/run.js"
export type { Journal } from "./journal.js"
export { type Export, fromXml } from "./fromXml.js"
export * from "./plan.js"

/** Calls the client of the context. */
const call = <A>(use: (client: CatalogClient.Service) => Effect.Effect<A, ClientError>) =>
  Effect.flatMap(CatalogClient, use)

const calls: Calls<CatalogClient> = {
  get: (kind, id) =>
    call(({ anime, manga }) =>
      Effect.map(
        kind === "anime" ? anime.get({ id }, selections.ownAnime) : manga.get({ id }, selections.ownManga),
        ownEntry
      )
    ),
  write: (kind, id, set) =>
    call<EntryMembers>(({ anime, manga }) =>
      kind === "anime" ? anime.updateMyListStatus(paramsOf(id, set)) : manga.updateMyListStatus(paramsOf(id, set))
    ),
  remove: (kind, id) =>
    call(({ anime, manga }) =>
      Effect.as(kind === "anime" ? anime.deleteFromList({ id }) : manga.deleteFromList({ id }), undefined)
    ),
  sleep: Effect.sleep,
  list: (kind, options) =>
    call<ReadonlyArray<AnimeListEntry | MangaListEntry>>(({ user }) => {
      const params = { username: options.username ?? "@me" }
      return kind === "anime"
        ? user.animeList.collect(params, { ...selections.anime, ...listOptions(options) })
        : user.mangaList.collect(params, { ...selections.manga, ...listOptions(options) })
    })
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
): Effect.Effect<ReadonlyMap<number, Entry>, ClientError, CatalogClient> => readWholeList(calls, kind, options)

/**
 * Makes the changes of a plan, one after the other: a Stream of what became of each. It first reads the list: what is there
 * already is not sent, and what has been edited since the plan is skipped.
 *
 * A write whose reply was lost is read, `settle` later, before it is sent again. Only 400 and 404 are about an entry: with
 * every other error of the client, and if five replies in a row are lost, the stream fails, and a next run goes on from there.
 * Do not retry writes with a policy as well (`retry({ writes: true })`), which sends them without reading.
 *
 * If a journal rejects, its error is a defect; so is the `TypeError` of a journal of another plan. A next run goes on from
 * there, as it does after an interruption.
 *
 * @example
 * ```ts
 * import { Sync } from "@catalog-client/sync"
 * import { Console, Stream } from "effect"
 *
 * export const run = (plan: Sync.Plan) =>
 *   Sync.apply(plan).pipe(Stream.runForEach(({ id, result }) => Console.log(`${id} ${result}`)))
 * ```
 */
export const apply = (plan: Plan, options: ApplyOptions = {}): Stream.Stream<Outcome, ClientError, CatalogClient> =>
  Stream.unwrapScoped(
    Effect.suspend(() => {
      checkNames("apply", options, applyNames)
      return prepareRun(calls, plan, options)
    }).pipe(
      Effect.map(({ concurrency, next }) =>
        Stream.fromIterable(plan.changes).pipe(
          Stream.mapEffect(() => next, { concurrency }),
          Stream.filter((outcome) => outcome !== undefined)
        )
      )
    )
  )
