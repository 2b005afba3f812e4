/**
 * What an exchange needs of the platform's clients, by the names that the platform gives it.
 *
 * The modules that declare these cannot be had in part: a tag of `@effect/platform/HttpClient` brings cookies and most of
 * `Stream` to a page with it.
 */
import * as Headers from "@effect/platform/Headers"
import type * as Http from "@effect/platform/HttpClient"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import * as Request from "@effect/platform/HttpClientRequest"
import type * as Response from "@effect/platform/HttpClientResponse"
import type * as Message from "@effect/platform/HttpIncomingMessage"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import { constFalse } from "effect/Function"
import { globalValue } from "effect/GlobalValue"
import * as Inspectable from "effect/Inspectable"
import * as Option from "effect/Option"
import { pipeArguments } from "effect/Pipeable"
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
  () => FiberRef.unsafeMake<Predicate<Request.HttpClientRequest>>(constFalse)
)

/** `HttpClient.currentTracerPropagation` */
export const currentTracerPropagation = /*#__PURE__*/ globalValue(
  /*#__PURE__*/ Symbol.for("@effect/platform/HttpClient/currentTracerPropagation"),
  () => FiberRef.unsafeMake(true)
)

/** `HttpClient.SpanNameGenerator` */
export const SpanNameGenerator = /*#__PURE__*/ Context.Reference<Http.SpanNameGenerator>()(
  "@effect/platform/HttpClient/SpanNameGenerator",
  { defaultValue: () => (request: Request.HttpClientRequest) => `http.client ${request.method}` }
)

/** What ends the requests of `HttpClient.withScope`. */
export const scopedRequests = /*#__PURE__*/ globalValue(
  "@effect/platform/HttpClient/scopedRequests",
  () => new WeakMap<Request.HttpClientRequest, AbortController>()
)

/** `HttpClient.TypeId` */
const TypeId: Http.TypeId = /*#__PURE__*/ Symbol.for("@effect/platform/HttpClient") as Http.TypeId

/** `HttpClientResponse.TypeId` */
export const ResponseTypeId: Response.TypeId = /*#__PURE__*/ Symbol.for(
  "@effect/platform/HttpClientResponse"
) as Response.TypeId

/** `HttpIncomingMessage.TypeId` */
export const MessageTypeId: Message.TypeId = /*#__PURE__*/ Symbol.for(
  "@effect/platform/HttpIncomingMessage"
) as Message.TypeId

/** The fetch of whoever calls, or else of a Layer, with what is said there of it. */
export const fetchIn = (call: Context.Context<never>, layer: Context.Context<never>) => {
  const said = <I, A>(tag: Context.Tag<I, A>) =>
    Option.getOrUndefined(Option.orElse(Context.getOption(call, tag), () => Context.getOption(layer, tag)))
  const init = said(RequestInit)
  const fetch = said(Fetch) ?? globalThis.fetch
  return async (
    url: URL,
    request: Omit<globalThis.RequestInit, "headers"> & {
      readonly headers: Readonly<Record<string, string>>
      readonly signal: AbortSignal
    }
  ): Promise<globalThis.Response> => {
    const response = await fetch(url, {
      ...init,
      ...request,
      headers: { ...Headers.fromInput((init?.headers || undefined) as Headers.Input | undefined), ...request.headers }
    })
    if (request.signal.aborted) {
      // This fetch ignores its signal, and the request has ended.
      await response.body?.cancel()
      throw request.signal.reason
    }
    return response
  }
}

/** The two halves that `HttpClient.makeWith` makes a client of, and each combinator takes it apart into. */
interface Halves<E> {
  readonly preprocess: (request: Request.HttpClientRequest) => Effect.Effect<Request.HttpClientRequest, E>
  readonly postprocess: (
    request: Effect.Effect<Request.HttpClientRequest, E>
  ) => Effect.Effect<Response.HttpClientResponse, E>
}

const methods = {
  get: "GET",
  head: "HEAD",
  post: "POST",
  patch: "PATCH",
  put: "PUT",
  del: "DELETE",
  options: "OPTIONS"
} as const

/** A client as `HttpClient.makeWith` makes it. What it sends is sent in a context, that of whoever calls comes first. */
export const make = (
  send: (request: Request.HttpClientRequest) => Effect.Effect<Response.HttpClientResponse, HttpClientError>,
  context: Context.Context<never>
): Http.HttpClient => {
  const preprocess = Effect.succeed
  const postprocess: Halves<HttpClientError>["postprocess"] = (request) =>
    Effect.mapInputContext(Effect.flatMap(request, send), (call: Context.Context<never>) =>
      Context.merge(context, call)
    )
  const shorthands = Object.entries(methods).map(([name, method]) => [
    name,
    function (this: Http.HttpClient, url: string | URL, options?: object) {
      return this.execute(Request.make(method as "POST")(url, options))
    }
  ])
  const client: Http.HttpClient & Halves<HttpClientError> = {
    ...Inspectable.BaseProto,
    ...(Object.fromEntries(shorthands) as Pick<Http.HttpClient, keyof typeof methods>),
    [TypeId]: TypeId,
    preprocess,
    postprocess,
    execute: (request) => postprocess(preprocess(request)),
    pipe() {
      return pipeArguments(this, arguments)
    },
    toJSON: () => ({ _id: "@effect/platform/HttpClient" })
  }
  return client
}

/**
 * Sends a request over a client, in a context that is changed where the client runs: with what its own Layers give. Of one that
 * can only execute it is changed before.
 */
export const executeIn = <E>(
  client: Http.HttpClient.With<E>,
  request: Request.HttpClientRequest,
  change: (context: Context.Context<never>) => Context.Context<never>
): Effect.Effect<Response.HttpClientResponse, E> => {
  const { preprocess, postprocess } = client as typeof client & Partial<Halves<E>>
  return preprocess === undefined || postprocess === undefined
    ? Effect.mapInputContext(client.execute(request), change)
    : postprocess(Effect.tap(preprocess(request), () => FiberRef.update(FiberRef.currentContext, change)))
}
