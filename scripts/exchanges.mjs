// Calls of all operations, and what goes over the wire then: made with the promise client against an embedded service.
// The documentation is written from them.
import { createCatalog } from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/core/testing"

/** A call of each operation: its arguments. */
export const calls = {
  "anime.get": [{ id: 30230 }, { fields: ["mean", "num_episodes", "genres"] }],
  "anime.search": [{ q: "diamond no ace", limit: 2 }],
  "anime.seasonal": [{ year: 2017, season: "winter", sort: "anime_score", limit: 2 }, { fields: ["mean"] }],
  "anime.ranking": [{ rankingType: "movie", limit: 2 }],
  "anime.suggestions": [{ limit: 2 }],
  "anime.updateMyListStatus": [{ id: 30230, status: "completed", score: 9, num_watched_episodes: 51 }],
  "anime.deleteFromList": [{ id: 30230 }],
  "manga.get": [{ id: 2 }, { fields: ["mean", "authors{first_name,last_name}"] }],
  "manga.search": [{ q: "vagabond", limit: 2 }],
  "manga.ranking": [{ rankingType: "novels", limit: 2 }],
  "manga.updateMyListStatus": [{ id: 2, status: "reading", num_chapters_read: 12, tags: ["dark", "long"] }],
  "manga.deleteFromList": [{ id: 2 }],
  "user.me": [{ fields: ["anime_statistics{num_items,mean_score}"] }],
  "user.get": [{ username: "@me" }],
  "user.animeList": [
    { username: "@me", status: "completed", sort: "list_score", limit: 2 },
    { fields: ["list_status"] }
  ],
  "user.mangaList": [{ username: "@me", limit: 2 }, { fields: ["list_status{score}"] }],
  "forum.boards": [],
  "forum.topics": [{ q: "start", limit: 2 }],
  "forum.topic": [{ id: 2_000_029, limit: 1 }]
}

const token = "embedded-token"
const now = Date.UTC(2026, 2, 1)

const textOf = (text) => (text === "" ? undefined : JSON.parse(text))

/**
 * What went over the wire: the request without its credentials, and the response.
 *
 * @param {string} name
 * @param {(catalog: import("@catalog-client/core").PromiseCatalog) => Promise<unknown>} call
 */
const recorded = async (name, call) => {
  const { handler } = EmbeddedCatalog.toWebHandler({ now: () => now })
  let exchange
  const fetch = async (url, init) => {
    const response = await handler(new Request(url, init))
    const { host, pathname, search } = new URL(url)
    exchange = {
      request: {
        method: init.method,
        url: `https://${host}${pathname}${search}`,
        ...(init.body && { form: new TextDecoder().decode(await new Response(init.body).arrayBuffer()) })
      },
      status: response.status,
      body: textOf(await response.clone().text())
    }
    return response
  }
  const catalog = createCatalog({ fetch, accessToken: token })
  await call(catalog).catch(() => undefined)
  await catalog.close()
  if (exchange === undefined) throw new Error(`${name} sent nothing`)
  return exchange
}

/** The operation of a name, on a catalog. */
const operationOf = (catalog, name) => name.split(".").reduce((object, part) => object[part], catalog)

/**
 * The exchange of each operation's call, by name.
 *
 * @returns {Promise<Map<string, { request: { method: string, url: string, form?: string }, status: number, body: unknown }>>}
 */
export const exchanges = async () => {
  const all = new Map()
  for (const [name, inputs] of Object.entries(calls)) {
    const exchange = await recorded(name, (catalog) => operationOf(catalog, name)(...inputs))
    if (exchange.status >= 300) throw new Error(`${name} was answered ${exchange.status}`)
    all.set(name, exchange)
  }
  return all
}
