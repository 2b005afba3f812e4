/**
 * A session of promises that can sign in on this machine.
 *
 * @since 0.2.0
 */
/// <reference lib="esnext.disposable" preserve="true" />
import {
  createSession as createSessionOver,
  type Session as CoreSession,
  type SessionOptions,
  type Tokens
} from "../index.js"
import { layer } from "@catalog-client/node"
import { type LoginOptions, loopback } from "./loopback.js"

/** The session of one user, who can sign in with a browser. */
export interface Session extends CoreSession {
  /**
   * Signs the user in: opens the browser, and waits until it comes back to the redirect URI, for at most 5 minutes. It
   * behaves and fails like `Login.loopback`; closing the session ends it, too.
   */
  login(options?: LoginOptions): Promise<Tokens>
}

/**
 * Makes a session of one user, as promises, with {@link Session.login}. The transport for requests for tokens is that of
 * this package, unless `transport` or `fetch` is set.
 *
 * Throws a `TypeError` that names an invalid option. For its behaviour and failures see `OAuthSession`.
 *
 * @example
 * ```ts
 * import { createCatalog } from "@catalog-client/node"
 * import { createSession, fileTokenStore } from "@catalog-client/oauth/node"
 *
 * const session = createSession({
 *   clientId: "my-client-id",
 *   redirectUri: "http://localhost:8080/callback",
 *   store: fileTokenStore()
 * })
 * const catalog = createCatalog({ session })
 *
 * export const name = async () => {
 *   if ((await session.tokens()) === undefined) {
 *     await session.login()
 *   }
 *   return (await catalog.user.me()).name
 * }
 * ```
 */
export const createSession = (options: SessionOptions): Session =>
  createSessionOver(
    options.fetch === undefined ? { ...options, transport: options.transport ?? layer } : options,
    (session, run) => ({ login: (options?: LoginOptions) => run(loopback(session, options, "login")) })
  )
