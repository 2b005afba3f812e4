/**
 * A user's session: the tokens that calls use, and the single refresh in flight.
 *
 * The tokens are in memory and in a store (`stored.ts`, `storeState.ts`), which changes in exclusive transactions. Each begins
 * by reading, and so does a call whose last reading is too old, or that finds no user. There is no timer: each call checks the
 * clock.
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
 *     refresh, signOut -------------------+-> #decide --> stored.decide: pending, until a transaction writes it
 *                                               |
 *     another session -> #adopt ----------------+-> #setUser --> calls use it
 *     refused refresh -> #end ------------------+
 *
 * Each change makes a new state object, so a refresh that began in an earlier state has no effect. If a refresh is refused,
 * nothing is written, because another process may have just refreshed. What could not be written stays pending.
 */
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Option from "effect/Option"
import { ClientAuthError, type ClientNetworkError, type Credentials } from "@catalog-client/core"
import { type AttemptError, mistake, nowOf, type Secret, Values } from "@catalog-client/core/internal"
import type { HttpClient } from "@effect/platform/HttpClient"
import type { AuthorizationRequest } from "../OAuth.js"
import type { PendingAuthorization } from "../PendingAuthorization.js"
import type { OAuthSessionService } from "../OAuthSession.js"
import { Tokens } from "../Tokens.js"
import type { TokenStoreService } from "../TokenStore.js"
import { exitWithin } from "./exitWithin.js"
import { authorizationRequest } from "./authorization.js"
import { bindTo, type CheckedClient, clientIdSlot } from "./checkClient.js"
import type { SessionEnvironment } from "./environment.js"
import { sessionNetworkError, SharedWork } from "./sharedWork.js"
import { Redemption } from "./redemption.js"
import { isProgramsFault, isRefreshTokenDead, refreshTokens } from "./request.js"
import { hasAccessToken, minute, type SessionSlot, type SignedIn, signedIn } from "./signedIn.js"
import { SessionStore } from "./stored.js"

/**
 * What happened to a session: a user has signed in, the tokens were replaced, or the user has signed out. The last one also
 * means that the service no longer accepts the tokens.
 */
export type SessionChange = "SignedIn" | "Refreshed" | "SignedOut"

/** The session of a user, for Effects and for catalog-client. Without the Stream of changes, which a page does not need. */
export class UserSession implements Omit<OAuthSessionService, "changes"> {
  readonly credentials: Credentials.Service
  readonly listeners = new Set<(change: SessionChange) => void>()
  /** `undefined` if no user is signed in, or the store was not read yet. */
  #user: SignedIn | undefined
  readonly #shared: SharedWork
  readonly #redemption: Redemption
  /** The store of the tokens, and the warnings of the session. */
  readonly #stored: SessionStore
  /** Stops waiting for a refresh whose tokens have been replaced. */
  #stopWaiting: () => void = constVoid

  constructor(
    private readonly environment: SessionEnvironment,
    private readonly client: CheckedClient,
    store: TokenStoreService
  ) {
    this.#shared = new SharedWork(environment)
    this.#stored = new SessionStore(environment, client, store, (tokens, isFirst) => this.#adopt(tokens, isFirst))
    const slot = () => this.slot
    this.credentials = {
      get accessToken() {
        return slot()
      },
      clientId: clientIdSlot(client),
      renew: (refused) => this.renew(refused),
      whyNoToken: () => this.whyNoToken,
      bindToService: bindTo(environment.settings.profile)
    }
    this.#redemption = new Redemption(environment, client, this.#shared, this.credentials)
  }

  // A user signs in.

  readonly authorizationRequest: Effect.Effect<AuthorizationRequest> = Effect.suspend(() =>
    authorizationRequest(this.client, this.environment.settings.profile.oauth)
  )

  readonly exchange = (
    pending: PendingAuthorization,
    url: string | URL
  ): Effect.Effect<Option.Option<Tokens>, ClientAuthError | AttemptError> =>
    this.#redemption.redeem(pending, url, this.signIn)

  /**
   * Redeems a code inside the transaction of another store, which has the pending sign-in. The tokens are stored after it,
   * because a transaction within another one would need two connections of a database.
   */
  readonly exchangeInTransaction = <A, E>(
    url: string | URL,
    transaction: (redeem: (pending: PendingAuthorization) => ReturnType<UserSession["exchange"]>) => Effect.Effect<A, E>
  ): Effect.Effect<A, E> =>
    Effect.tap(
      transaction((pending) => this.#redemption.redeem(pending, url, this.acceptUnstored)),
      // A transaction even if nothing is pending: another process may be in one that stores tokens.
      () => this.#stored.update(Effect.void)
    )

  readonly signIn = (tokens: Tokens): Effect.Effect<void> =>
    Effect.gen(this, function* () {
      const { clientId } = this.client
      const { calledAs } = this.environment
      if (!(tokens instanceof Tokens) || (tokens.clientId !== clientId && tokens.clientId !== "")) {
        yield* Effect.die(mistake(`${calledAs}.signIn takes Tokens that were issued to the session's clientId`))
      }
      yield* this.acceptUnstored(tokens)
      yield* this.#stored.sync
    })

  /** Signs in, in memory until the next transaction of the store. */
  readonly acceptUnstored = (tokens: Tokens): Effect.Effect<void> =>
    Effect.sync(() => {
      const { clientId } = this.client
      this.#decide(new Tokens(Object.assign({}, tokens, { clientId })), "SignedIn")
    })

  // Calls need the access token. `slot` is for a caller that runs it now: if the token in memory will do, that costs no effect.
  // `accessToken` is for one that keeps it, and runs it for each call.

  /** The access token in memory; `undefined` if it has to be refreshed, or the store to be read, first. */
  get freshSlot(): SessionSlot | undefined {
    const user = this.#user
    const now = this.#now()
    return user !== undefined && now < user.refreshAt && this.#stored.isFresh(now) ? user.slot : undefined
  }

  /** `freshSlot`, or an effect that reads the store and refreshes the token. */
  get slot(): SessionSlot {
    return this.freshSlot ?? this.#refreshedSlot
  }

  readonly accessToken: SessionSlot = Effect.suspend(() => this.slot)

  /** The access token, after a refresh if it is due. */
  readonly #refreshedSlot: SessionSlot = Effect.gen(this, function* () {
    yield* this.#syncIfStale
    const isTokenAlive = () => this.#user !== undefined && this.#now() < (this.#user.tokens.expiresAt ?? Infinity)
    const user = this.#user
    const isDelayed = user !== undefined && isTokenAlive() && this.#now() < user.retryAt
    if (user !== undefined && this.#now() >= user.refreshAt && !isDelayed) {
      // A failed early refresh is not an error.
      yield* Effect.catchAll(this.#sharedRefresh, (error) =>
        isTokenAlive() ? this.#warnOf(error, " The access token is used until it expires.") : Effect.fail(error)
      )
    }
    return yield* this.#user?.slot ?? Effect.succeedNone
  })

  /** The current tokens, which may have expired. Fails if there may be some in the store, which could not be read. */
  readonly tokens: Effect.Effect<Option.Option<Tokens>, ClientNetworkError> = Effect.gen(this, function* () {
    yield* this.#syncIfStale
    if (this.#user === undefined && this.whyNoToken.reason === "CredentialsUnavailable") {
      yield* this.#unavailable("tokens")
    }
    return Option.fromNullable(this.#user?.tokens)
  })

  // The tokens are refreshed.

  readonly refresh: Effect.Effect<Tokens, ClientAuthError | AttemptError> = Effect.gen(this, function* () {
    yield* this.#syncIfStale
    if (this.#user !== undefined) {
      yield* this.#sharedRefresh
    }
    const signedOut = () =>
      new ClientAuthError({ operation: `${this.environment.calledAs}.refresh`, ...this.whyNoToken })
    return this.#user?.tokens ?? (yield* Effect.failSync(signedOut))
  })

  /** Why there are no tokens. If the store could not be read, the user may still be signed in. */
  get whyNoToken(): Pick<ClientAuthError, "reason" | "cause"> {
    const { failure, isWritten } = this.#stored
    return isWritten && failure ? { reason: "CredentialsUnavailable", cause: failure } : { reason: "SignedOut" }
  }

  /** The refresh that all callers share. */
  get #sharedRefresh(): Effect.Effect<void, AttemptError> {
    return this.#shared.share(
      "refresh",
      Effect.suspend(() => this.#stored.update(this.#refreshInTransaction(this.#user)))
    )
  }

  /** Refreshes inside a transaction, unless that finds other tokens that are not due. */
  #refreshInTransaction(known: SignedIn | undefined): Effect.Effect<void, AttemptError, HttpClient> {
    return Effect.gen(this, function* () {
      const user = this.#user
      if (user === undefined || (user !== known && this.#now() < user.refreshAt)) {
        return
      }
      if (user.tokens.refreshToken === undefined) {
        return yield* this.#end("the access token has expired, and there is no refresh token")
      }
      const superseded = Effect.async<void>((resume) => {
        this.#stopWaiting = () => resume(Effect.void)
      })
      yield* Effect.matchEffect(Effect.raceFirst(refreshTokens(this.client, user.tokens), superseded), {
        onSuccess: (fresh) => Effect.sync(() => this.#user === user && fresh && this.#decide(fresh, "Refreshed")),
        onFailure: (error) =>
          this.#user !== user
            ? Effect.void
            : isRefreshTokenDead(error)
              ? this.#endUnlessReplaced(user, error)
              : this.#countFailure(user, error)
      })
    })
  }

  /** A failed refresh that does not mean that the tokens are invalid. */
  #countFailure(user: SignedIn, error: AttemptError): Effect.Effect<void, AttemptError> {
    return Effect.gen(this, function* () {
      // From the second failure on, early refreshes are delayed: the service is probably down.
      user.failures++
      user.retryAt = user.failures < 2 ? -Infinity : this.#now() + Math.min(minute, 1000 * 2 ** (user.failures - 2))
      if (isProgramsFault(error)) {
        yield* this.#warnOf(error)
      }
      yield* Effect.fail(error)
    })
  }

  /** Logs a failed refresh, once until a refresh succeeds. */
  #warnOf(error: AttemptError, consequence = ""): Effect.Effect<void> {
    return this.#stored.warn("refresh", `the tokens could not be refreshed.${consequence} ${error.message}`)
  }

  /**
   * Reads the store before the session ends: if the store did not begin the transaction, another process can have stored newer
   * tokens.
   */
  #endUnlessReplaced(user: SignedIn, error: AttemptError): Effect.Effect<void> {
    const said = Values.stringIn(error, "serviceMessage") ?? Values.stringIn(error, "code")
    const why = `the service no longer accepts the refresh token (${said})`
    return Effect.flatMap(this.#stored.read, () => (this.#user === user ? this.#end(why) : Effect.void))
  }

  // The service refuses them.

  /** The access token to use instead of a refused one. */
  renew(refused: Secret): SessionSlot {
    return Effect.gen(this, function* () {
      // This session may be new: `UserSessions` drops idle ones, even during a call.
      yield* this.#syncIfUnread
      const before = this.#user
      if (before !== undefined && hasAccessToken(before.tokens, refused)) {
        // A service that refuses a token it has just issued may refuse the next one too. Another process can have a newer one.
        const isJustIssued = before.isRenewal && Math.abs(this.#now() - before.tokens.obtainedAt) < minute
        yield* isJustIssued ? this.sharedSync : this.#sharedRefresh
        const after = this.#user
        if (after !== undefined && hasAccessToken(after.tokens, refused)) {
          return yield* after.slot
        }
        if (after !== undefined) {
          after.isRenewal = true
        }
      }
      return yield* this.slot
    })
  }

  /** The session has ended. */
  #end(why: string): Effect.Effect<void> {
    this.#setUser(undefined)
    this.#notify("SignedOut")
    return this.#stored.warn("ended", `the session has ended: ${why}. The user has to sign in again.`)
  }

  // The user signs out, and the session is closed.

  readonly signOut: Effect.Effect<void, ClientNetworkError> = Effect.gen(this, function* () {
    // If the store was never read, it may contain tokens. The transaction begins by reading.
    this.#decide(undefined, this.#user !== undefined || !this.#stored.isRead ? "SignedOut" : undefined)
    yield* this.#stored.sync
    if (!this.#stored.isWritten) {
      // Other sessions still use the tokens, and so would this program after a restart.
      yield* this.#unavailable("signOut")
    }
  })

  /** Fails because the store did. */
  #unavailable(member: string): Effect.Effect<never, ClientNetworkError> {
    const { failure } = this.#stored
    return Effect.fail(
      sessionNetworkError(`${this.environment.calledAs}.${member}`, {
        reason: "CredentialsUnavailable",
        ...(failure && { cause: failure })
      })
    )
  }

  /** Whether nothing is in flight, and nothing is left to write. */
  get isIdle(): boolean {
    return this.#shared.isEmpty && this.#stored.isWritten
  }

  /** Waits for work in flight, and then for a last write, each within the timeout. */
  readonly close: Effect.Effect<void> = Effect.gen(this, function* () {
    yield* this.#shared.close(this.client.storeTimeout)
    if (!this.#stored.isWritten) {
      yield* exitWithin(this.#stored.sync, this.client.storeTimeout)
    }
  })

  // The state and the store.

  /** Makes a decision of this session current. The next transaction of the store writes it. */
  #decide(tokens: Tokens | undefined, change: SessionChange | undefined): void {
    this.#stored.decide(tokens, change !== "Refreshed")
    this.#setUser(tokens)
    if (change !== undefined) {
      this.#notify(change)
    }
  }

  /** Makes current what another session has stored or removed. */
  #adopt(tokens: Tokens | undefined, isFirst: boolean): void {
    const wasSignedIn = this.#user !== undefined
    this.#setUser(tokens)
    if (!isFirst && (wasSignedIn || tokens !== undefined)) {
      this.#notify(tokens === undefined ? "SignedOut" : wasSignedIn ? "Refreshed" : "SignedIn")
    }
  }

  #setUser(tokens: Tokens | undefined): void {
    this.#user = tokens && signedIn(tokens)
    this.#stored.warned.delete("ended")
    this.#stored.warned.delete("refresh")
    // Last, because on Effect 4 this resumes the callers of the refresh at once.
    this.#stopWaiting()
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

  #now(): number {
    return nowOf(this.environment.clock)
  }

  /** Reads the store, and retries a failed write, once for all callers. */
  readonly sharedSync: Effect.Effect<void> = Effect.suspend(() =>
    Effect.ignore(this.#shared.share("sync", this.#stored.sync))
  )

  /** Reads the store if no user is known, if it was not read lately, or if a write has failed. */
  readonly #syncIfStale: Effect.Effect<void> = Effect.suspend(() =>
    this.#shared.isClosed || (this.#user !== undefined && this.#stored.isFresh(this.#now()))
      ? Effect.void
      : this.sharedSync
  )

  get #syncIfUnread(): Effect.Effect<void> {
    return this.#stored.isRead ? Effect.void : this.#syncIfStale
  }
}
