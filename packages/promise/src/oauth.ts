/**
 * What every platform exports for signing in.
 */
import type { SessionOptions } from "#core/oauth/OAuthSession.js"
import type { ServiceProfile } from "#core/ServiceProfile.js"
import type { TelemetryOptions, TransportOptions } from "./platform.js"
import type { TokenStore } from "./tokenStore.js"

export type { PromiseAuthorizationRequest } from "#core/oauth/createSession.js"
export type { Sessions } from "#core/oauth/createSessions.js"
export type { SessionChange } from "#core/oauth/internal/session.js"
export { PendingAuthorization } from "#core/oauth/OAuth.js"
export type { OAuthClient } from "#core/oauth/OAuth.js"
export type { SessionOptions } from "#core/oauth/OAuthSession.js"
export { Tokens, type TokenResponse, type TokensFromOptions } from "#core/oauth/Tokens.js"
export { UnreadableTokens } from "#core/oauth/TokenStore.js"
export type { CreateSessionsOptions } from "./createSessions.js"
export { TokenStore } from "./tokenStore.js"

/** What `createSession` takes. */
export interface CreateSessionOptions extends SessionOptions, TransportOptions, TelemetryOptions {
  /** Where the tokens are kept: in memory by default. */
  readonly store?: TokenStore | undefined
  /**
   * The deployment, whose `oauth` says where users sign in. Catalogs of the session use it too, unless they have another
   * profile; a base URL of another origin is a `TypeError`, since no other service must get the user's token.
   */
  readonly profile?: ServiceProfile | undefined
}
