/**
 * Turns an operation into one exchange. Every face and every feature goes through here.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpTraceContext from "@effect/platform/HttpTraceContext"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { limitOf, Settings, show } from "../CatalogConfig.js"
import {
  ClientAuthError,
  type ClientError,
  ClientNetworkError,
  type ClientRestError,
  ClientValidationError
} from "../CatalogError.js"
import { type CatalogCall, CatalogPolicy, policyOf } from "../CatalogPolicy.js"
import { type Credentials, Slots } from "../Credentials.js"
import { withSignal, withTimeout } from "./bounded.js"
import { toRecord } from "./cause.js"
import { exchange } from "./exchange.js"
import type { Declaration, Params } from "./declaration.js"
import * as Observability from "./observability.js"
import type { Subject } from "./reply.js"
import * as Request from "./request.js"
import { isMe } from "./rules.js"
import * as Secrets from "./secrets.js"

type Call = Effect.Effect<unknown, ClientError, HttpClient.HttpClient | Credentials>

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
    const config = Context.get(fiber.currentContext, Settings)
    const sight: Observability.Sight = {
      operation: name,
      method,
      config,
      url: () => undefined,
      attempts: 0,
      status: undefined
    }
    const field = rule?.brokenBy(params)
    if (rule !== undefined && field !== undefined) {
      const invalid = new ClientValidationError({ operation: name, rule: rule.number, field })
      return Observability.operation(Effect.fail(invalid), fiber, sight)
    }
    const limit = (option: "timeout" | "totalTimeout" | "maxResponseBytes") =>
      limitOf(option, options[option] ?? config.defaults[option], name)
    const timeout = limit("timeout")
    const totalTimeout = limit("totalTimeout")
    const maxResponseBytes = limit("maxResponseBytes")
    const policy = policyOf(Context.get(fiber.currentContext, CatalogPolicy), options["policies"], name)
    const signal = checkSignal(options["signal"] ?? config.defaults.signal, name)
    const { url, form } = Request.make(operation, params, options, config, link)
    let sent: CatalogCall["credentials"] = Secrets.none
    let cutSent: ((text: string) => string) | undefined
    const cut = (text: string) => (cutSent ??= Secrets.cutFrom(fiber.currentContext, sent, config))(text)
    // An input can be anything, and a page's link is the service's text.
    const shownUrl = () => Secrets.cutUrl(url, cut)
    sight.url = shownUrl
    const subject: Subject = {
      operation: name,
      method,
      get url() {
        return shownUrl()
      },
      get attempts() {
        return Math.max(1, sight.attempts)
      }
    }

    const networkError: CatalogCall["networkError"] = (reason, cause) =>
      new ClientNetworkError({ ...subject, reason, ...(cause !== undefined && { cause: toRecord(cause, cut) }) })

    const attempt = (client: HttpClient.HttpClient) =>
      Effect.withFiberRuntime<unknown, ClientRestError | ClientNetworkError>((fiber) => {
        sight.attempts++
        sight.status = undefined
        const send = () => {
          const headers = {
            accept: "application/json",
            ...Secrets.extraHeaders(config),
            ...(config.tracePropagation && traceHeaders(fiber)),
            ...Secrets.toHeaders(sent, config),
            ...(form !== undefined && { "content-type": "application/x-www-form-urlencoded" })
          }
          const request = { method, url, headers, body: form }
          return exchange({ operation, subject, request, config, timeout, maxResponseBytes, cut, sight }, client)
        }
        return Observability.attempt(send, fiber, sight)
      })

    const call = Effect.flatMap(Slots, (service) =>
      Effect.flatMap(Secrets.ask(service, config), ({ credentials, unusableToken }): Call => {
        sent = credentials
        cutSent = undefined
        const needsToken = operation.token === "always" || (operation.token === "@me" && isMe(params["username"]))
        if (needsToken && Option.isNone(credentials.accessToken)) {
          return Effect.fail(new ClientAuthError({ operation: name, reason: unusableToken ? "Unusable" : "Missing" }))
        }
        return Effect.flatMap(HttpClient.HttpClient, (client) =>
          policy === undefined
            ? attempt(client)
            : policy(
                {
                  operation: name,
                  method,
                  url: link === undefined ? url : shownUrl(),
                  params,
                  credentials,
                  timeout,
                  maxResponseBytes,
                  idempotent: method !== "PATCH",
                  networkError
                },
                attempt(client)
              )
        )
      })
    )

    const timedOut = () => new ClientNetworkError({ ...subject, reason: "Timeout", timeoutMs: totalTimeout })
    const cancelled = (reason: unknown) => networkError("Cancelled", reason)
    const bounded = withSignal(withTimeout(call, totalTimeout, timedOut), signal, cancelled)
    return Observability.operation(bounded, fiber, sight)
  })
