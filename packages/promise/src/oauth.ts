/**
 * What every platform exports for signing in.
 */
import type { Session as CoreSession } from "#oauth/createSession.js"
import type { OAuthClient } from "#oauth/OAuth.js"
import type { Tokens } from "#oauth/Tokens.js"
import type { CatalogOptions } from "#core/PromiseCatalog.js"
import type { ServiceProfile } from "#core/ServiceProfile.js"
import type { LoginOptions as NodeLoginOptions } from "#oauth/node/loopback.js"
import type { TransportOptions } from "./platform.js"
import type { TokenStore } from "./tokenStore.js"

export type { SessionChange } from "#oauth/internal/session.js"
export type { AuthorizationRequest, OAuthClient } from "#oauth/OAuth.js"
export { PendingAuthorization } from "#oauth/PendingAuthorization.js"
export { Tokens } from "#oauth/Tokens.js"
export { type TokenStoreService, UnreadableTokens } from "#oauth/TokenStore.js"
export type { Sessions, SessionsFor, SessionsOptions, SessionsWith } from "./createSessions.js"
export { type SharedTextStore, type TextStore, TokenStore } from "./tokenStore.js"

/** What `createSession` takes. */
export interface SessionOptions extends OAuthClient, TransportOptions, Pick<CatalogOptions, "logger" | "logLevel"> {
  /** Where the tokens are kept: in memory by default. */
  readonly store?: TokenStore | undefined
  /**
   * The deployment, whose `oauth` says where users sign in. Catalogs of the session use it too; a base URL of another origin is a
   * `TypeError`, because no other service must get the user's token.
   */
  readonly profile?: ServiceProfile | undefined
}

/** Options of {@link Session.login}. A page takes `navigate`, and Node the others. */
export interface LoginOptions extends NodeLoginOptions {
  /**
   * Goes to the authorization page: `location.assign` by default. The URL is a secret until the user is back. For a shell
   * around a page that opens it elsewhere, for example; the user must come back to this tab.
   */
  readonly navigate?: ((url: URL) => unknown) | undefined
}

/** The session of one user, for any number of catalogs: `createCatalog({ session })`. */
export interface Session extends CoreSession {
  /**
   * Signs the user in, with {@link LoginOptions}.
   *
   * On Node it opens the browser, and waits until it comes back to the redirect URI, for at most 5 minutes; closing the
   * session ends it, too. In a page it goes to the authorization page, and the promise stays pending, because the page goes
   * away: call {@link Session.resume} when it starts again. It is rejected with `ClientNetworkError` (`Transport`) if the
   * page cannot use `sessionStorage`, which keeps the sign-in until the user is back.
   *
   * Elsewhere it is rejected with a `TypeError`: use `authorizationRequest` and `exchange`.
   */
  login(options?: LoginOptions): Promise<Tokens>
  /**
   * Finishes a sign-in, for the start of a page: it returns the tokens if the user has come back, and `undefined` if not.
   * Rejected with a `TypeError` where there is no page.
   */
  resume(): Promise<Tokens | undefined>
}
