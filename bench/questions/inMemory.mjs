// What does a call cost without a network? The comparison with a commit makes these calls, too.
import { Catalog, Transport } from "@catalog-client/core"
import { Fetch } from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import { createCatalog } from "catalog-client"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { anime, answers, clientId, id, runtimeAt, undiciReader } from "../contenders.mjs"
import { cpu } from "../figures.mjs"

const baseUrl = "http://localhost/v2"
const controller = { abort: () => {}, pause: () => {}, resume: () => {} }

/** A dispatcher that answers at once. The methods of undici's `request` have older names. @param {string} body */
const dispatcherOver = (body) => {
  const bytes = Buffer.from(body)
  return /** @type {any} */ ({
    dispatch: (/** @type {object} */ _, /** @type {Record<string, Function>} */ handler) => {
      handler["onRequestStart"]?.(controller)
      handler["onResponseStart"]?.(controller, 200, {})
      handler["onResponseData"]?.(controller, bytes)
      handler["onResponseEnd"]?.(controller, {})
      handler["onConnect"]?.(controller.abort, {})
      handler["onHeaders"]?.(200, [], controller.resume, "OK")
      handler["onData"]?.(bytes)
      handler["onComplete"]?.([])
      return true
    }
  })
}

/** @param {{ readonly dispatcher: any } | { readonly fetch: typeof answers }} options */
const callOver = (options) => {
  const { anime } = createCatalog({ baseUrl, clientId, ...options })
  return () => anime.get({ id })
}

const bytes = new TextEncoder().encode(anime)
/** The same as a transport. */
const transport = Transport.make(
  HttpClient.make(() => Effect.never),
  (_, receiver) => {
    receiver.onHeaders(200, () => undefined)
    receiver.onData(bytes)
    receiver.onEnd()
    return () => {}
  }
)

/** A call with Effect. @param {Layer.Layer<HttpClient.HttpClient>} transport */
const effectOver = async (transport) => {
  const runtime = await runtimeAt(baseUrl, transport)
  return () => runtime.runPromise(Catalog.anime.get({ id }))
}

/** @satisfies {import("../figures.mjs").Question["sides"]} */
export const sides = {
  "catalog-client": () => callOver({ dispatcher: dispatcherOver(anime) }),
  undici: async () => {
    const read = await undiciReader(dispatcherOver(anime))
    return () => read(`${baseUrl}/anime/${id}`)
  },
  fetch: () => callOver({ fetch: answers }),
  page: ({ page }) => {
    const catalog = createCatalog({ baseUrl, clientId, dispatcher: dispatcherOver(page) })
    return () => catalog.user.animeList({ username: "owner", limit: 1000 })
  },
  effect: () => effectOver(Layer.succeed(HttpClient.HttpClient, transport)),
  "effect over fetch": () => effectOver(Layer.provide(Layer.fresh(Transport.layerFetch), Layer.succeed(Fetch, answers)))
}

export const heading = "Calls from memory"
export const titles = {
  "catalog-client": "a call of `catalog-client`",
  undici: "`undici.request` with a signal",
  fetch: "a call of `catalog-client` over a mocked `fetch`",
  page: "a list page of 1 000 entries",
  effect: "a call with Effect",
  "effect over fetch": "a call with Effect over a mocked `fetch`"
}
export const columns = [{ title: "µs CPU", of: "cpu", show: (/** @type {number} */ value) => value.toFixed(1) }]
const plan = { calls: 400, turns: 20, rounds: 4 }
export const groups = [
  { ...plan, figures: [cpu("catalog-client", "undici", { most: 0.6 })] },
  { ...plan, figures: [cpu("effect on Effect 4", "effect", { most: 0.5 })] },
  { ...plan, figures: [cpu("effect over fetch on Effect 4", "effect over fetch", { most: 0.7 })] }
]
