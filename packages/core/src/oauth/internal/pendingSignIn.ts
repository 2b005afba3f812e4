/**
 * A sign-in that a user has started, in a store until the user comes back. It is used once, also by several processes.
 *
 * It has the form that every store takes: tokens, whose marked client keeps sessions from using them. The access token is the
 * pending authorization. The process that uses it first sets a random refresh token, its claim.
 */
import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { ClientNetworkError } from "../../CatalogError.js"
import { nowOf } from "../../internal/common/fiber.js"
import { PendingAuthorization } from "../OAuth.js"
import { areSame, Tokens } from "../Tokens.js"
import { type TokenStoreService, UnreadableTokens } from "../TokenStore.js"
import { bounded, NoResponse } from "./bounded.js"
import { randomText } from "./random.js"
import { pause } from "./session.js"
import { namedIn } from "./stored.js"

/** The end of the keys of sign-ins that were started, and of the marked client. */
export const suffix = ".pending"

/** Milliseconds in which another process that has read the sign-in may still write its claim. */
const settling = 100

interface Parts {
  /** The name of the operation, for its errors. */
  readonly operation: string
  readonly clientId: string
  readonly authorizeUrl: string
  readonly store: TokenStoreService
  /** Milliseconds for one use of the store. */
  readonly timeout: number
  readonly clock: Clock.Clock
}

export class PendingSignIn {
  /** What was found, and then the claim of this process. */
  #kept: Tokens | undefined

  constructor(private readonly parts: Parts) {}

  /** Stores the sign-in for so many milliseconds. Returns whether the store has kept it. */
  keep(request: PendingAuthorization, life: number): Effect.Effect<boolean, ClientNetworkError> {
    const { clientId, clock, store } = this.parts
    const now = nowOf(clock)
    const kept = new Tokens({
      accessToken: Redacted.make(PendingAuthorization.encode(request)),
      clientId: clientId + suffix,
      obtainedAt: now,
      expiresAt: now + life
    })
    const stored = Effect.zipRight(this.#use(Effect.suspend(() => store.set(kept))), this.#use(store.get))
    return Effect.map(stored, Option.isSome)
  }

  /** The sign-in, unless there is none or it has expired. */
  readonly find: Effect.Effect<PendingAuthorization | undefined, ClientNetworkError> = Effect.gen(this, function* () {
    const { clientId, clock } = this.parts
    const kept = (this.#kept = yield* this.#read)
    if (kept === undefined || kept.clientId !== clientId + suffix || nowOf(clock) >= (kept.expiresAt ?? 0)) {
      return undefined
    }
    try {
      return PendingAuthorization.decode(Redacted.value(kept.accessToken))
    } catch {
      return undefined
    }
  })

  /** Uses what was found. Of several that use it at once, one gets `true`. */
  readonly claim: Effect.Effect<boolean, ClientNetworkError> = Effect.gen(this, function* () {
    const kept = this.#kept
    if (kept === undefined || kept.refreshToken !== undefined || !areSame(yield* this.#read, kept)) {
      return false
    }
    const { accessToken, clientId, expiresAt = 0, obtainedAt } = kept
    const refreshToken = Redacted.make(randomText(12))
    const claimed = new Tokens({ accessToken, refreshToken, clientId, obtainedAt, expiresAt })
    yield* this.#use(Effect.suspend(() => this.parts.store.set(claimed)))
    yield* pause(settling)
    const isMine = areSame(yield* this.#read, claimed)
    this.#kept = isMine ? claimed : kept
    return isMine
  })

  /** Waits until another process has used what was found. */
  readonly others: Effect.Effect<void> = Effect.suspend(() => {
    const used = Effect.gen(this, function* () {
      while ((yield* this.#read)?.refreshToken !== undefined) {
        yield* pause(settling)
      }
    })
    return Effect.asVoid(bounded(used, this.parts.timeout))
  })

  /** Removes what was claimed, unless the user has started another sign-in. */
  readonly remove: Effect.Effect<void> = Effect.suspend(() =>
    Effect.ignore(
      Effect.flatMap(this.#read, (stored) =>
        areSame(stored, this.#kept) ? this.#use(this.parts.store.remove) : Effect.void
      )
    )
  )

  /** Removes what is stored. */
  readonly abandon: Effect.Effect<void> = Effect.suspend(() => Effect.ignore(this.#use(this.parts.store.remove)))

  /** What is stored; what cannot be read is no sign-in. */
  get #read(): Effect.Effect<Tokens | undefined, ClientNetworkError> {
    const isUnreadable = (error: unknown): error is UnreadableTokens => error instanceof UnreadableTokens
    const get = Effect.catchIf(this.parts.store.get, isUnreadable, () => Effect.succeedNone)
    return Effect.map(this.#use(get), Option.getOrUndefined)
  }

  #use<A>(effect: Effect.Effect<A, unknown>): Effect.Effect<A, ClientNetworkError> {
    const { authorizeUrl, operation, timeout } = this.parts
    return Effect.flatMap(bounded(effect, timeout), (exit): Effect.Effect<A, ClientNetworkError> => {
      if (Exit.isSuccess(exit)) {
        return Effect.succeed(exit.value)
      }
      const error = Cause.squash(exit.cause)
      const isLate = error instanceof NoResponse
      const { origin, pathname } = new URL(authorizeUrl)
      return Effect.fail(
        new ClientNetworkError({
          operation,
          method: "GET",
          url: origin + pathname,
          reason: isLate ? "Timeout" : "Transport",
          ...(isLate && { timeoutMs: timeout }),
          attempts: 1,
          cause: { name: namedIn(error), message: "the store of the pending sign-ins failed" }
        })
      )
    })
  }
}
