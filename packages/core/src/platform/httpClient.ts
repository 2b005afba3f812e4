/**
 * The platform's clients, as an exchange needs them. Tags are redeclared by key: importing `@effect/platform/HttpClient` adds
 * cookies and more of `Stream` to a page, 10.2 kB of gzip.
 */
// Counterpart for Effect 4: effect4/core/src/platform/httpClient.ts
// Counterpart for catalog-client: packages/promise/counterparts/core/platform/httpClient.ts
import type * as Http from "@effect/platform/HttpClient"
import type { HttpClientRequest } from "@effect/platform/HttpClientRequest"
import * as Context from "effect/Context"
import * as FiberRef from "effect/FiberRef"
import { constFalse } from "effect/Function"
import { globalValue } from "effect/GlobalValue"
import type { Predicate } from "effect/Predicate"

export { Fetch, RequestInit } from "@effect/platform/FetchHttpClient"

export type HttpClient = Http.HttpClient
export const HttpClient = /*#__PURE__*/ Context.GenericTag<Http.HttpClient>("@effect/platform/HttpClient")

/** `HttpClient.currentTracerDisabledWhen` */
export const currentTracerDisabledWhen = /*#__PURE__*/ globalValue(
  /*#__PURE__*/ Symbol.for("@effect/platform/HttpClient/tracerDisabledWhen"),
  () => FiberRef.unsafeMake<Predicate<HttpClientRequest>>(constFalse)
)
