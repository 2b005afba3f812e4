/**
 * The sessions of a server's users, over the transport of this package.
 *
 * @since 0.2.0
 */
import { layer } from "#transport"
import type { FieldsDefault } from "@catalog-client/core"
import { createSessions as createSessionsOver, type Sessions, type SessionsOptions } from "@catalog-client/core/oauth"

/**
 * Makes the sessions of a server's users, as promises. Requests for tokens, and the catalog unless there is one, use the transport
 * of this package, unless `transport` or `fetch` is given.
 *
 * Throws a `TypeError` that names an invalid option. For its behaviour and failures see `Sessions`.
 *
 * @example
 * ```ts
 * import { createCatalog } from "@catalog-client/node"
 * import { createSessions, TokenStore } from "@catalog-client/node/oauth"
 *
 * declare const rows: Map<string, string> // Your database: a string for each key. They contain secrets.
 *
 * const sessions = createSessions({
 *   catalog: createCatalog(),
 *   client: { clientId: "my-client-id", redirectUri: "https://app.example/callback" },
 *   store: (user) =>
 *     TokenStore.makeText({
 *       get: () => rows.get(user),
 *       set: (text) => rows.set(user, text),
 *       remove: () => rows.delete(user)
 *     })
 * })
 *
 * export const login = (user: string) => sessions.begin(user) // Redirect the user there.
 * export const callback = (user: string, url: string) => sessions.finish(user, url)
 * export const nameOf = async (user: string) => (await sessions.catalogOf(user).user.me()).name
 * ```
 */
export const createSessions = <const D extends FieldsDefault | undefined = never>(
  options: SessionsOptions<D>
): Sessions<D> =>
  createSessionsOver(options.fetch === undefined ? { ...options, transport: options.transport ?? layer } : options)
