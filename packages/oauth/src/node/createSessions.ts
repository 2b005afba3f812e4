/**
 * The sessions of a server's users, over the transport of this package.
 *
 * @since 0.2.0
 */
import { layer } from "@catalog-client/node"
import type { FieldsDefault } from "@catalog-client/core"
import { createSessions as createSessionsOver, type Sessions, type SessionsOptions } from "../index.js"

/**
 * Makes the sessions of a server's users, as promises: {@link Sessions}. Requests for tokens, and the catalog unless
 * there is one, use the transport of this package, unless `transport` or `fetch` is given. Throws a `TypeError` that names an
 * invalid option.
 */
export const createSessions = <const D extends FieldsDefault | undefined = never>(
  options: SessionsOptions<D>
): Sessions<D> =>
  createSessionsOver(options.fetch === undefined ? { ...options, transport: options.transport ?? layer } : options)
