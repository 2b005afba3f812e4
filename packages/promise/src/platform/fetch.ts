/**
 * The transport of other platforms: their `fetch`.
 */
import * as Layer from "effect/Layer"
import { overFetch } from "#core/platform/fetch.js"
import { HttpClient } from "#core/platform/httpClient.js"
import { show } from "#core/internal/common/mistakes.js"
import type { Platform, TransportOptions } from "../platform.js"

/** Looked up on each call, because a page can replace it. */
const platformFetch = (input: URL, init: RequestInit): Promise<Response> => globalThis.fetch(input, init)

const transport = ({ dispatcher, fetch = platformFetch }: TransportOptions, where: string): Layer.Layer<HttpClient> => {
  if (dispatcher !== undefined) {
    throw new TypeError(`${where}: dispatcher is for Node: pass fetch`)
  }
  if (typeof fetch !== "function") {
    throw new TypeError(`${where}: fetch must be a function like the web's fetch, but it is ${show(fetch)}`)
  }
  return Layer.succeed(HttpClient, overFetch(fetch))
}

export const platform: Platform = { transport }
