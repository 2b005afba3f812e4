// How fast can a server call, compared with other clients?
import { createRequire } from "node:module"
import { cpu, rate } from "../figures.mjs"
import { clientId, fields, headers, id, timeout } from "../request.mjs"

const require = createRequire(import.meta.url)

/** @param {string} baseUrl */
const address = (baseUrl) => `${baseUrl}/anime/${id}?fields=${fields.join(",")}`

/**
 * @param {string} baseUrl
 * @param {{ readonly fetch?: "global" }} [options]
 */
const ours = async (baseUrl, options) => {
  const { createCatalog } = await import("catalog-client")
  const catalog = createCatalog({ baseUrl, clientId, ...options })
  return () => catalog.anime.get({ id }, { fields })
}

/**
 * One program with as many fibers as the promises have loops. `Effect.forEach` over all calls would keep the fiber of each.
 *
 * @param {string} baseUrl
 * @param {import("effect/Layer").Layer<import("@effect/platform/HttpClient").HttpClient>} transport
 */
const effects = async (baseUrl, transport) => {
  const { Catalog, CatalogConfig, Credentials } = await import("@catalog-client/core")
  const Effect = await import("effect/Effect")
  const Layer = await import("effect/Layer")
  const { make } = await import("effect/ManagedRuntime")
  const runtime = make(Layer.mergeAll(transport, CatalogConfig.layer({ baseUrl }), Credentials.layer({ clientId })))
  return {
    many: (/** @type {number} */ calls, /** @type {number} */ atATime) => {
      let left = calls
      const body = () => Catalog.anime.get({ id }, { fields })
      const loop = Effect.whileLoop({ while: () => left-- > 0, body, step: () => {} })
      const loops = Effect.forEach(Array(atATime).fill(loop), (loop) => loop, { concurrency: atATime, discard: true })
      return runtime.runPromise(loops)
    }
  }
}

/** @satisfies {import("../runner.mjs").Sides} */
export const sides = {
  /** The minimum of a request that can time out or be cancelled. */
  undici: async ({ url }) => {
    const { request } = await import("undici")
    return async () => {
      const { body } = await request(address(url), { headers, signal: new AbortController().signal })
      return JSON.parse(await body.text())
    }
  },
  /** What programs write by hand. */
  fetch:
    ({ url }) =>
    async () => {
      const response = await fetch(address(url), { headers, signal: AbortSignal.timeout(timeout) })
      if (!response.ok) {
        throw new Error(`status ${response.status}`)
      }
      return response.json()
    },
  "catalog-client": ({ url }) => ours(url),
  "catalog-client over fetch": ({ url }) => ours(url, { fetch: "global" }),
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

export const names = [[...Object.keys(sides).filter((name) => name !== "effect over fetch"), "effect on Effect 4"]]
export const quickNames = [["undici", "fetch", "catalog-client", "catalog-client over fetch", "effect"]]
export const plan = { calls: 2000, atATime: 64, turns: 5, rounds: 2, alone: 400 }

export const figures = {
  "calls-fetch": rate(
    "`anime.get`, `catalog-client` on Node, 64 at a time, against `fetch` + timeout",
    "catalog-client",
    "fetch"
  ),
  "cpu-fetch": cpu("the same calls against `fetch` + timeout", "catalog-client", "fetch"),
  "calls-node-myanimelist": rate("the same calls against `node-myanimelist`", "catalog-client", "node-myanimelist"),
  "calls-undici": rate("the same calls against `undici.request` with a signal", "catalog-client", "undici"),
  "cpu-undici": cpu("the same calls against `undici.request` with a signal", "catalog-client", "undici"),
  "calls-over-fetch": rate(
    "the same calls over `fetch`, against `fetch` + timeout",
    "catalog-client over fetch",
    "fetch"
  ),
  "cpu-over-fetch": cpu("the same calls over `fetch`, against `fetch` + timeout", "catalog-client over fetch", "fetch"),
  "cpu-effect": cpu("the same calls with Effect against `fetch` + timeout", "effect", "fetch"),
  "effect4-calls": rate("Effect 4: the same calls with Effect, against Effect 3", "effect on Effect 4", "effect")
}

const whole = (/** @type {number} */ value) => value.toFixed(0).replace(/\B(?=(\d{3})+$)/g, " ")
const times = (/** @type {number} */ value) => value.toFixed(2)

/** Of the same runtime: a side may be called `bun: effect`. @param {string} side */
const fetchOf = (side) => side.replace(/(^|: )[^:]*$/, "$1fetch")

/** Those of the runtimes, too. @type {import("../runner.mjs").Table["columns"]} */
export const columns = [
  { title: "calls/s", of: "perSecond", show: whole },
  { title: "× calls", of: "perSecond", against: fetchOf, show: times },
  { title: "µs CPU", of: "cpu", show: whole },
  { title: "× CPU", of: "cpu", against: fetchOf, show: times }
]

/** @type {import("../runner.mjs").Table} */
export const table = {
  heading: "Calls on Node",
  text:
    "How fast a server can call: each client sends the same `anime.get` to a server on the same machine that answers at once. " +
    "`catalog-client` and `@catalog-client/node` send with undici directly, so a call takes less CPU than one with Node's `fetch`. " +
    "The difference is a fraction of a millisecond, which matters to a busy server and not to a script.\n\n" +
    "The columns calls/s and µs CPU are for 64 calls at a time, ms alone is for calls made one after the other. × calls and × CPU " +
    "are multiples of `fetch`: the median of the ratio within each turn.",
  first: "client",
  columns: [...columns, { title: "ms alone", of: "alone", show: (value) => value.toFixed(3) }],
  rows: {
    "effect on Effect 4": "**`@catalog-client/node`** for Effect 4",
    undici: "`undici.request`, `text()`, `JSON.parse`, a signal",
    "catalog-client": "**`catalog-client`**",
    effect: "**`@catalog-client/node`**",
    "catalog-client over fetch": "`catalog-client` over `fetch`",
    "node-myanimelist": "`node-myanimelist`",
    "@animelist/client": "`@animelist/client`",
    axios: "`axios`",
    "@chez14/mal-api-lite": "`@chez14/mal-api-lite`",
    fetch: "`fetch`, `AbortSignal.timeout`, `json()`"
  }
}
