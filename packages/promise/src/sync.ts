/**
 * Making a user's list what it should be.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { ClientError } from "#core/CatalogError.js"
import type { FieldsDefault, WholeListOptions } from "#core/Face.js"
import type { Anime, Manga } from "#core/generated/types.js"
import { checkNames } from "#core/internal/common/options.js"
import {
  type Calls,
  listOptions,
  type ListOwner,
  ownEntry,
  paramsOf,
  type ReadListOptions as ReadWholeListOptions,
  readWholeList,
  selections
} from "#sync/internal/calls.js"
import type { EntryMembers, Kind } from "#sync/internal/members.js"
import { applyNames, type Outcome, prepareRun, type RunOptions } from "#sync/internal/run.js"
import { type Export, readXml } from "#sync/internal/xml.js"
import { journalOver } from "#sync/journal.js"
import type { Entry, Plan } from "#sync/plan.js"
import type { Catalog, CatalogWith } from "./Catalog.js"

export type { Outcome } from "#sync/internal/run.js"
export type { Export } from "#sync/internal/xml.js"
export * from "#sync/plan.js"

const attempt = <A>(call: () => Promise<A>): Effect.Effect<A, ClientError> =>
  Effect.tryPromise({ try: call, catch: (error) => error as ClientError })

/** Ends early with the signal: the next call then fails as cancelled. */
const sleep = (millis: number, signal: AbortSignal | undefined): Effect.Effect<void> =>
  Effect.async((resume) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", end)
      resume(Effect.void)
    }
    const timer = setTimeout(end, signal?.aborted ? 0 : millis)
    signal?.addEventListener("abort", end)
    return Effect.sync(end)
  })

const callsOf = ({ anime, manga, user }: Catalog, signal?: AbortSignal): Calls<never> => ({
  list: (kind, { onPage, username = "@me" }) => {
    // That of a program with promises: no Effect.
    const options = { ...listOptions, max: Infinity, onPage: onPage as WholeListOptions["onPage"], signal }
    return attempt(() =>
      kind === "anime"
        ? user.animeList.collect({ username }, { ...selections.anime, ...options })
        : user.mangaList.collect({ username }, { ...selections.manga, ...options })
    )
  },
  get: (kind, id) =>
    Effect.map(
      attempt<Anime | Manga>(() =>
        kind === "anime"
          ? anime.get({ id }, { ...selections.ownAnime, signal })
          : manga.get({ id }, { ...selections.ownManga, signal })
      ),
      ownEntry
    ),
  write: (kind, id, set) =>
    attempt<EntryMembers>(() =>
      kind === "anime"
        ? anime.updateMyListStatus(paramsOf(id, set), { signal })
        : manga.updateMyListStatus(paramsOf(id, set), { signal })
    ),
  remove: (kind, id) =>
    Effect.as(
      attempt(() => (kind === "anime" ? anime : manga).deleteFromList({ id }, { signal })),
      undefined
    ),
  sleep: (millis) => sleep(millis, signal)
})

const run = async <A>(effect: Effect.Effect<A, ClientError>): Promise<A> => {
  const exit = await Effect.runPromiseExit(effect)
  if (Exit.isSuccess(exit)) {
    return exit.value
  }
  throw Cause.squash(exit.cause)
}

/** Options of {@link readList}. */
export interface ReadListOptions extends ListOwner {
  /** Called for each page. */
  readonly onPage?: WholeListOptions["onPage"]
}

/**
 * Reads a whole list from the service itself, by id: with the titles that a list leaves out by default, with every member, and
 * past any cache. A list of several pages is read until two reads agree.
 *
 * @example
 * ```ts
 * import { createCatalog } from "catalog-client"
 * import { readList } from "catalog-client/sync"
 *
 * const catalog = createCatalog({ accessToken: "my-access-token" })
 * const list = await readList(catalog, "anime")
 *
 * console.log(list.size, list.get(30230)?.status)
 * ```
 *
 * ```text
 * 350 watching
 * ```
 */
export const readList = <D extends FieldsDefault | undefined>(
  catalog: Catalog | CatalogWith<D>,
  kind: Kind,
  options: ReadListOptions = {}
): Promise<ReadonlyMap<number, Entry>> =>
  // Back to that of promises, in `callsOf`.
  run(readWholeList(callsOf(catalog as Catalog), kind, options as ReadWholeListOptions))

/**
 * Reads the file that the service exports a list as; unpack a `.gz` first. An element that is missing or empty is left out, and
 * a value that the service does not take becomes a problem of the plan. `update_on_import` is ignored: the rule of the plan
 * decides.
 *
 * Throws a `SyntaxError` if the string is no such file, or only its beginning.
 *
 * @example
 * ```ts
 * import { describe, type Entry, fromXml, plan } from "catalog-client/sync"
 *
 * const xml = `<myanimelist>
 *   <anime><series_animedb_id>30230</series_animedb_id><my_status>Watching</my_status></anime>
 * </myanimelist>`
 * const current = new Map<number, Entry>()
 *
 * console.log(describe(plan({ ...fromXml(xml), current })))
 * ```
 *
 * ```text
 * add 30230 | status "watching"
 * 1 change, 0 entries stay, 0 problems
 * ```
 */
export const fromXml = (text: string): Export => readXml(text)

/**
 * Where a run notes what it does. If one of its functions rejects, the run ends with that error, and the next one goes on from
 * there.
 */
export interface Journal {
  /** All that was appended; `""` at the beginning. */
  readonly read: () => Promise<string>
  /** Adds a text at the end. */
  readonly append: (text: string) => Promise<void>
  /** Makes sure that no other run uses the journal, or rejects. Returns what ends that. */
  readonly lock?: (() => Promise<() => Promise<void>>) | undefined
}

/** Options of {@link apply}. */
export interface ApplyOptions extends RunOptions {
  /** Where the run notes what it does, so that the next one continues it. */
  readonly journal?: Journal | undefined
  /** Stops the run as a kill would: the next one goes on from there. */
  readonly signal?: AbortSignal | undefined
  /** Is called with each outcome. What it throws stops the run. */
  readonly onOutcome?: ((outcome: Outcome) => void) | undefined
}

/** What {@link apply} has done. */
export interface Applied {
  /** What became of each change, by id. Changes that are not here were not made. */
  readonly outcomes: ReadonlyMap<number, Outcome>
  /** The error that ended the run before all changes were made. It is about none of them. */
  readonly stopped: ClientError | undefined
  /** How many calls were made. */
  readonly requests: number
}

/**
 * Makes the changes of a plan, one after the other. It first reads the list: what is there already is not sent, and what has
 * been edited since the plan is skipped.
 *
 * A write whose reply was lost is read, `settle` later, before it is sent again; `retry({ writes: true })` would send it without
 * reading. Only 400 and 404 are about an entry: every other error of the client, and five lost replies in a row, stop the run,
 * and the next one goes on from there.
 *
 * Rejects if the list cannot be read, with the error of a journal that rejects, with what `onOutcome` throws, and with a
 * `TypeError` for a journal of another plan.
 *
 * @example
 * ```ts
 * import { createCatalog } from "catalog-client"
 * import { apply, plan, readList } from "catalog-client/sync"
 *
 * const catalog = createCatalog({ accessToken: "my-access-token" })
 * const current = await readList(catalog, "anime")
 * const changes = plan({ kind: "anime", current, wanted: [{ id: 30230, status: "completed" }] })
 * const { stopped } = await apply(catalog, changes, { onOutcome: ({ id, result }) => console.log(id, result) })
 *
 * // Without an error, all changes were made.
 * console.log(stopped)
 * ```
 *
 * ```text
 * 30230 sent
 * undefined
 * ```
 */
export const apply = <D extends FieldsDefault | undefined>(
  catalog: Catalog | CatalogWith<D>,
  plan: Plan,
  options: ApplyOptions = {}
): Promise<Applied> => {
  const { journal, onOutcome, signal } = options
  const outcomes = new Map<number, Outcome>()
  return run(
    Effect.scoped(
      Effect.gen(function* () {
        checkNames("apply", options, { ...applyNames, signal: 1, onOutcome: 1 })
        const applying = yield* prepareRun(callsOf(catalog as Catalog, signal), plan, {
          ...options,
          // What a journal rejects with is a defect, and so no error that stops the run with a result.
          journal: journal && journalOver(journal, Effect.promise)
        })
        let stopped: ClientError | undefined
        const makeLeft: Effect.Effect<void> = Effect.matchEffect(applying.next, {
          onFailure: (error) =>
            Effect.sync(() => {
              stopped ??= error
            }),
          onSuccess: (outcome) => {
            if (outcome === undefined) {
              return Effect.void
            }
            outcomes.set(outcome.id, outcome)
            onOutcome?.(outcome)
            return makeLeft
          }
        })
        const worker = Effect.onError(makeLeft, () => Effect.sync(applying.end))
        // In fibers: this package has no concurrent `forEach`.
        const workers = Array.from(
          { length: Math.max(1, Math.min(applying.concurrency, plan.changes.length)) },
          () => worker
        )
        const fibers = yield* Effect.forEach(workers, (worker) => Effect.fork(worker))
        yield* Effect.forEach(fibers, Fiber.join, { discard: true })
        return { outcomes, stopped, requests: applying.requests }
      })
    )
  )
}
