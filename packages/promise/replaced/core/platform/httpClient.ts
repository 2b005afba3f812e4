/**
 * The tag of a transport, and its `fetch`. There are no Layers of Effect's HTTP modules here.
 */
import * as Context from "effect/Context"
import { serviceAt } from "#core/internal/common/fiber.js"

export interface HttpClient {
  readonly execute: unknown
}
export const HttpClient = /*#__PURE__*/ Context.Service<HttpClient>("catalog-client/HttpClient")

type Fetch = typeof globalThis.fetch
export const Fetch = /*#__PURE__*/ Context.Service<Fetch>("catalog-client/Fetch")

type RequestInit = globalThis.RequestInit
export const RequestInit = /*#__PURE__*/ Context.Service<RequestInit>("catalog-client/RequestInit")

/** The fetch of a transport. */
export const fetchIn = (_call: Context.Context<never>, transport: Context.Context<never>) => {
  const fetch = (serviceAt(transport, Fetch.key) ?? globalThis.fetch) as Fetch
  return async (url: URL, init: RequestInit & { readonly signal: AbortSignal }): Promise<Response> => {
    const response = await fetch(url, init)
    if (init.signal.aborted) {
      // A fetch that ignores its signal, after the request has ended.
      await response.body?.cancel()
      throw init.signal.reason
    }
    return response
  }
}
