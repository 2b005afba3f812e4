// The call that every contender makes, and how they make it.

/**
 * @import { Layer } from "effect/Layer"
 * @import { HttpClient } from "@effect/platform/HttpClient"
 * @import { Side } from "./figures.mjs"
 */

/** The selector of the call: more than most programs select. */
export const fields = (
  "alternative_titles,start_date,end_date,synopsis,mean,rank,popularity,num_list_users,num_scoring_users,nsfw,created_at," +
  "updated_at,media_type,status,genres,my_list_status,num_episodes,start_season,source,rating,broadcast,studios," +
  "related_anime,statistics"
).split(",")

export const id = 30230
export const clientId = "my-client-id"
export const headers = { accept: "application/json", "x-mal-client-id": clientId }
export const timeout = 30_000

/** A short reply, for calls from memory. */
export const anime = JSON.stringify({ id, title: "A title", mean: 8.1, genres: [{ id: 1, name: "Sports" }] })
export const answers = async () => new Response(anime)

/** @param {string} baseUrl @param {{ readonly fetch?: "global" }} [options] */
export const catalogAt = async (baseUrl, options) =>
  (await import("catalog-client")).createCatalog({ baseUrl, clientId, ...options })

/** What programs write by hand. @param {string} url @param {AbortSignal} [signal] @returns {Promise<any>} */
const readByFetch = async (url, signal = AbortSignal.timeout(timeout)) => {
  const response = await fetch(url, { headers, signal })
  if (!response.ok) {
    throw new Error(`status ${response.status}`)
  }
  return response.json()
}

/** The minimum of a request that can time out or be cancelled. @param {import("undici").Dispatcher} [dispatcher] */
export const undiciReader = async (dispatcher) => {
  const { Agent, request } = await import("undici")
  // Not the global one: once `fetch` has run, as in each side, it is that of Node's own, older undici.
  const over = dispatcher ?? new Agent()
  /** @type {typeof readByFetch} */
  return async (url, signal = new AbortController().signal) => {
    const { body } = await request(url, { headers, signal, dispatcher: over })
    return JSON.parse(await body.text())
  }
}

/**
 * Four sides that call a path of the server: the client and a program by hand, each over undici and over `fetch`.
 *
 * @type {(path: string, byClient: (catalog: Awaited<ReturnType<typeof catalogAt>>) => () => unknown,
 *   byHand: (read: typeof readByFetch, url: string) => () => unknown) => Readonly<Record<keyof typeof fourTitles, Side>>}
 */
export const fourSides = (path, byClient, byHand) => ({
  "catalog-client": async ({ url }) => byClient(await catalogAt(url + path)),
  "catalog-client over fetch": async ({ url }) => byClient(await catalogAt(url + path, { fetch: "global" })),
  undici: async ({ url }) => byHand(await undiciReader(), url + path),
  fetch: ({ url }) => byHand(readByFetch, url + path)
})

export const fourTitles = {
  "catalog-client": "**`catalog-client`**",
  "catalog-client over fetch": "`catalog-client` over `fetch`",
  undici: "`undici.request`, `text()`, `JSON.parse`, a signal",
  fetch: "`fetch`, `AbortSignal.timeout`, `json()`"
}

/** A runtime for calls with Effect. @param {string} baseUrl @param {Layer<HttpClient>} transport */
export const runtimeAt = async (baseUrl, transport) => {
  const { CatalogConfig, Credentials } = await import("@catalog-client/core")
  const { mergeAll } = await import("effect/Layer")
  const { make } = await import("effect/ManagedRuntime")
  return make(mergeAll(transport, CatalogConfig.layer({ baseUrl }), Credentials.layer({ clientId })))
}
