/**
 * The tags and references of the platform's clients that an exchange needs, by their keys.
 *
 * The modules that declare these cannot be tree-shaken: importing a tag of `@effect/platform/HttpClient` adds cookies and
 * most of `Stream` to a bundle, 10.6 kB of gzip.
 */
import * as Headers from "@effect/platform/Headers"
import type * as Http from "@effect/platform/HttpClient"
import type * as Request from "@effect/platform/HttpClientRequest"
import type * as Response from "@effect/platform/HttpClientResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { constFalse } from "effect/Function"
import { globalValue } from "effect/GlobalValue"
import * as Option from "effect/Option"
import type { Predicate } from "effect/Predicate"

/** `HttpClient.HttpClient` */
export type HttpClient = Http.HttpClient
export const HttpClient = /*#__PURE__*/ Context.GenericTag<Http.HttpClient>("@effect/platform/HttpClient")

/** `FetchHttpClient.Fetch` */
export type Fetch = typeof globalThis.fetch
export const Fetch = /*#__PURE__*/ Context.GenericTag<Fetch>("@effect/platform/FetchHttpClient/Fetch")

/** `FetchHttpClient.RequestInit` */
export type RequestInit = globalThis.RequestInit
export const RequestInit = /*#__PURE__*/ Context.GenericTag<RequestInit>(
  "@effect/platform/FetchHttpClient/FetchOptions"
)

/** `HttpClient.currentTracerDisabledWhen` */
export const currentTracerDisabledWhen = /*#__PURE__*/ globalValue(
  /*#__PURE__*/ Symbol.for("@effect/platform/HttpClient/tracerDisabledWhen"),
  () => FiberRef.unsafeMake<Predicate<Request.HttpClientRequest>>(constFalse)
)

/** `HttpClient.currentTracerPropagation` */
export const currentTracerPropagation = /*#__PURE__*/ globalValue(
  /*#__PURE__*/ Symbol.for("@effect/platform/HttpClient/currentTracerPropagation"),
  () => FiberRef.unsafeMake(true)
)

/** The fetch and its options from the call's context, or else from that of a Layer. */
export const fetchIn = (call: Context.Context<never>, layer: Context.Context<never>) => {
  const serviceOf = <I, A>(tag: Context.Tag<I, A>) =>
    Option.getOrUndefined(Option.orElse(Context.getOption(call, tag), () => Context.getOption(layer, tag)))
  const init = serviceOf(RequestInit)
  const fetch = serviceOf(Fetch) ?? globalThis.fetch
  return async (
    url: URL,
    request: Omit<globalThis.RequestInit, "headers"> & {
      readonly headers: Readonly<Record<string, string>>
      readonly signal: AbortSignal
    }
  ): Promise<globalThis.Response> => {
    // Copying the request takes a tenth of a call.
    const response = await fetch(
      url,
      init === undefined
        ? request
        : {
            ...init,
            ...request,
            headers: {
              ...Headers.fromInput((init.headers || undefined) as Headers.Input | undefined),
              ...request.headers
            }
          }
    )
    if (request.signal.aborted) {
      // A fetch that ignores its signal, after the request has ended.
      await response.body?.cancel()
      throw request.signal.reason
    }
    return response
  }
}

/** The two parts of a client: `HttpClient.makeWith` joins them, and each combinator takes them apart. */
interface Halves<E> {
  readonly preprocess: (request: Request.HttpClientRequest) => Effect.Effect<Request.HttpClientRequest, E>
  readonly postprocess: (
    request: Effect.Effect<Request.HttpClientRequest, E>
  ) => Effect.Effect<Response.HttpClientResponse, E>
}

/**
 * Sends a request over a client and changes the context where the client runs, with the services of its own Layers. For a
 * client that can only `execute`, the context is changed before.
 *
 * `traced` changes the request of a client that was wrapped in `withTracerPropagation(true)`: the wrapper sets the ref where the
 * client runs. The ref is on by default, so it is switched off around the client; what the fiber held before does not count.
 */
export const executeIn = <E>(
  client: Http.HttpClient.With<E>,
  request: Request.HttpClientRequest,
  change: (context: Context.Context<never>) => Context.Context<never>,
  traced: ((request: Request.HttpClientRequest) => Request.HttpClientRequest) | undefined
): Effect.Effect<Response.HttpClientResponse, E> => {
  const { preprocess, postprocess } = client as typeof client & Partial<Halves<E>>
  if (preprocess === undefined || postprocess === undefined) {
    return Effect.mapInputContext(client.execute(request), change)
  }
  const prepared = Effect.tap(preprocess(request), () => FiberRef.update(FiberRef.currentContext, change))
  return traced === undefined
    ? postprocess(prepared)
    : Effect.zipWith(prepared, FiberRef.get(currentTracerPropagation), (request, isOn) =>
        isOn ? traced(request) : request
      ).pipe(postprocess, Effect.locally(currentTracerPropagation, false))
}
