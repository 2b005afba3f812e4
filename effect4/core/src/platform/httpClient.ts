/**
 * What an exchange needs of the platform's clients. What `effect/http/HttpClient` declares is here by its key: a page that
 * loads that module for one of its exports loads 3.9 kB of gzip more.
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
