/**
 * The store of a session: what is new in it, writing tokens, and what stays of tokens that the service has refused.
 *
 * A refused session does not remove its tokens, but replaces them by a tombstone that names them: another session may have
 * redeemed them, and be about to store new ones. It knows its own tokens by the tombstone and overwrites it, whereas a
 * removed value means that the user has signed out.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { textIn } from "../../internal/common/cause.js"
import { warnOnce } from "../../internal/credentials/credentials.js"
import { areSame, isTombstone, isTombstoneOf, tombstoneOf, type Tokens } from "../Tokens.js"
import { type TokenStoreService, UnreadableTokens } from "../TokenStore.js"
import { bounded } from "./bounded.js"

/** A name for a store's error, without its contents. */
export const namedIn = (error: unknown): string =>
  error instanceof UnreadableTokens
    ? error.message
    : (["reason", "code", "_tag", "name"].map((key) => textIn(error, key)).find((text) => text) ?? "unknown")

/** The dependencies of a session's store. */
interface Parts {
  readonly clientId: string
  readonly store: TokenStoreService
  /** Milliseconds for one use of the store. */
  readonly timeout: number
}

/** What is new in a store: tokens, a tombstone or nothing. */
type News = Option.Option<Tokens | undefined>

export class Stored {
  /** The warnings already logged. */
  readonly warned = new Set<string>()
  /** The tokens that still have to be stored. */
  unsaved: Tokens | undefined
  /** Whether the store contains another client's tokens, or an unreadable value. */
  #isForeign = false
  /** The revision of the store when it was last read. */
  #revision: unknown
  /** What this client had in the store when it was last read or written. */
  #seen: Tokens | undefined
  /** What the last write has replaced, until something else is read. */
  #replaced: Tokens | undefined

  constructor(private readonly parts: Parts) {}

  /** Whether nothing is left to write, and the store does not report a change. */
  get isSettled(): boolean {
    return this.unsaved === undefined && this.parts.store.revision?.() === this.#revision
  }

  /** Logs a warning, once until it is removed from `warned`. */
  warn(about: string, message: string): Effect.Effect<void> {
    return warnOnce(this, about, message)
  }

  /** Uses the store, within the timeout. */
  #use<A>(effect: Effect.Effect<A, unknown>): Effect.Effect<Exit.Exit<A, unknown>> {
    return bounded(effect, this.parts.timeout)
  }

  /** Reads the store; what is read counts unless `isOver` then. */
  look(isOver: () => boolean): Effect.Effect<News> {
    return Effect.gen(this, function* () {
      const revision = this.parts.store.revision?.()
      const exit = yield* this.#use(this.parts.store.get)
      if (isOver()) {
        return Option.none()
      }
      this.#revision = revision
      return yield* Exit.isSuccess(exit) ? this.#compared(Option.getOrUndefined(exit.value)) : this.#unread(exit.cause)
    })
  }

  #unread(cause: Cause.Cause<unknown>): Effect.Effect<News> {
    const error = Cause.squash(cause)
    this.#isForeign = error instanceof UnreadableTokens
    const message = `the token store could not be read (${namedIn(error)}). Tokens in memory stay in use; without any, the user has to sign in again.`
    return Effect.as(this.warn("read", message), Option.none())
  }

  #compared(stored: Tokens | undefined): Effect.Effect<News> {
    this.#isForeign = stored !== undefined && stored.clientId !== this.parts.clientId
    if (this.#isForeign) {
      const message =
        "the token store contains tokens of another clientId, which are not used: give each client its own store, or sign in again."
      return Effect.as(this.warn("client", message), Option.none())
    }
    this.warned.delete("read")
    if (areSame(stored, this.#seen)) {
      return Effect.succeedNone
    }
    if (isTombstoneOf(stored, this.#replaced)) {
      // It was written over the tokens that have replaced those.
      this.unsaved = this.#seen
      return Effect.succeedNone
    }
    this.#replaced = undefined
    this.#seen = stored
    return Effect.succeedSome(stored)
  }

  /** Stores the unsaved tokens. If that fails, they are used from memory until it succeeds. */
  readonly save: Effect.Effect<void> = Effect.gen(this, function* () {
    const tokens = this.unsaved
    if (tokens === undefined) {
      return
    }
    const { get, set, setAside } = this.parts.store
    if (this.#isForeign && setAside !== undefined) {
      yield* this.#use(setAside)
    }
    const write = this.#use(Effect.suspend(() => set(tokens)))
    const written = yield* write
    if (Exit.isFailure(written)) {
      const message = `the tokens could not be stored (${namedIn(Cause.squash(written.cause))}). They stay in memory; the next call retries the write.`
      return yield* this.warn("write", message)
    }
    this.warned.delete("write")
    const replaced = (this.#replaced = areSame(this.#seen, tokens) ? this.#replaced : this.#seen)
    this.#seen = tokens
    this.#isForeign = false
    if (this.unsaved === tokens) {
      this.unsaved = undefined
    }
    // A refused session may have compared before this write and written after it. Tokens that are read here do not count,
    // since they can be stale.
    const stored = yield* this.#use(get)
    if (Exit.isSuccess(stored) && isTombstoneOf(Option.getOrUndefined(stored.value), replaced)) {
      yield* write
    }
  })

  #removed(exit: Exit.Exit<unknown, unknown>, seen: Tokens | undefined): Effect.Effect<void> {
    if (Exit.isFailure(exit)) {
      return this.warn(
        "remove",
        `the tokens could not be removed from their store (${namedIn(Cause.squash(exit.cause))}). Remove them by hand; otherwise the next start finds the user signed in.`
      )
    }
    this.warned.delete("remove")
    this.#seen = seen
    this.#replaced = undefined
    return Effect.void
  }

  /** Removes what is stored: the user has signed out. */
  readonly remove: Effect.Effect<void> = Effect.suspend(() =>
    Effect.flatMap(this.#use(this.parts.store.remove), (exit) => this.#removed(exit, undefined))
  )

  /** Replaces what was last seen by its tombstone, if it is still stored: the service has refused it. */
  readonly bury: Effect.Effect<void> = Effect.suspend(() => {
    const seen = this.#seen
    if (seen === undefined || isTombstone(seen)) {
      return Effect.void
    }
    const { get, set } = this.parts.store
    const tombstone = tombstoneOf(seen)
    const replaced = Effect.flatMap(get, (stored) =>
      areSame(Option.getOrUndefined(stored), seen) ? Effect.as(set(tombstone), tombstone) : Effect.succeed(seen)
    )
    return Effect.flatMap(this.#use(replaced), (exit) => this.#removed(exit, Exit.isSuccess(exit) ? exit.value : seen))
  })
}
