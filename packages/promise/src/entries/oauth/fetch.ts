import type { FieldsDefault } from "#core/Face.js"
import type { Sessions } from "#core/oauth/createSessions.js"
import { createSession as createSessionOver, type Session } from "#core/oauth/createSession.js"
import { type CreateSessionsOptions, createSessionsOver } from "../../createSessions.js"
import type { CreateSessionOptions } from "../../oauth.js"
import { platform } from "../../platform/fetch.js"
import { sessionOptions } from "../../tokenStore.js"

export * from "../../oauth.js"
export type { Session } from "#core/oauth/createSession.js"

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
  options: CreateSessionsOptions<D>
) => Sessions<D> = createSessionsOver(platform)
