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
// `TokenStoreService` is `TokenStore.Service`. Functions return it, and what the compiler writes of a program names no namespace.
export {
  type SharedTextStore,
  type TextStore,
  TokenStore,
  type TokenStoreService,
  UnreadableTokens
} from "./TokenStore.js"
