// What do 200 calls cost that one signal ends, compared with the same requests by hand?
import { setMaxListeners } from "node:events"
import { setTimeout as after } from "node:timers/promises"
import { catalogAt, id, readByFetch, undiciReader } from "../contenders.mjs"
import { cpu } from "../figures.mjs"

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
  const { anime } = await catalogAt(`${url}/never`, options)
  return ended((signal) => anime.get({ id }, { signal }))
}

/** @param {string} url @param {typeof readByFetch} read */
const byHand = (url, read) => ended((signal) => read(`${url}/never/anime/${id}?nsfw=true`, signal))

/** @type {import("../figures.mjs").Question["sides"]} */
export const sides = {
  "catalog-client": ({ url }) => byClient(url),
  undici: async ({ url }) => byHand(url, await undiciReader()),
  "catalog-client over fetch": ({ url }) => byClient(url, { fetch: "global" }),
  fetch: ({ url }) => byHand(url, readByFetch)
}

export const heading = "200 calls that one signal ends"
export const titles = {
  "catalog-client": "`catalog-client`",
  undici: "undici by hand",
  "catalog-client over fetch": "`catalog-client` over `fetch`",
  fetch: "`fetch` by hand"
}
export const plan = { turns: 50, rounds: 2 }

export const figures = [
  cpu("catalog-client", "undici", { most: 1.3 }),
  cpu("catalog-client over fetch", "fetch", { most: 2 })
]
