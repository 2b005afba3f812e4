/**
 * The sessions of many users.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import { baseUrlOf, CatalogConfigTag } from "../internal/services/settings.js"
import type { ClientAuthError, ClientNetworkError, ClientRestError } from "../CatalogError.js"
import type { CredentialsService } from "../Credentials.js"
import { checkNames } from "../internal/common/options.js"
import { forkApart, runtime } from "../internal/common/run.js"
import type * as Client from "../platform/httpClient.js"
import { ofSessions, type SessionsOptions, UserSessions } from "./internal/sessions.js"
import type { Tokens } from "./Tokens.js"

/** The interface of {@link OAuthSessions}. A user is any string but the empty one, which is a defect. */
export interface OAuthSessionsService {
  /**
   * Starts a sign-in of a user, and stores it until the user comes back: the URL to send the user to. It replaces one that
   * the user has started before. Fails with `ClientNetworkError` if the store does.
   */
  readonly begin: (user: string) => Effect.Effect<Redacted.Redacted<URL>, ClientNetworkError>
  /**
   * Signs the user in, with the URL that the user came back with. For a redirect that was already used, also in another process
   * at the same time, it returns `None` and sends nothing. Fails with `ClientAuthError` (`State`) if this user has started no such sign-in, or too long ago.
   */
  readonly finish: (
    user: string,
    url: string | URL
  ) => Effect.Effect<Option.Option<Tokens>, ClientAuthError | ClientRestError | ClientNetworkError>
  /**
   * The credentials of a user, for calls. They can be kept: each call looks up the user's session. Throws a `TypeError` for an
   * empty user.
   */
  readonly credentials: (user: string) => CredentialsService
  /** The user's current tokens, which may have expired; nothing is sent. Fails only if the sessions are closed. */
  readonly tokens: (user: string) => Effect.Effect<Option.Option<Tokens>, ClientNetworkError>
  /** Replaces a user's tokens with those of another sign-in, and stores them. Fails only if the sessions are closed. */
  readonly signIn: (user: string, tokens: Tokens) => Effect.Effect<void, ClientNetworkError>
  /**
   * Removes a user's tokens and the sign-in that was started, in the store too. The tokens are not revoked. Fails only if the
   * sessions are closed.
   */
  readonly signOut: (user: string) => Effect.Effect<void, ClientNetworkError>
}

const make = (options: SessionsOptions): Effect.Effect<OAuthSessionsService, never, Client.HttpClient | Scope> =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    // The work of a session is not part of the span in which it was made, and has its own timeout.
    const fork = forkApart(yield* runtime<Client.HttpClient>())
    const settings = yield* CatalogConfigTag
    const profile = { ...settings.profile, baseUrl: baseUrlOf(settings) }
    const sessions = yield* Effect.acquireRelease(
      Effect.sync(() => {
        checkNames("OAuthSessions", options, ofSessions)
        return new UserSessions(options, { settings, profile, clock, fork }, "OAuthSessions")
      }),
      ({ close }) => close
    )
    return {
      begin: (user) => sessions.begin(user),
      finish: (user, url) => sessions.finish(user, url),
      credentials: (user) => sessions.credentials(user),
      tokens: (user) => sessions.tokens(user),
      signIn: (user, tokens) => sessions.signIn(user, tokens),
      signOut: (user) => sessions.signOut(user)
    }
  })

/**
 * The sessions of many users, for a server: each user has one session at a time, which all of the user's requests share, and
 * which is closed when it is idle. Sign-ins and tokens are in the stores of the users, so they outlive the process, and several
 * processes can share them. For the behaviour of a session see `OAuthSession`.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials } from "@catalog-client/core"
 * import { OAuthSessions, TokenStore } from "@catalog-client/core/oauth"
 * import { FetchHttpClient, KeyValueStore } from "@effect/platform"
 * import { Effect, Layer } from "effect"
 *
 * export const Live = Layer.unwrapEffect(
 *   Effect.map(KeyValueStore.KeyValueStore, (rows) =>
 *     OAuthSessions.layer({
 *       client: { clientId: "my-client-id", redirectUri: "https://app.example/callback" },
 *       store: (key) =>
 *         TokenStore.from({
 *           get: () => rows.get(key),
 *           set: (text) => rows.set(key, text),
 *           remove: () => rows.remove(key)
 *         })
 *     })
 *   )
 * ).pipe(Layer.provideMerge(FetchHttpClient.layer))
 *
 * export const nameOf = (user: string) =>
 *   Effect.flatMap(OAuthSessions, (sessions) =>
 *     Catalog.user.me().pipe(
 *       Effect.map(({ name }) => name),
 *       Effect.provideService(Credentials, sessions.credentials(user))
 *     )
 *   )
 * ```
 */
export class OAuthSessions extends Context.Tag("@catalog-client/core/OAuthSessions")<
  OAuthSessions,
  OAuthSessionsService
>() {
  /** Sessions that live until their scope is closed. Closing waits for refreshes in flight. An invalid option is a defect. */
  static make(options: SessionsOptions): Effect.Effect<OAuthSessionsService, never, Client.HttpClient | Scope> {
    return make(options)
  }

  /**
   * A Layer of the sessions. An invalid option is a defect. The URLs for signing in come from the `CatalogConfig` that is in the
   * context when the Layer is built, as with `OAuthSession.layer`.
   */
  static layer(options: SessionsOptions): Layer.Layer<OAuthSessions, never, Client.HttpClient> {
    return Layer.scoped(OAuthSessions, make(options))
  }
}
