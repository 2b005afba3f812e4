/**
 * Turns an operation into one exchange. Every face and every feature goes through here.
 */
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpTraceContext from "@effect/platform/HttpTraceContext"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { CatalogConfig, type CatalogSettings, checkTimeout, DEFAULT_REQUEST_TIMEOUT, show } from "../CatalogConfig.js"
import {
  ClientAuthError,
  type ClientError,
  ClientNetworkError,
  type ClientRestError,
  ClientValidationError
} from "../CatalogError.js"
import { type CatalogCall, CatalogPolicy, policyOf } from "../CatalogPolicy.js"
import { Credentials } from "../Credentials.js"
import { withSignal, withTimeout } from "./bounded.js"
import { toRecord } from "./cause.js"
import { exchange } from "./exchange.js"
import type { Declaration, Params } from "./declaration.js"
import type { Subject } from "./reply.js"
import * as Request from "./request.js"
import { isMe } from "./rules.js"
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
 * An operation with its inputs, as an Effect: rules, credentials, policy, exchange. With a link, the page that it leads to.
 */
export const interpret = (operation: Declaration, params: Params, options: Params, link?: URLSearchParams): Call =>
  Effect.withFiberRuntime((fiber): Call => {
    const { name, method, rule } = operation
    const field = rule?.brokenBy(params)
    if (rule !== undefined && field !== undefined) {
      return Effect.fail(new ClientValidationError({ operation: name, rule: rule.number, field }))
    }
    const config = Context.get(fiber.currentContext, CatalogConfig)
    const timeout = checkTimeout(
      "timeout",
      options["timeout"] ?? config.defaults.timeout ?? DEFAULT_REQUEST_TIMEOUT,
      name
    )
    const totalTimeout = checkTimeout(
      "totalTimeout",
      options["totalTimeout"] ?? config.defaults.totalTimeout ?? 0,
      name
    )
    const policy = policyOf(Context.get(fiber.currentContext, CatalogPolicy), options["policies"], name)
    const signal = checkSignal(options["signal"] ?? config.defaults.signal, name)
    const { url, form } = Request.make(operation, params, options, config, link)
    let sent: CatalogCall["credentials"] = Secrets.none
    let cutSent: ((text: string) => string) | undefined
    const cut = (text: string) => (cutSent ??= Secrets.cutFrom(sent, config))(text)
    let begun = 0
    const subject: Subject = {
      operation: name,
      method,
      get attempts() {
        return Math.max(1, begun)
      },
      // A page's link is the service's text, and can hold anything.
      get url() {
        return link === undefined ? url : cut(url)
      }
    }

    const networkError = (reason: ClientNetworkError["reason"], cause?: unknown) =>
      new ClientNetworkError({ ...subject, reason, ...(cause !== undefined && { cause: toRecord(cause, cut) }) })

    const attempt = (client: HttpClient.HttpClient) =>
      withTimeout(
        Effect.withFiberRuntime<unknown, ClientRestError | ClientNetworkError>((fiber) => {
          begun++
          return exchange(
            operation,
            subject,
            client,
            HttpClientRequest.make(method as "PATCH")(url, {
              headers: {
                accept: "application/json",
                ...config.headers,
                ...(config.tracePropagation && traceHeaders(fiber)),
                ...Secrets.toHeaders(sent, config)
              },
              ...(form !== undefined && { body: HttpBody.text(form, "application/x-www-form-urlencoded") })
            }),
            timeout,
            cut,
            Secrets.secretHeaderNames(config)
          )
        }),
        timeout,
        () => new ClientNetworkError({ ...subject, reason: "Timeout", timeoutMs: timeout })
      )

    const call = Effect.flatMap(Credentials, (service) =>
      Effect.flatMap(Secrets.ask(service), ({ credentials, unusableToken }): Call => {
        sent = credentials
        cutSent = undefined
        const needsToken = operation.token === "always" || (operation.token === "@me" && isMe(params["username"]))
        if (needsToken && Option.isNone(credentials.accessToken)) {
          return Effect.fail(new ClientAuthError({ operation: name, reason: unusableToken ? "Unusable" : "Missing" }))
        }
        const described: CatalogCall = {
          operation: name,
          method,
          url,
          params,
          credentials,
          timeout,
          idempotent: method !== "PATCH",
          networkError
        }
        return Effect.flatMap(HttpClient.HttpClient, (client) => policy(described, attempt(client)))
      })
    )

    const timedOut = () => new ClientNetworkError({ ...subject, reason: "Timeout", timeoutMs: totalTimeout })
    const cancelled = (reason: unknown) => networkError("Cancelled", reason)
    return traced(withSignal(withTimeout(call, totalTimeout, timedOut), signal, cancelled), fiber, subject, config)
  })
