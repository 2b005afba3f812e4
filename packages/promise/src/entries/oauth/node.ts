/**
 * Signing in by OAuth 2.0: a session for one user, sessions for the users of a server, and stores of tokens.
 */
import * as Effect from "effect/Effect"
import type { ClientAuthError } from "#core/CatalogError.js"
import type { FieldsDefault } from "#core/Face.js"
import { loopback } from "#oauth/node/loopback.js"
import { type SessionsFor, type SessionsOptions, createSessionsOver } from "../../createSessions.js"
import { createSessionOver, type Session, type SessionOptions } from "../../createSession.js"
import { needs, needsLater } from "../../platform.js"
import { platform } from "../../platform/node.js"
import type * as page from "#oauth/browser/stores.js"

export * from "../../oauth.js"
export { fileTokenStore } from "#oauth/node/fileStore.js"

/**
 * Makes the session of one user, which keeps the user signed in: it refreshes the tokens, and stores them.
 *
 * Throws a `TypeError` that names an invalid option.
 *
 * @example
 * ```ts
 * import { createCatalog } from "catalog-client"
 * import { createSession } from "catalog-client/oauth"
 *
 * const session = createSession({ clientId: "my-client-id", redirectUri: "http://localhost:8080/callback" })
 * const catalog = createCatalog({ session })
 *
 * export const nameOf = async () => (await catalog.user.me()).name
 * ```
 */
export const createSession: (options: SessionOptions) => Session = /*#__PURE__*/ createSessionOver(platform, {
  login: (session, run, options = {}) => {
    // `navigate` is for a page.
    const { navigate: _, onUrl, openBrowser, paste, ...others } = options
    const ofEffects = {
      ...others,
      // What fails here does not end the sign-in, because the browser can still come.
      openBrowser:
        openBrowser &&
        ((url: string) =>
          Effect.orElseSucceed(
            Effect.tryPromise(async () => (await openBrowser(url)) !== false),
            () => false
          )),
      onUrl: onUrl && ((url: string) => Effect.ignore(Effect.tryPromise(async () => onUrl(url)))),
      paste:
        paste &&
        ((refused: ClientAuthError | undefined) =>
          Effect.catchAll(
            Effect.tryPromise(async (signal) => paste(signal, refused)),
            () => Effect.never
          ))
    }
    return run(loopback(session, ofEffects, { as: "login", names: ["signal"], signal: others.signal }))
  },
  resume: /*#__PURE__*/ needsLater("a page", "session.resume", "session.login signs the user in")
})

/**
 * Makes the sessions of a server's users: each user signs in once, and their calls use, refresh and store the tokens.
 *
 * Throws a `TypeError` that names an invalid option.
 *
 * @example
 * ```ts
 * import { createSessions } from "catalog-client/oauth"
 *
 * const rows = new Map<string, string>()
 *
 * export const sessions = createSessions({
 *   client: { clientId: "my-client-id", redirectUri: "https://app.example/callback" },
 *   store: (user) => ({
 *     get: () => rows.get(user),
 *     set: (text) => rows.set(user, text),
 *     remove: () => rows.delete(user)
 *   })
 * })
 *
 * export const nameOf = async (user: string) => (await sessions.catalogOf(user).user.me()).name
 * ```
 */
export const createSessions: <const D extends FieldsDefault | undefined = never>(
  options: SessionsOptions<D>
) => SessionsFor<D> = createSessionsOver(platform)

export const localTokenStore: typeof page.localTokenStore = needs("a page", "localTokenStore", "use fileTokenStore")

export const sessionTokenStore: typeof page.sessionTokenStore = needs(
  "a page",
  "sessionTokenStore",
  "use fileTokenStore"
)
