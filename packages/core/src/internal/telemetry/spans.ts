/**
 * Spans and debug logs of calls, through Effect's own tracer and loggers.
 */
import * as Effect from "effect/Effect"
import type * as Tracer from "effect/Tracer"
import type { AttemptError, ClientError } from "../../CatalogError.js"
import { type AnyFiber, inSpanOf, isDebugLogged, isTraced } from "../common/fiber.js"
import type { Call } from "../declaration/call.js"
import { nameOf } from "../declaration/request.js"
import { callNames, redactIn } from "../redaction/redactIn.js"
import { withHooks } from "./hooks.js"
import { outcomeOf, stopwatch } from "./outcome.js"

/** The address of a request, with OpenTelemetry's attribute names. */
const addressAttributes = (url: string) => {
  const { hostname, port, protocol } = new URL(url)
  return {
    "url.full": url,
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80)
  }
}

const attributesOf = (call: Call, outcome: string): Record<string, unknown> => {
  const { attempts, response } = call.progress
  const { method, operation, url } = callNames(call)
  const { status } = response
  return {
    "catalog.operation": operation,
    "catalog.attempt": attempts,
    "http.request.method": method,
    ...(url !== "" && addressAttributes(url)),
    ...(attempts > 1 && { "http.request.resend_count": attempts - 1 }),
    ...(status !== undefined && { "http.response.status_code": status }),
    ...(outcome !== "Success" && { "error.type": outcome })
  }
}

/** Runs an effect in a span, if a tracer records it or only propagates trace headers. */
const inSpan = <A, E extends ClientError, R>(
  run: () => Effect.Effect<A, E, R>,
  name: string,
  kind: Tracer.SpanKind,
  fiber: AnyFiber,
  call: Call
): Effect.Effect<A, E, R> => {
  if (!isTraced(fiber) && call.config.tracePropagation !== true) {
    return run()
  }
  // Not a literal: TypeScript would reject `captureStackTrace`, which `useSpan` of Effect 4 does not have.
  const options: Tracer.SpanOptions = { kind, captureStackTrace: false }
  return Effect.useSpan(name, options, (span) => {
    call.progress.span ??= span
    return Effect.onExit(inSpanOf(span, Effect.suspend(run)), (exit) =>
      Effect.sync(() => {
        // Set only now: before, the secrets to redact were not known.
        for (const [key, value] of Object.entries(attributesOf(call, outcomeOf(exit)))) {
          span.attribute(key, value)
        }
      })
    )
  })
}

export const observeCall = <A, E extends ClientError, R>(
  run: () => Effect.Effect<A, E, R>,
  fiber: AnyFiber,
  call: Call
): Effect.Effect<A, E, R> => inSpan(run, call.declaration.name, "internal", fiber, call)

/** The requested fields that occur nowhere in the reply. */
const missingIn = (call: Call): string => {
  const { body } = call.progress.response
  const selector = body === undefined ? null : new URL(call.request.url).searchParams.get(nameOf(call.config, "fields"))
  const names = selector?.match(/[^,{}]+/g) ?? []
  return redactIn(call, names.filter((name) => !body?.includes(`"${name}"`)).join(", "))
}

const inLog = <A, E extends ClientError, R>(exchange: Effect.Effect<A, E, R>, fiber: AnyFiber, call: Call) =>
  Effect.suspend(() => {
    const passed = stopwatch(fiber)
    return Effect.onExit(exchange, (exit) => {
      const { method, operation, url } = callNames(call)
      const { attempts, response } = call.progress
      const outcome = outcomeOf(exit)
      const ended = outcome === "Success" ? response.status : outcome
      const missing = missingIn(call)
      return Effect.logDebug(
        `${operation}: ${method} ${url}: ${ended} after ${Math.round(passed() * 1000)} ms${missing && `; not in the reply: ${missing}`}`
      ).pipe(Effect.annotateLogs({ operation, attempt: attempts, outcome }))
    })
  })

/** Runs one exchange with hooks, its own span, and a line in the debug log. */
export const observeAttempt = <A, E extends AttemptError, R>(
  exchange: Effect.Effect<A, E, R>,
  fiber: AnyFiber,
  call: Call
): Effect.Effect<A, E, R> => {
  const observed = withHooks(exchange, fiber, call)
  const logged = isDebugLogged(fiber) ? inLog(observed, fiber, call) : observed
  return inSpan(() => logged, call.declaration.method, "client", fiber, call)
}
