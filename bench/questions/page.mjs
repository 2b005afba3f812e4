// What does it cost to check a reply? A list page of 1 000 entries, in memory.

import { cpu } from "../figures.mjs"

/** @import { Service } from "../runner.mjs" */

const models = async () => (await import("../../packages/core/dist/generated/models.js")).AnimeListPage

/** @satisfies {import("../runner.mjs").Sides} */
export const sides = {
  parse:
    ({ page }) =>
    () =>
      JSON.parse(page),
  checked: async ({ page }) => {
    // Not exported by the package: a whole call would measure more.
    const { readReply } = await import("../../packages/core/dist/internal/reply/guard.js")
    const schema = await models()
    return () => readReply(schema, JSON.parse(page))
  },
  /** Schema's own decoding, which keeps unknown members, too. */
  schema: async ({ page }) => {
    const { decodeUnknownSync } = await import("effect/Schema")
    const decode = decodeUnknownSync(await models())
    return () => decode(JSON.parse(page))
  },
  /** From bytes to reply, including the garbage collection of replies that live longer. */
  call: async (/** @type {Service} */ service) => (await import("./inMemory.mjs")).sides.page(service)
}

export const names = [
  ["parse", "checked", "schema", "call"],
  ["parse on Effect 4", "checked on Effect 4", "schema on Effect 4"]
]
export const quickNames = names.map((names) => names.slice(0, 2))
export const plan = { calls: 10, turns: 12, rounds: 3, together: true }

export const figures = {
  page: cpu(
    "a list page of 1 000 entries, unknown fields kept: parse + check against `JSON.parse` alone",
    "checked",
    "parse"
  ),
  "effect4-page": cpu(
    "Effect 4: a list page of 1 000 entries: parse + check against `JSON.parse` alone",
    "checked on Effect 4",
    "parse on Effect 4"
  )
}

/** @type {import("../runner.mjs").Table} */
export const table = {
  heading: "A list page of 1 000 entries",
  text:
    "What it costs to check a reply: a page of a user's list, 640 kB of JSON, in milliseconds of CPU. The client checks each reply " +
    "against its Schema without Effect's own decoder, so a check adds little to `JSON.parse`.",
  first: "step",
  columns: [{ title: "ms", of: "cpu", show: (value) => (value / 1000).toFixed(2) }],
  rows: {
    parse: "`JSON.parse`",
    checked: "`JSON.parse` and the client's check",
    call: "a whole call of `catalog-client`, with a transport that answers from memory",
    schema: "`JSON.parse` and `Schema.decodeUnknownSync` of the same Schema",
    "checked on Effect 4": "for Effect 4: `JSON.parse` and the client's check",
    "schema on Effect 4": "for Effect 4: `JSON.parse` and `Schema.decodeUnknownSync`"
  }
}
