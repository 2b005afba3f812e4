/**
 * A session: keeps a user signed in.
 *
 * @since 0.2.0
 */
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import type { Scope } from "effect/Scope"
import * as Stream from "effect/Stream"
import type { FromConfig } from "../CatalogConfig.js"
import type { ClientAuthError, ClientNetworkError, ClientRestError } from "../CatalogError.js"
import type { Credentials, CredentialSlot, CredentialsService } from "../Credentials.js"
import type * as Client from "../platform/httpClient.js"
import { checked, optional, readMembers } from "../internal/common/config.js"
import type { Known } from "../internal/common/options.js"
import { forkApart, runtime } from "../internal/common/run.js"
import { CredentialsTag } from "../internal/services/credentials.js"
import { baseUrlOf, CatalogConfigTag } from "../internal/services/settings.js"
import { checkClient } from "./internal/client.js"
import { type SessionChange, UserSession } from "./internal/session.js"
import { usualTimeout } from "./internal/request.js"
import {
  type AuthorizationRequest,
  authorizationRequest,
  type OAuthClient,
  type PendingAuthorization
} from "./OAuth.js"
import type { Tokens } from "./Tokens.js"
import { TokenStore } from "./TokenStore.js"

/** Options of a session: a client, and when its tokens are refreshed. */
export interface SessionOptions extends OAuthClient {
  /**
   * How long before its expiry an access token is refreshed, though never in the first half of its lifetime; a number is in
   * milliseconds. By default one minute before, or at half of a lifetime of more than a day.
   */
  readonly refreshBefore?: Duration.DurationInput | undefined
  /**
   * How long the tokens are used before the store is read again: 5 seconds by default, `0` for each call; a number is in
   * milliseconds. After that time at most, a sign-out in another process ends this session too.
   */
  readonly storeMaxAge?: Duration.DurationInput | undefined
}

/** The interface of {@link OAuthSession}. */
export interface OAuthSessionService {
  /** The current tokens, stored here or by another process. They may have expired; nothing is sent. */
  readonly tokens: Effect.Effect<Option.Option<Tokens>>
  /** The access token, refreshed if needed. `None` means that no user is signed in. */
  readonly accessToken: CredentialSlot
  /** Refreshes the tokens now. Calls do so automatically; fails with `ClientAuthError` (`SignedOut`) if there are none. */
  readonly refresh: Effect.Effect<Tokens, ClientAuthError | ClientRestError | ClientNetworkError>
  /**
   * Starts a sign-in: the URL to send the user to, and the values to keep until the user comes back. To store them, use
   * `PendingAuthorization.encode`.
   */
  readonly authorizationRequest: Effect.Effect<AuthorizationRequest>
  /**
   * Redeems the code of the redirect and signs the user in. For a redirect that was already used, it returns `None` and sends
   * nothing. A redirect of another sign-in fails with `ClientAuthError` and does not end the session.
   */
  readonly exchange: (
    pending: PendingAuthorization,
    url: string | URL
  ) => Effect.Effect<Option.Option<Tokens>, ClientAuthError | ClientRestError | ClientNetworkError>
  /** Replaces the current tokens with those of a sign-in, and stores them. Tokens of another client are a defect. */
  readonly signIn: (tokens: Tokens) => Effect.Effect<void>
  /** Forgets the tokens, in the store too. They are not revoked, since the service has no way to do so. */
  readonly signOut: Effect.Effect<void>
  /** The changes of the session from now on. */
  readonly changes: Stream.Stream<SessionChange>
  /** The credentials for calls: the access token, the client identifier, and a new token in place of a refused one. */
  readonly credentials: CredentialsService
}

/** @internal */
export const ofSession: Known<SessionOptions> = {
  clientId: 1,
  clientSecret: 1,
  redirectUri: 1,
  headers: 1,
  timeout: 1,
  refreshBefore: 1,
  storeMaxAge: 1
}

const checkOptions = (options: unknown) => checkClient(options as SessionOptions, "OAuthSession", ofSession)

/** @internal */
export const partsOf = (client: ReturnType<typeof checkOptions>) => {
  const { refreshBefore, storeMaxAge, timeout } = client
  return {
    client,
    refreshBefore,
    storeMaxAge,
    // Without a limit for requests, there is one for stores and locks all the same.
    timeout: timeout === 0 || timeout === Infinity ? usualTimeout : timeout
  }
}

const make = (
  options: SessionOptions
): Effect.Effect<OAuthSessionService, never, TokenStore | Client.HttpClient | Scope> =>
  Effect.gen(function* () {
    const client = yield* Effect.sync(() => checkOptions(options))
    const store = yield* TokenStore
    const clock = yield* Effect.clock
    const changes = yield* PubSub.unbounded<SessionChange>()
    // The session's work is not part of the span in which it was made, and has its own timeout.
    const fork = forkApart(yield* runtime<Client.HttpClient>())
    const settings = yield* CatalogConfigTag
    const profile = { ...settings.profile, baseUrl: baseUrlOf(settings) }
    const session = new UserSession({ ...partsOf(client), profile, store, clock, fork })
    session.listeners.add((change) => Effect.runSync(PubSub.publish(changes, change)))
    yield* Effect.addFinalizer(() => Effect.zipRight(session.close, PubSub.shutdown(changes)))
    return {
      tokens: session.tokens,
      accessToken: Effect.suspend(() => session.slot),
      refresh: session.refresh,
      authorizationRequest: session.inSession(authorizationRequest(client)),
      exchange: (pending, url) => session.exchange(pending, url),
      signIn: (tokens) => session.signIn(tokens),
      signOut: session.signOut,
      changes: Stream.fromPubSub(changes),
      credentials: session.credentials
    } satisfies OAuthSessionService
  })

/** Validates an option apart from the others: the client identifier beside it is a valid one. */
const checkOne = (option: unknown) => checkOptions({ clientId: "-", ...(option as Partial<SessionOptions>) })

const readOptions = (given: FromConfig<Partial<SessionOptions>>): Effect.Effect<SessionOptions, ConfigError> => {
  const options = Config.isConfig(given)
    ? checked(given, checkOptions)
    : {
        ...given,
        clientId: given.clientId ?? Config.string("CATALOG_CLIENT_ID"),
        clientSecret: given.clientSecret ?? optional(Config.redacted("CATALOG_CLIENT_SECRET")),
        redirectUri:
          given.redirectUri ??
          optional(checked(Config.string("CATALOG_REDIRECT_URI"), (redirectUri) => checkOne({ redirectUri })))
      }
  return Effect.map(readMembers(options, checkOne, ["headers"]), (options) => options as SessionOptions)
}

const withCredentials = <E, R>(
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
 * All calls that need a refresh share one and wait for it. It continues if they are cancelled, since the service accepts a
 * refresh token only once. If the service refuses an access token, the call is sent once more with a new one. If it refuses
 * the refresh token, the session has ended: calls that need a token fail with `ClientAuthError` (`SignedOut`), public reads
 * continue without one.
 *
 * If a refresh fails for another reason, the tokens are kept: calls use the access token until it expires; then each call
 * tries the refresh again and fails with its error. The tokens are kept in a {@link TokenStore}; if it fails, those in
 * memory are used.
 *
 * @example
 * ```ts
 * import { Catalog } from "@catalog-client/core"
 * import { OAuthSession, TokenStore } from "@catalog-client/core/oauth"
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
export class OAuthSession extends Context.Tag("@catalog-client/core/OAuthSession")<
  OAuthSession,
  OAuthSessionService
>() {
  /** A session that lives until its scope is closed. Closing waits for a refresh in flight. */
  static make(
    options: SessionOptions
  ): Effect.Effect<OAuthSessionService, never, TokenStore | Client.HttpClient | Scope> {
    return make(options)
  }

  /**
   * A Layer of a session and its `Credentials`. An invalid option is a defect. The URLs for signing in come from the
   * `CatalogConfig` that is in the context when the Layer is built. Calls use its profile unless they have a profile of their
   * own; one with a base URL of another origin is a defect, since no other service must get the user's token.
   */
  static layer(
    options: SessionOptions
  ): Layer.Layer<OAuthSession | Credentials, never, TokenStore | Client.HttpClient> {
    return withCredentials(make(options))
  }

  /**
   * Like `layer`, with options from Effect's `Config`. Missing options are read from `CATALOG_CLIENT_ID`, and optionally
   * `CATALOG_CLIENT_SECRET` and `CATALOG_REDIRECT_URI`. Fails with a `ConfigError` if a value cannot be read or is not a
   * valid option.
   *
   * @example
   * ```ts
   * import { OAuthSession } from "@catalog-client/core/oauth"
   * import { Config } from "effect"
   *
   * export const usual = OAuthSession.layerConfig()
   *
   * export const mine = OAuthSession.layerConfig({
   *   clientId: Config.string("MY_CLIENT_ID"),
   *   redirectUri: "https://app.example/callback"
   * })
   * ```
   */
  static layerConfig(
    options: FromConfig<Partial<SessionOptions>> = {}
  ): Layer.Layer<OAuthSession | Credentials, ConfigError, TokenStore | Client.HttpClient> {
    return withCredentials(Effect.flatMap(readOptions(options), make))
  }
}
