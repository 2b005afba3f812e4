/**
 * What an exchange needs of the platform's clients, by the names that the platform gives it.
 *
 * The modules that declare these cannot be had in part: a tag of `@effect/platform/HttpClient` brings cookies and most of
 * `Stream` to a page with it.
 */
import type * as Http from "@effect/platform/HttpClient"
import type { HttpClientRequest } from "@effect/platform/HttpClientRequest"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { constFalse } from "effect/Function"
import { globalValue } from "effect/GlobalValue"
import type { Predicate } from "effect/Predicate"

/** `HttpClient.HttpClient` */
export const HttpClient = /*#__PURE__*/ Context.GenericTag<Http.HttpClient>("@effect/platform/HttpClient")

/** `FetchHttpClient.Fetch` */
export const Fetch = /*#__PURE__*/ Context.GenericTag<typeof globalThis.fetch>("@effect/platform/FetchHttpClient/Fetch")

/** `FetchHttpClient.RequestInit` */
export const RequestInit = /*#__PURE__*/ Context.GenericTag<globalThis.RequestInit>(
  "@effect/platform/FetchHttpClient/FetchOptions"
)

/** `HttpClient.currentTracerDisabledWhen`: the same for whoever asks first. */
export const currentTracerDisabledWhen = /*#__PURE__*/ globalValue(
  /*#__PURE__*/ Symbol.for("@effect/platform/HttpClient/tracerDisabledWhen"),
  () => FiberRef.unsafeMake<Predicate<HttpClientRequest>>(constFalse)
)

/** The two halves that `HttpClient.makeWith` makes a client of, and each combinator takes it apart into. */
interface Halves<E> {
  readonly preprocess: (request: HttpClientRequest) => Effect.Effect<HttpClientRequest, E>
  readonly postprocess: (request: Effect.Effect<HttpClientRequest, E>) => Effect.Effect<HttpClientResponse, E>
}

/** Sends a request over a client, in a context that is changed where the client runs: below those of its own Layers. */
export const executeIn = <E>(
  client: Http.HttpClient.With<E>,
  request: HttpClientRequest,
  change: (context: Context.Context<never>) => Context.Context<never>
): Effect.Effect<HttpClientResponse, E> => {
  const { preprocess, postprocess } = client as typeof client & Partial<Halves<E>>
  return preprocess === undefined || postprocess === undefined
    ? Effect.mapInputContext(client.execute(request), change)
    : postprocess(Effect.tap(preprocess(request), () => FiberRef.update(FiberRef.currentContext, change)))
}
