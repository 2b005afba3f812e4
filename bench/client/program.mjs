// Calls over an ordinary HttpClient, alternately those of the client and the same request in fifteen lines of the platform: from
// memory, over `fetch` or undici, with a declared length or chunked.
import { Catalog, CatalogConfig, Credentials } from "@catalog-client/core"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Schema from "effect/Schema"
import { answerWithSlices } from "../slices.mjs"

const [, , over = "memory", url = "http://localhost/v2"] = process.argv
const baseUrl = over.endsWith("chunked") ? `${url}/chunked` : url
const clientId = "my-client-id"
const id = 30230
const anime = JSON.stringify({ id, title: "A title", mean: 8.1, genres: [{ id: 1, name: "Sports" }] })

const Anime = Schema.Struct({
  id: Schema.Number,
  title: Schema.String,
  mean: Schema.optional(Schema.Number),
  genres: Schema.optional(Schema.Array(Schema.Struct({ id: Schema.Number, name: Schema.String })))
})

const byHand = HttpClient.HttpClient.pipe(
  Effect.flatMap((client) =>
    HttpClient.filterStatusOk(client).get(`${baseUrl}/anime/${id}`, {
      urlParams: { nsfw: "true" },
      headers: { accept: "application/json", "x-mal-client-id": clientId }
    })
  ),
  Effect.flatMap(HttpClientResponse.schemaBodyJson(Anime)),
  Effect.timeout("30 seconds")
)
const byClient = Catalog.anime.get({ id })

/** @type {() => Promise<import("effect/Layer").Layer<HttpClient.HttpClient>>} */
const transport = async () => {
  if (over.startsWith("undici")) {
    const { layerUndici } = await import("@effect/platform-node/NodeHttpClient")
    return layerUndici
  }
  return over === "memory"
    ? Layer.provide(
        FetchHttpClient.layer,
        Layer.succeed(FetchHttpClient.Fetch, async () => new Response(anime))
      )
    : FetchHttpClient.layer
}
const runtime = ManagedRuntime.make(
  Layer.mergeAll(await transport(), CatalogConfig.layer({ baseUrl }), Credentials.layer({ clientId }))
)

await answerWithSlices((on) => () => (on ? runtime.runPromise(byClient) : runtime.runPromise(byHand)))
