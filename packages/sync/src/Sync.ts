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
import type { Journal } from "./journal.js"
import type { Entry, Plan } from "./plan.js"

export type { ReadListOptions } from "./internal/calls.js"
export type { ApplyOptions, Outcome } from "./internal/run.js"
export { type Export, fromXml } from "./fromXml.js"
export type { Journal } from "./journal.js"
export * from "./plan.js"
export { PlanSchema } from "./PlanSchema.js"
export { InvalidExport, JournalError } from "./SyncError.js"

/** Calls the client of the context. */
const call = <A, E = never, R = never>(use: (client: CatalogClient.Service) => Effect.Effect<A, ClientError | E, R>) =>
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
  list: (kind, { onPage, username = "@me" }) =>
    call(({ user }) => {
      // No page is read ahead: most lists have one.
      const options = { ...listOptions, prefetch: 0 }
      const pages: Stream.Stream<{ readonly data: ReadonlyArray<AnimeListEntry | MangaListEntry> }, ClientError> =
        kind === "anime"
          ? user.animeList.pages({ username }, { ...selections.anime, ...options })
          : user.mangaList.pages({ username }, { ...selections.manga, ...options })
      const entries: Array<AnimeListEntry | MangaListEntry> = []
      let page = 0
      return pages.pipe(
        Stream.runForEach(({ data }) => {
          entries.push(...data)
          const seen = onPage?.({ page: ++page, count: entries.length })
          return Effect.isEffect(seen) ? seen : Effect.void
        }),
        Effect.as(entries)
      )
    })
}

/**
 * Reads a whole list from the service itself, by id: with the titles that a list leaves out by default, with every member, and
 * past any cache. A list of several pages is read until two reads agree.
 *
 * It acts for the user of the `CatalogClient`, not for `Credentials` around it. For another user, provide
 * `client.withCredentials(credentials)`.
 *
 * @example
 * ```ts
 * import { Sync } from "@catalog-client/sync"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Effect } from "effect"
 *
 * const list = await Effect.runPromise(Effect.provide(Sync.readList("anime"), EmbeddedCatalog.layerClient()))
 *
 * console.log(list.size, list.get(30230)?.status)
 * ```
 *
 * ```text
 * 350 watching
 * ```
 */
export const readList = <E = never, R = never>(
  kind: Kind,
  options: ReadListOptions<E, R> = {}
): Effect.Effect<ReadonlyMap<number, Entry>, ClientError | E, CatalogClient | R> => readWholeList(calls, kind, options)

/** A journal of `catalog-client` has functions that return promises. */
const checkJournal = (journal: Journal<unknown, unknown> | undefined): void => {
  if (journal !== undefined && !Effect.isEffect(journal.read)) {
    throw new TypeError("apply: journal must have `read`, an Effect, and `append`, a function that returns one")
  }
}

/**
 * Makes the changes of a plan, one after the other, for the user of the `CatalogClient`, as {@link readList} does:
 * a Stream of what became of each. It first reads the list: what is there already is not sent, and what has been edited
 * since the plan is skipped.
 *
 * A write whose reply was lost is read, `settle` later, before it is sent again; `retry({ writes: true })` would send it without
 * reading. Only 400 and 404 are about an entry. With every other error, of the client or of the journal, and with five lost
 * replies in a row, the stream fails, and the next run goes on from there. A journal of another plan is a defect.
 *
 * @example
 * ```ts
 * import { Sync } from "@catalog-client/sync"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Console, Effect, Stream } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const current = yield* Sync.readList("anime")
 *   const plan = Sync.plan({ kind: "anime", current, wanted: [{ id: 30230, status: "completed" }] })
 *   yield* Sync.apply(plan).pipe(Stream.runForEach(({ id, result }) => Console.log(id, result)))
 * })
 *
 * await Effect.runPromise(Effect.provide(program, EmbeddedCatalog.layerClient()))
 * ```
 *
 * ```text
 * 30230 sent
 * ```
 */
export const apply = <E = never, R = never>(
  plan: Plan,
  options: ApplyOptions<E, R> = {}
): Stream.Stream<Outcome, ClientError | E, CatalogClient | R> =>
  Stream.unwrapScoped(
    Effect.suspend(() => {
      checkNames("apply", options, applyNames)
      checkJournal(options.journal)
      return prepareRun<E, CatalogClient | R>(calls, plan, options)
    }).pipe(
      Effect.map(({ concurrency, next }) =>
        Stream.fromIterable(plan.changes).pipe(
          Stream.mapEffect(() => next, { concurrency }),
          Stream.filter((outcome) => outcome !== undefined)
        )
      )
    )
  )
