// What does a call cost without a network, and a list page of 1 000 entries? The comparison with a commit makes these calls, too.
import { Catalog, CatalogConfig, Credentials, Transport } from "@catalog-client/core"
import { Fetch } from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import { createCatalog } from "catalog-client"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { request } from "undici"
import { cpu } from "../figures.mjs"
import { anime, clientId, headers, id } from "../request.mjs"

const baseUrl = "http://localhost/v2"
const controller = { abort: () => {}, pause: () => {}, resume: () => {} }
const answers = async () => new Response(anime)

/** A catalog whose dispatcher answers at once with the same bytes. @param {string} body */
const catalogOver = (body) => {
  const bytes = Buffer.from(body)
  const dispatcher = {
    dispatch: (/** @type {object} */ _, /** @type {Record<string, Function>} */ handler) => {
      handler["onRequestStart"]?.(controller)
      handler["onResponseStart"]?.(controller, 200, {})
      handler["onResponseData"]?.(controller, bytes)
      handler["onResponseEnd"]?.(controller, {})
      return true
    }
  }
  return createCatalog({ baseUrl, clientId, dispatcher })
}

/** A transport that responds at once with the same bytes. @param {string} body */
const transportOver = (body) => {
  const bytes = new TextEncoder().encode(body)
  const client = Transport.make(
    HttpClient.make(() => Effect.never),
    (_, receiver) => {
      receiver.onHeaders(200, () => undefined)
      receiver.onData(bytes)
      receiver.onEnd()
      return () => {}
    }
  )
  return Layer.succeed(HttpClient.HttpClient, client)
}

/** A call with Effect. @param {Layer.Layer<HttpClient.HttpClient>} transport */
const effectOver = (transport) => {
  const services = Layer.mergeAll(transport, CatalogConfig.layer({ baseUrl }), Credentials.layer({ clientId }))
  const runtime = ManagedRuntime.make(/** @type {Layer.Layer<any>} */ (services))
  return () => runtime.runPromise(Catalog.anime.get({ id }))
}

/** @param {ReturnType<typeof catalogOver>} catalog */
const getFrom = (catalog) => () => catalog.anime.get({ id })

/** @satisfies {import("../runner.mjs").Sides} */
export const sides = {
  "catalog-client": () => getFrom(catalogOver(anime)),
  "catalog-client, 1.8 kB": ({ anime }) => getFrom(catalogOver(anime)),
  /** The same with undici's request, whose handlers have older names. */
  undici: ({ anime }) => {
    const bytes = Buffer.from(anime)
    const dispatcher = /** @type {any} */ ({
      dispatch: (/** @type {object} */ _, /** @type {Record<string, Function>} */ handler) => {
        handler["onConnect"]?.(controller.abort, {})
        handler["onHeaders"]?.(200, [], controller.resume, "OK")
        handler["onData"]?.(bytes)
        handler["onComplete"]?.([])
        return true
      }
    })
    return async () => {
      const { signal } = new AbortController()
      const { body } = await request(`${baseUrl}/anime/${id}`, { dispatcher, headers, signal })
      return JSON.parse(await body.text())
    }
  },
  fetch: () => getFrom(createCatalog({ baseUrl, clientId, fetch: answers })),
  page: ({ page }) => {
    const catalog = catalogOver(page)
    return () => catalog.user.animeList({ username: "owner", limit: 1000 })
  },
  effect: () => effectOver(transportOver(anime)),
  "effect over fetch": () => effectOver(Layer.provide(Layer.fresh(Transport.layerFetch), Layer.succeed(Fetch, answers)))
}

export const names = [
  ["catalog-client, 1.8 kB", "undici"],
  ["effect on Effect 4", "effect"],
  ["effect over fetch on Effect 4", "effect over fetch"]
]
export const plan = { calls: 400, turns: 20, rounds: 4 }

export const figures = {
  "promise-memory": cpu(
    "`catalog-client`: a call over a dispatcher that answers from memory, against `undici.request` with a signal",
    "catalog-client, 1.8 kB",
    "undici"
  ),
  "effect4-memory": cpu(
    "Effect 4: a call over a transport that answers from memory, against Effect 3",
    "effect on Effect 4",
    "effect"
  ),
  "effect4-fetch": cpu(
    "Effect 4: a call over a `fetch` that answers from memory, against Effect 3",
    "effect over fetch on Effect 4",
    "effect over fetch"
  )
}

/** @type {import("../runner.mjs").Table} */
export const table = {
  heading: "Effect 4 against Effect 3",
  text: "What Effect 4 saves: the CPU of the same calls without a network. The other tables have figures for Effect 4, too.",
  first: "call",
  columns: [{ title: "µs CPU", of: "cpu", show: (value) => value.toFixed(1) }],
  rows: {
    effect: "from memory, Effect 3",
    "effect on Effect 4": "from memory, Effect 4",
    "effect over fetch": "over a mocked `fetch`, Effect 3",
    "effect over fetch on Effect 4": "over a mocked `fetch`, Effect 4"
  }
}
