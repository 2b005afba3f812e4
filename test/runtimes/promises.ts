/** What catalog-client does beside the behaviours of the suite. */
import {
  type Catalog,
  type CatalogOptions,
  ClientAuthError,
  ClientNetworkError,
  createCatalog,
  fromEnvironment,
  Resilience,
  type TransportOptions
} from "catalog-client"
import { createHandlers } from "catalog-client/handlers"
import { createSession, createSessions } from "catalog-client/oauth"
import { EmbeddedCatalog } from "catalog-client/testing"
import { type Behaviours, equal, fails, meeting, ok, one, rejection, type Services, title, token } from "./suite.js"

export const promises = ({ url }: Pick<Services, "url">) => {
  const open = (options: CatalogOptions & TransportOptions = {}): Catalog =>
    createCatalog({ baseUrl: url, accessToken: token, timeout: 20_000, ...options })

  return {
    "a mistake in the program is a TypeError that names the option": async () => {
      const thrown = await rejection(Promise.resolve().then(() => open({ timeout: -1 })))
      ok(thrown instanceof TypeError && thrown.message.includes("timeout"), String(thrown))
    },

    "a token is a value, a function, of a view or of a call": async () => {
      const catalog = open({ accessToken: undefined })
      catalog.accessToken = token
      equal((await catalog.user.me()).name, "sample_reader")
      catalog.accessToken = undefined
      await fails(catalog.user.me(), ClientAuthError, {})
      const view = catalog.withOptions({ accessToken: () => Promise.resolve(token) })
      equal((await view.user.me()).name, "sample_reader")
      equal((await catalog.user.me({ accessToken: token })).name, "sample_reader")
      await catalog.close()
    },

    "options come from the environment, or from an object": async () => {
      const catalog = createCatalog(fromEnvironment({ CATALOG_ACCESS_TOKEN: token, CATALOG_BASE_URL: url }))
      equal((await catalog.user.me()).name, "sample_reader")
      await catalog.close()
      let thrown: unknown
      try {
        fromEnvironment()
      } catch (error) {
        thrown = error
      }
      const { process } = globalThis as { readonly process?: { readonly env?: object } }
      // Deno asks for a permission, and a page has no environment.
      const says = process?.env === undefined ? "there is no environment here" : "--allow-env"
      ok(String(thrown).includes(says) || (process?.env !== undefined && thrown === undefined), String(thrown))
    },

    "a reply comes with its response": async () => {
      const catalog = open()
      const { attempts, data, headers, status } = await catalog.withResponse(catalog.anime.get(one))
      equal([data.title, status, attempts], [title, 200, 1])
      ok(headers["content-type"]?.startsWith("application/json") === true, JSON.stringify(headers))
      await catalog.close()
    },

    "equal reads share an exchange, a cache keeps its reply": async () => {
      const policies = [Resilience.dedupe(), Resilience.cache({ capacity: 9, timeToLive: "1 minute" })]
      const catalog = open({ policies })
      const calls = Array.from({ length: 8 }, () => catalog.anime.get(one))
      const titles = (await Promise.all(calls)).map((reply) => reply.title)
      equal([...new Set(titles)], [title])
      equal((await catalog.withResponse(catalog.anime.get(one))).attempts, 0)
      await catalog.close()
    },

    "closing ends the calls in flight and refuses later ones": async () => {
      const catalog = open()
      const call = rejection(catalog.anime.get(one, meeting("stall-before-headers")))
      setTimeout(() => void catalog.close(), 50)
      for (const error of [await call, await rejection(catalog.anime.get(one))]) {
        ok(error instanceof ClientNetworkError && error.reason === "Cancelled", String(error))
      }
      await catalog.close()
    },

    "a session makes the URL at which a user signs in": async () => {
      const session = createSession({ clientId: "embedded-client", redirectUri: "http://localhost:8080/callback" })
      const { redirectTo } = await session.authorizationRequest()
      ok((new URL(redirectTo).searchParams.get("code_challenge") ?? "").length >= 43, "it has no challenge")
      await session.close()
    },

    "handlers set the two cookies of a sign-in, and end with their request": async () => {
      const fetch = EmbeddedCatalog.fetch()
      const rows = new Map<string, string>()
      const site = "http://localhost:8080"
      const catalog = createCatalog({ fetch })
      const sessions = createSessions({
        catalog,
        fetch,
        client: { clientId: "embedded-client", redirectUri: `${site}/callback` },
        store: (key) => ({
          get: () => rows.get(key),
          set: (text) => rows.set(key, text),
          remove: () => rows.delete(key)
        })
      })
      const auth = createHandlers({ sessions, proxy: { prefix: "/catalog", operations: ["user.me"] } })
      const open = async (path: string, cookie = "", signal: AbortSignal | null = null): Promise<Response> =>
        (await auth.handle(new Request(site + path, { headers: { cookie }, signal }))) ?? Response.error()
      const cookiesOf = ({ headers }: Response) => headers.getSetCookie().map((line) => line.split(";")[0] ?? "")
      const begun = await open("/login")
      const consent = await fetch(begun.headers.get("location") ?? "")
      const back = (consent.headers.get("location") ?? "").replace(site, "")
      const [removed = "", visitor = ""] = cookiesOf(await open(back, cookiesOf(begun)[0]))
      ok(/^catalog-pending-[^=]+=$/.test(removed) && /^catalog-visitor=[^=]+$/.test(visitor), `${removed}; ${visitor}`)
      const me = (await (await open("/catalog/users/@me", visitor)).json()) as { readonly name?: string }
      equal(me.name, "sample_reader")
      const left = new AbortController()
      left.abort()
      equal((await open("/catalog/users/@me", visitor, left.signal)).status, 503)
      await sessions.close()
      await catalog.close()
    },

    "the embedded service answers in the same process": async () => {
      const catalog = createCatalog({ fetch: EmbeddedCatalog.fetch(), clientId: "embedded-client" })
      equal((await catalog.anime.get(one)).title, title)
      await catalog.close()
    }
  } satisfies Behaviours
}

/** The names of these behaviours. */
export const promiseBehaviours: ReadonlyArray<string> = Object.keys(promises({ url: "" }))
