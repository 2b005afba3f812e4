/**
 * Signing in by OAuth 2.0: the grants, and sessions that keep users signed in.
 *
 * @since 0.2.0
 */
export * as Handlers from "./Handlers.js"
export * as OAuth from "./OAuth.js"
export { OAuthSession } from "./OAuthSession.js"
export { OAuthSessions } from "./OAuthSessions.js"
export { PendingAuthorization } from "./PendingAuthorization.js"
export { Tokens } from "./Tokens.js"
export { type SharedTextStore, type TextStore, TokenStore, UnreadableTokens } from "./TokenStore.js"
