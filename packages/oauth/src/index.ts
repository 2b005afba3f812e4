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
// TypeScript writes `TokenStoreService` into declarations of programs that call `fileTokenStore`. In code, it is
// `TokenStore.Service`.
export {
  type SharedTextStore,
  type TextStore,
  TokenStore,
  TokenStoreError,
  type TokenStoreService,
  UnreadableTokens
} from "./TokenStore.js"
export { TokenStores } from "./TokenStores.js"
