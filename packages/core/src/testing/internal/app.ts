/** The service with all that stands around its router, from the outside in: CORS, the log, latency, faults. */
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import { sharedSample } from "../data/index.js"
import type { EmbeddedCatalogOptions, ReceivedRequest } from "../Options.js"
import type { Grants } from "./access.js"
import { befall, type ConnectionDropped, makeFaults, pause } from "./faults.js"
import { invalidHost } from "./hosts.js"
import { methodNotAllowed, notFound, refused } from "./response.js"
import { makeRouter } from "./router.js"
import { isOperation, operationsAt } from "./routes.js"
import type { Service } from "./service.js"
import { Store } from "./store.js"

const splitUrl = (url: string): readonly [path: string, search: string] => {
  const at = url.indexOf("?")
  return at < 0 ? [url, ""] : [url.slice(0, at), url.slice(at)]
}

/** The path below the base path, if it is below it. */
const below = (basePath: string, path: string): string | undefined =>
  path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined

const mayHaveBody = ({ headers, method }: HttpServerRequest.HttpServerRequest): boolean =>
  (method !== "GET" && method !== "HEAD" && method !== "OPTIONS") ||
  headers["content-length"] !== undefined ||
  headers["transfer-encoding"] !== undefined

const textOf = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<string> =>
  mayHaveBody(request) ? Effect.orElseSucceed(request.text, () => "") : Effect.succeed("")

const preflight = (request: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, PATCH, PUT, DELETE",
      "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "",
      "access-control-max-age": "600",
      vary: "access-control-request-headers"
    }
  })

const forAllOrigins = HttpServerResponse.setHeaders({
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "retry-after"
})

/** Mistakes in the options that would only show as puzzling answers. */
const check = ({ basePath = "", faults = [], hosts = [], latency }: EmbeddedCatalogOptions): void => {
  if (!/^(\/|$)/.test(basePath)) {
    throw new TypeError(`basePath must begin with a slash or be "", but it is "${basePath}"`)
  }
  const noHost = invalidHost(hosts)
  if (noHost !== undefined) {
    throw new TypeError(
      `hosts must hold names like "catalog.internal" or "catalog.internal:8080", but one is "${noHost}"`
    )
  }
  const durations = [latency, ...faults.flatMap(({ delay, bodyDelay }) => [delay, bodyDelay])]
  const wrong = durations.find((given) => given !== undefined && Option.isNone(Duration.decodeUnknown(given)))
  if (wrong !== undefined) {
    throw new TypeError(
      `latency, delay and bodyDelay must be milliseconds or a Duration like "5 seconds", but one is ${String(wrong)}`
    )
  }
  const names = faults.flatMap(({ on }) => (on === undefined || typeof on === "function" ? [] : on))
  const other = names.find((name) => !isOperation(name))
  if (other !== undefined) {
    throw new TypeError(`a fault names an unknown operation: "${other}"`)
  }
  for (const { status = 200 } of faults) {
    if (!(Number.isInteger(status) && status >= 200 && status <= 599)) {
      throw new TypeError(`the status of a fault must be a whole number from 200 to 599, but it is ${String(status)}`)
    }
  }
}

/** Whom the service knows. The dataset's first user owns the default token: that is `sample_reader` in the sample. */
export const knownTo = ({
  clientIds = ["embedded-client"],
  dataset = sharedSample(),
  tokens
}: EmbeddedCatalogOptions): Required<Pick<EmbeddedCatalogOptions, "clientIds" | "tokens">> => {
  const [first] = dataset.users
  return { clientIds, tokens: tokens ?? (first === undefined ? {} : { "embedded-token": first.name }) }
}

const grantsOf = (options: EmbeddedCatalogOptions, store: Store): Grants => {
  const known = knownTo(options)
  const tokens = Object.entries(known.tokens).map(([token, grant]) => {
    const { expiresAt = Number.POSITIVE_INFINITY, user } = typeof grant === "string" ? { user: grant } : grant
    const account = store.accountNamed(user)
    if (account === undefined) throw new TypeError(`No user of the dataset is called "${user}", who is to own a token.`)
    return [token, { account, expiresAt }] as const
  })
  return {
    tokens: new Map(tokens),
    clientIds: new Set(known.clientIds),
    anonymousReads: options.anonymousReads ?? true
  }
}

const lastTime = 8.64e15

const checkTime = (time: number): number => {
  if (Math.abs(time) <= lastTime) return time
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
    deleteMissing: options.deleteMissing ?? 404,
    poll: options.poll ?? "object",
    now: now === undefined ? Clock.currentTimeMillis : Effect.sync(() => checkTime(now()))
  }
}

/** One instance of the service: it forgets what was written when its scope closes. */
export const makeApp = (
  options: EmbeddedCatalogOptions
): Effect.Effect<HttpApp.Default<ConnectionDropped>, never, Scope> =>
  Effect.gen(function* () {
    check(options)
    const router = yield* makeRouter(makeService(options))
    const faultOf = makeFaults(options.faults ?? [])
    const basePath = (options.basePath ?? "/v2").replace(/\/+$/, "")
    const cors = options.cors ?? false

    const app: HttpApp.Default<ConnectionDropped> = Effect.gen(function* () {
      const received = yield* HttpServerRequest.HttpServerRequest
      const [path, search] = splitUrl(received.url)
      const inside = below(basePath, path)
      const operations = operationsAt(inside ?? "")
      const operation = operations.get(received.method)
      const request = received.modify({ url: `${inside ?? path}${search}` })
      const seen: ReceivedRequest = {
        ...(operation === undefined ? {} : { operation }),
        method: received.method,
        path,
        search,
        query: new URLSearchParams(search),
        headers: { ...received.headers },
        body: yield* textOf(request)
      }
      options.onRequest?.(seen)
      if (cors && received.method === "OPTIONS") return preflight(received)

      yield* pause(options.latency)
      const answer =
        operation !== undefined
          ? Effect.provideService(router, HttpServerRequest.HttpServerRequest, request)
          : Effect.succeed(
              operations.size > 0 || received.method === "OPTIONS"
                ? methodNotAllowed([...operations.keys()])
                : refused(notFound())
            )
      const fault = faultOf(seen)
      return yield* fault === undefined ? answer : befall(fault, answer)
    })
    return cors ? Effect.map(app, forAllOrigins) : app
  })
