/**
 * The store of a session: reads it, and writes what the session has decided. `storeState.ts` says what follows from it.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { ClientAuthError } from "@catalog-client/core"
import { nowOf, Values, warnOnce } from "@catalog-client/core/internal"
import type { Tokens } from "../Tokens.js"
import { TokenStoreError, type TokenStoreService, UnreadableTokens } from "../TokenStore.js"
import type { CheckedClient } from "./checkClient.js"
import type { SessionEnvironment } from "./environment.js"
import { exitWithin, NoResponse } from "./exitWithin.js"
import { type Decision, isNews, next, type StoreEvent, unread } from "./storeState.js"
import { inTransaction } from "./storeTransaction.js"

/** A name for a store's error, without its contents. */
export const errorNameIn = (error: unknown): string => {
  const named = error instanceof TokenStoreError ? error.cause : error
  return named instanceof UnreadableTokens
    ? named.message
    : (["reason", "code", "_tag", "name"].map((key) => Values.stringIn(named, key)).find((text) => text) ?? "unknown")
}

/** How often a user's decision is written if other sessions write at the same time. */
const maxTries = 3

/** A decision that the store has not written, and why. A transaction that did not begin has decided nothing. */
interface Unwritten {
  readonly decision: Decision | undefined
  readonly error: unknown
}

export class SessionStore {
  /** The warnings already logged. */
  readonly warned = new Set<string>()
  #state = unread

  constructor(
    private readonly environment: SessionEnvironment,
    private readonly client: CheckedClient,
    private readonly store: TokenStoreService,
    /** Called with what another session has stored or removed; `isFirst` on the first read. */
    private readonly adopt: (tokens: Tokens | undefined, isFirst: boolean) => void
  ) {}

  get isWritten(): boolean {
    return this.#state.pending === undefined
  }

  get isRead(): boolean {
    return this.#state.seenAt !== -Infinity
  }

  /** Why the last use of the store failed, if it did. */
  get failure(): ClientAuthError["cause"] {
    return this.#state.failure
  }

  /** Whether all is written, and the store was read lately. Not if the clock was set back. */
  isFresh(now: number): boolean {
    const age = now - this.#state.seenAt
    return this.isWritten && age >= 0 && age < this.client.storeMaxAge
  }

  /** Logs a warning, once until it is removed from `warned`. */
  warn(about: string, message: string): Effect.Effect<void> {
    return warnOnce(this, about, message)
  }

  /** Sets what the next transaction writes. */
  decide(tokens: Tokens | undefined, isByUser: boolean): void {
    this.#dispatch({ type: "Decided", decision: { tokens, isByUser } })
  }

  readonly read: Effect.Effect<void> = Effect.suspend(() => {
    const { version } = this.#state
    return Effect.flatMap(exitWithin(this.store.get, this.client.storeTimeout), (exit) => {
      if (version !== this.#state.version) {
        return Effect.void
      }
      if (Exit.isSuccess(exit)) {
        this.warned.delete("read")
        return this.#handleReading(Option.getOrUndefined(exit.value))
      }
      const error = Cause.squash(exit.cause)
      const warn = (then: string) =>
        this.warn("read", `the token store could not be read (${errorNameIn(error)}). ${then}`)
      if (error instanceof UnreadableTokens) {
        return Effect.zipRight(warn("The user has to sign in again."), this.#handleReading(undefined))
      }
      const failure = { name: errorNameIn(error), message: "the token store could not be read" }
      this.#dispatch({ type: "ReadFailed", failure, at: this.#now() })
      return warn("Only tokens in memory are used.")
    })
  })

  /**
   * Runs an effect inside a transaction, which begins by reading, and writes what is pending at the end of the effect. If the
   * store fails or does not respond, the effect runs with the tokens in memory.
   */
  update<E, R>(inside: Effect.Effect<void, E, R>): Effect.Effect<void, E, R> {
    return Effect.gen(this, function* () {
      const first = yield* this.#transact(inside)
      let { unwritten } = first
      for (let tries = 1; tries < maxTries && this.#isRefused(unwritten); tries++) {
        this.#dispatch({ type: "WriteRefused" })
        ;({ unwritten } = yield* this.#transact(Effect.void))
      }
      if (unwritten !== undefined) {
        yield* this.#leavePending(unwritten.error)
      }
      return yield* first.exit
    })
  }

  /** Reads the store, and writes what is pending. */
  readonly sync: Effect.Effect<void> = Effect.suspend(() => (this.isWritten ? this.read : this.update(Effect.void)))

  /** One transaction. Returns how the effect ended, and what could not be written. */
  #transact<E, R>(
    inside: Effect.Effect<void, E, R>
  ): Effect.Effect<{ readonly exit: Exit.Exit<void, E>; readonly unwritten: Unwritten | undefined }, never, R> {
    return Effect.gen(this, function* () {
      const { value, written } = yield* inTransaction(
        this.store,
        (stored) =>
          Effect.gen(this, function* () {
            yield* this.#handleReading(Option.getOrUndefined(stored))
            const exit = yield* Effect.exit(inside)
            const decision = this.#state.pending
            const tokens = decision === undefined ? stored : Option.fromNullable(decision.tokens)
            return [{ exit, decision }, tokens] as const
          }),
        this.client.storeTimeout
      )
      const exit = value?.exit ?? (yield* Effect.exit(inside))
      const decision = value?.decision
      if (Exit.isFailure(written)) {
        return { exit, unwritten: { decision, error: Cause.squash(written.cause) } }
      }
      if (decision !== undefined) {
        this.warned.delete("write")
        this.#dispatch({ type: "Written", decision, at: this.#now() })
      }
      return { exit, unwritten: undefined }
    })
  }

  /** Whether a user's decision was not written because another session was first. */
  #isRefused(unwritten: Unwritten | undefined): boolean {
    return (
      unwritten?.decision?.isByUser === true &&
      unwritten.decision === this.#state.pending &&
      !(unwritten.error instanceof NoResponse)
    )
  }

  /** After a write that failed: the next call retries it, unless the store has news. */
  #leavePending(error: unknown): Effect.Effect<void> {
    return Effect.gen(this, function* () {
      if (!this.isWritten && !(error instanceof NoResponse)) {
        yield* this.read
      }
      const { pending } = this.#state
      if (pending !== undefined) {
        const what =
          pending.tokens === undefined
            ? `removed from their store (${errorNameIn(error)}). The user is signed out here`
            : `stored (${errorNameIn(error)}). They stay in memory`
        const failure = { name: errorNameIn(error), message: "the token store could not be written" }
        this.#dispatch({ type: "WriteFailed", failure })
        yield* this.warn("write", `the tokens could not be ${what}; the next call retries the write.`)
      }
    })
  }

  /** Handles a reading as the table of `storeState.ts` says. */
  #handleReading(stored: Tokens | undefined): Effect.Effect<void> {
    const isForeign = stored !== undefined && stored.clientId !== this.client.clientId
    const tokens = isForeign ? undefined : stored
    const before = this.#state
    const isFirst = !this.isRead
    this.#dispatch({ type: "Read", tokens, at: this.#now() })
    if (isNews(before, tokens)) {
      this.adopt(tokens, isFirst)
    }
    return isForeign
      ? this.warn(
          "client",
          "the token store contains tokens of another clientId, which are not used: give each client its own store, or sign in again."
        )
      : Effect.void
  }

  #dispatch(event: StoreEvent): void {
    this.#state = next(this.#state, event)
  }

  #now(): number {
    return nowOf(this.environment.clock)
  }
}
