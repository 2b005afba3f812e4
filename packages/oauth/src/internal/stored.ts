/**
 * The store of a session: what the session has seen in it, and what is still to be written.
 *
 * If the store has changed since the session last looked, the store wins. Until then the session's own change wins: it is
 * pending until a transaction of the store has written it.
 *
 * | event                                             | pending afterwards | also                                               |
 * | ------------------------------------------------- | ------------------ | -------------------------------------------------- |
 * | `decide`, by a refresh                            | the decision       |                                                    |
 * | `decide`, by the user                             | the decision       | the next reading is no news                        |
 * | a reading finds the pending tokens                | nothing            |                                                    |
 * | a reading finds what the session has seen before  | what it was        |                                                    |
 * | a reading finds news                              | nothing            | the session adopts it                              |
 * | the pending decision is written                   | nothing            |                                                    |
 * | a write of the user's decision fails, up to twice | the decision       | it is written again                                |
 * | another write fails                               | the decision       | a reading, then one warning if it is still pending |
 * | a write does not respond in time                  | the decision       | one warning                                        |
 *
 * A reading that began before the last of these events is ignored.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { ClientAuthError } from "@catalog-client/core"
import { nowOf, Values, warnOnce } from "@catalog-client/core/internal"
import type { Tokens } from "../Tokens.js"
import { type TokenStoreService, UnreadableTokens } from "../TokenStore.js"
import type { CheckedClient } from "./checkClient.js"
import type { SessionEnvironment } from "./environment.js"
import { exitWithin, NoResponse } from "./exitWithin.js"
import { inTransaction } from "./storeTransaction.js"

/** A name for a store's error, without its contents. */
export const namedIn = (error: unknown): string =>
  error instanceof UnreadableTokens
    ? error.message
    : (["reason", "code", "_tag", "name"].map((key) => Values.stringIn(error, key)).find((text) => text) ?? "unknown")

/** What the session has decided that the store must contain. */
interface Decision {
  readonly tokens: Tokens | undefined
  /** A sign-in or sign-out, which replaces whatever is stored; a refresh replaces the tokens that it has redeemed. */
  readonly isByUser: boolean
}

/** How often a user's decision is written again if other sessions write at the same time. */
const maxTries = 3

/** The strings that identify tokens. */
const secretsOf = (tokens: Tokens | undefined): string =>
  JSON.stringify([tokens?.accessToken, tokens?.refreshToken].map((secret) => secret && Redacted.value(secret)))

/** Whether two values are the same tokens. */
const areSame = (one: Tokens | undefined, other: Tokens | undefined): boolean => secretsOf(one) === secretsOf(other)

export class SessionStore {
  /** The warnings already logged. */
  readonly warned = new Set<string>()
  /** What this session has decided, until it is written. */
  #pending: Decision | undefined
  /** Set by sign-in and sign-out: the next read is ignored, because it may be older. */
  #ignoresNextRead = false
  /** This client's tokens in the store when it was last read or written. */
  #seen: Tokens | undefined
  #seenAt = -Infinity
  /** Incremented by each read, write and decision, so that a read that began earlier is ignored. */
  #version = 0
  /** Why the last use of the store failed, if it did. */
  failure: ClientAuthError["cause"]

  constructor(
    private readonly environment: SessionEnvironment,
    private readonly client: CheckedClient,
    private readonly store: TokenStoreService,
    /** Called with what another session has stored or removed; `isFirst` on the first read. */
    private readonly apply: (tokens: Tokens | undefined, isFirst: boolean) => void
  ) {}

  get isWritten(): boolean {
    return this.#pending === undefined
  }

  get isRead(): boolean {
    return this.#seenAt !== -Infinity
  }

  /** Whether all is written, and the store was read lately. Not if the clock was set back. */
  isFresh(now: number): boolean {
    const age = now - this.#seenAt
    return this.isWritten && age >= 0 && age < this.client.storeMaxAge
  }

  /** Logs a warning, once until it is removed from `warned`. */
  warn(about: string, message: string): Effect.Effect<void> {
    return warnOnce(this, about, message)
  }

  /** Sets what the next transaction writes. */
  decide(tokens: Tokens | undefined, isByUser: boolean): void {
    this.#version++
    this.#pending = { tokens, isByUser }
    this.#ignoresNextRead ||= isByUser
  }

  readonly read: Effect.Effect<void> = Effect.suspend(() => {
    const version = this.#version
    return Effect.flatMap(exitWithin(this.store.get, this.client.storeTimeout), (exit) => {
      if (version !== this.#version) {
        return Effect.void
      }
      if (Exit.isSuccess(exit)) {
        this.warned.delete("read")
        return this.#learn(Option.getOrUndefined(exit.value))
      }
      const error = Cause.squash(exit.cause)
      const warn = (then: string) => this.warn("read", `the token store could not be read (${namedIn(error)}). ${then}`)
      if (error instanceof UnreadableTokens) {
        return Effect.zipRight(warn("The user has to sign in again."), this.#learn(undefined))
      }
      this.#seenAt = nowOf(this.environment.clock)
      this.failure = { name: namedIn(error), message: "the token store could not be read" }
      return warn("Only tokens in memory are used.")
    })
  })

  /**
   * Runs an effect inside a transaction, which begins by reading, and writes what is pending at the end of the effect. If the
   * store fails or does not respond, the effect runs with the tokens in memory.
   */
  update<E, R>(inside: Effect.Effect<void, E, R>, tries = maxTries): Effect.Effect<void, E, R> {
    return Effect.gen(this, function* () {
      const { value, written } = yield* inTransaction(
        this.store,
        (stored) =>
          Effect.gen(this, function* () {
            yield* this.#learn(Option.getOrUndefined(stored))
            const exit = yield* Effect.exit(inside)
            const decision = this.#pending
            const next = decision === undefined ? stored : Option.fromNullable(decision.tokens)
            return [{ exit, decision }, next] as const
          }),
        this.client.storeTimeout
      )
      const exit = value?.exit ?? (yield* Effect.exit(inside))
      if (Exit.isFailure(written)) {
        yield* this.#notWritten(Cause.squash(written.cause), value?.decision, tries)
      } else if (value?.decision !== undefined) {
        this.#wrote(value.decision)
      }
      return yield* exit
    })
  }

  /** Reads the store, and writes what is pending. */
  readonly sync: Effect.Effect<void> = Effect.suspend(() => (this.isWritten ? this.read : this.update(Effect.void)))

  #learn(stored: Tokens | undefined): Effect.Effect<void> {
    const isForeign = stored !== undefined && stored.clientId !== this.client.clientId
    const tokens = isForeign ? undefined : stored
    const isOurPending = this.#pending !== undefined && areSame(tokens, this.#pending.tokens)
    const isNews = !isOurPending && !this.#ignoresNextRead && !areSame(tokens, this.#seen)
    const isFirst = !this.isRead
    this.#version++
    this.#seen = tokens
    this.#seenAt = nowOf(this.environment.clock)
    this.failure = undefined
    this.#ignoresNextRead = false
    if (isOurPending || isNews) {
      this.#pending = undefined
    }
    if (isNews) {
      this.apply(tokens, isFirst)
    }
    return isForeign
      ? this.warn(
          "client",
          "the token store contains tokens of another clientId, which are not used: give each client its own store, or sign in again."
        )
      : Effect.void
  }

  #wrote(decision: Decision): void {
    this.#version++
    this.#seenAt = nowOf(this.environment.clock)
    this.warned.delete("write")
    this.failure = undefined
    if (this.#pending === decision) {
      this.#pending = undefined
      this.#seen = decision.tokens
    }
  }

  /** A failed write is retried by the next call, unless it failed because another session was first. */
  #notWritten(error: unknown, decision: Decision | undefined, tries: number): Effect.Effect<void> {
    return Effect.gen(this, function* () {
      const isLate = error instanceof NoResponse
      if (decision?.isByUser && decision === this.#pending && !isLate && tries > 1) {
        this.#ignoresNextRead = true
        return yield* this.update(Effect.void, tries - 1)
      }
      if (!this.isWritten && !isLate) {
        yield* this.read
      }
      if (this.#pending !== undefined) {
        const what =
          this.#pending.tokens === undefined
            ? `removed from their store (${namedIn(error)}). The user is signed out here`
            : `stored (${namedIn(error)}). They stay in memory`
        this.failure = { name: namedIn(error), message: "the token store could not be written" }
        yield* this.warn("write", `the tokens could not be ${what}; the next call retries the write.`)
      }
    })
  }
}
