/**
 * A session as promises, for pages.
 *
 * @since 0.2.0
 */
import {
  createSession as createSessionOver,
  type Session as CoreSession,
  type SessionOptions,
  type Tokens
} from "../index.js"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type LoginOptions, redirect, resume } from "./page.js"

/** The session of one user in a page. */
export interface Session extends CoreSession {
  /** Goes to the authorization page, as `Login.redirect` does. The promise stays pending, because the page goes away. */
  login(options?: LoginOptions): Promise<never>
  /** Finishes a sign-in, for the start of the page, as `Login.resume` does; `undefined` if the user has not come back. */
  resume(): Promise<Tokens | undefined>
}

/**
 * Makes a session of one user for a page, as promises. The tokens are in memory, unless `store` is
 * {@link sessionTokenStore} or {@link localTokenStore}. The live service has no CORS: `profile.oauth.tokenUrl` must be
 * the URL of a proxy.
 *
 * Throws a `TypeError` that names an invalid option. For its behaviour and failures see `OAuthSession`.
 *
 * @example
 * ```ts
 * import { createCatalog, type ServiceProfile } from "@catalog-client/browser"
 * import { createSession } from "@catalog-client/oauth/browser"
 *
 * export const startPage = async (profile: ServiceProfile, button: HTMLElement) => {
 *   const session = createSession({ clientId: "my-client-id", redirectUri: "https://app.example/", profile })
 *   button.onclick = () => void session.login()
 *   await session.resume()
 *   const catalog = createCatalog({ session })
 *   return (await session.tokens()) && (await catalog.user.me()).name
 * }
 * ```
 */
export const createSession = (options: SessionOptions): Session =>
  createSessionOver(options, (session, run) => ({
    login: async (options?: LoginOptions): Promise<never> => {
      await run(redirect(session, options))
      return new Promise<never>(() => undefined)
    },
    resume: () => run(Effect.map(resume(session), Option.getOrUndefined))
  }))
