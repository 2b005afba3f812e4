// The clients that are measured: each makes the same call, reads its reply and gives the parsed value.
import { createRequire } from "node:module"
import { many } from "../many.mjs"
import { fields, id } from "./selection.mjs"

const require = createRequire(import.meta.url)

const clientId = "my-client-id"
const headers = { accept: "application/json", "x-mal-client-id": clientId }
const timeout = 30_000

/**
 * @typedef {object} Contender
 * @property {() => Promise<unknown>} call
 * @property {(count: number, concurrency: number) => Promise<unknown>} many
 *
 * @typedef {"undici" | "undici, no signal" | "fetch" | "catalog-client" | "catalog-client over fetch" | "effect" | "effect over fetch"
 *   | "effect over platform-node" | "effect over platform's fetch" | "axios" | "node-myanimelist" | "@animelist/client"
 *   | "@chez14/mal-api-lite" | "effect on Effect 4" | "effect over fetch on Effect 4"} ContenderName
 */

/**
 * @param {() => Promise<unknown>} call
 * @returns {Contender}
 */
const promises = (call) => ({ call, many: (count, concurrency) => many(call, count, concurrency) })

/**
 * @param {string} baseUrl
 * @param {{ readonly fetch?: "global" }} [options]
 */
const ours = async (baseUrl, options) => {
  const { createCatalog } = await import("catalog-client")
  const catalog = createCatalog({ baseUrl, clientId, ...options })
  return promises(() => catalog.anime.get({ id }, { fields }))
}

/**
 * @param {string} baseUrl
 * @param {import("effect/Layer").Layer<import("@effect/platform/HttpClient").HttpClient>} transport
 * @returns {Promise<Contender>}
 */
const effects = async (baseUrl, transport) => {
  const { Catalog, CatalogConfig, Credentials } = await import("@catalog-client/core")
  const Effect = await import("effect/Effect")
  const Layer = await import("effect/Layer")
  const ManagedRuntime = await import("effect/ManagedRuntime")
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(transport, CatalogConfig.layer({ baseUrl }), Credentials.layer({ clientId }))
  )
  const get = () => Catalog.anime.get({ id }, { fields })
  return {
    call: () => runtime.runPromise(get()),
    // One program with as many fibers as the promises have loops. `Effect.forEach` over all calls would keep the fiber of each.
    many: (count, concurrency) => {
      let left = count
      const loop = Effect.whileLoop({ while: () => left-- > 0, body: get, step: () => {} })
      return runtime.runPromise(
        Effect.forEach(Array(concurrency).fill(loop), (loop) => loop, { concurrency, discard: true })
      )
    }
  }
}

/** The end of the name of a client that runs with the packages for Effect 4, from another copy of this module. */
export const onEffect4 = " on Effect 4"

/** @type {Readonly<Record<Exclude<ContenderName, `${string} on Effect 4`>, (baseUrl: string) => Promise<Contender>>>} */
const contenders = {
  /** The minimum of a request that can time out or be cancelled. */
  undici: async (baseUrl) => {
    const { request } = await import("undici")
    return promises(async () => {
      const { body } = await request(`${baseUrl}/anime/${id}?fields=${fields.join(",")}`, {
        headers,
        signal: new AbortController().signal
      })
      return JSON.parse(await body.text())
    })
  },

  "undici, no signal": async (baseUrl) => {
    const { request } = await import("undici")
    return promises(async () => {
      const { body } = await request(`${baseUrl}/anime/${id}?fields=${fields.join(",")}`, { headers })
      return body.json()
    })
  },

  /** What programs write by hand. */
  fetch: async (baseUrl) =>
    promises(async () => {
      const response = await fetch(`${baseUrl}/anime/${id}?fields=${fields.join(",")}`, {
        headers,
        signal: AbortSignal.timeout(timeout)
      })
      if (!response.ok) {
        throw new Error(`status ${response.status}`)
      }
      return response.json()
    }),

  "catalog-client": (baseUrl) => ours(baseUrl),

  "catalog-client over fetch": (baseUrl) => ours(baseUrl, { fetch: "global" }),

  effect: async (baseUrl) => effects(baseUrl, (await import("@catalog-client/node")).layer),

  /** Over the runtime's `fetch`. */
  "effect over fetch": async (baseUrl) => effects(baseUrl, (await import("@catalog-client/browser")).layer),

  "effect over platform-node": async (baseUrl) =>
    effects(baseUrl, (await import("@effect/platform-node/NodeHttpClient")).layerUndici),

  "effect over platform's fetch": async (baseUrl) =>
    effects(baseUrl, (await import("@effect/platform/FetchHttpClient")).layer),

  axios: async (baseUrl) => {
    const { default: axios } = await import("axios")
    const client = axios.create({ baseURL: baseUrl, headers, timeout })
    return promises(async () => (await client.get(`anime/${id}`, { params: { fields: fields.join(",") } })).data)
  },

  /** Reads its address on each call from one of its modules: replaced once there, it adds no cost to a call. */
  "node-myanimelist": async (baseUrl) => {
    require("node-myanimelist/dist/methods/malApi/api.js").apiUrl = baseUrl
    const { Mal } = require("node-myanimelist")
    const account = await Mal.auth(clientId).guestLogin()
    // It takes an array as well, which its types do not say.
    const selected = /** @type {Parameters<typeof account.anime.details>[1]} */ (/** @type {unknown} */ (fields))
    return promises(() => account.anime.details(id, selected).call())
  },

  /** Has an option for the address. */
  "@animelist/client": async (baseUrl) => {
    const { MALClient } = await import("@animelist/client")
    const client = new MALClient({ clientId, proxyUrl: baseUrl })
    return promises(() => client.getAnimeDetails(id, { fields }))
  },

  /** Its address is a default of the `got` options, which it accepts. */
  "@chez14/mal-api-lite": async (baseUrl) => {
    const { MALClient } = require("@chez14/mal-api-lite")
    const client = new MALClient({ accessToken: "my-token", gotOptions: { prefixUrl: baseUrl } })
    return promises(() => client.get(`anime/${id}`, { fields }))
  }
}

/**
 * @param {string} name
 * @returns {name is keyof typeof contenders}
 */
function isContender(name) {
  return name in contenders
}

/**
 * The names of the clients that are measured on this Node; the quick run leaves out the other libraries.
 *
 * @type {ReadonlyArray<ContenderName>}
 */
export const names = [
  ...Object.keys(contenders)
    .filter(isContender)
    .filter((name) => !name.endsWith(" over fetch")),
  "effect on Effect 4"
]
/** @type {ReadonlyArray<ContenderName>} */
export const quickNames = ["undici", "fetch", "catalog-client", "effect", "effect on Effect 4"]

/**
 * @param {string} name
 * @param {string} baseUrl
 */
export const make = (name, baseUrl) => {
  if (!isContender(name)) {
    throw new Error(`no client is called ${name}`)
  }
  return contenders[name](baseUrl)
}
