// What does a call cost over an ordinary `HttpClient`, compared with the platform's own modules and a Schema by hand?
import { answers, headers, id, runtimeAt, timeout } from "../contenders.mjs"
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
    return Layer.provide(layer, Layer.succeed(Fetch, answers))
  },
  fetch: async () => (await import("@effect/platform/FetchHttpClient")).layer,
  undici: async () => (await import("@effect/platform-node/NodeHttpClient")).layerUndici,
  node: async () => (await import("@catalog-client/node")).layer
}

/** The side that does the same by hand. @param {string} name */
const byHand = (name) => `${name}${name.includes(",") ? "," : ""} by hand`

/** @param {keyof typeof overs} over @param {string} [path] @returns {Record<string, import("../figures.mjs").Side>} */
const both = (over, path = "", name = over + path.replace("/", ", ")) => ({
  [name]: async ({ url }) => {
    const { Catalog } = await import("@catalog-client/core")
    const runtime = await runtimeAt(url + path, await overs[over]())
    const call = Catalog.anime.get({ id })
    return () => runtime.runPromise(call)
  },
  [byHand(name)]: async ({ url }) => {
    const runtime = await runtimeAt(url + path, await overs[over]())
    const call = await idiom(url + path)
    return () => runtime.runPromise(call)
  }
})

export const sides = {
  ...both("memory"),
  ...both("fetch"),
  ...both("fetch", "/chunked"),
  ...both("undici"),
  ...both("undici", "/chunked"),
  ...both("node")
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
const plan = { calls: 256, atATime: 64, turns: 15, rounds: 2 }
/** Sides that take turns with the first one by hand. */
const compared = [["memory"], ["fetch"], ["fetch, chunked"], ["undici", "node"], ["undici, chunked"]]
export const groups = ["", " on Effect 4"].flatMap((place) =>
  compared.map((names) => ({
    ...plan,
    figures: names.map((name) => cpu(name + place, byHand(names[0] ?? "") + place, { most: 1.2 }))
  }))
)
