/**
 * Reports the events of a call to its listener and to hooks, and mismatches also to the log.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { AttemptError } from "../../CatalogError.js"
import type { HookEvents, Hooks } from "../policies/hookEvents.js"
import { HttpClient } from "../../platform/httpClient.js"
import { errorOf, toRecord } from "../common/cause.js"
import { printable } from "../common/values.js"
import { type AnyFiber, contextOf, withFiber } from "../common/fiber.js"
import { valueIn } from "../common/layers.js"
import { memoize } from "../common/memoize.js"
import { forkFrom } from "../common/run.js"
import type { CallState } from "../declaration/call.js"
import type { EventDetails, HookHandlers } from "../declaration/listener.js"
import { CatalogHooksTag } from "../policies/merge.js"
import { callNames, redactIn } from "../redaction/redactIn.js"
import { outcomeOf, stopwatch } from "./outcome.js"

/** The parts of a reply that were omitted at one path. */
export type Mismatch = EventDetails<"onMismatch">

const hooksOf = (fiber: AnyFiber): ReadonlyArray<Hooks> => valueIn(contextOf(fiber), CatalogHooksTag)

/** The hooks that have failed: the client warns of each once. */
const failedHooks = /*#__PURE__*/ new WeakSet<object>()

/** Calls the hooks of a name; their failures do not affect the call. */
const callHooks = <Name extends keyof HookEvents>(
  call: CallState,
  name: Name,
  details: EventDetails<Name>
): Effect.Effect<void> =>
  withFiber((fiber, flags) => {
    let effects: Effect.Effect<void> = Effect.void
    for (const hooks of hooksOf(fiber)) {
      const hook: unknown = hooks[name]
      if (typeof hook === "function") {
        const log = forkFrom(fiber, flags)
        const warn = (cause: unknown): void => {
          if (!failedHooks.has(hook)) {
            failedHooks.add(hook)
            const error = toRecord(cause, (text) => redactIn(call, text))
            const warning = `${call.declaration.name}: the hook ${name} failed (logged once): ${error.name}: ${error.message}`
            log(Effect.logWarning(printable(warning)))
          }
        }
        let result: unknown
        // Handles an exception and a rejected promise in the same way.
        const called = async (): Promise<unknown> => (result = hook.call(hooks, { ...callNames(call), ...details }))
        called().catch(warn)
        if (Effect.isEffect(result)) {
          const run = Effect.catchAll(result as Effect.Effect<unknown, unknown>, (cause) =>
            Effect.sync(() => warn(cause))
          )
          effects = Effect.zipRight(effects, run)
        }
      }
    }
    return effects
  })

/** Reports a retry, a wait or a mismatch. */
export const notify = <Name extends keyof HookHandlers>(
  call: CallState,
  name: Name,
  details: EventDetails<Name>
): Effect.Effect<void> =>
  withFiber((fiber) => {
    const handlers: HookHandlers | undefined = call.listener.handlers
    handlers?.[name](details, call.declaration.name, fiber, call.progress.span)
    return callHooks(call, name, details)
  })

const areForAttempts = ({ onRequest, onResponse }: Hooks): boolean => (onRequest ?? onResponse) !== undefined

export const withHooks = <A, E extends AttemptError, R>(
  exchange: Effect.Effect<A, E, R>,
  fiber: AnyFiber,
  call: CallState
): Effect.Effect<A, E, R> => {
  if (!hooksOf(fiber).some(areForAttempts)) {
    return exchange
  }
  const attempt = call.progress.attempts
  return Effect.flatMap(callHooks(call, "onRequest", { attempt }), () => {
    const passed = stopwatch(fiber)
    return Effect.onExit(exchange, (exit) =>
      callHooks(call, "onResponse", {
        attempt,
        outcome: outcomeOf(exit),
        status: call.progress.response.status,
        error: errorOf(exit),
        durationMs: passed() * 1000
      })
    )
  })
}

/** The paths already logged, by client: views and layers of one program share the client. */
const warnedPaths = /*#__PURE__*/ memoize((_client: object) => new Set<string>())

/** The most paths to remember, and so the most warnings. */
const maxWarnings = 256

/** Reports what was omitted from a reply. The log gets each path once. */
export const reportMismatches = (call: CallState, mismatches: ReadonlyArray<Mismatch>): Effect.Effect<void> =>
  withFiber((fiber) => {
    const { name } = call.declaration
    const paths = warnedPaths(Context.unsafeGet(contextOf(fiber), HttpClient))
    return Effect.forEach(
      mismatches,
      (mismatch) => {
        const { expected, found, path } = mismatch
        const place = `${name}: ${path} of the reply`
        const notified = notify(call, "onMismatch", mismatch)
        if (paths.has(place) || paths.size === maxWarnings) {
          return notified
        }
        paths.add(place)
        return Effect.zipRight(
          Effect.logWarning(
            `${place} was omitted (logged once): expected ${expected}, found ${found}. The service may have changed: look for a newer version of this client.`
          ),
          notified
        )
      },
      { discard: true }
    )
  })
