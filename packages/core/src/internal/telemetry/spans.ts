/**
 * Spans and debug logs of calls, through Effect's own tracer and loggers.
 */
import * as Effect from "effect/Effect"
import type * as Tracer from "effect/Tracer"
import type { ClientError, ClientNetworkError, ClientRestError } from "../../CatalogError.js"
import type { Call } from "../call/call.js"
import { type AnyFiber, isDebugLogged, isTraced } from "../common/fiber.js"
import * as Hooks from "./hooks.js"
import { outcomeOf, stopwatch } from "./outcome.js"

/** A tracer that only propagates trace headers has spans that it does not record. */
const isSpanned = (fiber: AnyFiber, { config }: Call): boolean => isTraced(fiber) || config.tracePropagation === true

/** The address of a request, with OpenTelemetry's attribute names. */
const ofUrl = (url: string) => {
  const { hostname, port, protocol } = new URL(url)
  return {
    "url.full": url,
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80)
  }
}

const attributesOf = (call: Call, outcome: string): Record<string, unknown> => {
  const { operation, attempts, response, shownUrl } = call
  const { status } = response
  return {
    "catalog.operation": operation.name,
    "catalog.attempt": attempts,
    "http.request.method": operation.method,
    ...(shownUrl !== "" && ofUrl(shownUrl)),
    ...(attempts > 1 && { "http.request.resend_count": attempts - 1 }),
    ...(status !== undefined && { "http.response.status_code": status }),
    ...(outcome !== "Success" && { "error.type": outcome })
  }
}

const spanned = <A, E extends ClientError, R>(
  effect: Effect.Effect<A, E, R>,
  name: string,
  kind: Tracer.SpanKind,
  call: Call
) => {
  // As a value: only Effect 3 takes stack traces by default.
  const options: Tracer.SpanOptions = { kind, captureStackTrace: false }
  return Effect.useSpan(name, options, (span) => {
    call.span ??= span
    return Effect.onExit(Effect.withParentSpan(effect, span), (exit) =>
      Effect.sync(() => {
        // Set only now: before, the secrets to redact were not known.
        for (const [key, value] of Object.entries(attributesOf(call, outcomeOf(exit)))) {
          span.attribute(key, value)
        }
      })
    )
  })
}

/** Runs a call in a span, if a tracer records it. */
export const operation = <A, E extends ClientError, R>(
  run: () => Effect.Effect<A, E, R>,
  fiber: AnyFiber,
  call: Call
): Effect.Effect<A, E, R> =>
  isSpanned(fiber, call) ? spanned(Effect.suspend(run), call.operation.name, "internal", call) : run()

const inLog = <A, E extends ClientError, R>(exchange: Effect.Effect<A, E, R>, fiber: AnyFiber, call: Call) =>
  Effect.suspend(() => {
    const passed = stopwatch(fiber)
    return Effect.onExit(exchange, (exit) => {
      const { name, method } = call.operation
      const outcome = outcomeOf(exit)
      const ended = outcome === "Success" ? call.response.status : outcome
      const { missing } = call
      return Effect.logDebug(
        `${name}: ${method} ${call.shownUrl}: ${ended} after ${Math.round(passed() * 1000)} ms${missing && `; not in the reply: ${missing}`}`
      ).pipe(Effect.annotateLogs({ operation: name, attempt: call.attempts, outcome }))
    })
  })

/** Runs one exchange with hooks, its own span, and a line in the debug log. */
export const attempt = <A, E extends ClientRestError | ClientNetworkError, R>(
  exchange: Effect.Effect<A, E, R>,
  fiber: AnyFiber,
  call: Call
): Effect.Effect<A, E, R> => {
  const observed = Hooks.attempt(exchange, fiber, call)
  const logged = isDebugLogged(fiber) ? inLog(observed, fiber, call) : observed
  return isSpanned(fiber, call) ? spanned(logged, call.operation.method, "client", call) : logged
}
