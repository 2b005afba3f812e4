/**
 * What Effect's runtime prints, in short. Only the embedded service logs a line with a cause, and only that and sessions write to
 * the default logger, but each page carries both.
 */
import type { Cause } from "effect/Cause"
import type { Effect } from "effect/Effect"
import { formatJson } from "effect/Formatter"
// Not by way of a module that needs this one when it loads.
import { provideService } from "effect/internal/effect"
import type { Logger } from "effect/Logger"
import * as Tracer from "effect/Tracer"

/** An error prints its stack without Effect's frames, and the errors that caused it, indented. */
const printed = (error: unknown, above: ReadonlyArray<unknown> = []): string => {
  const {
    cause,
    message = typeof error === "string" ? error : formatJson(error),
    name = "Error",
    stack = ""
  } = Object(error) as Partial<Error>
  const head = `${name}: ${message}`
  // Only V8 begins a stack with the message.
  const lines = `\n${stack.startsWith(head) ? stack.slice(head.length + 1) : stack}`
  const own = head + lines.replace(/\n([^\n]*(Generator\.next|~effect\/)[^]*)?$/, "")
  return cause === undefined || above.includes(cause)
    ? own
    : `${own} {${`\n[cause]: ${printed(cause, [...above, error])}`.replaceAll("\n", "\n  ")}\n}`
}

export const causePretty = ({ reasons }: Cause<unknown>): string =>
  reasons
    .map((reason) => printed(reason._tag === "Die" ? reason.defect : reason._tag === "Fail" ? reason.error : reason))
    .join("\n")

export const defaultLogger: Pick<Logger<unknown, void>, "log"> = {
  log: ({ cause, date, fiber, logLevel, message }) => {
    const time = `${date.toTimeString().slice(0, 8)}${date.toISOString().slice(19, 23)}`
    const stacks = cause.reasons.length === 0 ? [] : [causePretty(cause)]
    console.log(`[${time}] ${logLevel.toUpperCase()} (#${fiber.id}):`, ...[message].flat(), ...stacks)
  }
}

/** Log lines are no events of spans, as with a catalog's logger. */
export const tracerLogger: Pick<Logger<unknown, void>, "log"> = { log: () => {} }

/** Effect's own captures a stack, and notes the name of the span for those that `causePretty` prints. */
export const withParentSpan = <A, E, R>(effect: Effect<A, E, R>, span: Tracer.AnySpan) =>
  provideService(effect, Tracer.ParentSpan, span)
