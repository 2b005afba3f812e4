/**
 * The state of a session: the tokens in memory, and its store (`sessionStore.ts`, `storeState.ts`).
 *
 * The store changes in exclusive transactions. Each begins by reading, and so does a call whose last reading is too old, or that
 * finds no user. There is no timer: each call checks the clock.
 *
 * | state    | event                                                         | next state              | in the store |
 * | -------- | ------------------------------------------------------------- | ----------------------- | ------------ |
 * | any      | a reading finds tokens that the session has not seen there    | SignedIn                |              |
 * | any      | a reading finds that they are gone                            | SignedOut               |              |
 * | any      | `signIn`, `exchange`                                          | SignedIn                | the tokens   |
 * | any      | `signOut`                                                     | SignedOut               | nothing      |
 * | SignedIn | in a transaction, the service issues new tokens for a refresh | SignedIn                | the new ones |
 * | SignedIn | … the request for them fails                                  | SignedIn, one `failure` |              |
 * | SignedIn | … it is refused, or there is no refresh token                 | SignedOut               |              |
 *
 * Where tokens come from, or their end, and which function makes them current:
 *
 *     signIn, exchange -> acceptUnstored -+
 *     refresh, signOut -------------------+-> decide --> store.decide: pending, until a transaction writes it
 *                                               |
 *     another session -> #adopt ----------------+-> #setCurrent --> calls use it
 *     refused refresh -> end -------------------+
 *
 * Each change makes a new `current`, so a refresh that began with earlier tokens has no effect. If a refresh is refused,
 * nothing is written, because another process may have just refreshed. A write that fails stays pending.
 */
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import type { ClientAuthError, ClientNetworkError } from "@catalog-client/core"
import { nowOf } from "@catalog-client/core/internal"
import type { Tokens } from "../Tokens.js"
import type { TokenStoreService } from "../TokenStore.js"
import type { CheckedClient } from "./checkClient.js"
import { type CurrentTokens, currentTokens } from "./currentTokens.js"
import type { SessionEnvironment } from "./environment.js"
import { sessionNetworkError, SharedWork } from "./sharedWork.js"
import { SessionStore } from "./sessionStore.js"

/**
 * What happened to a session: a user has signed in, the tokens were replaced, or the user has signed out. The last one also
 * means that the service no longer accepts the tokens.
 */
export type SessionChange = "SignedIn" | "Refreshed" | "SignedOut"

export class SessionState {
  readonly listeners = new Set<(change: SessionChange) => void>()
  /** `undefined` if no user is signed in, or the store was not read yet. */
  current: CurrentTokens | undefined
  /** Called when `current` has changed. */
  onReplaced: () => void = constVoid
  readonly shared: SharedWork
  readonly store: SessionStore

  constructor(
    readonly environment: SessionEnvironment,
    readonly client: CheckedClient,
    store: TokenStoreService
  ) {
    this.shared = new SharedWork(environment)
    this.store = new SessionStore(environment, client, store, (tokens, isFirst) => this.#adopt(tokens, isFirst))
  }

  now(): number {
    return nowOf(this.environment.clock)
  }

  /** Why there are no tokens. If the store could not be read, the user may still be signed in. */
  get whyNoToken(): Pick<ClientAuthError, "reason" | "cause"> {
    const { failure, isWritten } = this.store
    return isWritten && failure ? { reason: "CredentialsUnavailable", cause: failure } : { reason: "SignedOut" }
  }

  /** Fails because the store has failed. */
  unavailable(member: string): Effect.Effect<never, ClientNetworkError> {
    const { failure } = this.store
    return Effect.fail(
      sessionNetworkError(`${this.environment.calledAs}.${member}`, {
        reason: "CredentialsUnavailable",
        ...(failure && { cause: failure })
      })
    )
  }

  /** Makes a decision of this session current. The next transaction of the store writes it. */
  decide(tokens: Tokens | undefined, change: SessionChange | undefined): void {
    this.store.decide(tokens, change !== "Refreshed")
    this.#setCurrent(tokens)
    if (change !== undefined) {
      this.#notify(change)
    }
  }

  /** Ends the session, because its tokens cannot be refreshed. */
  end(why: string): Effect.Effect<void> {
    this.#setCurrent(undefined)
    this.#notify("SignedOut")
    return this.store.warn("ended", `the session has ended: ${why}. The user has to sign in again.`)
  }

  /** Makes current what another session has stored or removed. */
  #adopt(tokens: Tokens | undefined, isFirst: boolean): void {
    const wasSignedIn = this.current !== undefined
    this.#setCurrent(tokens)
    if (!isFirst && (wasSignedIn || tokens !== undefined)) {
      this.#notify(tokens === undefined ? "SignedOut" : wasSignedIn ? "Refreshed" : "SignedIn")
    }
  }

  #setCurrent(tokens: Tokens | undefined): void {
    this.current = tokens && currentTokens(tokens)
    this.store.warned.delete("ended")
    this.store.warned.delete("refresh")
    // Last, because on Effect 4 this resumes the callers of the refresh at once.
    this.onReplaced()
  }

  #notify(change: SessionChange): void {
    for (const listener of this.listeners) {
      try {
        listener(change)
      } catch (error) {
        // The platform reports an error of a listener, as for its own events.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  /** Reads the store, and retries a failed write, once for all callers. */
  readonly sharedSync: Effect.Effect<void> = Effect.suspend(() =>
    Effect.ignore(this.shared.share("sync", this.store.sync))
  )

  /** Reads the store if no user is known, if it was not read lately, or if a write has failed. */
  readonly syncIfStale: Effect.Effect<void> = Effect.suspend(() =>
    this.shared.isClosed || (this.current !== undefined && this.store.isFresh(this.now()))
      ? Effect.void
      : this.sharedSync
  )
}
