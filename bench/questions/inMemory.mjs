// What does a call cost without a network? The comparison with a commit makes these calls, too.
import { Catalog, Transport } from "@catalog-client/core"
import { Fetch } from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import { createCatalog } from "catalog-client"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createHook } from "node:async_hooks"
import { anime, clientId, id, runtimeAt, undiciReader } from "../contenders.mjs"
import { cpu, exact } from "../figures.mjs"

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
const effectOver = async (transport) => {
  const runtime = await runtimeAt(baseUrl, transport)
  return () => runtime.runPromise(Catalog.anime.get({ id }))
}

/** @param {ReturnType<typeof catalogOver>} catalog */
const getFrom = (catalog) => () => catalog.anime.get({ id })

/** The timers that a call sets. @param {() => Promise<unknown>} call */
const timersOf = (call) => ({
  sample: async () => {
    await call()
    let timers = 0
    const hook = createHook({ init: (_, type) => void (timers += Number(type === "Timeout")) }).enable()
    await call()
    hook.disable()
    return { timers }
  }
})

/** @satisfies {import("../figures.mjs").Question["sides"]} */
export const sides = {
  "catalog-client": () => getFrom(catalogOver(anime)),
  "catalog-client, 1.8 kB": ({ anime }) => getFrom(catalogOver(anime)),
  /** The same with undici's request, whose handlers have older names. */
  undici: async ({ anime }) => {
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
    const read = await undiciReader(dispatcher)
    return () => read(`${baseUrl}/anime/${id}`)
  },
  fetch: () => getFrom(createCatalog({ baseUrl, clientId, fetch: answers })),
  page: ({ page }) => {
    const catalog = catalogOver(page)
    return () => catalog.user.animeList({ username: "owner", limit: 1000 })
  },
  effect: () => effectOver(transportOver(anime)),
  "effect over fetch": () =>
    effectOver(Layer.provide(Layer.fresh(Transport.layerFetch), Layer.succeed(Fetch, answers))),
  timers: () => timersOf(getFrom(catalogOver(anime))),
  "timers with Effect": async () => timersOf(await effectOver(transportOver(anime)))
}

export const heading = "Effect 4 against Effect 3"
export const text =
  "What Effect 4 saves: the CPU of the same calls without a network. The other tables have figures for Effect 4, too."
export const titles = {
  "catalog-client": "a call of `catalog-client` from memory",
  "catalog-client, 1.8 kB": "`catalog-client` over a dispatcher that answers from memory",
  undici: "`undici.request` with a signal",
  fetch: "a call of `catalog-client` over a mocked `fetch`",
  page: "a list page of 1 000 entries from memory",
  effect: "a call with Effect from memory",
  "effect over fetch": "a call with Effect over a mocked `fetch`",
  timers: "a call of `catalog-client`",
  "timers with Effect": "a call with Effect"
}
export const columns = [{ title: "µs CPU", of: "cpu", show: (/** @type {number} */ value) => value.toFixed(1) }]
export const plan = { calls: 400, turns: 20, rounds: 4 }

export const figures = [
  cpu("catalog-client, 1.8 kB", "undici", { most: 0.6 }),
  cpu("effect on Effect 4", "effect", { most: 0.5 }),
  cpu("effect over fetch on Effect 4", "effect over fetch", { most: 0.7 }),
  exact("timers", "timers", "timers", 1),
  exact("timers", "timers", "timers with Effect", 1)
]
