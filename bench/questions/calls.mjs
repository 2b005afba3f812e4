// How fast can a server call, compared with other clients?
import { createRequire } from "node:module"
import { clientId, fields, fourSides, fourTitles, headers, id, runtimeAt, timeout } from "../contenders.mjs"
import { cpu, partsOf, rate, times, whole } from "../figures.mjs"

const require = createRequire(import.meta.url)

const selector = `/anime/${id}?fields=${fields.join(",")}`

/** @param {string} baseUrl @param {import("effect/Layer").Layer<import("@effect/platform/HttpClient").HttpClient>} transport */
const effects = async (baseUrl, transport) => {
  const { Catalog } = await import("@catalog-client/core")
  const runtime = await runtimeAt(baseUrl, transport)
  return () => runtime.runPromise(Catalog.anime.get({ id }, { fields }))
}

/** @satisfies {import("../figures.mjs").Question["sides"]} */
export const sides = {
  ...fourSides(
    "",
    ({ anime }) =>
      () =>
        anime.get({ id }, { fields }),
    (read, url) => () => read(url + selector)
  ),
  effect: async ({ url }) => effects(url, (await import("@catalog-client/node")).layer),
  "effect over fetch": async ({ url }) => effects(url, (await import("@catalog-client/browser")).layer),
  axios: async ({ url }) => {
    const { default: axios } = await import("axios")
    const client = axios.create({ baseURL: url, headers, timeout })
    return async () => (await client.get(`anime/${id}`, { params: { fields: fields.join(",") } })).data
  },
  /** Reads its address on each call from one of its modules: replaced once there, it adds no cost to a call. */
  "node-myanimelist": async ({ url }) => {
    require("node-myanimelist/dist/methods/malApi/api.js").apiUrl = url
    const account = await require("node-myanimelist").Mal.auth(clientId).guestLogin()
    return () => account.anime.details(id, fields).call()
  },
  /** Has an option for the address. */
  "@animelist/client": async ({ url }) => {
    const { MALClient } = await import("@animelist/client")
    const client = new MALClient({ clientId, proxyUrl: url })
    return () => client.getAnimeDetails(id, { fields })
  },
  /** Its address is a default of the `got` options, which it accepts. */
  "@chez14/mal-api-lite": ({ url }) => {
    const { MALClient } = require("@chez14/mal-api-lite")
    const client = new MALClient({ accessToken: "my-token", gotOptions: { prefixUrl: url } })
    return () => client.get(`anime/${id}`, { fields })
  }
}

export const heading = "Calls on Node"
export const titles = {
  ...fourTitles,
  effect: "**`@catalog-client/node`**",
  "effect over fetch": "`@catalog-client/browser`"
}

export const plan = { calls: 2000, atATime: 64, turns: 5, rounds: 2 }
export const groups = [
  {
    ...plan,
    alone: 400,
    figures: [
      rate("catalog-client", "fetch", { least: 1.3, aim: 1.7 }),
      cpu("catalog-client", "fetch", { most: 0.8, aim: 0.6 }),
      rate("catalog-client", "undici", { least: 0.75, aim: 1 }),
      cpu("catalog-client", "undici", { most: 1.3, aim: 1 }),
      rate("catalog-client over fetch", "fetch", { least: 0.7, aim: 0.9 }),
      cpu("catalog-client over fetch", "fetch", { most: 1.35, aim: 1.15 }),
      cpu("effect", "fetch", { most: 0.8, aim: 0.6 })
    ],
    others: [...Object.keys(sides), "effect on Effect 4"]
  }
]

/** Of the same runtime. @param {string} name */
const fetchOf = (name) => name.replace(partsOf(name).side, "fetch").replace(" on Effect 4", "")

/** Those of the runtimes, too. @type {ReadonlyArray<import("../figures.mjs").Column>} */
export const columns = [
  { title: "calls/s", of: "perSecond", show: whole },
  { title: "× calls", of: "perSecond", against: fetchOf, show: times },
  { title: "µs CPU", of: "cpu", show: whole },
  { title: "× CPU", of: "cpu", against: fetchOf, show: times },
  { title: "ms alone", of: "alone", show: (value) => (value / 1000).toFixed(3) }
]
