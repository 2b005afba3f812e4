/**
 * The trace header of a request, in the format of the W3C: for a call that nothing records, with ids of its own, and none for a span
 * without valid ids.
 */
import { type AnyFiber, spanOf } from "#core/internal/common/fiber.js"
import { memoize } from "#core/internal/common/memoize.js"
import type { CallState } from "#core/internal/declaration/call.js"

const hex = (digits: number): string =>
  Array.from({ length: digits }, () => Math.floor(Math.random() * 16).toString(16)).join("")

const traceIdOf = /*#__PURE__*/ memoize((_call: CallState) => hex(32))

export const traceHeaders = (call: CallState, fiber: AnyFiber): Readonly<Record<string, string>> => {
  const { sampled, spanId, traceId } = spanOf(fiber) ?? { sampled: true, spanId: hex(16), traceId: traceIdOf(call) }
  return /^(?!0*$)[0-9a-f]{32}$/.test(traceId)
    ? { traceparent: `00-${traceId}-${spanId}-${sampled ? "01" : "00"}` }
    : {}
}
