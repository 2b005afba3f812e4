// What does a whole list cost, compared with a loop by hand, and how much memory does a long one hold?
import { catalogAt, fourSides, fourTitles } from "../contenders.mjs"
import { cpu, whole } from "../figures.mjs"

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
  ...fourSides(
    "/lists/1000",
    ({ user }) =>
      async () => {
        let entries = 0
        for await (const _ of user.animeList.items({ username: "some-user", limit: 100 })) {
          entries++
        }
        complete(entries)
      },
    (read, url) => async () => {
      let entries = 0
      for (let next = `${url}/users/@me/animelist?limit=100`; next !== undefined;) {
        const { data, paging } = await read(next)
        for (const _ of data) {
          entries++
        }
        next = paging.next
      }
      complete(entries)
    }
  ),
  memory: ({ url }) => ({ sample: () => memory(url) })
}

export const heading = "A whole list of 1 000 entries in pages of 100"
export const titles = { ...fourTitles, memory: "200 000 entries, beyond what is held after the first 2 000" }
// Enough lists for several collections of the old generation.
const plan = { calls: 40, turns: 12, rounds: 4 }
export const groups = [
  { ...plan, figures: [cpu("catalog-client", "undici", { most: 1.4, aim: 1.15 })] },
  { ...plan, figures: [cpu("catalog-client over fetch", "fetch", { most: 1.75, aim: 1.4 })] },
  {
    ...plan,
    figures: [cpu("catalog-client over fetch on Bun", "fetch on Bun", { most: 3, aim: 1.8, quick: false })]
  },
  { turns: 1, rounds: 1, figures: [{ title: "MB", of: "megabytes", side: "memory", show: whole, most: 30 }] }
]
