// What does a whole list cost, compared with a loop by hand? 1 000 entries in pages of 100.
import { cpu } from "../figures.mjs"
import { clientId, headers, timeout } from "../request.mjs"

/** What programs write by hand. @param {string} url @param {(url: string) => Promise<any>} read */
const byHand = (url, read) => async () => {
  let entries = 0
  for (let next = `${url}/pages/users/@me/animelist?limit=100`; next !== undefined;) {
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
  const { createCatalog } = await import("catalog-client")
  const { user } = createCatalog({ baseUrl: `${url}/pages`, clientId, ...options })
  return async () => {
    let entries = 0
    for await (const _ of user.animeList.items({ username: "some-user", limit: 100 })) {
      entries++
    }
    complete(entries)
  }
}

/** @param {number} entries */
const complete = (entries) => {
  if (entries !== 1000) {
    throw new Error(`${entries} entries`)
  }
}

/** @satisfies {import("../runner.mjs").Sides} */
export const sides = {
  "catalog-client": ({ url }) => byClient(url),
  undici: async ({ url }) => {
    const { request } = await import("undici")
    return byHand(url, async (next) => {
      const { body } = await request(next, { headers, signal: new AbortController().signal })
      return JSON.parse(await body.text())
    })
  },
  "catalog-client over fetch": ({ url }) => byClient(url, { fetch: "global" }),
  fetch: ({ url }) =>
    byHand(url, async (next) => (await fetch(next, { headers, signal: AbortSignal.timeout(timeout) })).json())
}

export const names = [
  ["catalog-client", "undici"],
  ["catalog-client over fetch", "fetch"]
]
export const plan = { calls: 20, turns: 20, rounds: 4 }

export const figures = {
  "list-undici": cpu("a whole list of 1 000 entries, against a loop with `undici.request`", "catalog-client", "undici"),
  "list-fetch": cpu("a whole list over `fetch`, against a loop with `fetch`", "catalog-client over fetch", "fetch")
}
