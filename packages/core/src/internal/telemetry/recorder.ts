/**
 * A listener that records spans and metrics, and writes the debug log.
 */
import * as Effect from "effect/Effect"
import type { ClientError } from "../../CatalogError.js"
import { type AnyFiber, clockOf, nanosOf } from "../common/fiber.js"
import type { CallState } from "../declaration/call.js"
import type { Listener, SpanKind, SpanOfCall } from "../declaration/listener.js"
import { callNames } from "../redaction/redactIn.js"
import { logListener } from "./log.js"
import { outcomeOf, outcomeOfError } from "./outcome.js"

/** Adds a value to a metric, labelled by operation and, if the metric has it, by another label. */
export type Instrument = (fiber: AnyFiber, value: number, operation: string, label?: string) => void

/** What spans and metrics are recorded with. */
export interface CallRecorder {
  readonly counter: (name: string, description: string, label?: string) => Instrument
  readonly histogram: (name: string, description: string) => Instrument
  /** Runs an effect in a span; `undefined` if nothing records it. */
  readonly inSpan: <A, E, R>(
    name: string,
    kind: SpanKind,
    fiber: AnyFiber,
    call: CallState,
    run: (span: SpanOfCall) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R> | undefined
}

/** The address of a request, with OpenTelemetry's attribute names. */
const addressAttributes = (url: string) => {
  const { hostname, port, protocol } = new URL(url)
  return {
    "url.full": url,
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80)
  }
}

const attributesOf = (call: CallState, outcome: string): Record<string, unknown> => {
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

/** Adds an event to the span of a call. */
const addEvent =
  (name: string) =>
  (
    details: Readonly<Record<string, unknown>>,
    _operation: string,
    fiber: AnyFiber,
    span: SpanOfCall | undefined
  ): void => {
    // With `dedupe`, an exchange can outlive the caller that owns the span.
    if (span?.status._tag === "Started") {
      const attributes: Record<string, unknown> = {}
      for (const [key, value] of Object.entries(details)) {
        if (key === "error") {
          attributes["error.type"] = outcomeOfError(value as ClientError)
        } else if (value !== undefined) {
          attributes[`catalog.${key}`] = value
        }
      }
      span.event(name, nanosOf(clockOf(fiber)), attributes)
    }
  }

export const recording = ({ counter, histogram, inSpan }: CallRecorder): Listener => {
  const requests = counter("catalog_requests_total", "Completed calls of operations", "outcome")
  const callDuration = histogram("catalog_request_duration_seconds", "Duration of calls, including their waits")
  const retries = counter("catalog_retries_total", "Requests after the first of a call")
  const hits = counter("catalog_cache_hits_total", "Calls that Resilience.cache served")
  const waits = histogram("catalog_rate_limit_wait_seconds", "Time that requests waited for the rate limit")
  const mismatches = counter(
    "catalog_reply_mismatches_total",
    "Parts of replies that were omitted because of an unexpected type",
    "path"
  )
  const addMismatch = addEvent("catalog.mismatch")
  return {
    around: (run, part, fiber, call) => {
      const logged = () => logListener.around(run, part, fiber, call)
      const isAttempt = part === "attempt"
      const name = isAttempt ? call.declaration.method : call.declaration.name
      return (
        inSpan(name, isAttempt ? "client" : "internal", fiber, call, (span) => {
          call.progress.span ??= span
          return Effect.onExit(Effect.suspend(logged), (exit) =>
            Effect.sync(() => {
              // Set only now: before, the secrets to redact were not known.
              for (const [key, value] of Object.entries(attributesOf(call, outcomeOf(exit)))) {
                span.attribute(key, value)
              }
            })
          )
        }) ?? logged()
      )
    },
    handlers: {
      onRetry: addEvent("catalog.retry"),
      onWait: addEvent("catalog.wait"),
      onMismatch: (mismatch, operation, fiber, span) => {
        mismatches(fiber, mismatch.count, operation, mismatch.path)
        addMismatch(mismatch, operation, fiber, span)
      },
      onCacheHit: (_, operation, fiber) => hits(fiber, 1, operation),
      onWaitEnd: ({ seconds }, operation, fiber) => waits(fiber, seconds, operation),
      onCallEnd: ({ attempts, exit, seconds }, operation, fiber) => {
        requests(fiber, 1, operation, outcomeOf(exit))
        callDuration(fiber, seconds, operation)
        if (attempts > 1) {
          retries(fiber, attempts - 1, operation)
        }
      }
    }
  }
}
