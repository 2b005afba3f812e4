/**
 * The grants of OAuth 2.0: authorization code with PKCE, and refresh tokens. They keep no state; a session does. The URLs
 * come from the configuration's profile.
 *
 * @since 0.2.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { ClientAuthError, ClientNetworkError, ClientRestError } from "@catalog-client/core"
import { currentSettings } from "@catalog-client/core/internal"
import type * as Client from "@effect/platform/HttpClient"
import * as Authorization from "./internal/authorization.js"
import * as Request from "./internal/request.js"
import type { PendingAuthorization } from "./PendingAuthorization.js"
import type { Tokens } from "./Tokens.js"

/** A client, as registered with the service, and how its tokens are requested. */
export interface OAuthClient {
  /** The client ID that the service gave the program. */
  readonly clientId: string
  /** Only for a server: a page or a program on a user's machine could not keep it secret. */
  readonly clientSecret?: string | Redacted.Redacted<string> | undefined
  /** Exactly as registered. Optional if only one is registered. */
  readonly redirectUri?: string | undefined
  /** Headers of the requests for tokens, for example a `User-Agent` or the key of a proxy. Calls do not send them. */
  readonly headers?: Readonly<Record<string, string | Redacted.Redacted<string>>> | undefined
  /**
   * The limit of one request for tokens, or one use of a session's store. A number is milliseconds.
   *
   * @default "10 seconds"
   */
  readonly timeout?: Duration.DurationInput | undefined
  /**
   * How long a session uses its tokens before it reads the store again, and so learns of a sign-out in another process; `0`
   * for each call. A number is in milliseconds.
   *
   * @default "5 seconds"
   */
  readonly storeMaxAge?: Duration.DurationInput | undefined
}

/** A sign-in that was started, and where to send the user. */
export interface AuthorizationRequest extends PendingAuthorization {
  /** A secret until the code is redeemed: with `plain`, it contains the verifier. */
  readonly url: Redacted.Redacted<URL>
  /** `url` as a string. It is not shown when the object is printed. */
  readonly redirectTo: string
}

/**
 * Starts a sign-in: makes `state` and verifier, and the URL to send the user to. An invalid client is a defect.
 *
 * @example
 * ```ts
 * import { OAuth, PendingAuthorization } from "@catalog-client/oauth"
 * import { Effect } from "effect"
 *
 * const client = { clientId: "my-client-id", redirectUri: "https://app.example/callback" }
 * const request = await Effect.runPromise(OAuth.authorizationRequest(client))
 * // For the user's own session on the server.
 * const kept = PendingAuthorization.encode(request)
 *
 * const { host, pathname } = new URL(request.redirectTo)
 * console.log(host + pathname, kept.length > 0)
 * ```
 *
 * ```text
 * myanimelist.net/v1/oauth2/authorize true
 * ```
 */
export const authorizationRequest: (client: OAuthClient) => Effect.Effect<AuthorizationRequest> = (client) =>
  Effect.flatMap(currentSettings, ({ profile }) => Authorization.authorizationRequest(client, profile.oauth))

/**
 * Reads the code from the URL to which the service has sent the user back. Nothing is sent.
 *
 * Fails with `ClientAuthError`: `State` if the redirect belongs to another sign-in, `Denied` if the user denied
 * access, `Callback` if there is no usable code. A repeated parameter is refused, and so is an `iss` of another service.
 *
 * @example
 * ```ts
 * import { OAuth, PendingAuthorization } from "@catalog-client/oauth"
 * import { Effect } from "effect"
 *
 * const client = { clientId: "my-client-id", redirectUri: "https://app.example/callback" }
 *
 * // `url` is what the user came back with, for example the `url` of a request to the server.
 * export const finish = (kept: string, url: string) => {
 *   const pending = PendingAuthorization.decode(kept)
 *   return OAuth.authorizationResponse(pending, url).pipe(
 *     Effect.flatMap((code) => OAuth.exchangeCode(client, pending, code))
 *   )
 * }
 * ```
 */
export const authorizationResponse: (
  pending: PendingAuthorization,
  url: string | URL
) => Effect.Effect<Redacted.Redacted<string>, ClientAuthError> = Authorization.authorizationResponse

/**
 * Redeems a code, once: the request is never retried. The configuration of API calls does not apply to it. Fails with
 * `ClientRestError` if the service refuses the code (`code` is the service's `error`), and with `ClientNetworkError`.
 *
 * @example
 * ```ts
 * import { OAuth, type PendingAuthorization } from "@catalog-client/oauth"
 * import { Redacted } from "effect"
 *
 * // A code that the user has pasted.
 * export const redeem = (client: OAuth.OAuthClient, pending: PendingAuthorization, code: string) =>
 *   OAuth.exchangeCode(client, pending, Redacted.make(code))
 * ```
 */
export const exchangeCode: (
  client: OAuthClient,
  pending: PendingAuthorization,
  code: Redacted.Redacted<string>
) => Effect.Effect<Tokens, ClientRestError | ClientNetworkError, Client.HttpClient> = Request.exchangeCode

/**
 * Redeems a refresh token for new tokens, as `OAuthSession` does when needed. The old ones must not be used again; without a
 * refresh token in the reply, the old one stays valid. Tokens without one are a defect. Fails as `exchangeCode` does.
 *
 * @example
 * ```ts
 * import { OAuth, type Tokens } from "@catalog-client/oauth"
 * import { Effect } from "effect"
 *
 * export const refreshed = (client: OAuth.OAuthClient, stored: Tokens) =>
 *   OAuth.refreshTokens(client, stored).pipe(
 *     Effect.catchTag("ClientRestError", ({ code }) => Effect.fail(`sign in again: ${code}`))
 *   )
 * ```
 */
export const refreshTokens: (
  client: OAuthClient,
  tokens: Tokens
) => Effect.Effect<Tokens, ClientRestError | ClientNetworkError, Client.HttpClient> = Request.refreshTokens
