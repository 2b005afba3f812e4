/**
 * Signing in by OAuth 2.0: the grants, and a session that keeps a user signed in.
 *
 * @since 0.2.0
 */
export { createSession, type CreateSessionOptions, type Session } from "./createSession.js"
export type { SessionChange } from "./internal/engine.js"
export * as OAuth from "./OAuth.js"
export { type AuthorizationCode, type AuthorizationRequest, type OAuthClient, PendingAuthorization } from "./OAuth.js"
export { OAuthSession, type OAuthSessionService, type SessionOptions } from "./OAuthSession.js"
export { Tokens } from "./Tokens.js"
export {
  type KeyValueOptions,
  type TextStore,
  TokenStore,
  type TokenStoreService,
  UnreadableTokens
} from "./TokenStore.js"
