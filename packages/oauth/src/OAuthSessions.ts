/**
 * The sessions of many users.
 *
 * @since 0.2.0
 */
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import type { ClientAuthError, ClientNetworkError, ClientRestError, Credentials } from "@catalog-client/core"
import type { FromConfig } from "@catalog-client/core/internal"
import type * as Client from "@effect/platform/HttpClient"
import { checkOptions } from "./internal/checkClient.js"
import { readClient } from "./internal/clientConfig.js"
import { effectEnvironment } from "./internal/environment.js"
import { UserSessions } from "./internal/sessions.js"
import type { OAuthClient } from "./OAuth.js"
import type { Tokens } from "./Tokens.js"
import { TokenStores } from "./TokenStores.js"

/** The interface of {@link OAuthSessions}. A user is any string that is not blank; a blank one is a defect. */
export interface OAuthSessionsService {
  /** The redirect URI of the client. */
  readonly redirectUri: string | undefined
  /**
   * Starts a sign-in of a user, instead of an earlier one, stores it until the user comes back, and returns the URL to send
   * the user to. Fails with `ClientNetworkError` if the store does.
   */
  readonly begin: (user: string) => Effect.Effect<Redacted.Redacted<URL>, ClientNetworkError>
  /**
   * Signs the user in, with the URL that the user came back with; `None` if this user is signed in and no sign-in is pending,
   * for example after a reload. Fails with `ClientAuthError` (`State`) if another sign-in is pending, or the user is signed out
   * and has none that was started in the last 10 minutes and not used. After a failure, the user starts again with `begin`.
   */
  readonly finish: (
    user: string,
    url: string | URL
  ) => Effect.Effect<Option.Option<Tokens>, ClientAuthError | ClientRestError | ClientNetworkError>
  /** The credentials of a user, for calls. They can be kept: each call looks up the user's session. */
  readonly credentials: (user: string) => Credentials.Service
  /**
   * The user's current tokens, possibly expired; nothing is sent. Fails with `reason: "CredentialsUnavailable"` if there are
   * none in memory and the store could not be read, and if the sessions are closed, like the members below.
   */
  readonly tokens: (user: string) => Effect.Effect<Option.Option<Tokens>, ClientNetworkError>
  /** Replaces a user's tokens with the tokens of another sign-in, and stores them. */
  readonly signIn: (user: string, tokens: Tokens) => Effect.Effect<void, ClientNetworkError>
  /**
   * Removes a user's tokens, and a sign-in that was started. Other processes learn it within `storeMaxAge`. Fails with
   * `reason: "CredentialsUnavailable"` if the store does: then the user is signed out in this process alone.
   */
  readonly signOut: (user: string) => Effect.Effect<void, ClientNetworkError>
}

/**
 * The sessions of many users, for a server: each user has one session at a time, which all of the user's requests share, and
 * which is closed after 15 idle minutes. Sign-ins and tokens are in {@link TokenStores}, so they can outlive the process, and
 * several processes can share them. For the behavior of a session see `OAuthSession`.
 *
 * @example
 * ```ts
 * import { Catalog, Credentials } from "@catalog-client/core"
 * import { OAuthSessions, TokenStores } from "@catalog-client/oauth"
 * import { FetchHttpClient } from "@effect/platform"
 * import { Effect, Layer } from "effect"
 *
 * // In production, use the TokenStores of a database.
 * export const Live = OAuthSessions.layer({ clientId: "my-client-id", redirectUri: "https://app.example/callback" }).pipe(
 *   Layer.provide(TokenStores.layerMemory),
 *   Layer.provideMerge(FetchHttpClient.layer)
 * )
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
export class OAuthSessions extends Context.Tag("@catalog-client/oauth/OAuthSessions")<
  OAuthSessions,
  OAuthSessionsService
>() {
  /** Sessions that live until their scope is closed. Closing waits for refreshes in flight. An invalid option is a defect. */
  static make(
    options: OAuthClient
  ): Effect.Effect<OAuthSessionsService, never, TokenStores | Client.HttpClient | Scope> {
    return Effect.gen(function* () {
      const client = yield* Effect.sync(() => checkOptions(options, "OAuthSessions"))
      const { storeOf } = yield* TokenStores
      const environment = yield* effectEnvironment("OAuthSessions")
      return yield* Effect.acquireRelease(
        Effect.sync(() => new UserSessions(environment, client, storeOf)),
        ({ close }) => close
      )
    })
  }

  /**
   * A Layer of the sessions. An invalid option is a defect. The profile comes from the context, as with `OAuthSession.layer`.
   */
  static layer(options: OAuthClient): Layer.Layer<OAuthSessions, never, TokenStores | Client.HttpClient> {
    return Layer.scoped(OAuthSessions, OAuthSessions.make(options))
  }

  /**
   * Like `layer`, with options from Effect's `Config`, as in `OAuthSession.layerConfig`.
   */
  static layerConfig(
    options: FromConfig<Partial<OAuthClient>> = {}
  ): Layer.Layer<OAuthSessions, ConfigError, TokenStores | Client.HttpClient> {
    return Layer.scoped(
      OAuthSessions,
      Effect.flatMap(readClient(options, "OAuthSessions"), (client) => OAuthSessions.make(client))
    )
  }
}

export declare namespace OAuthSessions {
  export { type OAuthSessionsService as Service }
}
