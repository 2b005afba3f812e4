/** The service with the wrappers of its router, from the outside in: CORS, the log, latency, faults. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { show } from "@catalog-client/core/internal"
import { sharedSample } from "../../data/index.js"
import type { EmbeddedCatalogOptions, OAuthClient, OAuthEndpoint, ReceivedRequest } from "../../Options.js"
import type { Grants } from "./access.js"
import { applyFault, isUnbounded, makeFaults, pause } from "./faults.js"
import { makeOAuth, oauthEndpointsAt } from "./oauth.js"
import { RecordedExchanges, parse, RecordingError, type StoredResponse } from "../recording/recording.js"
import {
  type ConnectionDropped,
  contentTooLarge,
  empty,
  gatewayTimeout,
  methodNotAllowed,
  notFound,
  recordedResponse,
  type ServiceResponse,
  withHeaders
} from "./response.js"
import { handle, type Match, matchesOf } from "./router.js"
import { makeRewriting } from "../recording/rewriting.js"
import type { Service } from "./service.js"
import { checkInstance } from "./serviceOptions.js"
import { Store } from "./store.js"

/** A request as it arrives: its URL is absolute, or begins with the path. */
export interface RawRequest extends Pick<ReceivedRequest, "method" | "headers"> {
  readonly url: string
  /** `undefined` if it is too long. */
  readonly body: string | undefined
}

const splitUrl = (url: string): readonly [origin: string | undefined, path: string, search: string] => {
  const [, origin, path = "", search = ""] = /^(https?:\/\/[^/?]*)?([^?]*)(.*)$/s.exec(url) ?? []
  return [origin, path || "/", search]
}

/** The path below the base path, if it is below it. */
const below = (basePath: string, path: string): string | undefined =>
  path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined

const preflight = ({ headers }: RawRequest): ServiceResponse =>
  empty(204, {
    "access-control-allow-methods": "GET, POST, PATCH, PUT, DELETE",
    "access-control-allow-headers": headers["access-control-request-headers"] ?? "",
    "access-control-max-age": "600",
    vary: "access-control-request-headers"
  })

const forAllOrigins = { "access-control-allow-origin": "*", "access-control-expose-headers": "retry-after" }

/** The credentials that the service knows. The dataset's first user owns the default token: `sample_reader` in the sample. */
export const knownTo = ({
  dataset = sharedSample(),
  oauth: { clients } = {},
  clientIds = clients === undefined ? ["embedded-client"] : Object.keys(clients),
  tokens
}: EmbeddedCatalogOptions): Required<Pick<EmbeddedCatalogOptions, "clientIds" | "tokens">> => {
  const [first] = dataset.users
  return { clientIds, tokens: tokens ?? (first === undefined ? {} : { "embedded-token": first.name }) }
}

const clientsOf = (options: EmbeddedCatalogOptions): ReadonlyMap<string, OAuthClient> => {
  const defaultClient: OAuthClient = { redirectUris: ["http://localhost:8080/callback"] }
  return new Map(
    options.oauth?.clients === undefined
      ? knownTo(options).clientIds.map((id) => [id, defaultClient])
      : Object.entries(options.oauth.clients)
  )
}

const grantsOf = (options: EmbeddedCatalogOptions, store: Store): Grants => {
  const credentials = knownTo(options)
  const tokens = Object.entries(credentials.tokens).map(([token, grant]) => {
    const { expiresAt = Number.POSITIVE_INFINITY, user } = typeof grant === "string" ? { user: grant } : grant
    const account = typeof user === "string" ? store.accountNamed(user) : undefined
    if (account === undefined) {
      throw new TypeError(`the owner of a token must be a user of the dataset, and none is called ${show(user)}`)
    }
    return [token, { account, expiresAt }] as const
  })
  return {
    tokens: new Map(tokens),
    clientIds: new Set([...credentials.clientIds, ...clientsOf(options).keys()]),
    anonymousReads: options.anonymousReads ?? true
  }
}

const lastTime = 8.64e15

const checkTime = (time: number): number => {
  if (Math.abs(time) <= lastTime) {
    return time
  }
  throw new TypeError(`now must return milliseconds since 1970, but it returned ${time}`)
}

const makeService = (options: EmbeddedCatalogOptions): Service => {
  const { now } = options
  const store = new Store(options.dataset ?? sharedSample())
  return {
    store,
    grants: grantsOf(options, store),
    quirks: options.quirks ?? {},
    now: now === undefined ? Clock.currentTimeMillis : Effect.sync(() => checkTime(now()))
  }
}

const oauthOf = (options: EmbeddedCatalogOptions, { grants, now, quirks, store }: Service) => {
  const [first] = (options.dataset ?? sharedSample()).users
  return makeOAuth({
    clients: clientsOf(options),
    options: options.oauth ?? {},
    quirks,
    grants,
    user: first && store.accountNamed(first.name),
    accountNamed: (name) => store.accountNamed(name),
    now
  })
}

/** Finds the recorded response to a request. */
const makeRecorded = (text: string | undefined): ((request: ReceivedRequest) => StoredResponse | undefined) => {
  if (text === undefined) {
    return () => undefined
  }
  const exchanges = parse(text, "the option recorded")
  if (exchanges instanceof RecordingError) {
    throw new TypeError(exchanges.message)
  }
  const recorded = new RecordedExchanges(exchanges, "repeat")
  const { request: stored } = makeRewriting({})
  return ({ body, headers, method, path, search }) => {
    const url = new URL(path + search, "http://localhost")
    return recorded.take(stored({ method, url, headers, body: new TextEncoder().encode(body) }))
  }
}

const isWrite = /[.](?:updateMyListStatus|deleteFromList)$/

/** One instance of the service. */
export type App = (request: RawRequest) => Effect.Effect<ServiceResponse, ConnectionDropped>

/** A request with what it asks for: an endpoint of the sign-in, an operation, or nothing that the service has. */
interface Routed {
  readonly received: ReceivedRequest
  readonly origin: string | undefined
  readonly signIn: OAuthEndpoint | undefined
  readonly match: Match | undefined
  /** The methods of the path. */
  readonly methods: ReadonlyArray<string>
}

/** Finds what requests ask for. */
const makeRouting = ({ basePath = "/v2", oauth = {} }: EmbeddedCatalogOptions) => {
  const base = basePath.replace(/\/+$/, "")
  return ({ headers, method, url }: RawRequest, body: string): Routed => {
    const [origin, path, search] = splitUrl(url)
    const signIns = oauthEndpointsAt(path, oauth)
    const matches = matchesOf(below(base, path) ?? "")
    const signIn = signIns?.get(method)
    const match = signIn === undefined ? matches.get(method) : undefined
    const operation = signIn ?? match?.operation
    const received = {
      ...(operation !== undefined && { operation }),
      method,
      path,
      search,
      query: new URLSearchParams(search),
      headers,
      body
    }
    return { received, origin, signIn, match, methods: [...(signIns ?? matches).keys()] }
  }
}

/** Responds to requests, without latency and faults. */
const makeResponder = (options: EmbeddedCatalogOptions) => {
  const service = makeService(options)
  const oauth = oauthOf(options, service)
  const recordedOf = makeRecorded(options.recorded)
  const { topicsTimeout } = service.quirks
  return ({ match, methods, origin, received, signIn }: Routed): Effect.Effect<ServiceResponse> => {
    const recorded = recordedOf(received)
    if (recorded !== undefined) {
      return Effect.succeed(recordedResponse(recorded))
    }
    if (signIn !== undefined) {
      return oauth(signIn, received)
    }
    if (match === undefined) {
      const isKnown = methods.length > 0 || received.method === "OPTIONS"
      return Effect.succeed(isKnown ? methodNotAllowed(methods) : notFound().response)
    }
    return topicsTimeout !== undefined && isUnbounded(received)
      ? Effect.as(pause(topicsTimeout), gatewayTimeout())
      : handle(service, match, origin, received)
  }
}

export const makeApp = (options: EmbeddedCatalogOptions): App => {
  checkInstance(options)
  const { cors = false, faults = [], latency, onRequest, onWrite } = options
  const route = makeRouting(options)
  const respondTo = makeResponder(options)
  const faultOf = makeFaults(faults)

  const respond: App = (request) =>
    Effect.gen(function* () {
      if (request.body === undefined) {
        return contentTooLarge().response
      }
      const routed = route(request, request.body)
      onRequest?.(routed.received)
      if (cors && request.method === "OPTIONS") {
        return preflight(request)
      }
      yield* pause(latency)
      const response = Effect.tap(respondTo(routed), ({ status }) =>
        Effect.sync(() => isWrite.test(routed.received.operation ?? "") && status === 200 && onWrite?.(routed.received))
      )
      const fault = faultOf(routed.received)
      return yield* fault === undefined ? response : applyFault(fault, response)
    })
  return cors ? (request) => Effect.map(respond(request), (response) => withHeaders(response, forAllOrigins)) : respond
}
