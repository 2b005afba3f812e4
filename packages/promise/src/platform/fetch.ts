/**
 * The transport of other platforms: their `fetch`.
 */
import type * as Layer from "effect/Layer"
import type { HttpClient } from "#core/platform/httpClient.js"
import { layerFetch, type Platform, type TransportOptions } from "../platform.js"

/** `globalThis.fetch` is read on each call, because a page can replace it. */
const platformFetch = (input: URL, init: RequestInit): Promise<Response> => globalThis.fetch(input, init)

const transport = ({ dispatcher, fetch = platformFetch }: TransportOptions, where: string): Layer.Layer<HttpClient> => {
  if (dispatcher !== undefined) {
    throw new TypeError(`${where}: dispatcher is for Node: pass fetch`)
  }
  return layerFetch(fetch, where)
}

export const platform: Platform = { transport }
