// What do 200 calls cost that one signal ends, compared with the same requests by hand?
import { setMaxListeners } from "node:events"
import { setTimeout as after } from "node:timers/promises"
import { cpu } from "../figures.mjs"
import { clientId, headers, id } from "../request.mjs"

/**
 * Starts 200 calls, ends them, and waits until their sockets are closed.
 *
 * @param {(signal: AbortSignal) => Promise<unknown>} call
 */
const ended = (call) => async () => {
  const stop = new AbortController()
  // Without it Node warns of a leak, which takes longer than the calls.
  setMaxListeners(0, stop.signal)
  const ends = Promise.allSettled(Array.from({ length: 200 }, () => call(stop.signal)))
  await after(20)
  stop.abort()
  if ((await ends).some(({ status }) => status !== "rejected")) {
    throw new Error("a call was not cancelled")
  }
  await after(5)
}

/** @param {string} url @param {{ readonly fetch?: "global" }} [options] */
const byClient = async (url, options) => {
  const { createCatalog } = await import("catalog-client")
  const catalog = createCatalog({ baseUrl: `${url}/never`, clientId, ...options })
  return ended((signal) => catalog.anime.get({ id }, { signal }))
}

/** @param {string} url */
const address = (url) => `${url}/never/anime/${id}?nsfw=true`

/** @satisfies {import("../runner.mjs").Sides} */
export const sides = {
  "catalog-client": ({ url }) => byClient(url),
  undici: async ({ url }) => {
    const { request } = await import("undici")
    return ended(async (signal) => (await request(address(url), { headers, signal })).body.json())
  },
  "catalog-client over fetch": ({ url }) => byClient(url, { fetch: "global" }),
  fetch: ({ url }) => ended(async (signal) => (await fetch(address(url), { headers, signal })).json())
}

export const names = [
  ["catalog-client", "undici"],
  ["catalog-client over fetch", "fetch"]
]
export const plan = { calls: 1, turns: 50, rounds: 2 }

export const figures = {
  "cancelled-undici": cpu(
    "`catalog-client`: 200 calls that one signal ends, against the same requests with undici by hand",
    "catalog-client",
    "undici"
  ),
  "cancelled-fetch": cpu(
    "`catalog-client`: 200 calls that one signal ends, against the same requests with `fetch` by hand",
    "catalog-client over fetch",
    "fetch"
  )
}
