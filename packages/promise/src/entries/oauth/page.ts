import { createSession as createSessionOver, type Session } from "#browser/oauth/createSession.js"
import type { CreateSessionOptions } from "../../oauth.js"
import { platform } from "../../platform/fetch.js"
import { sessionOptions } from "../../tokenStore.js"

export * from "../../oauth.js"
export type { Session } from "#browser/oauth/createSession.js"
export type { LoginOptions } from "#browser/oauth/page.js"
export { localTokenStore, sessionTokenStore } from "#browser/oauth/stores.js"
export { createSessions } from "./fetch.js"

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
export const createSession: (options: CreateSessionOptions) => Session = (options) =>
  createSessionOver(sessionOptions(platform, options))
