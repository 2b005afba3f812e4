/**
 * Makes sessions over the transport of a platform.
 */
import type { FieldsDefault } from "#core/Face.js"
import type { Sessions } from "#core/oauth/createSessions.js"
import { createSessions as createCoreSessions } from "#core/oauth/createSessions.js"
import type { CreateSessionsOptions } from "./oauth.js"
import { optionsOver, type Platform } from "./platform.js"
import { serviceOf, type TokenStore } from "./tokenStore.js"

/** `createSessions` of a platform. */
export const createSessionsOver =
  (platform: Platform) =>
  <const D extends FieldsDefault | undefined = never>(options: CreateSessionsOptions<D>): Sessions<D> => {
    const { pending, store, ...rest } = optionsOver(platform, options, "createSessions")
    const services = (store: (user: string) => TokenStore) => (user: string) => serviceOf(store(user))
    return createCoreSessions<D>({
      ...rest,
      store: typeof store === "function" ? services(store) : store,
      ...(pending !== undefined && { pending: services(pending) })
    } as Parameters<typeof createCoreSessions<D>>[0])
  }
