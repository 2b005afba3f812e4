/**
 * Reports the events of a call to hooks and spans.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ClientNetworkError, ClientRestError } from "../../CatalogError.js"
import { type HookDetails, type Hooks, CatalogHooks } from "../../CatalogHooks.js"
import type { Call } from "../call/call.js"
import { printable, toRecord } from "../common/cause.js"
import { type AnyFiber, clockOf, contextOf, nanosOf, withFiber } from "../common/fiber.js"
import { forkFrom } from "../common/run.js"
import { errorOf, outcomeOf, outcomeOfError, stopwatch } from "./outcome.js"

const hooksOf = (fiber: AnyFiber): ReadonlyArray<Hooks> => Context.get(contextOf(fiber), CatalogHooks)

/** The hooks that have failed, to warn once. */
const failed = /*#__PURE__*/ new WeakSet<object>()

/** Calls the hooks of a name; their failures do not affect the call. */
const callHooks = <Name extends keyof Hooks>(call: Call, name: Name, details: HookDetails<Name>): Effect.Effect<void> =>
  withFiber((fiber, flags) => {
    for (const hooks of hooksOf(fiber)) {
      const hook: unknown = hooks[name]
      if (typeof hook === "function") {
        const { name: operation, method } = call.operation
        const log = forkFrom(fiber, flags)
        // Handles an exception and a rejected promise in the same way.
        const called = async (): Promise<unknown> =>
          hook.call(hooks, { operation, method, url: call.shownUrl, ...details })
        called().catch((cause: unknown) => {
          if (!failed.has(hook)) {
            failed.add(hook)
            const error = toRecord(cause, (text) => call.redact(text))
            const warning = `${operation}: the hook ${name} failed (logged once): ${error.name}: ${error.message}`
            log(Effect.logWarning(printable(warning)))
          }
        })
      }
    }
    return Effect.void
  })

/** The events of a call's span. */
const events = { onRetry: "retry", onWait: "wait", onCacheHit: "cache_hit", onMismatch: "mismatch" }

/** The events of a call, apart from its attempts. */
export const notify = <Name extends keyof typeof events>(
  call: Call,
  name: Name,
  details: HookDetails<Name>
): Effect.Effect<void> =>
  withFiber((fiber) => {
    const { span } = call
    // A shared exchange can continue after the first caller, who owns the span, has left.
    if (span?.status._tag === "Started") {
      const attributes: Record<string, unknown> = {}
      for (const [key, value] of Object.entries<unknown>(details)) {
        if (key === "error") {
          attributes["error.type"] = outcomeOfError(value as ClientRestError)
        } else if (value !== undefined) {
          attributes[`catalog.${key}`] = value
        }
      }
      span.event(`catalog.${events[name]}`, nanosOf(clockOf(fiber)), attributes)
    }
    return callHooks(call, name, details)
  })

/** Whether a hook is called for attempts. */
const hasAttemptHook = (fiber: AnyFiber): boolean =>
  hooksOf(fiber).some(({ onRequest, onResponse }) => (onRequest ?? onResponse) !== undefined)

/** Runs one exchange and reports it to the hooks. */
export const attempt = <A, E extends ClientRestError | ClientNetworkError, R>(
  exchange: Effect.Effect<A, E, R>,
  fiber: AnyFiber,
  call: Call
): Effect.Effect<A, E, R> => {
  if (!hasAttemptHook(fiber)) {
    return exchange
  }
  const attempt = call.attempts
  return Effect.flatMap(callHooks(call, "onRequest", { attempt }), () => {
    const passed = stopwatch(fiber)
    return Effect.onExit(exchange, (exit) =>
      callHooks(call, "onResponse", {
        attempt,
        outcome: outcomeOf(exit),
        status: call.response.status,
        error: errorOf(exit),
        durationMs: passed() * 1000
      })
    )
  })
}
