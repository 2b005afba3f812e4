/** One instance of the service, with the data that its handlers share. */
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Quirks, UnlikeLive } from "../Quirks.js"
import { type Access, type Caller, type Grants, identify } from "./access.js"
import { anime } from "./anime.js"
import { last, type Works } from "./inputs.js"
import type { Kinds, View } from "./kind.js"
import { manga } from "./manga.js"
import type { Limits, PageRequest } from "./paging.js"
import { answered, badRequest, json, type Refusal } from "./response.js"
import { parseSelector, type Selection } from "./selector.js"
import type { Store } from "./store.js"

export const kinds: Kinds = { anime, manga }

export interface Service {
  readonly store: Store
  readonly grants: Grants
  readonly quirks: Quirks
  readonly unlikeLive: UnlikeLive
  readonly deleteMissing: 404 | 200
  readonly poll: "object" | "array"
  /** Milliseconds since 1970. */
  readonly now: Effect.Effect<number>
}

/** An accepted request: the caller, the time and the URL. */
export interface Call {
  readonly service: Service
  readonly caller: Caller
  readonly now: number
  readonly url: URL
}

/** The URL that the client used: that of a web request, or from `Host` if the request came over a socket. */
const urlOf = ({ headers, originalUrl }: HttpServerRequest.HttpServerRequest): Either.Either<URL, Refusal> => {
  if (/^https?:\/\//.test(originalUrl)) {
    return Either.right(new URL(originalUrl))
  }
  const { host = "localhost" } = headers
  const url = `http://${host}${originalUrl}`
  return /^[^\s/?#@\\]+$/.test(host) && URL.canParse(url)
    ? Either.right(new URL(url))
    : Either.left(badRequest("invalid host"))
}

/** A handler: checks the caller's credentials, and writes the result in the service's form. */
export const handling =
  (service: Service) =>
  <Inputs extends { readonly request: HttpServerRequest.HttpServerRequest }>(
    access: Access | ((inputs: NoInfer<Inputs>) => Access),
    handler: (call: Call, inputs: Inputs) => Effect.Effect<unknown, Refusal> | Either.Either<unknown, Refusal>
  ) =>
  (inputs: Inputs): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
    Effect.gen(function* () {
      const { request } = inputs
      const url = yield* urlOf(request)
      const now = yield* service.now
      const needed = typeof access === "function" ? access(inputs) : access
      const caller = yield* identify(service.grants, needed, request.headers, now)
      return json(yield* handler({ service, caller, now, url }, inputs))
    }).pipe(answered)

export const viewOf = ({ caller, service }: Call, single: boolean): View => ({
  store: service.store,
  kinds,
  viewer: caller.account,
  crossKind: service.unlikeLive.crossKindRelations === true,
  single
})

export const selectionOf = (inputs: Works): Selection | undefined => parseSelector(last(inputs.fields))

export const pageRequest = (call: Call, inputs: Works, limits: Limits, previous = false): PageRequest => ({
  url: call.url,
  inputs,
  limits,
  quirks: call.service.quirks,
  previous
})
