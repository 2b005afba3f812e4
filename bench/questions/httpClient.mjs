// What does a call cost over an ordinary `HttpClient`, compared with the platform's own modules and a Schema by hand?
import { anime, headers, id, runtimeAt, timeout } from "../contenders.mjs"
import { cpu } from "../figures.mjs"

/** What the platform's users write. @param {string} baseUrl */
const idiom = async (baseUrl) => {
  const HttpClient = await import("@effect/platform/HttpClient")
  const { schemaBodyJson } = await import("@effect/platform/HttpClientResponse")
  const Effect = await import("effect/Effect")
  const Schema = await import("effect/Schema")
  const Anime = Schema.Struct({
    id: Schema.Number,
    title: Schema.String,
    mean: Schema.optional(Schema.Number),
    genres: Schema.optional(Schema.Array(Schema.Struct({ id: Schema.Number, name: Schema.String })))
  })
  return HttpClient.HttpClient.pipe(
    Effect.flatMap((client) =>
      HttpClient.filterStatusOk(client).get(`${baseUrl}/anime/${id}`, { urlParams: { nsfw: "true" }, headers })
    ),
    Effect.flatMap(schemaBodyJson(Anime)),
    Effect.timeout(timeout)
  )
}

/** Where the responses come from: `node` is the client's own transport, and no ordinary `HttpClient` to it. */
const overs = {
  memory: async () => {
    const { Fetch, layer } = await import("@effect/platform/FetchHttpClient")
    const Layer = await import("effect/Layer")
    return Layer.provide(
      layer,
      Layer.succeed(Fetch, async () => new Response(anime))
    )
  },
  fetch: async () => (await import("@effect/platform/FetchHttpClient")).layer,
  undici: async () => (await import("@effect/platform-node/NodeHttpClient")).layerUndici,
  node: async () => (await import("@catalog-client/node")).layer
}

/** @param {keyof typeof overs} over @param {string} baseUrl */
const ours = async (over, baseUrl) => {
  const { Catalog } = await import("@catalog-client/core")
  const runtime = await runtimeAt(baseUrl, await overs[over]())
  const call = Catalog.anime.get({ id })
  return () => runtime.runPromise(call)
}

/** @param {keyof typeof overs} over @param {string} baseUrl */
const byHand = async (over, baseUrl) => {
  const runtime = await runtimeAt(baseUrl, await overs[over]())
  const call = await idiom(baseUrl)
  return () => runtime.runPromise(call)
}

/** @type {import("../figures.mjs").Question["sides"]} */
export const sides = {
  memory: ({ url }) => ours("memory", url),
  "memory by hand": ({ url }) => byHand("memory", url),
  fetch: ({ url }) => ours("fetch", url),
  "fetch by hand": ({ url }) => byHand("fetch", url),
  "fetch, chunked": ({ url }) => ours("fetch", `${url}/chunked`),
  "fetch, chunked, by hand": ({ url }) => byHand("fetch", `${url}/chunked`),
  undici: ({ url }) => ours("undici", url),
  "undici by hand": ({ url }) => byHand("undici", url),
  "undici, chunked": ({ url }) => ours("undici", `${url}/chunked`),
  "undici, chunked, by hand": ({ url }) => byHand("undici", `${url}/chunked`),
  node: ({ url }) => ours("node", url)
}

export const heading = "A call with Effect, against the platform's own modules and a Schema by hand"
export const titles = {
  memory: "over `FetchHttpClient` from memory",
  fetch: "over `FetchHttpClient`",
  "fetch, chunked": "over `FetchHttpClient`, chunked",
  undici: "over `NodeHttpClient.layerUndici`",
  "undici, chunked": "over `NodeHttpClient.layerUndici`, chunked",
  node: "over the transport of `@catalog-client/node`"
}
export const plan = { calls: 256, atATime: 64, turns: 15, rounds: 2 }

export const figures = ["", " on Effect 4"].flatMap((place) => [
  cpu(`memory${place}`, `memory by hand${place}`, { most: 1.2 }),
  cpu(`fetch${place}`, `fetch by hand${place}`, { most: 1.2 }),
  cpu(`fetch, chunked${place}`, `fetch, chunked, by hand${place}`, { most: 1.2 }),
  cpu(`undici${place}`, `undici by hand${place}`, { most: 1.6, aim: 1.2 }),
  cpu(`undici, chunked${place}`, `undici, chunked, by hand${place}`, { most: 1.6, aim: 1.2 }),
  cpu(`node${place}`, `undici by hand${place}`, { most: 1.2 })
])
