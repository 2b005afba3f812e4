/**
 * `@effect/platform` with the names of Effect 3 that tests use.
 */
import * as Effect from "effect/Effect"
import * as Body from "effect/http/HttpBody"
import * as Client from "effect/http/HttpClient"
import * as Errors from "effect/http/HttpClientError"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"

export * from "effect/http"
export { OpenApi } from "effect/http-api"
export { KeyValueStore } from "effect/persistence"

export const HttpBody = { ...Body, unsafeJson: Body.jsonUnsafe }
export const HttpClient = {
  ...Client,
  currentTracerDisabledWhen: Client.TracerDisabledWhen,
  currentTracerPropagation: Client.TracerPropagationEnabled,
  withSpanNameGenerator: (nameOf: (request: HttpClientRequest) => string) =>
    Client.transformResponse((response) => Effect.provideService(response, Client.SpanNameGenerator, nameOf)),
  withTracerDisabledWhen: (isDisabled: (request: HttpClientRequest) => boolean) =>
    Client.transformResponse((response) => Effect.provideService(response, Client.TracerDisabledWhen, isDisabled)),
  withTracerPropagation: (isOn: boolean) =>
    Client.transformResponse((response) => Effect.provideService(response, Client.TracerPropagationEnabled, isOn))
}

interface Failed {
  readonly request: HttpClientRequest
  readonly response: HttpClientResponse
  readonly reason: "StatusCode" | "Decode" | "EmptyBody"
  readonly cause?: unknown
}

const reasons = { StatusCode: Errors.StatusCodeError, Decode: Errors.DecodeError, EmptyBody: Errors.EmptyBodyError }

export const HttpClientError = {
  ...Errors,
  RequestError: class {
    constructor({ cause, request }: Omit<Failed, "response">) {
      return new Errors.HttpClientError({ reason: new Errors.TransportError({ request, cause }) })
    }
  },
  ResponseError: class {
    constructor({ reason, ...failed }: Failed) {
      return new Errors.HttpClientError({ reason: new reasons[reason](failed) })
    }
  }
}

export declare namespace HttpClient {
  type HttpClient = Client.HttpClient
}
