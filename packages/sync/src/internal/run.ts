/** Applies a plan, change by change, so that it can be killed at any time. Each face asks for the next change. */
import type { ClientError } from "@catalog-client/core"
import { DEFAULT_REQUEST_TIMEOUT } from "@catalog-client/core/CatalogConfig"
import { millis } from "@catalog-client/core/internal"
import * as Clock from "effect/Clock"
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Journal, openJournal, type JournaledEntry } from "../journal.js"
import type { Change, Entry, EntryMembers, Plan } from "../plan.js"
import { type Calls, readWholeList } from "./calls.js"
import { asStored, checkKind, isSame, type Kind, lists, namesIn } from "./members.js"

/** How a run makes its changes. */
export interface RunOptions {
  /**
   * How many changes are made at a time.
   *
   * @default 1
   */
  readonly concurrency?: number | undefined
  /**
   * How long a write whose reply was lost can take to reach the list: at least the `timeout` of your client.
   *
   * @default "30 seconds"
   */
  readonly settle?: DurationInput | undefined
}

/** What `Sync.apply` takes besides the plan. */
export interface ApplyOptions<E = never, R = never> extends RunOptions {
  /** Where the run notes what it does, so that the next one continues it. */
  readonly journal?: Journal<E, R> | undefined
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

/** The number of replies in a row after whose loss the service counts as down. */
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

type Making<E, R> = Effect.Effect<Outcome | undefined, ClientError | E, R>

/** The options with their defaults. */
const checkOptions = ({ concurrency = 1, settle = DEFAULT_REQUEST_TIMEOUT }: RunOptions) => {
  check(concurrency >= 1, `concurrency must be 1 or more, but it is ${concurrency}`)
  return { fibers: concurrency, settle: millis("apply", "settle", settle) }
}

/** A run whose list was read. */
class Run<E, R> {
  /** How many fibers run it at a time. */
  readonly concurrency: number
  readonly #kind: Kind
  readonly #journal: Journal<E, R> | undefined
  readonly #settle: number
  /** When each write was sent whose outcome is not known, by the id of its title. */
  readonly #unconfirmed = new Map<number, number>()
  /** First the changes of which nothing was sent. */
  readonly #queue: Array<Change>
  #position = 0
  #lostInARow = 0
  #hasEnded = false
  #requests: number

  constructor(
    private readonly calls: Calls<R>,
    { changes, kind }: Plan,
    { fibers, settle }: ReturnType<typeof checkOptions>,
    journal: Journal<E, R> | undefined,
    /** What earlier runs have done. */
    private readonly past: ReadonlyMap<number, JournaledEntry>,
    private readonly listed: ReadonlyMap<number, Entry>,
    pages: number
  ) {
    this.concurrency = fibers
    this.#kind = kind
    this.#journal = journal
    this.#settle = settle
    this.#requests = pages
    past.forEach(
      ({ outcome, sent }, id) => outcome === undefined && sent !== undefined && this.#unconfirmed.set(id, sent)
    )
    const isUnconfirmed = ({ id }: Change) => this.#unconfirmed.has(id)
    this.#queue = [...changes.filter((change) => !isUnconfirmed(change)), ...changes.filter(isUnconfirmed)]
  }

  get requests(): number {
    return this.#requests
  }

  /** Makes the run begin no further change. */
  readonly end = (): void => {
    this.#hasEnded = true
  }

  /**
   * Makes the next change; one whose reply was lost is made again after all others. `undefined` if none is left, or the run has
   * ended. Several fibers can run it at a time. When it fails in one, a Stream interrupts the others, and `catalog-client` lets
   * them finish their writes; what became of an interrupted write is read by the next run.
   */
  readonly next: Making<E, R> = Effect.suspend(() => {
    const change = this.#hasEnded ? undefined : this.#queue[this.#position]
    if (change === undefined) {
      return Effect.succeed(undefined)
    }
    this.#position++
    return Effect.flatMap(this.#make(change), (outcome) =>
      outcome === undefined ? this.next : Effect.succeed(outcome)
    )
  })

  #make(change: Change): Making<E, R> {
    const { id, title } = change
    const outcome = this.past.get(id)?.outcome
    if (outcome !== undefined) {
      return Effect.succeed({ ...outcome, title })
    }
    const sentAt = this.#unconfirmed.get(id)
    if (sentAt === undefined) {
      return this.#writeIfAsPlanned(change, this.listed.get(id))
    }
    // A write that is still on its way would change the list after it was read.
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      this.#requests++
      return Effect.zipRight(
        this.calls.sleep(Math.min(this.#settle, Math.max(0, sentAt + this.#settle - now))),
        Effect.matchEffect(this.calls.get(this.#kind, id), {
          onSuccess: (entry) => this.#writeIfAsPlanned(change, entry),
          onFailure: (error) => this.#handleError(change, error)
        })
      )
    })
  }

  #writeIfAsPlanned(change: Change, entry: Entry | undefined): Making<E, R> {
    const { action, before, id, set } = change
    const isDone = action === "remove" ? entry === undefined : this.#has(entry, set)
    if (isDone) {
      return this.#conclude(change, { result: "found", entry })
    }
    const isAsPlanned = action === "add" ? entry === undefined : this.#has(entry, before)
    if (!isAsPlanned) {
      return this.#conclude(change, { result: "skipped", entry })
    }
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      this.#unconfirmed.set(id, now)
      return Effect.zipRight(this.#append({ id, sent: now }), this.#write(change))
    })
  }

  #write(change: Change): Making<E, R> {
    const { action, id, set } = change
    this.#requests++
    const written = action === "remove" ? this.calls.remove(this.#kind, id) : this.calls.write(this.#kind, id, set)
    return Effect.matchEffect(written, {
      onSuccess: (entry) => {
        const stored = entry && asStored(lists[this.#kind], entry)
        const kept = stored ? namesIn(set).filter((name) => !isSame(set[name], stored[name])) : []
        return this.#conclude(change, kept.length > 0 ? { result: "kept", entry, kept } : { result: "sent", entry })
      },
      onFailure: (error) =>
        action === "remove" && error.status === 404
          ? this.#conclude(change, { result: "found" })
          : this.#handleError(change, error)
    })
  }

  #handleError(change: Change, error: ClientError): Making<E, R> {
    if (isRefused(error)) {
      const { message, status = 0 } = error
      return this.#conclude(change, { result: "refused", error: { status, message } })
    }
    if (!isLost(error) || ++this.#lostInARow >= maxLost) {
      this.end()
      return Effect.fail(error)
    }
    this.#queue.push(change)
    return Effect.succeed(undefined)
  }

  #conclude({ id, title }: Change, outcome: Omit<Outcome, "id" | "title">): Making<E, R> {
    this.#lostInARow = 0
    this.#unconfirmed.delete(id)
    const { entry: _, ...facts } = outcome
    return Effect.as(this.#append({ id, outcome: { id, ...facts } }), { id, title, ...outcome })
  }

  #append(line: object): Effect.Effect<void, E, R> {
    return this.#journal?.append(`${JSON.stringify(line)}\n`) ?? Effect.void
  }

  /** Whether an entry has these members, as the service stores them. */
  #has(entry: Entry | undefined, members: EntryMembers): boolean {
    const stored = entry && asStored(lists[this.#kind], entry)
    return stored !== undefined && namesIn(members).every((name) => isSame(members[name], stored[name]))
  }
}

/** Reads the list, and the journal, under its lock. */
export const prepareRun = <E, R>(
  calls: Calls<R>,
  plan: Plan,
  options: ApplyOptions<E, R>
): Effect.Effect<Run<E, R>, ClientError | E, R | Scope.Scope> =>
  Effect.gen(function* () {
    const { kind, version } = plan
    checkKind("apply", kind)
    check(version === 1, `it applies plans of version 1, but this one has version ${version}`)
    const checked = checkOptions(options)
    const { journal } = options
    if (journal?.lock !== undefined) {
      yield* journal.lock
    }
    const past = journal && (yield* openJournal(journal, plan))
    let pages = 0
    const listed = yield* readWholeList(calls, kind, { onPage: () => void pages++ })
    return new Run(calls, plan, checked, journal, past ?? new Map<number, JournaledEntry>(), listed, pages)
  })
