// One build in its own process: calls of one kind. It imports the packages of the build in whose folder it is.
import { Catalog, CatalogConfig, Credentials, Transport } from "@catalog-client/core"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { createCatalog } from "catalog-client"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { Session } from "node:inspector/promises"
import { setImmediate } from "node:timers/promises"
import { fields, id } from "../calls/selection.mjs"
import { answerWith } from "../fork.mjs"
import { cpuOf, many } from "../many.mjs"
import { dispatcherOver, overMemory } from "../overMemory.mjs"

/**
 * @import { HeapProfiler } from "node:inspector"
 * @typedef {"memory" | "fetch" | "page" | "socket" | "survival" | "effect-memory" | "effect-fetch"} Kind
 * @typedef {Record<"cpu" | "perSecond" | "bytes", number>} Taken What a slice measures; the rest is 0.
 */

const [kind = "", baseUrl = "", most] = process.argv.slice(2)
const clientId = "my-client-id"

const anime = JSON.stringify({ id, title: "A title", mean: 8.1, genres: [{ id: 1, name: "Sports" }] })

const memory = () => {
  const catalog = createCatalog({ baseUrl, clientId, dispatcher: dispatcherOver(anime) })
  return () => catalog.anime.get({ id })
}

const answers = async () => new Response(anime)

/** @param {Parameters<typeof Layer.mergeAll>[0]} transport */
const effects = (transport) => {
  const services = Layer.mergeAll(transport, CatalogConfig.layer({ baseUrl }), Credentials.layer({ clientId }))
  const runtime = ManagedRuntime.make(/** @type {Layer.Layer<any>} */ (services))
  return () => runtime.runPromise(Catalog.anime.get({ id }))
}

/**
 * Each returns the call of a kind: of `catalog-client`, or with Effect.
 *
 * @type {Readonly<Record<string, () => (() => Promise<unknown>) | Promise<() => Promise<unknown>>>>}
 */
const kinds = {
  memory,
  survival: memory,
  fetch: () => {
    const catalog = createCatalog({ baseUrl, clientId, fetch: answers })
    return () => catalog.anime.get({ id })
  },
  page: async () => {
    const page = await (await fetch(`${baseUrl}/users/owner/animelist`)).text()
    const catalog = createCatalog({ baseUrl, clientId, dispatcher: dispatcherOver(page) })
    return () => catalog.user.animeList({ username: "owner", limit: 1000 })
  },
  socket: () => {
    const catalog = createCatalog({ baseUrl, clientId })
    return () => catalog.anime.get({ id }, { fields })
  },
  "effect-memory": () => effects(overMemory(anime)),
  "effect-fetch": () =>
    effects(Layer.provide(Layer.fresh(Transport.layerFetch), Layer.succeed(FetchHttpClient.Fetch, answers)))
}

const prepare = kinds[kind]
if (prepare === undefined) {
  throw new Error(`no calls are called ${kind}`)
}
const call = await prepare()

/**
 * One after the other, with a turn of the event loop now and then.
 *
 * @param {number} count
 */
const inTurn = async (count) => {
  for (let made = 1; made <= count; made++) {
    await call()
    if (made % 20 === 0) {
      await setImmediate()
    }
  }
}
const calls = (/** @type {number} */ count) => (kind === "socket" ? many(call, count, 64) : inTurn(count))

/**
 * Microseconds of CPU for a call, and calls per second.
 *
 * @param {number} count
 * @returns {Promise<Taken>}
 */
const slice = async (count) => {
  let seconds = 0
  const cpu = await cpuOf(async () => {
    const started = performance.now()
    await calls(count)
    seconds = (performance.now() - started) / 1000
    // Each slice pays for its own garbage.
    globalThis.gc?.({ type: "minor" })
  })
  return { cpu: cpu / count, perSecond: count / seconds, bytes: 0 }
}

/**
 * Bytes of a call that outlive the young generation.
 *
 * @param {number} count
 * @returns {Promise<Taken>}
 */
const survival = async (count) => {
  const session = new Session()
  session.connect()
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: 512,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: false
  })
  await calls(count)
  const { profile } = await session.post("HeapProfiler.stopSampling")
  session.disconnect()
  /** @type {(node: HeapProfiler.SamplingHeapProfileNode) => number} */
  const sizeOf = ({ children, selfSize }) => children.reduce((size, child) => size + sizeOf(child), selfSize)
  return { cpu: 0, perSecond: 0, bytes: sizeOf(profile.head) / count }
}

for (let slices = 0; slices < 16; slices++) {
  await slice(Math.min(Number(most), 250))
}
answerWith(kind === "survival" ? survival : slice)
