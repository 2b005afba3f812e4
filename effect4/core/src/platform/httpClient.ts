/**
 * The tags and references of the platform's clients that an exchange needs, by their keys: importing those of
 * `effect/http/HttpClient` adds 3.9 kB of gzip to a bundle.
 */
import * as Headers from "effect/http/Headers"
import type * as Http from "effect/http/HttpClient"
import type * as Request from "effect/http/HttpClientRequest"
import type * as Response from "effect/http/HttpClientResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constFalse, constTrue } from "effect/Function"
import type { Predicate } from "effect/Predicate"
import { serviceAt } from "../internal/common/fiber.js"

/** `HttpClient.HttpClient` */
export type HttpClient = Http.HttpClient
export const HttpClient = /*#__PURE__*/ Context.Service<Http.HttpClient>("effect/HttpClient")

/** `FetchHttpClient.Fetch` */
export type Fetch = typeof globalThis.fetch
export const Fetch = /*#__PURE__*/ Context.Reference<Fetch>("effect/http/FetchHttpClient/Fetch", {
  defaultValue: () => globalThis.fetch
})

/** `FetchHttpClient.RequestInit` */
export type RequestInit = globalThis.RequestInit
export const RequestInit = /*#__PURE__*/ Context.Service<RequestInit>("effect/http/FetchHttpClient/RequestInit")

/** `HttpClient.TracerDisabledWhen` */
export const currentTracerDisabledWhen = /*#__PURE__*/ Context.Reference<Predicate<Request.HttpClientRequest>>(
  "effect/http/HttpClient/TracerDisabledWhen",
  { defaultValue: () => constFalse }
)

/** `HttpClient.TracerPropagationEnabled` */
export const currentTracerPropagation = /*#__PURE__*/ Context.Reference<boolean>(
  "effect/http/HttpClient/TracerPropagationEnabled",
  { defaultValue: constTrue }
)

/** The fetch and its options from the call's context, or else from that of a Layer. */
export const fetchIn = (call: Context.Context<never>, layer: Context.Context<never>) => {
  // By key: a reference always has a value, and this one keeps the first `fetch` of the platform.
  const given = (key: string) => serviceAt(call, key) ?? serviceAt(layer, key)
  const init = given(RequestInit.key) as globalThis.RequestInit | undefined
  const fetch = (given(Fetch.key) ?? globalThis.fetch) as typeof globalThis.fetch
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

/**
 * Sends a request over a client and changes the context where the client runs, with the services of its own Layers. For a
 * client that can only `execute`, the context is changed before.
 *
 * `traced` changes the request of a client that was wrapped in `withTracerPropagation(true)`: the wrapper sets the reference
 * where the client runs. It is on by default, so it is switched off around the client.
 */
export const executeIn = <E>(
  client: Http.HttpClient.With<E>,
  request: Request.HttpClientRequest,
  change: (context: Context.Context<never>) => Context.Context<never>,
  traced: ((request: Request.HttpClientRequest) => Request.HttpClientRequest) | undefined
): Effect.Effect<Response.HttpClientResponse, E> => {
  const { preprocess, postprocess } = client as Partial<typeof client>
  if (preprocess === undefined || postprocess === undefined) {
    return Effect.updateContext(client.execute(request), change)
  }
  const prepared = Effect.tap(preprocess(request), () =>
    Effect.withFiber((fiber) => {
      fiber.setContext(change(fiber.context))
      return Effect.void
    })
  )
  return traced === undefined
    ? postprocess(prepared)
    : Effect.zipWith(prepared, currentTracerPropagation, (request, isOn) => (isOn ? traced(request) : request)).pipe(
        postprocess,
        Effect.provideService(currentTracerPropagation, false)
      )
}
