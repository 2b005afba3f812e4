/**
 * The platform's clients, as an exchange needs them. Services of `effect/http/HttpClient` are redeclared by key, because one
 * import of that module adds 3.9 kB of gzip to a page.
 */
import type * as Http from "effect/http/HttpClient"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import * as Context from "effect/Context"
import { constFalse } from "effect/Function"
import type { Predicate } from "effect/Predicate"

export { Fetch, RequestInit } from "effect/http/FetchHttpClient"

export type HttpClient = Http.HttpClient
export const HttpClient = /*#__PURE__*/ Context.Service<Http.HttpClient>("effect/HttpClient")

/** `HttpClient.TracerDisabledWhen` */
export const currentTracerDisabledWhen = /*#__PURE__*/ Context.Reference<Predicate<HttpClientRequest>>(
  "effect/http/HttpClient/TracerDisabledWhen",
  { defaultValue: () => constFalse }
)
