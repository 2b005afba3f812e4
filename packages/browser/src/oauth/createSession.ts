/**
 * A session as promises, for pages.
 *
 * @since 0.2.0
 */
import {
  createSession as createSessionOver,
  type CreateSessionOptions,
  type Session as CoreSession,
  type Tokens
} from "@catalog-client/core/oauth"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { arrive, type LoginError, leave, type LoginOptions, type SignIn } from "./page.js"

/** The session of one user in a page. */
export interface Session extends CoreSession {
  /**
   * Goes to the authorization page. The promise stays pending, since the page goes away. It is rejected with
   * `ClientNetworkError` (`Transport`) if the page cannot use `sessionStorage`, which contains state and verifier of the
   * sign-in until the user is back.
   */
  login(options?: LoginOptions): Promise<never>
  /**
   * Finishes a sign-in, for the start of the page: it returns the tokens if the user has come back, and `undefined` if
   * not. For its behaviour and failures see `Login.resume`.
   */
  resume(): Promise<Tokens | undefined>
}

/** The promises of a session reject with the failures of its Effects. */
const failing = <A>(run: () => Promise<A>): Effect.Effect<A, LoginError> =>
  Effect.tryPromise({ try: run, catch: (error) => error as LoginError })

const signInOf = (session: CoreSession): SignIn => ({
  authorizationRequest: failing(() => session.authorizationRequest()),
  exchange: (pending, url) =>
    Effect.map(
      failing(() => session.exchange(pending, url)),
      Option.fromNullable
    ),
  tokens: Effect.map(
    failing(() => session.tokens()),
    Option.fromNullable
  ),
  signIn: (tokens) => failing(() => session.signIn(tokens)),
  credentials: session.credentials
})

const run = async <A>(effect: Effect.Effect<A, LoginError>): Promise<A> => {
  const exit = await Effect.runPromiseExit(effect)
  if (Exit.isFailure(exit)) {
    throw Cause.originalError(Cause.squash(exit.cause))
  }
  return exit.value
}

/**
 * Makes a session of one user for a page, as promises. The tokens are in memory, unless `store` is
 * {@link sessionTokenStore} or {@link localTokenStore}. The live service has no CORS: `profile.oauth.tokenUrl` must be
 * that of a proxy.
 *
 * Throws a `TypeError` that names an invalid option. For its behaviour and failures see `OAuthSession`.
 *
 * @example
 * ```ts
 * import { ServiceProfile } from "@catalog-client/core"
 * import { createCatalog } from "@catalog-client/browser"
 * import { createSession } from "@catalog-client/browser/oauth"
 *
 * const profile = {
 *   ...ServiceProfile.default,
 *   baseUrl: "https://my-proxy.example/catalog",
 *   oauth: { ...ServiceProfile.default.oauth, tokenUrl: "https://my-proxy.example/token" }
 * }
 * const session = createSession({ clientId: "my-client-id", redirectUri: "https://app.example/", profile })
 * const catalog = createCatalog({ session })
 *
 * // At the start of the page.
 * export const start = async () => {
 *   await session.resume()
 *   return (await session.tokens()) && (await catalog.user.me()).name
 * }
 *
 * // When the user presses a button.
 * export const signIn = () => session.login()
 * ```
 */
export const createSession = (options: CreateSessionOptions): Session => {
  const session = createSessionOver(options)
  const signIn = signInOf(session)
  return Object.assign(session, {
    login: async (options?: LoginOptions): Promise<never> => {
      await run(leave(signIn, options))
      return new Promise<never>(() => undefined)
    },
    resume: async () => Option.getOrUndefined(await run(arrive(signIn)))
  })
}
