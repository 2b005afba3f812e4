/**
 * The sessions of many users: at most one session for each user, made at the user's first call and closed when it is idle.
 *
 * There is no timer: each use of a session closes those that have been idle for long enough. A session is not idle while it has
 * work in flight or tokens that are still to be stored, so a user never has a second one that would redeem the same refresh token.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { CatalogConfigTag, type CatalogSettings } from "../../internal/services/settings.js"
import { ClientAuthError, type ClientNetworkError, type ClientRestError } from "../../CatalogError.js"
import type { CredentialSlot, CredentialsService } from "../../Credentials.js"
import { nowOf } from "../../internal/common/fiber.js"
import { mistake, show } from "../../internal/common/mistakes.js"
import type { Known } from "../../internal/common/options.js"
import { millis } from "../../internal/services/limits.js"
import { authorizationRequest, authorizationResponse } from "../OAuth.js"
import { ofSession, partsOf, type SessionOptions } from "../OAuthSession.js"
import type { Tokens } from "../Tokens.js"
import type { TokenStoreService } from "../TokenStore.js"
import { boundTo, checkClient, sharedHeaders } from "./client.js"
import { PendingSignIn, suffix } from "./pendingSignIn.js"
import { cancelled } from "./flights.js"
import { type Parts, UserSession } from "./session.js"

/** Options of the sessions of many users. */
export interface SessionsOptions {
  /** The client, as registered with the service, and when tokens are refreshed. */
  readonly client: SessionOptions
  /**
   * The store of a user's tokens. It is called with a user, and with `<user>.pending` for a sign-in that was started, unless
   * `pending` is given: a store must be able to keep a value under both.
   */
  readonly store: (user: string) => TokenStoreService
  /**
   * The store of a sign-in that was started, where `store` cannot keep it: for example because its rows belong to users that
   * exist. It must not be the store of the user's tokens.
   */
  readonly pending?: ((user: string) => TokenStoreService) | undefined
  /** How long a user may take to come back: 10 minutes by default; a number is in milliseconds. */
  readonly pendingTimeToLive?: Duration.DurationInput | undefined
  /**
   * How long a session may be idle before it is closed: 15 minutes by default; a number is in milliseconds. There is no timer:
   * it is closed when any session is used afterwards. The user stays signed in.
   */
  readonly idleTimeToLive?: Duration.DurationInput | undefined
}

export const ofSessions: Known<SessionsOptions> = {
  client: 1,
  store: 1,
  pending: 1,
  pendingTimeToLive: 1,
  idleTimeToLive: 1
}

/** What the sessions run in. */
export interface Host extends Pick<Parts, "profile" | "clock" | "fork"> {
  /** With the headers of calls. */
  readonly settings: CatalogSettings
}

type Failure = ClientAuthError | ClientRestError | ClientNetworkError

interface Entry {
  readonly session: UserSession
  /** The effects that use it now. */
  uses: number
  usedAt: number
}

const minute = 60_000

export class UserSessions {
  readonly #parts: Omit<Parts, "store">
  readonly #store: (user: string) => TokenStoreService
  readonly #pending: (user: string) => TokenStoreService
  readonly #pendingTimeToLive: number
  readonly #idleTimeToLive: number
  readonly #configure: NonNullable<CredentialsService["configure"]>
  readonly #clientId: CredentialSlot
  /** The least recently used one first. */
  readonly #entries = new Map<string, Entry>()
  /** When a session was last used. */
  #usedAt = -Infinity
  #isClosed = false

  constructor(
    options: SessionsOptions,
    private readonly host: Host,
    private readonly where: string
  ) {
    const { client, idleTimeToLive, pending, pendingTimeToLive, store } = options
    if (typeof client !== "object" || client === null) {
      throw mistake(`${where}: client must be an object with clientId, but it is ${show(client)}`)
    }
    const checked = checkClient(client, `${where}: client`, ofSession)
    for (const [name, given] of Object.entries({ store, pending })) {
      if (typeof given !== "function" && (name === "store" || given !== undefined)) {
        throw mistake(
          `${where}: ${name} must be a function that returns the TokenStore of a user, but it is ${show(given)}`
        )
      }
    }
    const { clock, fork, profile } = host
    const headers = { ...sharedHeaders(host.settings), ...checked.headers }
    this.#parts = { ...partsOf({ ...checked, headers }), profile, clock, fork }
    this.#store = store
    this.#pending = pending ?? ((user) => store(user + suffix))
    this.#pendingTimeToLive = millis(where, "pendingTimeToLive", pendingTimeToLive ?? 10 * minute)
    this.#idleTimeToLive = millis(where, "idleTimeToLive", idleTimeToLive ?? 15 * minute)
    this.#configure = boundTo(profile)
    this.#clientId = Effect.succeed(Option.some(Redacted.make(checked.clientId)))
  }

  /** Throws for a user without a name, whom all visitors without one would share. */
  check(user: string): string {
    if (typeof user !== "string" || user.trim() === "" || user.endsWith(suffix)) {
      const isReserved = typeof user === "string" && user.endsWith(suffix)
      throw mistake(
        `${this.where}: the user must be a string that names one user, but it is ${isReserved ? `${show(user)}, and ${suffix} is the end of the keys of pending sign-ins` : show(user)}`
      )
    }
    return user
  }

  /** The credentials of a user, whose session is looked up by each call: to keep them keeps no session. */
  credentials(user: string): CredentialsService {
    this.check(user)
    const slot = () => this.#slot(user)
    return {
      get accessToken() {
        return slot()
      },
      clientId: this.#clientId,
      renew: (refused) => this.#use(user, (session) => session.credentials.renew?.(refused) ?? session.slot),
      configure: this.#configure
    }
  }

  /** A fresh token is known without running an effect. */
  #slot(user: string): CredentialSlot {
    return (this.#isClosed ? undefined : this.#touch(user).session.fresh) ?? this.#use(user, (session) => session.slot)
  }

  /** Starts a sign-in: the URL to send the user to. */
  begin(user: string): Effect.Effect<Redacted.Redacted<URL>, ClientNetworkError> {
    return this.#checked(user, () =>
      Effect.gen(this, function* () {
        const request = yield* this.#configured(authorizationRequest(this.#parts.client))
        if (!(yield* this.#started(user, "begin").keep(request, this.#pendingTimeToLive))) {
          // An UPDATE of a row that does not exist, for example.
          const message = `${this.where}: the store of the pending sign-in of ${show(user)} did not keep what was set. store is called with ${show(user + suffix)}, too; if it cannot keep a value under such a key, give pending as well`
          return yield* Effect.die(mistake(message))
        }
        return request.url
      })
    )
  }

  /** Redeems the code of a redirect. The second time, it returns nothing. */
  finish(user: string, url: string | URL): Effect.Effect<Option.Option<Tokens>, Failure> {
    return this.#checked(user, () =>
      Effect.gen(this, function* () {
        const started = this.#started(user, "finish")
        const found = yield* started.find
        if (found !== undefined) {
          const { kept, pending } = found
          // A redirect of another sign-in does not use up this one.
          yield* Effect.catchIf(
            this.#configured(authorizationResponse(pending, url)),
            ({ reason }) => reason === "Denied",
            () => Effect.void
          )
          const exchanged = yield* started.use(
            kept,
            this.#use(user, (session) => session.exchange(pending, url))
          )
          if (Option.isSome(exchanged)) {
            return exchanged.value
          }
        }
        // The page was loaded again, after the sign-in or during it.
        return Option.isSome(yield* this.tokens(user))
          ? Option.none()
          : yield* Effect.fail(new ClientAuthError({ operation: `${this.where}.finish`, reason: "State" }))
      })
    )
  }

  tokens(user: string): Effect.Effect<Option.Option<Tokens>, ClientNetworkError> {
    return this.#checked(user, () => this.#use(user, (session) => session.tokens))
  }

  signIn(user: string, tokens: Tokens): Effect.Effect<void, ClientNetworkError> {
    return this.#checked(user, () => this.#use(user, (session) => session.signIn(tokens)))
  }

  /** Removes the user's tokens, and the sign-in that was started. */
  signOut(user: string): Effect.Effect<void, ClientNetworkError> {
    return this.#checked(user, () =>
      Effect.zipRight(
        this.#started(user, "signOut").abandon,
        this.#use(user, (session) => session.signOut)
      )
    )
  }

  /** Closes all sessions: waits for work in flight, within the timeout. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.#isClosed = true
    const sessions = Array.from(this.#entries.values(), ({ session }) => session)
    this.#entries.clear()
    return Effect.forEach(sessions, (session) => session.close, { concurrency: "unbounded", discard: true })
  })

  #now(): number {
    return nowOf(this.host.clock)
  }

  /** Runs with the configuration of the sessions, not with that of the caller. */
  #configured<A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.provideService(effect, CatalogConfigTag, this.host.settings)
  }

  #checked<A, E>(user: string, run: () => Effect.Effect<A, E>): Effect.Effect<A, E | ClientNetworkError> {
    return Effect.suspend((): Effect.Effect<A, E | ClientNetworkError> => {
      this.check(user)
      return this.#isClosed ? Effect.fail(cancelled()) : run()
    })
  }

  #started(user: string, operation: string): PendingSignIn {
    const { client, profile, timeout } = this.#parts
    return new PendingSignIn({
      operation: `${this.where}.${operation}`,
      clientId: client.clientId,
      authorizeUrl: profile.oauth.authorizeUrl,
      store: this.#pending(user),
      timeout,
      clock: this.host.clock
    })
  }

  /** The session of a user, which is not idle while the effect runs. */
  #use<A, E>(
    user: string,
    run: (session: UserSession) => Effect.Effect<A, E>
  ): Effect.Effect<A, E | ClientNetworkError> {
    return Effect.suspend((): Effect.Effect<A, E | ClientNetworkError> => {
      if (this.#isClosed) {
        return Effect.fail(cancelled())
      }
      const entry = this.#touch(user)
      entry.uses++
      const left = Effect.sync(() => {
        entry.uses--
        this.#last(user, entry, this.#now())
      })
      return Effect.ensuring(run(entry.session), left)
    })
  }

  /** The session of a user, as the most recently used one. */
  #touch(user: string): Entry {
    const usedAt = this.#now()
    this.#closeIdle(usedAt)
    const known = this.#entries.get(user)
    const entry = known ?? { session: new UserSession({ ...this.#parts, store: this.#store(user) }), uses: 0, usedAt }
    this.#last(user, entry, usedAt)
    return entry
  }

  #last(user: string, entry: Entry, usedAt: number): void {
    if (usedAt < this.#usedAt) {
      // The clock was set back: the others are idle from now on.
      this.#entries.forEach((other) => (other.usedAt = Math.min(other.usedAt, usedAt)))
    }
    this.#usedAt = usedAt
    entry.usedAt = usedAt
    this.#entries.delete(user)
    this.#entries.set(user, entry)
  }

  /** Closes the sessions that have been idle for long enough. */
  #closeIdle(now: number): void {
    for (const [user, entry] of this.#entries) {
      const idle = now - entry.usedAt
      // Those that follow were used later. The first comparison is for sessions that may be idle for no time.
      if (idle <= 0 || idle < this.#idleTimeToLive) {
        return
      }
      if (entry.uses === 0 && entry.session.isIdle) {
        this.#entries.delete(user)
        continue
      }
      this.#last(user, entry, now)
      // Retries a failed write.
      this.host.fork(entry.session.tokens)
    }
  }
}
