/**
 * What every platform exports for signing in.
 */

export type { SessionChange } from "#oauth/internal/sessionState.js"
export type { AuthorizationRequest, OAuthClient } from "#oauth/OAuth.js"
export { PendingAuthorization } from "#oauth/PendingAuthorization.js"
export { Tokens } from "#oauth/Tokens.js"
export { type TokenStoreService, UnreadableTokens } from "#oauth/TokenStore.js"
export { clientFromEnvironment } from "./clientFromEnvironment.js"
export type { LoginOptions, Session, SessionOptions } from "./createSession.js"
export type { Sessions, SessionsFor, SessionsOptions, SessionsWith } from "./createSessions.js"
export { type SharedTextStore, type TextStore, TokenStore } from "./tokenStore.js"
