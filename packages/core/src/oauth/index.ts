/**
 * Signing in by OAuth 2.0: the grants, and sessions that keep users signed in.
 *
 * @since 0.2.0
 */
export {
  createSession,
  type CreateSessionOptions,
  type PromiseAuthorizationRequest,
  type Session
} from "./createSession.js"
export { createSessions, type CreateSessionsOptions, type Sessions } from "./createSessions.js"
export type { SessionChange } from "./internal/session.js"
export type { SessionsOptions } from "./internal/sessions.js"
export * as OAuth from "./OAuth.js"
export { type AuthorizationCode, type AuthorizationRequest, type OAuthClient, PendingAuthorization } from "./OAuth.js"
export { OAuthSession, type OAuthSessionService, type SessionOptions } from "./OAuthSession.js"
export { OAuthSessions, type OAuthSessionsService } from "./OAuthSessions.js"
export { Tokens, type TokenResponse, type TokensFromOptions } from "./Tokens.js"
export {
  type SharedTextStore,
  type TextStore,
  TokenStore,
  type TokenStoreService,
  UnreadableTokens
} from "./TokenStore.js"
