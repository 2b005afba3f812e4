// What a changed program can import, if it imports `catalog-client` alone.
import * as Handlers from "catalog-client/handlers"
import * as OAuth from "catalog-client/oauth"
import * as Sync from "catalog-client/sync"
import type { Registry } from "../edited.js"
import { modulesFor, servicesOf } from "../modules.js"

export const registry: Registry = (run) => {
  const services = servicesOf(run)
  const reaching = <O extends { readonly fetch?: unknown }>(options: O) => ({ fetch: services.reach, ...options })
  const createSession: typeof OAuth.createSession = (options) => OAuth.createSession(reaching(options))
  const createSessions: typeof OAuth.createSessions = (options) => OAuth.createSessions(reaching(options))
  return {
    ...modulesFor(run, services),
    "catalog-client/handlers": Handlers,
    "catalog-client/oauth": { ...OAuth, createSession, createSessions },
    "catalog-client/sync": Sync
  }
}
