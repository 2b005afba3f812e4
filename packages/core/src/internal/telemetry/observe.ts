/**
 * Calls the listener of a call. Without telemetry, `catalog-client` has one that only logs.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import type { AttemptError, ClientError } from "../../CatalogError.js"
import { type AnyFiber, contextOf, withFiber } from "../common/fiber.js"
import type { CallState } from "../declaration/call.js"
import type { Listener } from "../declaration/listener.js"
import { defaultListener } from "./defaultListener.js"
import { withHooks } from "./notify.js"
import { stopwatch } from "./outcome.js"

export const ListenerTag = /*#__PURE__*/ Context.Reference<"Listener">()("@catalog-client/core/Listener", {
  defaultValue: (): Listener => defaultListener
})

/** The listener of the calls in a context. */
export const listenerIn = (context: Context.Context<never>): Listener => Context.get(context, ListenerTag)

/** Starts timing a call; returns a function that reports its end. */
export const startTiming = (fiber: AnyFiber, call: CallState): ((exit: Exit.Exit<unknown, ClientError>) => void) => {
  const { handlers } = call.listener
  if (handlers === undefined) {
    return constVoid
  }
  const passed = stopwatch(fiber)
  return (exit) => {
    const { attempts } = call.progress
    handlers.onCallEnd({ attempts, exit, seconds: passed() }, call.declaration.name, fiber)
  }
}

export const observeCall = <A, E extends ClientError, R>(
  run: () => Effect.Effect<A, E, R>,
  fiber: AnyFiber,
  call: CallState
): Effect.Effect<A, E, R> => call.listener.around(run, "call", fiber, call)

/** Runs one exchange with its hooks. */
export const observeAttempt = <A, E extends AttemptError, R>(
  exchange: Effect.Effect<A, E, R>,
  fiber: AnyFiber,
  call: CallState
): Effect.Effect<A, E, R> => call.listener.around(() => withHooks(exchange, fiber, call), "attempt", fiber, call)

/** Times a wait before an exchange, however it ends. */
export const timeWait = <A, E, R>(wait: Effect.Effect<A, E, R>, operation: string): Effect.Effect<A, E, R> =>
  withFiber((fiber) => {
    const { handlers } = listenerIn(contextOf(fiber))
    if (handlers === undefined) {
      return wait
    }
    const passed = stopwatch(fiber)
    return Effect.onExit(wait, () => Effect.sync(() => handlers.onWaitEnd({ seconds: passed() }, operation, fiber)))
  })

/** Reports a reply from a cache. */
export const reportHit = (operation: string): Effect.Effect<void> =>
  withFiber((fiber) => Effect.sync(() => listenerIn(contextOf(fiber)).handlers?.onCacheHit({}, operation, fiber)))
