// What does a whole list cost, compared with a loop by hand, and how much memory does a long one hold?
import { catalogAt, readByFetch, undiciReader } from "../contenders.mjs"
import { cpu } from "../figures.mjs"

/** What programs write by hand. @param {string} url @param {typeof readByFetch} read */
const byHand = (url, read) => async () => {
  let entries = 0
  for (let next = `${url}/lists/1000/users/@me/animelist?limit=100`; next !== undefined;) {
    const { data, paging } = await read(next)
    for (const _ of data) {
      entries++
    }
    next = paging.next
  }
  complete(entries)
}

/** @param {string} url @param {{ readonly fetch?: "global" }} [options] */
const byClient = async (url, options) => {
  const { user } = await catalogAt(`${url}/lists/1000`, options)
  return async () => {
    let entries = 0
    for await (const _ of user.animeList.items({ username: "some-user", limit: 100 })) {
      entries++
    }
    complete(entries)
  }
}

const complete = (/** @type {number} */ entries, all = 1000) => {
  if (entries !== all) {
    throw new Error(`${entries} entries of ${all}`)
  }
}

const held = () => {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024 / 1024
}

/** How many MB more a loop holds than after its first two pages. @param {string} url */
const memory = async (url) => {
  const { user } = await catalogAt(`${url}/lists/200000`)
  let [entries, first, most] = [0, 0, 0]
  for await (const _ of user.animeList.items({ username: "some-user" })) {
    entries++
    first = entries === 2000 ? held() : first
    most = entries % 10_000 === 0 ? Math.max(most, held()) : most
  }
  complete(entries, 200_000)
  return { megabytes: most - first }
}

/** @type {import("../figures.mjs").Question["sides"]} */
export const sides = {
  "catalog-client": ({ url }) => byClient(url),
  undici: async ({ url }) => byHand(url, await undiciReader()),
  "catalog-client over fetch": ({ url }) => byClient(url, { fetch: "global" }),
  fetch: ({ url }) => byHand(url, readByFetch),
  memory: ({ url }) => ({ sample: () => memory(url) })
}

export const heading = "A whole list of 1 000 entries in pages of 100"
export const titles = {
  "catalog-client": "`catalog-client`",
  undici: "a loop with `undici.request`",
  "catalog-client over fetch": "`catalog-client` over `fetch`",
  fetch: "a loop with `fetch`",
  memory: "one of 200 000 entries, beyond what it holds after the first 2 000"
}
export const plan = { calls: 20, turns: 20, rounds: 4 }

export const figures = [
  cpu("catalog-client", "undici", { most: 2.1, aim: 1.15 }),
  cpu("catalog-client over fetch", "fetch", { most: 1.75, aim: 1.4 }),
  cpu("catalog-client over fetch on Bun", "fetch on Bun", { most: 2.5, aim: 1.8, quick: false }),
  { title: "MB", of: "megabytes", side: "memory", show: String, most: 30, plan: { turns: 1, rounds: 1 } }
]
