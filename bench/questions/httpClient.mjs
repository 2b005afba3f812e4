// What does a call cost over an ordinary `HttpClient`, compared with the platform's own modules and a Schema by hand?
import { cpu } from "../figures.mjs"
import { anime, clientId, headers, id, timeout } from "../request.mjs"

/** @typedef {import("effect/Layer").Layer<import("@effect/platform/HttpClient").HttpClient>} Transport */

/** What the platform's users write. */
const idiom = async (/** @type {string} */ baseUrl) => {
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

/** @param {Transport} layer @param {string} baseUrl @param {boolean} byHand */
const callOf = async (layer, baseUrl, byHand) => {
  const { Catalog, CatalogConfig, Credentials } = await import("@catalog-client/core")
  const Layer = await import("effect/Layer")
  const { make } = await import("effect/ManagedRuntime")
  const runtime = make(Layer.mergeAll(layer, CatalogConfig.layer({ baseUrl }), Credentials.layer({ clientId })))
  if (byHand) {
    const call = await idiom(baseUrl)
    return () => runtime.runPromise(call)
  }
  const call = Catalog.anime.get({ id })
  return () => runtime.runPromise(call)
}

/** What the responses are like, and where they come from on the server. */
const bodies = { "": "", ", chunked": "/chunked" }

/** @type {import("../runner.mjs").Sides} */
export const sides = Object.fromEntries(
  Object.entries(overs).flatMap(([over, layer]) =>
    Object.entries(bodies).flatMap(([body, path]) => [
      [over + body, async ({ url }) => callOf(await layer(), url + path, false)],
      [`${over}${body}, by hand`, async ({ url }) => callOf(await layer(), url + path, true)]
    ])
  )
)

/** @type {(end: string, over: string, title: string, byHand?: string) => import("../runner.mjs").Figure} */
const overClient = (end, over, title, byHand = `${over}, by hand`) =>
  cpu(`${title}, against the platform's own modules and a Schema by hand`, over + end, byHand + end)

const both = { "": "", "effect4-": " on Effect 4" }
/** @type {Readonly<Record<string, import("../runner.mjs").Figure>>} */
export const figures = Object.fromEntries(
  Object.entries(both).flatMap(([line, end]) => {
    const title = `${line === "" ? "" : "Effect 4: "}a call over`
    return Object.entries({
      client: overClient(end, "memory", `${title} \`FetchHttpClient\` from memory`),
      "client-fetch": overClient(end, "fetch", `${title} \`FetchHttpClient\``),
      "client-fetch-chunked": overClient(end, "fetch, chunked", `${title} \`FetchHttpClient\`, chunked`),
      "client-undici": overClient(end, "undici", `${title} \`NodeHttpClient.layerUndici\``),
      "client-undici-chunked": overClient(end, "undici, chunked", `${title} \`NodeHttpClient.layerUndici\`, chunked`),
      "client-node": overClient(end, "node", `${title} the transport of \`@catalog-client/node\``, "undici, by hand")
    }).map(([name, figure]) => [line + name, figure])
  })
)

export const names = Object.values(figures).map(({ side, against = "" }) => [side, against])
export const plan = { calls: 256, atATime: 64, turns: 15, rounds: 2 }
