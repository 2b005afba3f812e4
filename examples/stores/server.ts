/**
 * A server whose visitors sign in. Processes over one database are one site: it has their tokens and their rate limit.
 */
import { createCatalog, Resilience, type ServiceProfile } from "catalog-client"
import { createHandlers, errorResponse, toNode } from "catalog-client/handlers"
import { createSessions } from "catalog-client/oauth"
import { rateLimitStore, type SqliteDatabase, tokenStores } from "catalog-client/sqlite"
import { createServer, type Server } from "node:http"

export interface Settings {
  readonly clientId: string
  readonly redirectUri: string
  readonly profile: ServiceProfile
}

export const serverOver = (database: SqliteDatabase, { clientId, profile, redirectUri }: Settings): Server => {
  const store = rateLimitStore(database, { key: clientId })
  const catalog = createCatalog({
    profile,
    clientId,
    policies: [Resilience.retry(), Resilience.rateLimit({ limit: 10, interval: "1 second", store })]
  })
  const sessions = createSessions({ catalog, profile, client: { clientId, redirectUri }, store: tokenStores(database) })
  const auth = createHandlers({ sessions, afterSignIn: "/me" })

  const me = async (request: Request): Promise<Response> => {
    try {
      const { name } = (await auth.catalogOf(request)?.user.me()) ?? {}
      return name === undefined ? new Response("Sign in at /login.", { status: 401 }) : Response.json({ name })
    } catch (error) {
      const response = errorResponse(error)
      if (response === undefined) {
        throw error
      }
      return response
    }
  }
  return createServer(toNode((request) => auth.handle(request) ?? me(request)))
}
