/** Applies a plan, change by change, so that it can be killed at any time. Each face asks for the next change. */
import type { ClientError } from "@catalog-client/core"
import { DEFAULT_REQUEST_TIMEOUT } from "@catalog-client/core/CatalogConfig"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Journal, openJournal } from "../journal.js"
import type { Change, Entry, EntryMembers, Plan } from "../plan.js"
import { type Calls, wholeListBy } from "./calls.js"
import { checkKind, isSame, lists, type Name, namesIn, valuesOf } from "./members.js"

/** What {@link apply} takes besides the plan. */
export interface ApplyOptions {
  /** Where the run writes what it does. Without one, a run that is killed begins again: the list says what is done. */
  readonly journal?: Journal | undefined
  /** How many changes are made at a time: 1 by default. */
  readonly concurrency?: number | undefined
  /**
   * Milliseconds after which a write whose reply never came is on the list, or never will be: 30 000 by default, the default
   * `timeout` of a client. Pass that of yours if it is longer.
   */
  readonly settle?: number | undefined
}

/** The names of {@link ApplyOptions}. Each face checks them with its own. */
export const applyNames: Record<keyof ApplyOptions, unknown> = { journal: 1, concurrency: 1, settle: 1 }

/** What became of a change. */
export interface Outcome {
  readonly id: number
  readonly title?: string | undefined
  /**
   * - `sent`: it was written.
   * - `found`: the list has it already.
   * - `kept`: it was written, and the service kept its own value of some members, which `kept` names.
   * - `refused`: the service does not take it: the status is 400 or 404, in `error`.
   * - `skipped`: one of its members has been edited since the plan, or the title was added or removed.
   */
  readonly result: "sent" | "found" | "kept" | "refused" | "skipped"
  /** The entry afterwards, if it was read or written. */
  readonly entry?: EntryMembers | undefined
  readonly kept?: ReadonlyArray<string> | undefined
  readonly error?: { readonly status: number; readonly message: string } | undefined
}

/** A run whose list was read. */
export interface Run<R> {
  /**
   * Makes the next change; one whose reply was lost is made again after all others. `undefined` if none is left, or the run has
   * ended. Several fibers can run it at a time. When it fails in one, a Stream interrupts the others, and `catalog-client` lets
   * them finish their writes; what became of an interrupted write is read by the next run.
   */
  readonly next: Effect.Effect<Outcome | undefined, ClientError, R>
  /** How many fibers run it at a time. */
  readonly atATime: number
  /** Begins no other change. */
  readonly end: () => void
  readonly requests: () => number
}

/** A service that loses so many replies in a row is down. */
const maxLost = 5

/** Whether a write can have arrived, although its reply did not. */
const isLost = (error: ClientError): boolean =>
  error._tag === "ClientNetworkError"
    ? ["Timeout", "Transport", "ResponseTooLarge"].includes(error.reason)
    : error._tag === "ClientRestError" && (error.status >= 500 || error.reason === "InvalidBody")

/**
 * Every other error is about all entries: a token that has ended would refuse the rest, and the next run would not ask again.
 */
const isRefused = (error: ClientError): boolean =>
  error._tag === "ClientRestError" && error.reason === "Status" && (error.status === 400 || error.status === 404)

const check = (isValid: boolean, message: string): void => {
  if (!isValid) {
    throw new TypeError(`apply: ${message}`)
  }
}

/** Reads the list, and the journal, under its lock. */
export const prepareRun = <R>(
  calls: Calls<R>,
  plan: Plan,
  options: ApplyOptions
): Effect.Effect<Run<R>, ClientError, R | Scope.Scope> =>
  Effect.gen(function* () {
    const { concurrency = 1, journal, settle = DEFAULT_REQUEST_TIMEOUT } = options
    const { changes, kind, version } = plan
    checkKind("apply", kind)
    check(version === 1, `it applies plans of version 1, but this one has version ${version}`)
    check(concurrency >= 1, `concurrency must be 1 or more, but it is ${concurrency}`)
    check(settle >= 0, `settle must be milliseconds, 0 or more, but it is ${settle}`)
    const list = lists[kind]
    if (journal?.lock !== undefined) {
      const lock = journal.lock.bind(journal)
      yield* Effect.acquireRelease(Effect.promise(lock), (unlock) => Effect.promise(unlock))
    }
    const journaled =
      journal === undefined ? new Map<number, never>() : yield* Effect.promise(() => openJournal(journal, plan))
    let requests = 0
    const current = yield* wholeListBy(calls, kind, { onPage: () => requests++ })
    /** The entries with a write whose outcome is not known, and when it was sent. */
    const unconfirmed = new Map<number, number>()
    journaled.forEach(
      (entry, id) => entry.outcome === undefined && entry.sent !== undefined && unconfirmed.set(id, entry.sent)
    )
    const isUnconfirmed = ({ id }: Change) => unconfirmed.has(id)
    /** First those of which nothing was sent. */
    const queue = [...changes.filter((change) => !isUnconfirmed(change)), ...changes.filter(isUnconfirmed)]
    let position = 0
    let hasEnded = false
    const end = () => {
      hasEnded = true
    }
    let lostInARow = 0

    const append = (line: object) =>
      journal === undefined ? Effect.void : Effect.promise(() => journal.append(`${JSON.stringify(line)}\n`))

    const conclude = ({ id, title }: Change, outcome: Omit<Outcome, "id" | "title">) => {
      lostInARow = 0
      unconfirmed.delete(id)
      const { entry: _, ...facts } = outcome
      return Effect.as(append({ id, outcome: { id, ...facts } }), { id, title, ...outcome })
    }

    const handleError = (change: Change, error: ClientError): Effect.Effect<Outcome | undefined, ClientError> => {
      if (isRefused(error)) {
        const { message, status = 0 } = error
        return conclude(change, { result: "refused", error: { status, message } })
      }
      if (!isLost(error) || ++lostInARow >= maxLost) {
        end()
        return Effect.fail(error)
      }
      queue.push(change)
      return Effect.succeed(undefined)
    }

    const isDone = ({ action, set }: Change, entry: Entry | undefined): boolean => {
      const values = entry && valuesOf(list, entry)
      return action === "remove"
        ? entry === undefined
        : values !== undefined && Object.entries(set).every(([name, value]) => isSame(value, values[name as Name]))
    }
    const isAsPlanned = ({ action, before }: Change, entry: Entry | undefined): boolean => {
      const values = entry && valuesOf(list, entry)
      return action === "add"
        ? entry === undefined
        : values !== undefined && Object.entries(before).every(([name, value]) => isSame(value, values[name as Name]))
    }

    const write = (change: Change): Effect.Effect<Outcome | undefined, ClientError, R> => {
      const { action, id, set } = change
      requests++
      const written = action === "remove" ? calls.remove(kind, id) : calls.write(kind, id, set)
      return Effect.matchEffect(written, {
        onSuccess: (entry) => {
          const values = entry && valuesOf(list, entry)
          const kept = values ? namesIn(set).filter((name) => !isSame(set[name], values[name])) : []
          return conclude(change, kept.length > 0 ? { result: "kept", entry, kept } : { result: "sent", entry })
        },
        onFailure: (error) =>
          action === "remove" && error.status === 404
            ? conclude(change, { result: "found" })
            : handleError(change, error)
      })
    }

    const writeIfAsPlanned = (
      change: Change,
      entry: Entry | undefined
    ): Effect.Effect<Outcome | undefined, ClientError, R> => {
      if (isDone(change, entry)) {
        return conclude(change, { result: "found", entry })
      }
      if (!isAsPlanned(change, entry)) {
        return conclude(change, { result: "skipped", entry })
      }
      return Effect.flatMap(Clock.currentTimeMillis, (now) => {
        unconfirmed.set(change.id, now)
        return Effect.zipRight(append({ id: change.id, sent: now }), write(change))
      })
    }

    const make = (change: Change): Effect.Effect<Outcome | undefined, ClientError, R> => {
      const { id, title } = change
      const outcome = journaled.get(id)?.outcome
      if (outcome !== undefined) {
        return Effect.succeed({ ...outcome, title })
      }
      const sentAt = unconfirmed.get(id)
      if (sentAt === undefined) {
        return writeIfAsPlanned(change, current.get(id))
      }
      // A write that is still on its way would change the list after it was read.
      return Effect.flatMap(Clock.currentTimeMillis, (now) => {
        requests++
        return Effect.zipRight(
          calls.sleep(Math.min(settle, Math.max(0, sentAt + settle - now))),
          Effect.matchEffect(calls.get(kind, id), {
            onSuccess: (entry) => writeIfAsPlanned(change, entry),
            onFailure: (error) => handleError(change, error)
          })
        )
      })
    }

    const next: Run<R>["next"] = Effect.suspend(() => {
      const change = hasEnded ? undefined : queue[position]
      if (change === undefined) {
        return Effect.succeed(undefined)
      }
      position++
      return Effect.flatMap(make(change), (outcome) => (outcome === undefined ? next : Effect.succeed(outcome)))
    })
    return { next, atATime: concurrency, end, requests: () => requests }
  })
