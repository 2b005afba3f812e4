/**
 * Short forms of parts of Effect's runtime. Its `causePretty` and its logger are rarely used, by the embedded service and by
 * sessions, but every bundle would contain them.
 */
import type { Cause } from "effect/Cause"
import type { Effect } from "effect/Effect"
import type { Exit } from "effect/Exit"
import { formatJson } from "effect/Formatter"
// Imported directly: a module between would need this one when it loads.
import {
  as,
  exit,
  exitAsVoidAll,
  flatMap,
  getCurrentFiber,
  logLevelToOrder,
  provideService,
  suspend,
  whileLoop
} from "effect/internal/effect"
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

/** Log lines become no events of spans, as with the logger of a catalog. */
export const tracerLogger: Pick<Logger<unknown, void>, "log"> = { log: () => {} }

/** Effect's own also captures a stack, and adds the span's name to the stacks that `causePretty` prints. */
export const withParentSpan = <A, E, R>(effect: Effect<A, E, R>, span: Tracer.AnySpan) =>
  provideService(effect, Tracer.ParentSpan, span)

/** Effect's own adds a frame at which it cuts printed stacks. Without it, engines other than V8 show more frames of Effect. */
export const mapCont = function (
  this: { readonly payload: (value: unknown) => unknown },
  value: unknown,
  fiber: { readonly succeedWith: (value: unknown) => unknown }
): unknown {
  const f = this.payload
  return fiber.succeedWith(f(value))
}

/** Runs effects one after the other, even where Effect's Layers ask for all at once. */
export const forEach = <A, B, E, R>(
  elements: Iterable<A>,
  f: (element: A, index: number) => Effect<B, E, R>,
  options?: { readonly discard?: boolean }
): Effect<ReadonlyArray<B> | undefined, E, R> =>
  suspend(() => {
    const out: Array<B> | undefined = options?.discard ? undefined : []
    const items = [...elements]
    let index = 0
    return as(
      whileLoop({
        while: () => index < items.length,
        body: () => f(items[index] as A, index++),
        step: (result) => out?.push(result)
      }),
      out
    )
  })

/** Runs the finalizers of a scope one after the other, the last one first. */
export const scopeCloseFinalizers = (
  { strategy }: { readonly strategy: string },
  finalizers: ReadonlyMap<unknown, (exit: Exit<unknown, unknown>) => Effect<unknown>>,
  ended: Exit<unknown, unknown>
) => {
  // A fiber that closes the scope of its own end would wait for itself.
  const own = strategy === "sequential" ? undefined : getCurrentFiber()
  const others = [...finalizers].filter(([key]) => key !== own).reverse()
  return flatMap(
    forEach(others, ([, finalizer]) => exit(suspend(() => finalizer(ended)))),
    (exits) => exitAsVoidAll(exits ?? [])
  )
}

export const isLogLevelGreaterThan = (level: string, other: string): boolean =>
  logLevelToOrder(level) > logLevelToOrder(other)

/** The error of an Effect that waits, although it must run synchronously. No program sees it, so it has no message. */
export class AsyncFiberError extends Error {}
