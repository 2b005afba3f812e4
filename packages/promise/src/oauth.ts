/**
 * What every platform exports for signing in.
 */
import type { FieldsDefault } from "#core/Face.js"
import type { SessionsOptions } from "#core/oauth/internal/sessions.js"
import type { SessionOptions } from "#core/oauth/OAuthSession.js"
import type { PromiseCatalog } from "#core/PromiseCatalog.js"
import type { ServiceProfile } from "#core/ServiceProfile.js"
import type { TransportOptions } from "./platform.js"
import type { TokenStore } from "./tokenStore.js"

export type { PromiseAuthorizationRequest } from "#core/oauth/createSession.js"
export type { Sessions } from "#core/oauth/createSessions.js"
export type { SessionChange } from "#core/oauth/internal/session.js"
export { PendingAuthorization } from "#core/oauth/OAuth.js"
export type { OAuthClient } from "#core/oauth/OAuth.js"
export type { SessionOptions } from "#core/oauth/OAuthSession.js"
export { Tokens, type TokenResponse, type TokensFromOptions } from "#core/oauth/Tokens.js"
export { UnreadableTokens } from "#core/oauth/TokenStore.js"
export { TokenStore } from "./tokenStore.js"

/** What `createSession` takes. */
export interface CreateSessionOptions extends SessionOptions, TransportOptions {
  /** Where the tokens are kept: in memory by default. */
  readonly store?: TokenStore | undefined
  /**
   * The deployment, whose `oauth` says where users sign in. Catalogs of the session use it too, unless they have another
   * profile; a base URL of another origin is a `TypeError`, since no other service must get the user's token.
   */
  readonly profile?: ServiceProfile | undefined
}

/** What `createSessions` takes. */
export interface CreateSessionsOptions<D extends FieldsDefault | undefined = never>
  extends Omit<SessionsOptions, "store" | "pending">, TransportOptions {
  /**
   * The store of a user's tokens. It is called with a user, and with `<user>.pending` for a sign-in that was started, unless
   * `pending` is set: a store must be able to keep a value under both.
   */
  readonly store: (user: string) => TokenStore
  /** The store of a sign-in that was started, where `store` cannot keep it. */
  readonly pending?: ((user: string) => TokenStore) | undefined
  /**
   * The catalog that `catalogOf` makes views of, with its connections, policies and caches. To close the sessions does not
   * close it. By default, one with the same transport and profile.
   */
  readonly catalog?: PromiseCatalog<D> | undefined
  /**
   * Acquires a lock of a user's tokens, for example of a row, and returns the function that releases it. Without it, two
   * processes that refresh at the same time send one request in vain.
   */
  readonly lock?: ((user: string) => (() => unknown) | Promise<() => unknown>) | undefined
  /** The deployment, whose `oauth` says where users sign in. The catalogs of the users use it too. */
  readonly profile?: ServiceProfile | undefined
}
