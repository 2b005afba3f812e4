/**
 * The tags of a transport and its `fetch`. There are no Layers of Effect's HTTP modules here.
 */
import * as Context from "effect/Context"

export interface HttpClient {
  readonly execute: unknown
}
export const HttpClient = /*#__PURE__*/ Context.Service<HttpClient>("catalog-client/HttpClient")

type Fetch = typeof globalThis.fetch
export const Fetch = /*#__PURE__*/ Context.Service<Fetch>("catalog-client/Fetch")

type RequestInit = globalThis.RequestInit
export const RequestInit = /*#__PURE__*/ Context.Service<RequestInit>("catalog-client/RequestInit")
