// What does it cost to check a reply? A list page of 1 000 entries, in memory.
import { cpu } from "../figures.mjs"

// Not exported by the package: a whole call would measure more.
const internal = "../../packages/core/dist"
const schema = async () => (await import(`${internal}/generated/models.js`)).AnimeListPage

/** @type {import("../figures.mjs").Question["sides"]} */
export const sides = {
  parse:
    ({ page }) =>
    () =>
      JSON.parse(page),
  checked: async ({ page }) => {
    const { readReply } = await import(`${internal}/internal/reply/guard.js`)
    const checked = await schema()
    return () => readReply(checked, JSON.parse(page))
  },
  /** Schema's own decoding, which keeps unknown members, too. */
  schema: async ({ page }) => {
    const { decodeUnknownSync } = await import("effect/Schema")
    const decode = decodeUnknownSync(await schema())
    return () => decode(JSON.parse(page))
  }
}

export const heading = "A list page of 1 000 entries"
export const titles = {
  parse: "`JSON.parse`",
  checked: "`JSON.parse` and the client's check",
  schema: "`JSON.parse` and `Schema.decodeUnknownSync` of the same Schema"
}
export const columns = [{ title: "ms", of: "cpu", show: (/** @type {number} */ value) => (value / 1000).toFixed(2) }]

const plan = { calls: 10, turns: 12, rounds: 4 }
export const groups = ["", " on Effect 4"].map((place) => ({
  ...plan,
  figures: [cpu(`checked${place}`, `parse${place}`, { most: 1.4, aim: 1.2 })],
  others: [`schema${place}`]
}))
