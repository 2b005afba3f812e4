/**
 * Signing in by OAuth 2.0: the grants, and sessions that keep users signed in.
 *
 * @since 0.2.0
 */
export type { SessionChange } from "./internal/sessionState.js"
export * as Handlers from "./Handlers.js"
export * as OAuth from "./OAuth.js"
export { OAuthSession, type OAuthSessionService } from "./OAuthSession.js"
export { OAuthSessions, type OAuthSessionsOptions, type OAuthSessionsService } from "./OAuthSessions.js"
export { PendingAuthorization } from "./PendingAuthorization.js"
export { Tokens } from "./Tokens.js"
export {
  type SharedTextStore,
  type TextStore,
  TokenStore,
  type TokenStoreService,
  UnreadableTokens
} from "./TokenStore.js"
