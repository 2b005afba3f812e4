/**
 * A user's session: signs the user in and out, and provides calls with its credentials. `sessionState.ts` has the tokens and
 * begins with the table of states; `tokenRefresh.ts` refreshes the tokens.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ClientAuthError, type ClientNetworkError, type Credentials } from "@catalog-client/core"
import { type AttemptError, mistake } from "@catalog-client/core/internal"
import type { AuthorizationRequest } from "../OAuth.js"
import type { PendingAuthorization } from "../PendingAuthorization.js"
import type { OAuthSessionService } from "../OAuthSession.js"
import { Tokens } from "../Tokens.js"
import type { TokenStoreService } from "../TokenStore.js"
import { exitWithin } from "./exitWithin.js"
import { authorizationRequest } from "./authorization.js"
import { bindTo, type CheckedClient, clientIdSlot } from "./checkClient.js"
import type { SessionSlot } from "./currentTokens.js"
import type { SessionEnvironment } from "./environment.js"
import { Redemption } from "./redemption.js"
import { SessionState } from "./sessionState.js"
import { makeTokenRefresh, type TokenRefresh } from "./tokenRefresh.js"

/** The session of a user, for Effects and for catalog-client. Without the Stream of changes, which a page does not need. */
export class UserSession implements Omit<OAuthSessionService, "changes"> {
  readonly credentials: Credentials.Service
  readonly state: SessionState
  readonly tokenRefresh: TokenRefresh
  readonly #redemption: Redemption

  constructor(environment: SessionEnvironment, client: CheckedClient, store: TokenStoreService) {
    const state = new SessionState(environment, client, store)
    const tokenRefresh = makeTokenRefresh(state)
    this.credentials = {
      get accessToken() {
        return tokenRefresh.tokenInMemory() ?? tokenRefresh.accessToken
      },
      clientId: clientIdSlot(client),
      renew: tokenRefresh.renew,
      whyNoToken: () => state.whyNoToken,
      bindToService: bindTo(environment.settings.profile)
    }
    this.state = state
    this.tokenRefresh = tokenRefresh
    this.#redemption = new Redemption(environment, client, state.shared, this.credentials)
  }

  // The user signs in.

  readonly authorizationRequest: Effect.Effect<AuthorizationRequest> = Effect.suspend(() => {
    const { client, environment } = this.state
    return authorizationRequest(client, environment.settings.profile.oauth)
  })

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
      transaction((pending) => this.#redemption.redeem(pending, url, this.#acceptUnstored)),
      // A transaction even if nothing is pending: another process may be in one that stores tokens.
      () => this.state.store.update(Effect.void)
    )

  readonly signIn = (tokens: Tokens): Effect.Effect<void> =>
    Effect.gen(this, function* () {
      const { client, environment, store } = this.state
      if (!(tokens instanceof Tokens) || (tokens.clientId !== client.clientId && tokens.clientId !== "")) {
        yield* Effect.die(
          mistake(`${environment.calledAs}.signIn takes Tokens that were issued to the session's clientId`)
        )
      }
      yield* this.#acceptUnstored(tokens)
      yield* store.sync
    })

  /** Signs in, in memory until the next transaction of the store. */
  readonly #acceptUnstored = (tokens: Tokens): Effect.Effect<void> =>
    Effect.sync(() => {
      const { clientId } = this.state.client
      this.state.decide(new Tokens(Object.assign({}, tokens, { clientId })), "SignedIn")
    })

  // The user is signed in.

  get accessToken(): SessionSlot {
    return this.tokenRefresh.accessToken
  }

  /** The current tokens, which may have expired. Fails if there may be some in the store, which could not be read. */
  readonly tokens: Effect.Effect<Option.Option<Tokens>, ClientNetworkError> = Effect.gen(this, function* () {
    const { state } = this
    yield* state.syncIfStale
    if (state.current === undefined && state.whyNoToken.reason === "CredentialsUnavailable") {
      yield* state.unavailable("tokens")
    }
    return Option.fromNullable(state.current?.tokens)
  })

  readonly refresh: Effect.Effect<Tokens, ClientAuthError | AttemptError> = Effect.gen(this, function* () {
    const { state } = this
    yield* state.syncIfStale
    if (state.current !== undefined) {
      yield* this.tokenRefresh.sharedRefresh
    }
    const signedOut = () =>
      new ClientAuthError({ operation: `${state.environment.calledAs}.refresh`, ...state.whyNoToken })
    return state.current?.tokens ?? (yield* Effect.failSync(signedOut))
  })

  // The user signs out, and the session is closed.

  readonly signOut: Effect.Effect<void, ClientNetworkError> = Effect.gen(this, function* () {
    const { state } = this
    // If the store was never read, it may contain tokens. The transaction begins by reading.
    state.decide(undefined, state.current !== undefined || !state.store.isRead ? "SignedOut" : undefined)
    yield* state.store.sync
    if (!state.store.isWritten) {
      // Other sessions still use the tokens, and so would this program after a restart.
      yield* state.unavailable("signOut")
    }
  })

  /** Whether nothing is in flight, and nothing is left to write. */
  get isIdle(): boolean {
    return this.state.shared.isEmpty && this.state.store.isWritten
  }

  /** Waits for work in flight, and then for a last write, each within the timeout. */
  readonly close: Effect.Effect<void> = Effect.gen(this, function* () {
    const { client, shared, store } = this.state
    yield* shared.close(client.storeTimeout)
    if (!store.isWritten) {
      yield* exitWithin(store.sync, client.storeTimeout)
    }
  })
}
