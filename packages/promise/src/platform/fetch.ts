/**
 * The transport of other platforms: their `fetch`.
 */
import type * as Layer from "effect/Layer"
import type { HttpClient } from "#core/platform/httpClient.js"
import { layerFetch, type Platform, type TransportOptions } from "../platform.js"

const transport = ({ dispatcher, fetch = "global" }: TransportOptions, calledAs: string): Layer.Layer<HttpClient> => {
  if (dispatcher !== undefined) {
    throw new TypeError(`${calledAs}: dispatcher is for Node: pass fetch`)
  }
  return layerFetch(fetch, calledAs)
}

export const platform: Platform = { transport }
