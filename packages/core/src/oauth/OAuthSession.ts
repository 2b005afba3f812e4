/**
 * What keeps a user signed in.
 *
 * @since 0.2.0
 */
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import * as Redacted from "effect/Redacted"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import type { Scope } from "effect/Scope"
import * as Stream from "effect/Stream"
import { ParentSpan } from "effect/Tracer"
import type { ClientAuthError, ClientNetworkError, ClientRestError } from "../CatalogError.js"
import { type Credentials, type CredentialSlot, type CredentialsService, Slots } from "../Credentials.js"
import type * as Client from "../platform/httpClient.js"
import { checkClient } from "./internal/client.js"
import { Engine, type SessionChange } from "./internal/engine.js"
import { usualTimeout } from "./internal/request.js"
import {
  type AuthorizationRequest,
  authorizationRequest,
  type OAuthClient,
  type PendingAuthorization
} from "./OAuth.js"
import type { Tokens } from "./Tokens.js"
import { TokenStore } from "./TokenStore.js"

/** What a session is made with: a client, and when its tokens are replaced. */
export interface SessionOptions extends OAuthClient {
  /**
   * How long before its end an access token is replaced, though never in the first half of its life; a number is of
   * milliseconds. Unless given: one minute before, and at half of a life that is longer than a day.
   */
  readonly refreshBefore?: Duration.DurationInput | undefined
}

/** What {@link OAuthSession} holds. */
export interface OAuthSessionService {
  /** The tokens that there are, stored here or by another process. They may have expired; nothing is sent. */
  readonly tokens: Effect.Effect<Option.Option<Tokens>>
  /** The access token, refreshed where that is due. `None` means that no user is signed in. */
  readonly accessToken: CredentialSlot
  /** Replaces the tokens now. Calls do so by themselves; fails with `ClientAuthError` (`SignedOut`) where there are none. */
  readonly refresh: Effect.Effect<Tokens, ClientAuthError | ClientRestError | ClientNetworkError>
  /** Starts a sign-in: gives the URL to send the user to, and what is to be kept until the user comes back. */
  readonly authorizationRequest: Effect.Effect<AuthorizationRequest>
  /**
   * Redeems what the user came back with, and signs the user in. The same redirect gives `None` the second time, and sends
   * nothing. A redirect of another sign-in fails with `ClientAuthError` and ends nothing.
   */
  readonly exchange: (
    pending: PendingAuthorization,
    url: string | URL
  ) => Effect.Effect<Option.Option<Tokens>, ClientAuthError | ClientRestError | ClientNetworkError>
  /** Takes tokens of a sign-in in place of those that there are, and stores them. Tokens of another client are a defect. */
  readonly signIn: (tokens: Tokens) => Effect.Effect<void>
  /** Forgets the tokens, in the store too. The service is not told: it has no way to revoke them. */
  readonly signOut: Effect.Effect<void>
  /** What happens from now on. */
  readonly changes: Stream.Stream<SessionChange>
  /** What calls ask for credentials: the access token, the client identifier, and a new token for one that was refused. */
  readonly credentials: CredentialsService
}

/** @internal */
export const partsOf = (options: SessionOptions) => {
  const { refreshBefore, timeout } = options
  return {
    client: {
      ...options,
      clientSecret:
        typeof options.clientSecret === "string" ? Redacted.make(options.clientSecret) : options.clientSecret
    },
    refreshBefore: refreshBefore === undefined ? undefined : Duration.toMillis(refreshBefore),
    timeout: timeout === undefined ? usualTimeout : Duration.toMillis(timeout)
  }
}

const make = (
  options: SessionOptions
): Effect.Effect<OAuthSessionService, never, TokenStore | Client.HttpClient | Scope> =>
  Effect.gen(function* () {
    const client = yield* Effect.sync(() => checkClient(options, "OAuthSession"))
    const store = yield* TokenStore
    const clock = yield* Effect.clock
    const changes = yield* PubSub.unbounded<SessionChange>()
    const around = yield* Effect.runtime<Client.HttpClient>()
    // What the session does belongs to no span of where it was made, and ends with its own timeout.
    const runtime = Runtime.make({
      context: Context.omit(ParentSpan)(around.context),
      fiberRefs: around.fiberRefs,
      runtimeFlags: RuntimeFlags.enable(around.runtimeFlags, RuntimeFlags.Interruption)
    })
    const engine = new Engine({ ...partsOf(options), store, clock, fork: Runtime.runFork(runtime) })
    engine.listeners.add((change) => changes.unsafeOffer(change))
    yield* Effect.addFinalizer(() => Effect.zipRight(engine.close, PubSub.shutdown(changes)))
    return {
      tokens: engine.tokens,
      accessToken: Effect.suspend(() => engine.slot),
      refresh: engine.refresh,
      authorizationRequest: engine.inSession(authorizationRequest(client)),
      exchange: (pending, url) => engine.exchange(pending, url),
      signIn: (tokens) => engine.signIn(tokens),
      signOut: engine.signOut,
      changes: Stream.fromPubSub(changes),
      credentials: engine.credentials
    } satisfies OAuthSessionService
  })

const withCredentials = <E, R>(
  session: Effect.Effect<OAuthSessionService, E, R>
): Layer.Layer<OAuthSession | Credentials, E, Exclude<R, Scope>> =>
  Layer.scopedContext(
    Effect.map(session, (session) => Context.make(OAuthSession, session).pipe(Context.add(Slots, session.credentials)))
  )

/**
 * The session of one user: it keeps the tokens, replaces them when that is due, and gives each call its access token.
 *
 * A refresh is made once for all calls that need it, and outlives them: the service accepts a refresh token once. Calls wait for
 * it. Where the service refuses an access token, the call is sent once more with a new one. Where it refuses the refresh token,
 * the session has ended: calls that need a token fail with `ClientAuthError` (`SignedOut`), public reads go on without one.
 *
 * While a refresh fails for another reason, the tokens are kept: calls go on with the access token as long as it lives, then they
 * fail as the refresh does, and each tries again. The tokens are in a {@link TokenStore}; where it fails, they count in memory.
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
  /** A session by itself, until its scope is closed: that waits for a refresh which is under way. */
  static make(
    options: SessionOptions
  ): Effect.Effect<OAuthSessionService, never, TokenStore | Client.HttpClient | Scope> {
    return make(options)
  }

  /**
   * A session, and the credentials that it gives. An invalid option is a defect. Where users sign in is said by the
   * `CatalogConfig` that is there where the Layer is built.
   */
  static layer(
    options: SessionOptions
  ): Layer.Layer<OAuthSession | Credentials, never, TokenStore | Client.HttpClient> {
    return withCredentials(make(options))
  }

  /**
   * The same, with the client from Effect's `Config`: `CATALOG_CLIENT_ID`, and where there are any, `CATALOG_CLIENT_SECRET` and
   * `CATALOG_REDIRECT_URI`.
   */
  static readonly layerConfig: Layer.Layer<OAuthSession | Credentials, ConfigError, TokenStore | Client.HttpClient> =
    Layer.suspend(() =>
      withCredentials(
        Effect.flatMap(
          Config.all({
            clientId: Config.string("CATALOG_CLIENT_ID"),
            clientSecret: Config.withDefault(Config.redacted("CATALOG_CLIENT_SECRET"), undefined),
            redirectUri: Config.withDefault(Config.string("CATALOG_REDIRECT_URI"), undefined)
          }),
          make
        )
      )
    )
}
