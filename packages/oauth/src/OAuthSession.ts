/**
 * A session: keeps a user signed in.
 *
 * @since 0.2.0
 */
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import type * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import * as Stream from "effect/Stream"
import type { ClientAuthError, ClientNetworkError, ClientRestError, Credentials } from "@catalog-client/core"
import { CredentialsTag, type FromConfig } from "@catalog-client/core/internal"
import type * as Client from "@effect/platform/HttpClient"
import { type CheckedClient, checkOptions } from "./internal/checkClient.js"
import { readClient } from "./internal/clientConfig.js"
import { effectEnvironment, type SessionEnvironment } from "./internal/environment.js"
import { UserSession } from "./internal/session.js"
import type { SessionChange } from "./internal/sessionState.js"
import type { AuthorizationRequest, OAuthClient } from "./OAuth.js"
import type { PendingAuthorization } from "./PendingAuthorization.js"
import type { Tokens } from "./Tokens.js"
import { TokenStore, type TokenStoreService } from "./TokenStore.js"

/** The interface of {@link OAuthSession}. */
export interface OAuthSessionService {
  /**
   * The current tokens, stored here or by another process. They may have expired; nothing is sent. Fails with
   * `reason: "CredentialsUnavailable"` if there are none in memory and the store could not be read.
   */
  readonly tokens: Effect.Effect<Option.Option<Tokens>, ClientNetworkError>
  /** The access token, refreshed if needed. `None` means that no user is signed in. */
  readonly accessToken: Effect.Effect<Option.Option<Redacted.Redacted<string>>, ClientRestError | ClientNetworkError>
  /** Refreshes the tokens now. Calls do so automatically; fails with `ClientAuthError` (`SignedOut`) if there are none. */
  readonly refresh: Effect.Effect<Tokens, ClientAuthError | ClientRestError | ClientNetworkError>
  /** Starts a sign-in: the URL to send the user to, and what to keep until the user comes back. */
  readonly authorizationRequest: Effect.Effect<AuthorizationRequest>
  /**
   * Redeems the code of the redirect and signs the user in; `None` for a redirect that was already used. Fails with
   * `ClientAuthError` if the redirect belongs to another sign-in, or the user denied access.
   */
  readonly exchange: (
    pending: PendingAuthorization,
    url: string | URL
  ) => Effect.Effect<Option.Option<Tokens>, ClientAuthError | ClientRestError | ClientNetworkError>
  /** Replaces the current tokens with the tokens of a sign-in, and stores them. Tokens of another client are a defect. */
  readonly signIn: (tokens: Tokens) => Effect.Effect<void>
  /**
   * Forgets the tokens, in the store too. They are not revoked. Fails with `reason: "CredentialsUnavailable"` if they could not
   * be removed from the store: then the user is signed out here alone.
   */
  readonly signOut: Effect.Effect<void, ClientNetworkError>
  /** The changes of the session from now on. */
  readonly changes: Stream.Stream<SessionChange>
  /** The credentials for calls: the access token, the client ID, and a new token instead of a refused one. */
  readonly credentials: Credentials.Service
}

/** A session with the Stream of its changes, which a page does not need. */
class StreamingSession extends UserSession implements OAuthSessionService {
  readonly changes: Stream.Stream<SessionChange>

  constructor(
    environment: SessionEnvironment,
    client: CheckedClient,
    store: TokenStoreService,
    changes: PubSub.PubSub<SessionChange>
  ) {
    super(environment, client, store)
    this.changes = Stream.fromPubSub(changes)
    this.state.listeners.add((change) => Effect.runSync(PubSub.publish(changes, change)))
  }
}

const withSessionCredentials = <E, R>(
  session: Effect.Effect<OAuthSessionService, E, R>
): Layer.Layer<OAuthSession | Credentials, E, Exclude<R, Scope>> =>
  Layer.scopedContext(
    Effect.map(session, (session) =>
      Context.make(OAuthSession, session).pipe(Context.add(CredentialsTag, session.credentials))
    )
  )

/**
 * The session of one user: it keeps the tokens, refreshes them when needed, and provides each call with its access token.
 *
 * If the service refuses an access token, the call is sent once more with a new one. If it refuses the refresh token, the
 * session has ended: calls that need a token fail with `ClientAuthError` (`SignedOut`), public reads continue. After any other
 * failure, calls use the access token until it expires, and then try the refresh again and fail with its error.
 *
 * The tokens are kept in a {@link TokenStore}; if it fails, the tokens in memory are used.
 *
 * @example
 * ```ts
 * import { Catalog } from "@catalog-client/core"
 * import { OAuthSession, TokenStore } from "@catalog-client/oauth"
 * import { FetchHttpClient } from "@effect/platform"
 * import { Effect, Layer } from "effect"
 *
 * const Live = OAuthSession.layer({ clientId: "my-client-id", redirectUri: "https://app.example/callback" }).pipe(
 *   Layer.provide(TokenStore.layerMemory),
 *   Layer.provideMerge(FetchHttpClient.layer)
 * )
 *
 * export const name = Catalog.user.me().pipe(
 *   Effect.map((user) => user.name),
 *   Effect.provide(Live)
 * )
 * ```
 */
export class OAuthSession extends Context.Tag("@catalog-client/oauth/OAuthSession")<
  OAuthSession,
  OAuthSessionService
>() {
  /** A session that lives until its scope is closed. Closing waits for a refresh in flight. */
  static make(options: OAuthClient): Effect.Effect<OAuthSessionService, never, TokenStore | Client.HttpClient | Scope> {
    return Effect.gen(function* () {
      const client = yield* Effect.sync(() => checkOptions(options, "OAuthSession"))
      const store = yield* TokenStore
      const changes = yield* PubSub.unbounded<SessionChange>()
      const session = new StreamingSession(yield* effectEnvironment("OAuthSession"), client, store, changes)
      yield* Effect.addFinalizer(() => Effect.zipRight(session.close, PubSub.shutdown(changes)))
      return session
    })
  }

  /**
   * A Layer of a session and its `Credentials`. An invalid option is a defect. The profile comes from the `CatalogConfig` in
   * the context in which the Layer is built. Calls use it too; a call with a base URL of another origin is a defect.
   */
  static layer(options: OAuthClient): Layer.Layer<OAuthSession | Credentials, never, TokenStore | Client.HttpClient> {
    return withSessionCredentials(OAuthSession.make(options))
  }

  /**
   * Like `layer`, with options from Effect's `Config`. Missing options are read from `CATALOG_CLIENT_ID`, and optionally
   * `CATALOG_CLIENT_SECRET` and `CATALOG_REDIRECT_URI`. Fails with a `ConfigError` if a value cannot be read or is not a
   * valid option.
   */
  static layerConfig(
    options: FromConfig<Partial<OAuthClient>> = {}
  ): Layer.Layer<OAuthSession | Credentials, ConfigError, TokenStore | Client.HttpClient> {
    return withSessionCredentials(
      Effect.flatMap(readClient(options, "OAuthSession"), (options) => OAuthSession.make(options))
    )
  }
}

export declare namespace OAuthSession {
  export { type OAuthSessionService as Service, type SessionChange as Change }
}
