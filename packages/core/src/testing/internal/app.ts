/** The service with the wrappers of its router, from the outside in: CORS, the log, latency, faults. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { duration, millisOf, showTime } from "../../internal/common/duration.js"
import { show } from "../../internal/common/mistakes.js"
import { sharedSample } from "../data/index.js"
import type { Dataset } from "../Dataset.js"
import type { EmbeddedCatalogOptions, Fault, OAuthClient, OAuthOptions, ReceivedRequest } from "../Options.js"
import type { Quirks, UnlikeLive } from "../Quirks.js"
import type { Grants } from "./access.js"
import { applyFault, isUnbounded, makeFaults, pause } from "./faults.js"
import { invalidHost } from "./hosts.js"
import { isOAuthEndpoint, makeOAuth, oauthEndpointsAt } from "./oauth.js"
import { Answers, parse, RecordingError, type StoredResponse } from "./recording.js"
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
import { checkKinds, type Kinds } from "./kinds.js"
import { handle, isOperation, matchesOf } from "./router.js"
import { makeRules } from "./rules.js"
import type { Service } from "./service.js"
import { Store } from "./store.js"

/** A request before it is read as the service's: its URL is absolute, or begins with the path. */
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

const ofOAuth: Kinds<OAuthOptions> = {
  clients: "object",
  consent: "any",
  codeLifetime: "any",
  accessTokenLifetime: "any",
  refreshTokenLifetime: "any"
}

const ofClient: Kinds<OAuthClient> = { redirectUris: "array", secret: "string" }

const ofQuirks: Kinds<Quirks> = {
  shortPages: "boolean",
  longPages: "boolean",
  emptyPage: "boolean",
  nextWithout: "array",
  nextLeadsTo: "any",
  nextOrigin: "string",
  omitPaging: "boolean",
  topicsTimeout: "any",
  tokenReply: "function"
}

const ofUnlikeLive: Kinds<UnlikeLive> = {
  crossKindRelations: "boolean",
  previousRank: "boolean",
  onlyNewInSeason: "boolean",
  s256: "boolean",
  issuer: "string",
  strictRotation: "boolean",
  keepRefreshToken: "boolean"
}

const ofFault: Kinds<Fault> = {
  on: "any",
  times: "number",
  status: "any",
  headers: "object",
  body: "any",
  delay: "any",
  bodyDelay: "any",
  drop: "any"
}

const ofDataset: Kinds<Dataset> = {
  anime: "array",
  manga: "array",
  users: "array",
  categories: "array",
  topics: "array"
}

/** `serve` of the package for Node passes all of its options. */
const ofService: Kinds<EmbeddedCatalogOptions & { readonly host: string; readonly port: number }> = {
  dataset: "object",
  tokens: "object",
  clientIds: "array",
  oauth: "object",
  anonymousReads: "boolean",
  basePath: "string",
  hosts: "array",
  cors: "boolean",
  now: "function",
  latency: "any",
  faults: "array",
  recorded: "string",
  quirks: "object",
  unlikeLive: "object",
  deleteMissing: "any",
  poll: "any",
  onRequest: "function",
  host: "any",
  port: "any"
}

/** Validates what options are, for all functions that take some of them. */
export const checkService = (options: EmbeddedCatalogOptions): void => {
  checkKinds("the embedded service", options, ofService)
  if (options.dataset !== undefined) {
    const { dataset } = options
    checkKinds("dataset of the embedded service", dataset, ofDataset)
    const missing = Object.keys(ofDataset).find((name) => !(name in dataset))
    if (missing !== undefined) {
      throw new TypeError(`dataset must be like that of sample(), but it has no ${missing}`)
    }
  }
}

/** Validates options that would otherwise cause confusing responses. */
const check = (options: EmbeddedCatalogOptions): void => {
  checkService(options)
  const { basePath = "", faults = [], hosts = [], latency, oauth = {}, quirks = {}, unlikeLive = {} } = options
  checkKinds("oauth of the embedded service", oauth, ofOAuth)
  checkKinds("quirks of the embedded service", quirks, ofQuirks)
  checkKinds("unlikeLive of the embedded service", unlikeLive, ofUnlikeLive)
  for (const fault of faults) {
    checkKinds("a fault of the embedded service", fault, ofFault)
  }
  if (!/^(\/|$)/.test(basePath)) {
    throw new TypeError(`basePath must begin with a slash or be "", but it is "${basePath}"`)
  }
  const noHost = invalidHost(hosts)
  if (noHost !== undefined) {
    throw new TypeError(
      `hosts must contain names like "catalog.internal" or "catalog.internal:8080", but one is "${noHost}"`
    )
  }
  const durations = [latency, quirks.topicsTimeout, ...faults.flatMap(({ delay, bodyDelay }) => [delay, bodyDelay])]
  const wrong = durations.find((given) => given !== undefined && millisOf(given) === undefined)
  if (wrong !== undefined) {
    throw new TypeError(
      `latency, delay, bodyDelay and topicsTimeout must be ${duration}, but one is ${showTime(wrong)}`
    )
  }
  const names = faults.flatMap(({ on }) => (on === undefined || typeof on === "function" ? [] : on))
  const other = names.find((name) => !isOperation(name) && !isOAuthEndpoint(name))
  if (other !== undefined) {
    throw new TypeError(`a fault names an unknown operation: "${other}"`)
  }
  for (const { status = 200 } of faults) {
    if (!(Number.isInteger(status) && status >= 200 && status <= 599)) {
      throw new TypeError(`the status of a fault must be a whole number from 200 to 599, but it is ${String(status)}`)
    }
  }
  checkOAuth(oauth)
}

/** A redirect URI is written into a header as it is, and a fragment would hide the code. */
const isRedirectUri = (uri: string): boolean => URL.canParse(uri) && /^[!"$-~]+$/.test(uri)

const checkOAuth = ({
  accessTokenLifetime,
  clients = {},
  codeLifetime,
  consent,
  refreshTokenLifetime
}: OAuthOptions): void => {
  if (typeof consent !== "function" && ![undefined, "allow", "deny", "page"].includes(consent)) {
    throw new TypeError(`oauth.consent must be "allow", "deny", "page" or a function, but it is ${String(consent)}`)
  }
  for (const [name, given] of Object.entries({ accessTokenLifetime, codeLifetime, refreshTokenLifetime })) {
    if (given !== undefined && !Number.isFinite(millisOf(given))) {
      throw new TypeError(`oauth.${name} must be ${duration}, less than Infinity, but it is ${showTime(given)}`)
    }
  }
  for (const [id, client] of Object.entries(clients)) {
    checkKinds(`the client ${show(id)}`, client, ofClient)
    const redirectUris = "redirectUris" in client ? client.redirectUris : []
    const wrong = redirectUris.find((uri) => !isRedirectUri(uri))
    if (wrong === undefined && redirectUris.length > 0) {
      continue
    }
    throw new TypeError(
      `the redirectUris of the client "${id}" must be URLs in ASCII without a fragment, but ${wrong === undefined ? "there is none" : `one is "${wrong}"`}`
    )
  }
}

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
  const usual: OAuthClient = { redirectUris: ["http://localhost:8080/callback"] }
  return new Map(
    options.oauth?.clients === undefined
      ? knownTo(options).clientIds.map((id) => [id, usual])
      : Object.entries(options.oauth.clients)
  )
}

const grantsOf = (options: EmbeddedCatalogOptions, store: Store): Grants => {
  const known = knownTo(options)
  const tokens = Object.entries(known.tokens).map(([token, grant]) => {
    const { expiresAt = Number.POSITIVE_INFINITY, user } = typeof grant === "string" ? { user: grant } : grant
    const account = typeof user === "string" ? store.accountNamed(user) : undefined
    if (account === undefined) {
      throw new TypeError(`the owner of a token must be a user of the dataset, and none is called ${show(user)}`)
    }
    return [token, { account, expiresAt }] as const
  })
  return {
    tokens: new Map(tokens),
    clientIds: new Set([...known.clientIds, ...clientsOf(options).keys()]),
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
    unlikeLive: options.unlikeLive ?? {},
    deleteMissing: options.deleteMissing ?? 200,
    poll: options.poll ?? "object",
    now: now === undefined ? Clock.currentTimeMillis : Effect.sync(() => checkTime(now()))
  }
}

const oauthOf = (options: EmbeddedCatalogOptions, { grants, now, quirks, store, unlikeLive }: Service) => {
  const [first] = (options.dataset ?? sharedSample()).users
  return makeOAuth({
    clients: clientsOf(options),
    options: options.oauth ?? {},
    quirks,
    unlikeLive,
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
  const answers = new Answers(exchanges, "repeat")
  const rules = makeRules({})
  return ({ body, headers, method, path, search }) => {
    const url = new URL(path + search, "http://localhost")
    return answers.take(rules.request({ method, url, headers, body: new TextEncoder().encode(body) }))
  }
}

/** One instance of the service. */
export type App = (request: RawRequest) => Effect.Effect<ServiceResponse, ConnectionDropped>

export const makeApp = (options: EmbeddedCatalogOptions): App => {
  check(options)
  const service = makeService(options)
  const oauth = oauthOf(options, service)
  const recordedOf = makeRecorded(options.recorded)
  const faultOf = makeFaults(options.faults ?? [])
  const basePath = (options.basePath ?? "/v2").replace(/\/+$/, "")
  const cors = options.cors ?? false
  const { topicsTimeout } = service.quirks

  const respond: App = (request) =>
    Effect.gen(function* () {
      const { body, headers, method } = request
      if (body === undefined) {
        return contentTooLarge().response
      }
      const [origin, path, search] = splitUrl(request.url)
      const signIns = oauthEndpointsAt(path, options.oauth ?? {})
      const matches = matchesOf(below(basePath, path) ?? "")
      const methods = [...(signIns ?? matches).keys()]
      const signIn = signIns?.get(method)
      const match = matches.get(method)
      const operation = signIn ?? match?.operation
      const received: ReceivedRequest = {
        ...(operation === undefined ? {} : { operation }),
        method,
        path,
        search,
        query: new URLSearchParams(search),
        headers,
        body
      }
      options.onRequest?.(received)
      if (cors && method === "OPTIONS") {
        return preflight(request)
      }

      yield* pause(options.latency)
      const recorded = recordedOf(received)
      const answer =
        recorded !== undefined
          ? Effect.succeed(recordedResponse(recorded))
          : signIn !== undefined
            ? oauth(signIn, received)
            : match !== undefined
              ? topicsTimeout !== undefined && isUnbounded(received)
                ? Effect.as(pause(topicsTimeout), gatewayTimeout())
                : handle(service, match, origin, received)
              : Effect.succeed(
                  methods.length > 0 || method === "OPTIONS" ? methodNotAllowed(methods) : notFound().response
                )
      const fault = faultOf(received)
      return yield* fault === undefined ? answer : applyFault(fault, answer)
    })
  return cors ? (request) => Effect.map(respond(request), (response) => withHeaders(response, forAllOrigins)) : respond
}
