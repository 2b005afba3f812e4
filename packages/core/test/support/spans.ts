/**
 * Who listens to spans.
 */
import { Effect, Tracer } from "effect"

/** A tracer that keeps its spans, in the order in which they began. */
export const recordingTracer = () => {
  const native = Effect.runSync(Effect.tracer)
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (...inputs) => {
      const span = native.span(...inputs)
      spans.push(span)
      return span
    },
    context: (run) => run()
  })
  return { spans, tracer }
}
