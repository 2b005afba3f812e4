/**
 * Turns an operation into one exchange. Every face and every feature goes through here.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpTraceContext from "@effect/platform/HttpTraceContext"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { type CatalogSettings, limitOf, Settings, show } from "../CatalogConfig.js"
import { type ClientError, ClientNetworkError, type ClientRestError } from "../CatalogError.js"
import { type CatalogCall, CatalogPolicy } from "../CatalogPolicy.js"
import { type Credentials, Slots } from "../Credentials.js"
import { withSignal } from "./bounded.js"
import { toRecord } from "./cause.js"
import { exchange } from "./exchange.js"
import type { Declaration, Params } from "./declaration.js"
import type { Subject } from "./reply.js"
import * as Request from "./request.js"
import * as Secrets from "./secrets.js"

const liveTracer = /*#__PURE__*/ Context.get(DefaultServices.liveServices, Tracer.Tracer)

type Call = Effect.Effect<unknown, ClientError, HttpClient.HttpClient | Credentials>

/** A span around the operation, where somebody listens: the default tracer is always there and listens to nobody. */
const traced = (
  effect: Call,
  fiber: Fiber.RuntimeFiber<unknown, unknown>,
  { operation, method, url }: Subject,
  { tracePropagation }: CatalogSettings
): Call =>
  fiber.currentTracer === liveTracer && fiber.currentSpan === undefined && !tracePropagation
    ? effect
    : Effect.withSpan(effect, operation, {
        kind: "client",
        captureStackTrace: false,
        attributes: { "http.request.method": method, "url.full": url }
      })

const traceHeaders = (fiber: Fiber.RuntimeFiber<unknown, unknown>): Readonly<Record<string, string>> =>
  // A tracer that is switched off has spans without an identity.
  fiber.currentSpan?._tag === "Span" && /^[0-9a-f]{32}$/.test(fiber.currentSpan.traceId)
    ? HttpTraceContext.toHeaders(fiber.currentSpan)
    : {}

/** A signal of another window is none of this one's class. */
const isSignal = (value: unknown): value is AbortSignal =>
  typeof value === "object" && value !== null && "aborted" in value && "addEventListener" in value

const checkSignal = (signal: unknown, operation: string): AbortSignal | undefined => {
  if (signal === undefined || signal === null || isSignal(signal)) {
    return signal ?? undefined
  }
  throw new TypeError(
    `${operation}: signal must be an AbortSignal (an AbortController holds one as its member), but it is ${show(signal)}`
  )
}

/**
 * An operation with its inputs, as an Effect: rules, credentials, policy, exchange. With `follow`, another page of its list.
 */
export const interpret = (operation: Declaration, params: Params, options: Params, follow?: Request.Follow): Call =>
  Effect.withFiberRuntime((fiber): Call => {
    const { name, method } = operation
    const broken = operation.rule?.(name, params)
    if (broken !== undefined) {
      return Effect.fail(broken)
    }
    const config = Context.get(fiber.currentContext, Settings)
    const limit = (option: "timeout" | "maxResponseBytes") =>
      limitOf(option, options[option] ?? config.defaults[option], name)
    const timeout = limit("timeout")
    const maxResponseBytes = limit("maxResponseBytes")
    const signal = checkSignal(options["signal"] ?? config.defaults.signal, name)
    const { url, form } = Request.make(operation, params, options, config, follow)
    let sent: CatalogCall["credentials"] = Secrets.none
    let cutSent: ((text: string) => string) | undefined
    const cut = (text: string) => (cutSent ??= Secrets.cutFrom(sent, config))(text)
    let attempts = 0
    const subject: Subject = {
      operation: name,
      method,
      // A page's link is the service's text, and can hold anything.
      get url() {
        return follow === undefined ? url : cut(url)
      },
      get attempts() {
        return Math.max(1, attempts)
      }
    }

    const attempt = (client: HttpClient.HttpClient) =>
      Effect.withFiberRuntime<unknown, ClientRestError | ClientNetworkError>((fiber) => {
        attempts++
        const request = {
          method,
          url,
          headers: {
            accept: "application/json",
            ...config.headers,
            ...(config.tracePropagation && traceHeaders(fiber)),
            ...Secrets.toHeaders(sent, config),
            ...(form !== undefined && { "content-type": "application/x-www-form-urlencoded" })
          },
          body: form
        }
        return exchange({ operation, subject, request, config, timeout, maxResponseBytes, cut }, client)
      })

    const call = Effect.flatMap(Slots, (service) =>
      Effect.flatMap(Secrets.ask(service), ({ credentials, unusableToken }): Call => {
        sent = credentials
        cutSent = undefined
        const missing = Option.isNone(credentials.accessToken)
          ? operation.token?.(name, params, unusableToken ? "Unusable" : "Missing")
          : undefined
        if (missing !== undefined) {
          return Effect.fail(missing)
        }
        const policy = Context.get(fiber.currentContext, CatalogPolicy)
        return Effect.flatMap(HttpClient.HttpClient, (client) =>
          policy({ operation: name, method, url, params, credentials, idempotent: method !== "PATCH" }, attempt(client))
        )
      })
    )

    const cancelled = (reason: unknown) =>
      new ClientNetworkError({ ...subject, reason: "Cancelled", cause: toRecord(reason, cut) })
    return traced(withSignal(call, signal, cancelled), fiber, subject, config)
  })
