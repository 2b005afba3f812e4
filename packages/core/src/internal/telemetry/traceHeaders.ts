/**
 * The headers by which a service continues the trace of a request.
 */
// Counterpart for catalog-client: packages/promise/counterparts/core/internal/telemetry/traceHeaders.ts
import * as HttpTraceContext from "@effect/platform/HttpTraceContext"
import { type AnyFiber, spanOf } from "../common/fiber.js"
import type { CallState } from "../declaration/call.js"

export const traceHeaders = (_call: CallState, fiber: AnyFiber): Readonly<Record<string, string>> => {
  const span = spanOf(fiber)
  // A disabled tracer returns spans without valid ids.
  return span?._tag === "Span" && /^[0-9a-f]{32}$/.test(span.traceId) ? HttpTraceContext.toHeaders(span) : {}
}
