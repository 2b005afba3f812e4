/**
 * The listener of a program with Effect: its own tracer, metrics and loggers.
 */
// Counterpart for catalog-client: packages/promise/counterparts/core/internal/telemetry/defaultListener.ts
import * as Effect from "effect/Effect"
import type * as Tracer from "effect/Tracer"
import { inSpanOf, isTraced } from "../common/fiber.js"
import type { Listener } from "../declaration/listener.js"
import { counter, histogram } from "./instruments.js"
import { recording } from "./recorder.js"

export const defaultListener: Listener = /*#__PURE__*/ recording({
  counter,
  histogram,
  inSpan: (name, kind, fiber, { settings }, run) => {
    // A span that nothing records has ids for trace headers.
    if (!isTraced(fiber) && settings.tracePropagation !== true) {
      return undefined
    }
    // Not a literal: TypeScript would reject `captureStackTrace`, which `useSpan` of Effect 4 does not have.
    const options: Tracer.SpanOptions = { kind, captureStackTrace: false }
    return Effect.useSpan(name, options, (span) => inSpanOf(span, run(span)))
  }
})
