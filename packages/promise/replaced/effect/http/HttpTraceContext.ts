/**
 * The trace header of a request, in the format of the W3C: none for a span that a tracer did not start.
 */
import type * as Tracer from "effect/Tracer"

export const toHeaders = ({ sampled, spanId, traceId }: Tracer.Span): Readonly<Record<string, string>> =>
  /^0*$/.test(traceId) ? {} : { traceparent: `00-${traceId}-${spanId}-${sampled ? "01" : "00"}` }
