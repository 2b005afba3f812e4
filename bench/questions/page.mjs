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
  },
  /** From bytes to reply, including the garbage collection of replies that live longer. */
  call: async (service) => (await import("./inMemory.mjs")).sides.page(service)
}

export const heading = "A list page of 1 000 entries"
export const text =
  "What it costs to check a reply: a page of a user's list, 640 kB of JSON, in milliseconds of CPU. The client checks each reply " +
  "against its Schema without Effect's own decoder, so a check adds little to `JSON.parse`."
export const titles = {
  parse: "`JSON.parse`",
  checked: "`JSON.parse` and the client's check",
  schema: "`JSON.parse` and `Schema.decodeUnknownSync` of the same Schema",
  call: "a whole call of `catalog-client`, with a transport that answers from memory"
}
export const columns = [{ title: "ms", of: "cpu", show: (/** @type {number} */ value) => (value / 1000).toFixed(2) }]

export const groups = [
  ["parse", "checked", "schema", "call"],
  ["parse on Effect 4", "checked on Effect 4", "schema on Effect 4"]
]
export const plan = { calls: 10, turns: 12, rounds: 3, together: true }

export const figures = [
  cpu("checked", "parse", { most: 1.3, aim: 1.2 }),
  cpu("checked on Effect 4", "parse on Effect 4", { most: 1.3, aim: 1.2 })
]
