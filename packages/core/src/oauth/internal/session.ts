/**
 * A user's session: whose tokens calls use, and the single refresh in flight.
 *
 * The tokens are in memory and in a store (`stored.ts`), which is read before the first call, by each call while no user is
 * signed in, before and after a refresh, and when the store reports a change. There is no timer: each call checks the clock.
 *
 * | state               | event                                                     | next state              | the store                   |
 * | ------------------- | --------------------------------------------------------- | ----------------------- | --------------------------- |
 * | Unread              | the store is read: tokens of this client                  | SignedIn                |                             |
 * | Unread              | it has nothing, a tombstone or others, or is unreadable   | SignedOut               |                             |
 * | any                 | `signIn`, `exchange`                                      | SignedIn                | tokens, others are set aside|
 * | any                 | `signOut`                                                 | SignedOut               | empty                       |
 * | SignedOut, SignedIn | another process has stored tokens                         | SignedIn                |                             |
 * | SignedIn            | another process has removed them, or stored a tombstone   | SignedOut               |                             |
 * | SignedIn            | they are refreshed                                        | SignedIn, new tokens    | the new tokens              |
 * | SignedIn            | a refresh fails                                           | SignedIn, one `failure` |                             |
 * | SignedIn            | it is refused, and the store has other tokens             | SignedIn, those tokens  |                             |
 * | SignedIn            | it is refused, and the store has no others                | SignedOut               | a tombstone                 |
 * | SignedIn            | the access token has ended, there is no refresh token     | SignedOut               | a tombstone                 |
 *
 * Each sign-in, sign-out and replacement makes a new state object. What began in an earlier one (a read of the store, a
 * refresh) has no effect when it ends. Tokens that could not be stored stay in memory; the next call retries the write.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { ParentSpan } from "effect/Tracer"
import { ClientAuthError, ClientNetworkError, type ClientRestError } from "../../CatalogError.js"
import type { CredentialSlot, CredentialsService } from "../../Credentials.js"
import { textIn } from "../../internal/common/cause.js"
import { contextOf, nowOf, withFiber } from "../../internal/common/fiber.js"
import { mistake } from "../../internal/common/mistakes.js"
import { valueOf } from "../../internal/credentials/credentials.js"
import { CredentialsTag } from "../../internal/services/credentials.js"
import type { HttpClient } from "../../platform/httpClient.js"
import type { ServiceProfile } from "../../ServiceProfile.js"
import {
  authorizationResponse,
  exchangeCode,
  type OAuthClient,
  type PendingAuthorization,
  refreshTokens
} from "../OAuth.js"
import { issuedTo, isTombstone, isTombstoneOf, Tokens } from "../Tokens.js"
import type { TokenStoreService } from "../TokenStore.js"
import { bounded, locked } from "./bounded.js"
import { boundTo, checkPending, isDead, isProgramsFault, orDie } from "./client.js"
import { Stored } from "./stored.js"

type Secret = Redacted.Redacted<string>

/**
 * What happened to a session: a user has signed in, the tokens were replaced, or the user has signed out. The last one also
 * means that the service no longer accepts the tokens.
 */
export type SessionChange = "SignedIn" | "Refreshed" | "SignedOut"

type Failure = ClientRestError | ClientNetworkError

type Flight<A> = Fiber.RuntimeFiber<Exit.Exit<A, Failure>>

/** The dependencies of a session. */
export interface Parts {
  readonly client: OAuthClient
  /** The deployment that issues the tokens. */
  readonly profile: ServiceProfile
  /**
   * Milliseconds before its expiry at which an access token is refreshed; by default a minute, or half of a long lifetime.
   */
  readonly refreshBefore: number | undefined
  /** Milliseconds for one use of the store, and for closing. */
  readonly timeout: number
  readonly store: TokenStoreService
  readonly clock: Clock.Clock
  /** Starts a fiber that belongs to the session. */
  readonly fork: <A>(effect: Effect.Effect<A, never, HttpClient>) => Fiber.RuntimeFiber<A>
}

const minute = 60_000
const day = 24 * 60 * minute

/** A user's tokens. */
interface SignedIn {
  readonly _tag: "SignedIn"
  readonly tokens: Tokens
  /** Returns the access token. */
  readonly slot: CredentialSlot
  /** When they are refreshed: milliseconds since 1970. */
  readonly dueAt: number
  /** The refreshes that have failed since they came, and when the next early one may be tried. */
  failures: number
  tryAt: number
  /** Whether they replace an access token that the service has refused. */
  isRenewal: boolean
}

type State = { readonly _tag: "Unread" } | { readonly _tag: "SignedOut" } | SignedIn

/** When to refresh an access token. With a long lifetime it is early, since the refresh token may live no longer. */
const dueAtOf = ({ expiresAt = Infinity, obtainedAt, refreshToken }: Tokens, refreshBefore: number | undefined) => {
  if (refreshToken === undefined || expiresAt === Infinity) {
    return expiresAt
  }
  const half = Math.max(0, expiresAt - obtainedAt) / 2
  // Never in the first half, or a short-lived token would be refreshed all the time.
  return expiresAt - Math.min(half, refreshBefore ?? (2 * half > day ? half : minute))
}

/** A token without the scheme of its header. */
const bare = (token: Secret): string =>
  valueOf(token)
    .trim()
    .replace(/^bearer +/i, "")

const isWith = ({ accessToken }: Tokens, token: Secret): boolean => bare(accessToken) === bare(token)

/**
 * Milliseconds before each read of the store after a refused refresh: another process may have made the refresh and be
 * about to store its tokens. A lock does not rule this out: it can be lost, and a browser shows other tabs a write late.
 */
const looks = [0, 50, 100, 200]

/** The error of a closed session. */
export const cancelled = (): ClientNetworkError =>
  new ClientNetworkError({
    operation: "OAuthSession",
    method: "POST",
    url: "the token endpoint",
    reason: "Cancelled",
    attempts: 1,
    cause: { name: "AbortError", message: "the session was closed" }
  })

/** Real time, as another process sees it, whatever the fiber's clock. */
export const pause = (millis: number) => Effect.withClock(Effect.sleep(millis), Clock.make())

/** The maximum number of redirects that are remembered, to recognize a repeated one. */
const mostUsed = 64

export class UserSession {
  readonly credentials: CredentialsService
  readonly listeners = new Set<(change: SessionChange) => void>()
  #state: State = { _tag: "Unread" }
  #isClosed = false
  /** The work that concurrent callers share, by its name. */
  readonly #flights = new Map<string, Flight<unknown>>()
  /** The `state` parameters of the last redirects that were used. */
  readonly #used: Array<string> = []
  /** The store of the tokens, and the warnings of the session. */
  readonly #stored: Stored
  /** Serializes writes to the store. */
  readonly #mutex = Effect.unsafeMakeSemaphore(1).withPermits(1)

  constructor(private readonly parts: Parts) {
    const { client, profile, store, timeout } = parts
    this.#stored = new Stored({ clientId: client.clientId, store, timeout })
    const slot = () => this.slot
    this.credentials = {
      get accessToken() {
        return slot()
      },
      clientId: Effect.succeed(Option.some(Redacted.make(client.clientId))),
      renew: (refused) => this.#renew(refused),
      configure: boundTo(profile)
    }
  }

  // A user signs in.

  /** Redeems the code of a redirect. The second time, it returns nothing. */
  exchange(
    pending: PendingAuthorization,
    url: string | URL
  ): Effect.Effect<Option.Option<Tokens>, ClientAuthError | Failure> {
    return orDie(() => {
      const state = valueOf(checkPending(pending, "OAuthSession.exchange").state)
      return Effect.gen(this, function* () {
        // A redirect of another sign-in does not use this one.
        const code = yield* Effect.catchAll(this.inSession(authorizationResponse(pending, url)), (error) =>
          error.reason === "Denied" && !this.#uses(state) ? Effect.succeed(undefined) : Effect.fail(error)
        )
        if (code === undefined || !this.#uses(state)) {
          return Option.none()
        }
        const exchanged = exchangeCode(this.parts.client, pending, code).pipe(
          // The access token that the session has is redacted.
          Effect.provideService(CredentialsTag, this.credentials),
          Effect.tap((tokens) => this.signIn(tokens))
        )
        return Option.some(yield* this.#share(`exchange ${state}`, exchanged))
      })
    })
  }

  /** Uses the redirect of a sign-in, if it was not used before. */
  #uses(state: string): boolean {
    if (this.#used.includes(state)) {
      return false
    }
    this.#used.push(state)
    this.#used.splice(0, this.#used.length - mostUsed)
    return true
  }

  signIn(tokens: Tokens): Effect.Effect<void> {
    return Effect.gen(this, function* () {
      const { clientId } = this.parts.client
      if (!(tokens instanceof Tokens) || (tokens.clientId !== clientId && tokens.clientId !== "")) {
        yield* Effect.die(mistake("OAuthSession.signIn takes Tokens that were issued to the session's clientId"))
      }
      yield* this.#read()
      this.#hold(tokens.clientId === "" ? issuedTo(clientId, tokens) : tokens, true)
      this.#notify("SignedIn")
      yield* this.#mutex(this.#stored.save)
    })
  }

  // Calls need the access token.

  /** The access token if it is fresh: then no effect has to run. */
  get fresh(): CredentialSlot | undefined {
    const user = this.#user
    return user !== undefined && this.#stored.isSettled && this.#now() < user.dueAt ? user.slot : undefined
  }

  /** The access token. */
  get slot(): CredentialSlot {
    return this.fresh ?? this.#ready
  }

  /** The access token, after a refresh if it is due. */
  readonly #ready: CredentialSlot = Effect.gen(this, function* () {
    yield* this.#synced
    const isAlive = () => this.#user !== undefined && this.#now() < (this.#user.tokens.expiresAt ?? Infinity)
    const user = this.#user
    if (user !== undefined && this.#now() >= user.dueAt && !(isAlive() && this.#now() < user.tryAt)) {
      // A failed early refresh is not an error.
      yield* Effect.catchAll(this.#refreshing, (error) => (isAlive() ? Effect.void : Effect.fail(error)))
    }
    return yield* this.#user?.slot ?? Effect.succeedNone
  })

  /** The current tokens, which may have expired. */
  readonly tokens: Effect.Effect<Option.Option<Tokens>> = Effect.suspend(() =>
    Effect.map(this.#synced, () => Option.fromNullable(this.#user?.tokens))
  )

  // The tokens are refreshed.

  /** Refreshes the tokens now. */
  readonly refresh: Effect.Effect<Tokens, ClientAuthError | Failure> = Effect.gen(this, function* () {
    const signedOut = new ClientAuthError({ operation: "OAuthSession.refresh", reason: "SignedOut" })
    yield* this.#synced
    if (this.#user !== undefined) {
      yield* this.#refreshing
    }
    return this.#user?.tokens ?? (yield* Effect.fail(signedOut))
  })

  /** The refresh that all callers share. */
  get #refreshing(): Effect.Effect<void, Failure> {
    return this.#share("refresh", this.#refreshed)
  }

  readonly #refreshed: Effect.Effect<void, Failure, HttpClient> = Effect.suspend(() =>
    this.exclusively(this.#replace(this.#user, 2))
  )

  /** Runs an effect under the lock of the store if it has one. */
  exclusively<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    const { store, timeout } = this.parts
    return store.exclusively === undefined ? effect : locked(store.exclusively, effect, timeout)
  }

  /** Replaces tokens, and in so many further rounds the ended ones that another process has stored meanwhile. */
  #replace(old: SignedIn | undefined, rounds: number): Effect.Effect<void, Failure, HttpClient> {
    return Effect.gen(this, function* () {
      yield* this.#look
      const user = this.#user
      if (user === undefined || (user !== old && this.#now() < user.dueAt)) {
        return
      }
      if (user.tokens.refreshToken === undefined) {
        return yield* this.#lose(user, "the access token has expired, and there is no refresh token")
      }
      yield* Effect.matchEffect(refreshTokens(this.parts.client, user.tokens), {
        onSuccess: (fresh) => this.#mutex(this.#keep(user, fresh)),
        onFailure: (error) =>
          isDead(error)
            ? this.#confirm(user, error, rounds)
            : this.#user === user
              ? this.#failed(user, error)
              : Effect.void
      })
    })
  }

  /** Keeps new tokens, unless the user has signed out or in meanwhile, here or in another process. */
  #keep(spent: SignedIn, fresh: Tokens): Effect.Effect<void> {
    return Effect.gen(this, function* () {
      yield* this.#look
      if (this.#state === spent) {
        this.#hold(fresh, true)
        this.#notify("Refreshed")
        yield* this.#stored.save
      }
    })
  }

  /** A failed refresh that does not mean that the tokens are invalid. */
  #failed(state: SignedIn, error: Failure): Effect.Effect<void, Failure> {
    return Effect.gen(this, function* () {
      // From the second failure on, early refreshes are delayed: a service that is down is down for all calls.
      state.failures++
      state.tryAt = state.failures < 2 ? -Infinity : this.#now() + Math.min(minute, 1000 * 2 ** (state.failures - 2))
      if (isProgramsFault(error)) {
        yield* this.#stored.warn("refused", `the tokens could not be refreshed. ${error.message}`)
      }
      yield* Effect.fail(error)
    })
  }

  /** A refused refresh token ends the session only if the store contains no other one. */
  #confirm(refused: SignedIn, error: Failure, rounds: number): Effect.Effect<void, Failure, HttpClient> {
    return Effect.gen(this, function* () {
      for (const wait of looks) {
        yield* pause(wait)
        yield* this.#look
        const user = this.#user
        if (user !== refused) {
          const isDue = user !== undefined && this.#now() >= user.dueAt
          return yield* isDue && rounds > 0 ? this.#replace(user, rounds - 1) : Effect.void
        }
      }
      yield* this.#lose(
        refused,
        `the service no longer accepts the refresh token (${textIn(error, "serviceMessage") ?? textIn(error, "code")})`
      )
    })
  }

  // The service refuses them.

  /** The access token in place of a refused one. */
  #renew(refused: Secret): CredentialSlot {
    return Effect.gen(this, function* () {
      // A session that was idle during the call has been closed: this is a new one.
      yield* this.#read()
      const before = this.#user
      if (before !== undefined && isWith(before.tokens, refused)) {
        // A service that refuses what it has just issued may refuse the next one too. Another process can have a newer one.
        const isFresh = before.isRenewal && Math.abs(this.#now() - before.tokens.obtainedAt) < minute
        yield* isFresh ? this.#reread : this.#refreshing
        const after = this.#user
        if (after !== undefined && isWith(after.tokens, refused)) {
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
  #lose(state: SignedIn, why: string): Effect.Effect<void> {
    const ended = Effect.gen(this, function* () {
      if (this.#state === state) {
        this.#hold(undefined)
        this.#notify("SignedOut")
        yield* this.#stored.bury
        yield* this.#stored.warn("ended", `the session has ended: ${why}. The user has to sign in again.`)
      }
    })
    return this.#mutex(ended)
  }

  // The user signs out, and the session is closed.

  readonly signOut: Effect.Effect<void> = Effect.gen(this, function* () {
    yield* this.#read()
    const wasSignedIn = this.#user !== undefined
    this.#hold(undefined)
    if (wasSignedIn) {
      this.#notify("SignedOut")
    }
    yield* this.#mutex(this.#stored.remove)
  })

  /** Whether nothing is in flight, and nothing is left to write. */
  get isIdle(): boolean {
    return this.#flights.size === 0 && this.#stored.unsaved === undefined
  }

  /** Waits for work in flight, and then for a last write, each within the timeout. */
  readonly close: Effect.Effect<void> = Effect.gen(this, function* () {
    this.#isClosed = true
    const flights = [...this.#flights.values()]
    yield* bounded(Effect.forEach(flights, Fiber.await, { discard: true }), this.parts.timeout)
    yield* Effect.forEach(flights, Fiber.interruptFork, { discard: true })
    yield* bounded(this.#saved, this.parts.timeout)
  })

  // The state and the store.

  get #user(): SignedIn | undefined {
    return this.#state._tag === "SignedIn" ? this.#state : undefined
  }

  #hold(tokens: Tokens | undefined, isUnsaved = false): void {
    this.#stored.unsaved = isUnsaved ? tokens : undefined
    if (tokens === undefined) {
      this.#state = { _tag: "SignedOut" }
      return
    }
    this.#state = {
      _tag: "SignedIn",
      tokens,
      slot: Effect.succeed(Option.some(tokens.accessToken)),
      dueAt: dueAtOf(tokens, this.parts.refreshBefore),
      failures: 0,
      tryAt: -Infinity,
      isRenewal: false
    }
    this.#stored.warned.delete("ended")
    this.#stored.warned.delete("refused")
  }

  #notify(change: SessionChange): void {
    for (const listener of this.listeners) {
      try {
        listener(change)
      } catch (error) {
        // A throwing listener is reported like one of a platform event.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  #now(): number {
    return nowOf(this.parts.clock)
  }

  /** Reads the store, and uses tokens that another process has stored. */
  readonly #look: Effect.Effect<void> = Effect.gen(this, function* () {
    const began = this.#state
    const news = yield* this.#stored.look(() => this.#state !== began)
    if (this.#state._tag === "Unread") {
      this.#state = { _tag: "SignedOut" }
    }
    const previous = began._tag === "SignedIn" ? began.tokens : undefined
    // Of two sessions that redeem a refresh token at once, the loser may see the change before the winner stores.
    if (Option.isNone(news) || (this.#flights.has("refresh") && isTombstoneOf(news.value, previous))) {
      return
    }
    const tokens = news.value === undefined || isTombstone(news.value) ? undefined : news.value
    this.#hold(tokens)
    if (began._tag !== "Unread" && (tokens !== undefined || previous !== undefined)) {
      this.#notify(tokens === undefined ? "SignedOut" : previous === undefined ? "SignedIn" : "Refreshed")
    }
  })

  /** Retries a failed write. */
  readonly #saved: Effect.Effect<void> = Effect.suspend(() =>
    this.#stored.unsaved === undefined ? Effect.void : this.#mutex(this.#stored.save)
  )

  /** Reads the store, and retries a failed write. */
  readonly #reread: Effect.Effect<void> = Effect.suspend(() =>
    Effect.ignore(this.#share("sync", Effect.zipRight(this.#look, this.#saved)))
  )

  /** Reads the store if no user is known, if it has changed, or if a write has failed. */
  readonly #synced: Effect.Effect<void> = Effect.suspend(() =>
    this.#isClosed || (this.#user !== undefined && this.#stored.isSettled) ? Effect.void : this.#reread
  )

  /** Reads the store once, since what it contains may have to be set aside. */
  #read(): Effect.Effect<void> {
    return this.#state._tag === "Unread" ? this.#synced : Effect.void
  }

  /** Runs an effect with the session's own services. */
  inSession<A, E>(effect: Effect.Effect<A, E, HttpClient>): Effect.Effect<A, E> {
    return Effect.suspend(() => Effect.flatMap(Fiber.await(this.parts.fork(Effect.exit(effect))), Exit.flatten))
  }

  /**
   * Shares one run of an effect between all concurrent callers, in a fiber that belongs to none of them. Its spans are
   * children of the first caller's.
   */
  #share<A>(name: string, effect: Effect.Effect<A, Failure, HttpClient>): Effect.Effect<A, Failure> {
    return withFiber((caller) => {
      // Safe cast: one effect type per name.
      let flight = this.#flights.get(name) as Flight<A> | undefined
      if (flight === undefined) {
        if (this.#isClosed) {
          return Effect.fail(cancelled())
        }
        const span = Context.getOption(contextOf(caller), ParentSpan)
        const traced = Option.isSome(span) ? Effect.withParentSpan(effect, span.value) : effect
        // As a value, since a failed fiber is logged.
        flight = this.parts.fork(Effect.exit(traced))
        this.#flights.set(name, flight)
        flight.addObserver(() => this.#flights.delete(name))
      }
      return Effect.flatMap(Fiber.await(flight), (ended) => {
        const exit = Exit.flatten(ended)
        return Exit.isInterrupted(exit) ? Effect.fail(cancelled()) : exit
      })
    })
  }
}
