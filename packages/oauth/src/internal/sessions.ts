/**
 * The sessions of many users: at most one for each user, made at the user's first call and dropped when it is idle.
 *
 * There is no timer: each use of a session drops those that have been idle for long enough. A session is not idle while it has
 * work in flight or tokens that are still to be stored, so a user never has a second one that would redeem the same refresh
 * token.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { ClientAuthError, type ClientNetworkError, type Credentials } from "@catalog-client/core"
import { mistake, nowOf, show } from "@catalog-client/core/internal"
import type { OAuthSessionsService } from "../OAuthSessions.js"
import type { Tokens } from "../Tokens.js"
import type { TokenStoresService } from "../TokenStores.js"
import { authorizationRequest } from "./authorization.js"
import { bindTo, type CheckedClient, clientIdSlot } from "./checkClient.js"
import type { SessionEnvironment } from "./environment.js"
import { PendingSignIn, pendingSuffix } from "./pendingSignIn.js"
import { minute } from "./currentTokens.js"
import { closedError } from "./sharedWork.js"
import { UserSession } from "./session.js"

interface OpenSession {
  readonly session: UserSession
  /** How many effects use the session now. */
  uses: number
  usedAt: number
}

/** Milliseconds that a user may take to come back. */
const pendingLife = 10 * minute

/** Milliseconds after which a session is dropped. */
const idleLife = 15 * minute

export class UserSessions implements OAuthSessionsService {
  readonly #clientId: Credentials.Slot
  readonly #bindToService: NonNullable<Credentials.Service["bindToService"]>
  /** The least recently used session first. */
  readonly #sessions = new Map<string, OpenSession>()
  #isClosed = false

  constructor(
    private readonly environment: SessionEnvironment,
    private readonly client: CheckedClient,
    private readonly storeOf: TokenStoresService["storeOf"]
  ) {
    this.#clientId = clientIdSlot(client)
    this.#bindToService = bindTo(environment.settings.profile)
  }

  get redirectUri(): string | undefined {
    return this.client.redirectUri
  }

  /** Throws for a blank name, whose session all visitors without a name would share. */
  #check(user: string): void {
    if (typeof user !== "string" || user.trim() === "" || user.endsWith(pendingSuffix)) {
      throw mistake(
        `${this.environment.calledAs}: the user must be a string that names one user and does not end with ${pendingSuffix}, but it is ${show(user)}`
      )
    }
  }

  readonly credentials = (user: string): Credentials.Service => {
    this.#check(user)
    const accessToken = () => this.#accessToken(user)
    return {
      get accessToken() {
        return accessToken()
      },
      clientId: this.#clientId,
      renew: (refused) => this.#use(user, (session) => session.tokenRefresh.renew(refused)),
      whyNoToken: () => this.#open(user).session.state.whyNoToken,
      bindToService: this.#bindToService
    }
  }

  /** The access token of a user. If the token in memory will do, that costs no effect. */
  #accessToken(user: string): Credentials.Slot {
    return (
      (this.#isClosed ? undefined : this.#open(user).session.tokenRefresh.tokenInMemory()) ??
      this.#use(user, (session) => session.accessToken)
    )
  }

  readonly begin = (user: string): Effect.Effect<Redacted.Redacted<URL>, ClientNetworkError> =>
    this.#checked(user, () =>
      Effect.gen(this, function* () {
        const request = yield* authorizationRequest(this.client, this.environment.settings.profile.oauth)
        yield* this.#pendingSignIn(user, "begin").keep(request, pendingLife)
        return request.url
      })
    )

  readonly finish: OAuthSessionsService["finish"] = (user, url) =>
    this.#checked(user, () =>
      Effect.gen(this, function* () {
        const exchanged = yield* this.#use(user, (session) =>
          session.exchangeInTransaction(url, (redeem) => this.#pendingSignIn(user, "finish").use(redeem))
        )
        if (Option.isSome(exchanged)) {
          return exchanged.value
        }
        // The page was loaded again, after the sign-in or during it.
        return Option.isSome(yield* this.tokens(user))
          ? Option.none()
          : yield* Effect.fail(
              new ClientAuthError({ operation: `${this.environment.calledAs}.finish`, reason: "State" })
            )
      })
    )

  readonly tokens = (user: string): Effect.Effect<Option.Option<Tokens>, ClientNetworkError> =>
    this.#use(user, (session) => session.tokens)

  readonly signIn = (user: string, tokens: Tokens): Effect.Effect<void, ClientNetworkError> =>
    this.#use(user, (session) => session.signIn(tokens))

  readonly signOut = (user: string): Effect.Effect<void, ClientNetworkError> =>
    this.#checked(user, () =>
      Effect.zipRight(
        this.#pendingSignIn(user, "signOut").abandon,
        this.#use(user, (session) => session.signOut)
      )
    )

  /** Closes all sessions: waits for work in flight, within the timeout. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.#isClosed = true
    const sessions = Array.from(this.#sessions.values(), ({ session }) => session)
    this.#sessions.clear()
    // All at once, in fibers: catalog-client has no concurrent `forEach`.
    const closing = Effect.forEach(sessions, (session) => Effect.fork(session.close))
    return Effect.flatMap(closing, (fibers) => Effect.forEach(fibers, Fiber.join, { discard: true }))
  })

  #checked<A, E>(user: string, run: () => Effect.Effect<A, E>): Effect.Effect<A, E | ClientNetworkError> {
    return Effect.suspend((): Effect.Effect<A, E | ClientNetworkError> => {
      this.#check(user)
      return this.#isClosed ? Effect.fail(closedError(this.environment.calledAs)) : run()
    })
  }

  #pendingSignIn(user: string, operation: string): PendingSignIn {
    return new PendingSignIn(
      `${this.environment.calledAs}.${operation}`,
      this.environment,
      this.client,
      this.storeOf(user + pendingSuffix)
    )
  }

  /** The session of a user, which is not idle while the effect runs. */
  #use<A, E>(
    user: string,
    run: (session: UserSession) => Effect.Effect<A, E>
  ): Effect.Effect<A, E | ClientNetworkError> {
    return this.#checked(user, () => {
      const open = this.#open(user)
      open.uses++
      const leave = Effect.sync(() => {
        open.uses--
        this.#setUsed(user, open, nowOf(this.environment.clock))
      })
      return Effect.ensuring(run(open.session), leave)
    })
  }

  /** The session of a user, as the most recently used one. */
  #open(user: string): OpenSession {
    const now = nowOf(this.environment.clock)
    this.#dropIdle(now)
    const open = this.#sessions.get(user) ?? {
      session: new UserSession(this.environment, this.client, this.storeOf(user)),
      uses: 0,
      usedAt: now
    }
    this.#setUsed(user, open, now)
    return open
  }

  #setUsed(user: string, open: OpenSession, now: number): void {
    open.usedAt = now
    this.#sessions.delete(user)
    this.#sessions.set(user, open)
  }

  /** Drops the sessions that have been idle for long enough. They have nothing to close. */
  #dropIdle(now: number): void {
    for (const [user, open] of this.#sessions) {
      // If the clock was set back, a session may be dropped early: the next call opens it again.
      if (Math.abs(now - open.usedAt) < idleLife) {
        // All following sessions were used later.
        return
      }
      if (open.uses === 0 && open.session.isIdle) {
        this.#sessions.delete(user)
        continue
      }
      this.#setUsed(user, open, now)
      this.environment.fork(open.session.state.sharedSync)
    }
  }
}
