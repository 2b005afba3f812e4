/**
 * The `fetch` of a context, with the options of its program.
 */
// Counterpart for catalog-client: packages/promise/counterparts/core/platform/fetchIn.ts
import * as Headers from "@effect/platform/Headers"
import type * as Context from "effect/Context"
import { serviceAt } from "../internal/common/fiber.js"
import { Fetch, RequestInit } from "./httpClient.js"

type Init = globalThis.RequestInit

const initHeaders = ({ headers }: Init) => Headers.fromInput((headers || undefined) as Headers.Input | undefined)

const mergeInits = <I extends Init>(init: Init, over: I): I => ({
  ...init,
  ...over,
  headers: { ...initHeaders(init), ...initHeaders(over) }
})

/** The `fetch` of a call's context, or else of a Layer's. The call's options are merged over the Layer's. */
export const fetchIn = (layer: Context.Context<never>, call: Context.Context<never>) => {
  // By key: in Effect 4 the tag has a default, which would keep the platform's first `fetch`.
  const fetch = (serviceAt(call, Fetch.key) ??
    serviceAt(layer, Fetch.key) ??
    globalThis.fetch) as typeof globalThis.fetch
  const ofLayer = serviceAt(layer, RequestInit.key) as Init | undefined
  const ofCall = serviceAt(call, RequestInit.key) as Init | undefined
  const init = ofLayer && ofCall ? mergeInits(ofLayer, ofCall) : (ofCall ?? ofLayer)
  return (url: URL, request: Init): Promise<Response> =>
    // Copied only if needed, because every call runs this.
    fetch(url, init === undefined ? request : mergeInits(init, request))
}
