/**
 * The engine of a session: the tokens, and the single refresh in flight.
 *
 * The tokens are in memory and in a store (`stored.ts`). Tokens that another process has stored are used: the store is read
 * again before a refresh and after a refused one. There is no timer: each call checks the clock.
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
import { type CredentialSlot, type CredentialsService, CredentialsTag } from "../../Credentials.js"
import { textIn } from "../../internal/common/cause.js"
import { contextOf, withFiber } from "../../internal/common/fiber.js"
import { mistake } from "../../internal/common/validate.js"
import { valueOf } from "../../internal/credentials/credentials.js"
import type { HttpClient } from "../../platform/httpClient.js"
import type { ServiceProfile } from "../../ServiceProfile.js"
import {
  authorizationResponse,
  exchangeCode,
  type OAuthClient,
  type PendingAuthorization,
  refreshTokens
} from "../OAuth.js"
import { boundTo, checkPending, isDead, isProgramsFault, orDie } from "./client.js"
import { areSame, isTombstone, isTombstoneOf, Tokens } from "../Tokens.js"
import type { TokenStoreService } from "../TokenStore.js"
import { Stored } from "./stored.js"

type Secret = Redacted.Redacted<string>

/**
 * What happened to a session: a user has signed in, the tokens were replaced, or the user has signed out. The last one also
 * means that the service no longer accepts the tokens.
 */
export type SessionChange = "SignedIn" | "Refreshed" | "SignedOut"

type Failure = ClientRestError | ClientNetworkError

type Flight = Fiber.RuntimeFiber<Exit.Exit<void, Failure>>

/** The dependencies of an engine. */
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

/** When to refresh an access token. With a long lifetime it is early, since the refresh token may live no longer. */
const dueAtOf = ({ expiresAt = Infinity, obtainedAt, refreshToken }: Tokens, refreshBefore: number | undefined) => {
  if (refreshToken === undefined || expiresAt === Infinity) {
    return expiresAt
  }
  const half = Math.max(0, expiresAt - obtainedAt) / 2
  // Never in the first half, or a short-lived token would be refreshed all the time.
  return expiresAt - Math.min(half, refreshBefore ?? (2 * half > day ? half : minute))
}

const nothing: CredentialSlot = /*#__PURE__*/ Effect.succeed(/*#__PURE__*/ Option.none())

/** A token without the scheme of its header. */
const bare = (token: Secret): string =>
  valueOf(token)
    .trim()
    .replace(/^bearer +/i, "")

/**
 * Milliseconds between reads of the store after a refused refresh: another process may have made the refresh and be about to
 * store its tokens. A lock does not rule this out: it can be given up, and a browser shows other tabs a write late.
 */
const looks = [50, 100, 200]

/** Real time, as another process sees it, whatever the fiber's clock. */
const pause = (millis: number) => Effect.withClock(Effect.sleep(millis), Clock.make())

/** The most used sign-ins that are remembered, to recognize a repeated redirect. */
const mostUsed = 64

export class Engine {
  readonly credentials: CredentialsService
  readonly listeners = new Set<(change: SessionChange) => void>()
  /** The store of the tokens, and the warnings of the session. */
  readonly #stored: Stored
  /** The current tokens, whether stored or not. */
  #current: Tokens | undefined
  /** The slot that gives the access token. */
  #held: CredentialSlot = nothing
  #dueAt = Infinity
  /** Counts sign-ins and sign-outs: the result of a refresh that began before one is dropped. */
  #generation = 0
  /** Consecutive failed refreshes, and when the next early one is tried. */
  #failures = 0
  #tryAt = -Infinity
  /** The tokens that last replaced a refused access token. */
  #renewed: Tokens | undefined
  #isClosed = false
  readonly #flights = new Map<string, Flight>()
  readonly #used: Array<string> = []
  /** Serializes writes to the store. */
  readonly #mutex = Effect.unsafeMakeSemaphore(1).withPermits(1)
  readonly #asked: CredentialSlot = Effect.suspend(() => this.#ready())

  constructor(private readonly parts: Parts) {
    const { store, timeout } = parts
    this.#stored = new Stored({ clientId: parts.client.clientId, store, timeout })
    const slot = () => this.slot
    this.credentials = {
      get accessToken() {
        return slot()
      },
      clientId: Effect.succeed(Option.some(Redacted.make(parts.client.clientId))),
      renew: (refused) => this.#renew(refused),
      configure: boundTo(parts.profile)
    }
  }

  /** The access token. A fresh one is known without running an effect. */
  get slot(): CredentialSlot {
    return this.#isKnown() && this.#now() < this.#dueAt ? this.#held : this.#asked
  }

  /** The current tokens, which may have expired. */
  readonly tokens: Effect.Effect<Option.Option<Tokens>> = Effect.suspend(() =>
    Effect.map(this.#synced(), () => Option.fromNullable(this.#current))
  )

  /** Refreshes the tokens now. */
  readonly refresh: Effect.Effect<Tokens, ClientAuthError | Failure> = Effect.suspend(() => {
    const current = Effect.suspend((): Effect.Effect<Tokens, ClientAuthError> =>
      this.#current === undefined
        ? Effect.fail(new ClientAuthError({ operation: "OAuthSession.refresh", reason: "SignedOut" }))
        : Effect.succeed(this.#current)
    )
    return this.#synced().pipe(
      Effect.zipRight(current),
      Effect.zipRight(this.#share("refresh", this.#refreshed)),
      Effect.zipRight(current)
    )
  })

  signIn(tokens: Tokens): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (!(tokens instanceof Tokens) || tokens.clientId !== this.parts.client.clientId) {
        return Effect.die(mistake("OAuthSession.signIn takes Tokens that were given to the session's own clientId"))
      }
      return Effect.zipRight(
        // The stored value may have to be backed up.
        this.#stored.isLoaded ? Effect.void : this.#synced(),
        Effect.suspend(() => {
          this.#generation++
          this.#stored.isLoaded = true
          this.#hold(tokens, true)
          this.#tell("SignedIn")
          return this.#mutex(this.#stored.save)
        })
      )
    })
  }

  readonly signOut: Effect.Effect<void> = Effect.suspend(() =>
    Effect.zipRight(
      this.#stored.isLoaded ? Effect.void : this.#synced(),
      Effect.suspend(() => {
        const wasSignedIn = this.#current !== undefined
        this.#generation++
        this.#stored.isLoaded = true
        this.#hold(undefined)
        if (wasSignedIn) {
          this.#tell("SignedOut")
        }
        return this.#mutex(this.#stored.remove)
      })
    )
  )

  /** Redeems the code of a redirect. The second time, it gives nothing. */
  exchange(
    pending: PendingAuthorization,
    url: string | URL
  ): Effect.Effect<Option.Option<Tokens>, ClientAuthError | Failure> {
    return orDie(() => {
      const state = valueOf(checkPending(pending, "OAuthSession.exchange").state)
      const use = <A>(then: Effect.Effect<Option.Option<A>, ClientAuthError | Failure>) =>
        Effect.suspend(() => {
          if (this.#used.includes(state)) {
            return Effect.succeedNone
          }
          this.#used.push(state)
          this.#used.splice(0, this.#used.length - mostUsed)
          return then
        })
      return Effect.matchEffect(this.inSession(authorizationResponse(pending, url)), {
        onFailure: (error) => (error.reason === "Denied" ? use(Effect.fail(error)) : Effect.fail(error)),
        onSuccess: (code) =>
          use(
            Effect.suspend(() => {
              let got: Tokens | undefined
              const redeemed = exchangeCode(this.parts.client, pending, code).pipe(
                // The access token that the session has is redacted.
                Effect.provideService(CredentialsTag, this.credentials)
              )
              const exchanged = Effect.flatMap(redeemed, (tokens) => {
                got = tokens
                return this.signIn(tokens)
              })
              return Effect.map(this.#share(`exchange ${state}`, exchanged), () => Option.fromNullable(got))
            })
          )
      })
    })
  }

  /** Runs an effect with the session's own services. */
  inSession<A, E>(effect: Effect.Effect<A, E, HttpClient>): Effect.Effect<A, E> {
    return Effect.suspend(() =>
      Effect.flatMap(Fiber.await(this.parts.fork(Effect.exit(effect))), (exit) => Exit.flatten(exit))
    )
  }

  /** Waits for work in flight, within the timeout. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.#isClosed = true
    const flights = [...this.#flights.values()]
    return Effect.interruptible(Effect.forEach(flights, Fiber.await, { discard: true })).pipe(
      Effect.timeoutOption(this.parts.timeout),
      Effect.zipRight(Effect.forEach(flights, Fiber.interruptFork, { discard: true })),
      Effect.zipRight(this.#saved)
    )
  })

  /** Whether there are tokens, stored, and the store does not tell of a change. */
  #isKnown(): boolean {
    return this.#current !== undefined && this.#stored.isSettled
  }

  #now(): number {
    return this.parts.clock.unsafeCurrentTimeMillis()
  }

  #tell(change: SessionChange): void {
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

  #hold(tokens: Tokens | undefined, isUnsaved = false): void {
    this.#current = tokens
    this.#stored.unsaved = isUnsaved ? tokens : undefined
    this.#held = tokens === undefined ? nothing : Effect.succeed(Option.some(tokens.accessToken))
    this.#dueAt = tokens === undefined ? Infinity : dueAtOf(tokens, this.parts.refreshBefore)
    this.#failures = 0
    this.#tryAt = -Infinity
    if (tokens !== undefined) {
      this.#stored.warned.delete("ended")
      this.#stored.warned.delete("refused")
    }
  }

  /**
   * Shares one run of an effect between all concurrent callers, in a fiber that belongs to none of them. Its spans are
   * children of the first caller's.
   */
  #share(name: string, effect: Effect.Effect<void, Failure, HttpClient>): Effect.Effect<void, Failure> {
    return withFiber((fiber) => {
      let flight = this.#flights.get(name)
      if (flight === undefined) {
        if (this.#isClosed) {
          return Effect.fail(this.cancelled())
        }
        const span = Context.getOption(contextOf(fiber), ParentSpan)
        const traced = Option.isSome(span) ? Effect.withParentSpan(effect, span.value) : effect
        // As a value, since a failed fiber is logged.
        const started = (flight = this.parts.fork(Effect.exit(traced)))
        this.#flights.set(name, started)
        started.addObserver(() => this.#flights.delete(name))
      }
      return Effect.flatMap(Fiber.await(flight), (ended) => {
        const exit = Exit.flatten(ended)
        return Exit.isInterrupted(exit) ? Effect.fail(this.cancelled()) : exit
      })
    })
  }

  /** The error of a closed session. */
  cancelled(): ClientNetworkError {
    return new ClientNetworkError({
      operation: "OAuthSession",
      method: "POST",
      url: "the token endpoint",
      reason: "Cancelled",
      attempts: 1,
      cause: { name: "AbortError", message: "the session was closed" }
    })
  }

  /** Reads the store, and retries a failed write. */
  readonly #reread: Effect.Effect<void> = Effect.suspend(() =>
    Effect.ignore(this.#share("sync", Effect.zipRight(this.#look, this.#saved)))
  )

  /** Reads the store if no user is known, if it has changed, or if a write has failed. */
  #synced(): Effect.Effect<void> {
    return this.#isKnown() || this.#isClosed ? Effect.void : this.#reread
  }

  #ready(): CredentialSlot {
    const isAlive = () => this.#current !== undefined && this.#now() < (this.#current.expiresAt ?? Infinity)
    return Effect.flatMap(this.#synced(), () =>
      this.#now() < this.#dueAt || (isAlive() && this.#now() < this.#tryAt)
        ? this.#held
        : this.#share("refresh", this.#refreshed).pipe(
            // A failed early refresh is not an error.
            Effect.catchAll((error) => (isAlive() ? Effect.void : Effect.fail(error))),
            Effect.flatMap(() => this.#held)
          )
    )
  }

  #renew(refused: Secret): CredentialSlot {
    const isCurrent = () => this.#current !== undefined && bare(this.#current.accessToken) === bare(refused)
    return Effect.suspend(() => {
      if (!isCurrent()) {
        return this.slot
      }
      // A service that refuses what it has just issued may refuse the next one too. Another process can have a newer one.
      const renewed = this.#renewed
      const isFresh = renewed === this.#current && Math.abs(this.#now() - (renewed?.obtainedAt ?? 0)) < minute
      return Effect.flatMap(isFresh ? this.#reread : this.#share("refresh", this.#refreshed), () => {
        if (isCurrent()) {
          return this.#held
        }
        this.#renewed = this.#current
        return this.slot
      })
    })
  }

  /** Reads the store, and uses tokens that another process has stored. */
  readonly #look: Effect.Effect<void> = Effect.suspend(() => {
    const generation = this.#generation
    const wasLoaded = this.#stored.isLoaded
    return Effect.map(
      this.#stored.look(() => generation !== this.#generation),
      (news) => {
        const previous = this.#current
        // Of two sessions that redeem a refresh token at once, the refused one can be the first to know.
        if (Option.isNone(news) || (this.#flights.has("refresh") && isTombstoneOf(news.value, previous))) {
          return
        }
        const tokens = news.value === undefined || isTombstone(news.value) ? undefined : news.value
        this.#hold(tokens)
        if (wasLoaded && (tokens !== undefined || previous !== undefined)) {
          this.#tell(tokens === undefined ? "SignedOut" : previous === undefined ? "SignedIn" : "Refreshed")
        }
      }
    )
  })

  /** Retries a failed write. */
  readonly #saved: Effect.Effect<void> = Effect.suspend(() =>
    this.#stored.unsaved === undefined ? Effect.void : this.#mutex(this.#stored.save)
  )

  /** One refresh, under the lock of the store if it has one. */
  readonly #refreshed: Effect.Effect<void, Failure, HttpClient> = Effect.suspend(() => {
    const { exclusively } = this.parts.store
    const refreshed = this.#replace(this.#generation, this.#current, 2)
    return exclusively === undefined ? refreshed : exclusively(refreshed)
  })

  #replace(generation: number, old: Tokens | undefined, rounds: number): Effect.Effect<void, Failure, HttpClient> {
    return Effect.flatMap(this.#look, () => {
      const tokens = this.#current
      const isReplaced = !areSame(tokens, old) && this.#now() < this.#dueAt
      if (tokens === undefined || generation !== this.#generation || isReplaced) {
        return Effect.void
      }
      if (tokens.refreshToken === undefined) {
        return this.#lose(tokens, "the access token has ended, and there is no refresh token")
      }
      return Effect.matchEffect(refreshTokens(this.parts.client, tokens), {
        onSuccess: (fresh) => this.#mutex(this.#keep(generation, tokens, fresh)),
        onFailure: (error) =>
          generation !== this.#generation
            ? Effect.void
            : isDead(error)
              ? this.#confirm(generation, tokens, error, rounds, looks)
              : this.#failed(error)
      })
    })
  }

  /** Keeps new tokens, unless the user has signed out or in meanwhile, here or in another process. */
  #keep(generation: number, spent: Tokens, fresh: Tokens): Effect.Effect<void> {
    const isOver = () => generation !== this.#generation || !areSame(this.#current, spent)
    return Effect.suspend(() =>
      isOver()
        ? Effect.void
        : Effect.flatMap(this.#look, () => {
            if (isOver()) {
              return Effect.void
            }
            this.#hold(fresh, true)
            this.#tell("Refreshed")
            return this.#stored.save
          })
    )
  }

  /** A failed refresh that does not mean that the tokens are invalid. */
  #failed(error: Failure): Effect.Effect<void, Failure> {
    return Effect.suspend(() => {
      // From the second failure on, early refreshes are delayed: a service that is down is down for all calls.
      this.#failures++
      this.#tryAt = this.#failures < 2 ? -Infinity : this.#now() + Math.min(minute, 1000 * 2 ** (this.#failures - 2))
      return Effect.zipRight(
        isProgramsFault(error)
          ? this.#stored.warn("refused", `the tokens could not be refreshed. ${error.message}`)
          : Effect.void,
        Effect.fail(error)
      )
    })
  }

  /** A refused refresh token ends the session only if the store holds no other one. */
  #confirm(
    generation: number,
    tokens: Tokens,
    error: Failure,
    rounds: number,
    [wait, ...waits]: ReadonlyArray<number>
  ): Effect.Effect<void, Failure, HttpClient> {
    return Effect.flatMap(this.#look, () => {
      if (generation !== this.#generation || !areSame(this.#current, tokens)) {
        return this.#now() >= this.#dueAt && rounds > 0
          ? this.#replace(generation, this.#current, rounds - 1)
          : Effect.void
      }
      return wait === undefined
        ? this.#lose(
            tokens,
            `the service accepts the refresh token no longer (${textIn(error, "serviceMessage") ?? textIn(error, "code")})`
          )
        : Effect.zipRight(pause(wait), this.#confirm(generation, tokens, error, rounds, waits))
    })
  }

  /** The session has ended. */
  #lose(tokens: Tokens, why: string): Effect.Effect<void> {
    return this.#mutex(
      Effect.suspend(() => {
        if (!areSame(this.#current, tokens)) {
          return Effect.void
        }
        this.#hold(undefined)
        this.#tell("SignedOut")
        return Effect.zipRight(
          this.#stored.bury,
          this.#stored.warn("ended", `the session has ended: ${why}. The user has to sign in again.`)
        )
      })
    )
  }
}
