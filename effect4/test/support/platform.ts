/**
 * `@effect/platform` with the names of Effect 3 that tests use.
 */
import * as Effect from "effect/Effect"
import * as Body from "effect/http/HttpBody"
import * as Client from "effect/http/HttpClient"
import * as Errors from "effect/http/HttpClientError"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"

export * from "effect/http"
export { OpenApi } from "effect/http-api"
export { KeyValueStore } from "effect/persistence"

export const HttpBody = { ...Body, unsafeJson: Body.jsonUnsafe }
export const HttpClient = {
  ...Client,
  currentTracerDisabledWhen: Client.TracerDisabledWhen,
  withTracerPropagation: (isOn: boolean) =>
    Client.transformResponse((response) => Effect.provideService(response, Client.TracerPropagationEnabled, isOn))
}

interface Failed {
  readonly request: HttpClientRequest
  readonly reason: string
  readonly cause?: unknown
}

export const HttpClientError = {
  ...Errors,
  RequestError: class {
    constructor({ cause, request }: Failed) {
      return new Errors.HttpClientError({ reason: new Errors.TransportError({ request, cause }) })
    }
  }
}

export declare namespace HttpClient {
  type HttpClient = Client.HttpClient
}
