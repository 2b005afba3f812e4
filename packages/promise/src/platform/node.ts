/**
 * The transport of Node.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { HttpClient } from "#core/platform/httpClient.js"
import { make, type Send } from "#core/platform/send.js"
import { show } from "#core/internal/common/mistakes.js"
import { hasMethod } from "#core/internal/common/values.js"
import { layerFetch, type Platform, type TransportOptions } from "../platform.js"

/** A client that only has a `send`: an operation uses nothing else of it. */
const clientOver = (send: Send): HttpClient => make({} as HttpClient, send)

/** The first call loads undici. */
const load = async () => {
  if (typeof process.getBuiltinModule !== "function") {
    throw new Error(`catalog-client needs Node 20.19 or newer, but this is ${process.version}`)
  }
  return await import("#node/dispatch.js")
}

/** The transport over our own agent. Closing a catalog does not wait until undici is loaded. */
const undici = Layer.scoped(
  HttpClient,
  Effect.flatMap(Effect.promise(load), ({ makeAgent, sendOver }) =>
    Effect.map(
      Effect.acquireRelease(Effect.sync(makeAgent), (agent) => Effect.promise(() => agent.destroy())),
      (agent) => clientOver(sendOver(agent))
    )
  )
)

const transport = ({ dispatcher, fetch }: TransportOptions, calledAs: string): Layer.Layer<HttpClient> => {
  if (fetch !== undefined && dispatcher !== undefined) {
    throw new TypeError(`${calledAs} takes a fetch or a dispatcher, not both`)
  }
  if (fetch !== undefined) {
    return layerFetch(fetch, calledAs)
  }
  if (dispatcher === undefined) {
    return undici
  }
  if (!hasMethod(dispatcher, "dispatch")) {
    throw new TypeError(
      `${calledAs}: dispatcher must come from undici, for example new ProxyAgent("http://proxy.example"), but it is ${show(dispatcher)}`
    )
  }
  return Layer.effect(
    HttpClient,
    Effect.promise(async () => {
      const { sendOver } = await load()
      return clientOver(sendOver(dispatcher as never))
    })
  )
}

export const platform: Platform = { transport }
