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
import { type CatalogCall, CatalogPolicy } from "../CatalogPolicy.js"
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

/** Whether somebody listens: the default tracer is always there and listens to nobody. */
const isTraced = (
  { currentSpan, currentTracer }: Fiber.RuntimeFiber<unknown, unknown>,
  { tracePropagation }: CatalogSettings
): boolean => currentTracer !== liveTracer || currentSpan !== undefined || tracePropagation

/** A span around the operation. */
const traced = (effect: Call, { operation, method }: Subject): Call =>
  Effect.withSpan(effect, operation, {
    kind: "client",
    captureStackTrace: false,
    attributes: { "http.request.method": method }
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
    const timeout = checkTimeout(options["timeout"] ?? config.defaults.timeout ?? DEFAULT_REQUEST_TIMEOUT, name)
    const signal = checkSignal(options["signal"] ?? config.defaults.signal, name)
    const { url, form } = Request.make(operation, params, options, config, link)
    const listened = isTraced(fiber, config)
    let sent: CatalogCall["credentials"] = Secrets.none
    let cutSent: ((text: string) => string) | undefined
    const cut = (text: string) => (cutSent ??= Secrets.cutFrom(fiber.currentContext, sent, config))(text)
    const subject: Subject = {
      operation: name,
      method,
      // An input can be anything, and a page's link is the service's text.
      get url() {
        return cut(url)
      }
    }

    const attempt = (client: HttpClient.HttpClient) =>
      withTimeout(
        Effect.withFiberRuntime<unknown, ClientRestError | ClientNetworkError>((fiber) =>
          exchange(
            operation,
            subject,
            client,
            HttpClientRequest.make(method as "PATCH")(url, {
              headers: {
                accept: "application/json",
                ...Secrets.extraHeaders(config),
                ...(config.tracePropagation && traceHeaders(fiber)),
                ...Secrets.toHeaders(sent, config)
              },
              ...(form !== undefined && { body: HttpBody.text(form, "application/x-www-form-urlencoded") })
            }),
            timeout,
            cut,
            Secrets.secretHeaderNames(config)
          )
        ),
        timeout,
        () => new ClientNetworkError({ ...subject, reason: "Timeout", timeoutMs: timeout, attempts: 1 })
      )

    const call = Effect.flatMap(Credentials, (service) =>
      Effect.flatMap(Secrets.ask(service, config), ({ credentials, unusableToken }): Call => {
        sent = credentials
        cutSent = undefined
        const needsToken = operation.token === "always" || (operation.token === "@me" && isMe(params["username"]))
        if (needsToken && Option.isNone(credentials.accessToken)) {
          return Effect.fail(new ClientAuthError({ operation: name, reason: unusableToken ? "Unusable" : "Missing" }))
        }
        const policy = Context.get(fiber.currentContext, CatalogPolicy)
        const known: CatalogCall = {
          operation: name,
          method,
          url: link === undefined ? url : subject.url,
          params,
          credentials,
          idempotent: method !== "PATCH"
        }
        const answered = Effect.flatMap(HttpClient.HttpClient, (client) => policy(known, attempt(client)))
        // Only now is it known what to cut out of it.
        return listened ? Effect.zipRight(Effect.annotateCurrentSpan("url.full", subject.url), answered) : answered
      })
    )

    const cancelled = (reason: unknown) =>
      new ClientNetworkError({ ...subject, reason: "Cancelled", attempts: 1, cause: toRecord(reason, cut) })
    const bounded = withSignal(call, signal, cancelled)
    return listened ? traced(bounded, subject) : bounded
  })
