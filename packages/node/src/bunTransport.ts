/**
 * The transport on Bun. There, `package.json` uses this module instead of `undiciTransport.ts`, because Bun's own module for
 * undici has no dispatcher.
 */
import { Transport } from "@catalog-client/core"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type { HttpClient } from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { userAgent } from "./userAgent.js"

/** Bun would end a request after five minutes. Here, only the call's `timeout` applies. */
const unlimited = { timeout: false }

const bunFetch = (input: URL, { headers, ...init }: RequestInit): Promise<Response> =>
  globalThis.fetch(input, {
    ...init,
    ...unlimited,
    headers: { "user-agent": userAgent, ...(headers as Readonly<Record<string, string>>) }
  })

export const layerDispatcher = (): Layer.Layer<HttpClient> =>
  Layer.unwrapScoped(
    Effect.die(
      new TypeError("CatalogNode.layerDispatcher is for Node: Bun has no dispatchers, and its fetch reads HTTP_PROXY")
    )
  )

export const layer: Layer.Layer<HttpClient> = Layer.provide(
  Layer.fresh(Transport.layerFetch),
  Layer.succeed(FetchHttpClient.Fetch, bunFetch as typeof globalThis.fetch)
)
