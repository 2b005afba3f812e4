/**
 * Makes the sessions of a server's users over the transport of a platform.
 */
import type { FieldsDefault } from "#core/Face.js"
import { createSessions as createCoreSessions, type Sessions } from "#core/oauth/createSessions.js"
import type { OAuthSessionsOptions } from "#core/oauth/OAuthSessions.js"
import type { CatalogOptions, PromiseCatalog } from "#core/PromiseCatalog.js"
import type { ServiceProfile } from "#core/ServiceProfile.js"
import { optionsOver, type Platform, type TransportOptions } from "./platform.js"
import { serviceOf, type TokenStore } from "./tokenStore.js"

/** What `createSessions` takes. */
export interface SessionsOptions<D extends FieldsDefault | undefined = never>
  extends Omit<OAuthSessionsOptions, "store">, TransportOptions, Pick<CatalogOptions, "logger" | "logLevel"> {
  /**
   * Returns the store of a user's tokens. It is called with a user, and with `<user>.pending` for a sign-in that was
   * started. If your rows have a foreign key to users, return a different store for the latter.
   */
  readonly store: (key: string) => TokenStore
  /** The catalog that `catalogOf` makes views of. It is not closed with the sessions. By default, one with this transport. */
  readonly catalog?: PromiseCatalog<D> | undefined
  /** The deployment, whose `oauth` says where users sign in. The catalogs of the users use it too. */
  readonly profile?: ServiceProfile | undefined
}

/** `createSessions` of a platform. */
export const createSessionsOver =
  (platform: Platform) =>
  <const D extends FieldsDefault | undefined = never>(options: SessionsOptions<D>): Sessions<D> => {
    const where = "createSessions"
    const { store, ...rest } = optionsOver(platform, options, where)
    // Core refuses what is no function.
    const services = typeof store === "function" ? (key: string) => serviceOf(store(key), where) : store
    return createCoreSessions<D>({ ...rest, store: services })
  }
