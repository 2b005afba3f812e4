/**
 * Applies `totalTimeout` and signals. The `timeout` of an exchange: its default is in `settings/limits.ts`, `prepare` of
 * `interpreter.ts` sets it, and `exchange.ts` has the timer.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { constVoid } from "effect/Function"
import type { ClientError } from "../../CatalogError.js"
import { checkLimit } from "../settings/limits.js"
import { type AnyFiber, clockOf, isLive, withFiber } from "../common/fiber.js"
import { memoize } from "../common/memoize.js"
import { checkSignal } from "../common/mistakes.js"
import { forkFrom, interrupt } from "../common/run.js"
import type { Inputs } from "../declaration/declaration.js"
import type { CallState, CallTracker } from "../declaration/call.js"
import { networkError, timedOut } from "../reply/errors.js"

/** Starts to wait; returns a function that stops waiting. */
type Watch = (fiber: AnyFiber, end: (error: ClientError) => void) => () => void

/**
 * Runs an effect in a child fiber, and ends it with an error when the watcher fires. `Effect.timeout` would wait for an
 * uninterruptible region to end.
 */
const failOn = <A, E, R>(effect: Effect.Effect<A, E, R>, watch: Watch): Effect.Effect<A, E | ClientError, R> =>
  withFiber((parent, flags) =>
    Effect.async<A, E | ClientError>((resume) => {
      let ended: ClientError | undefined
      let child: Fiber.RuntimeFiber<Exit.Exit<A, E>> | undefined
      // Watch first: the child runs at once and can already trigger the end.
      const unwatch = watch(parent, (error) => {
        ended ??= error
        interrupt(child)
      })
      // `Effect.exit`, because Effect logs a fiber that fails, and this failure is handled.
      const running = (child = forkFrom(parent, flags)(Effect.exit(effect)))
      if (ended !== undefined) {
        interrupt(running)
      }
      running.addObserver((exit) => {
        unwatch()
        resume(
          ended !== undefined && Exit.isInterrupted(exit)
            ? Effect.fail(ended)
            : Effect.zipRight(Fiber.inheritAll(running), Exit.flatten(exit))
        )
      })
      return Effect.suspend(() => {
        unwatch()
        return Fiber.interrupt(running)
      })
    })
  )

/** The longest delay of `setTimeout`, 24 days; more would fire at once. */
const maxDelay = 2 ** 31 - 1

/**
 * Runs a function after some milliseconds of the fiber's clock; `0` and `Infinity` mean never. Returns a function that cancels
 * it.
 */
export const startTimer = (fiber: AnyFiber, millis: number, run: () => void): (() => void) => {
  if (millis === 0 || millis === Infinity) {
    return constVoid
  }
  const clock = clockOf(fiber)
  if (isLive(clock)) {
    const timer = setTimeout(run, Math.min(millis, maxDelay))
    return () => clearTimeout(timer)
  }
  const sleeper = Effect.runFork(clock.sleep(Duration.millis(millis)))
  sleeper.addObserver((exit) => {
    if (Exit.isSuccess(exit)) {
      run()
    }
  })
  return () => interrupt(sleeper)
}

/** The calls that end with a signal. They share one listener: platforms warn of a leak if there are many. */
class CallsOfSignal extends Set<() => void> {
  handleEvent(): void {
    for (const end of this) {
      end()
    }
  }
}

const callsOf = /*#__PURE__*/ memoize((_signal: AbortSignal) => new CallsOfSignal())

const onAbort = (signal: AbortSignal, end: () => void): (() => void) => {
  const calls = callsOf(signal)
  if (calls.size === 0) {
    signal.addEventListener("abort", calls)
  }
  calls.add(end)
  return () => {
    if (calls.delete(end) && calls.size === 0) {
      signal.removeEventListener("abort", calls)
    }
  }
}

/**
 * Runs an effect under a call's `totalTimeout` and signal. If the signal is already aborted, the effect does not begin. If the
 * effect makes its own call, `tracker` has that one, which knows what was sent.
 */
export const withTimeLimits = <A, R>(
  call: CallState,
  { options }: Inputs,
  effect: Effect.Effect<A, ClientError, R>,
  tracker?: CallTracker
): Effect.Effect<A, ClientError, R> => {
  const { settings } = call
  const { name } = call.declaration
  const totalTimeout = checkLimit("totalTimeout", options["totalTimeout"] ?? settings.totalTimeout, name)
  const signal = checkSignal(options["signal"] ?? settings.signal, name)
  const endWith = (errorOf: (running: CallState) => ClientError): ClientError => {
    const running = tracker?.last ?? call
    return (running.progress.end ??= errorOf(running))
  }
  const timed =
    totalTimeout === 0 || totalTimeout === Infinity
      ? effect
      : failOn(effect, (parent, end) =>
          startTimer(parent, totalTimeout, () => end(endWith((running) => timedOut(running, totalTimeout))))
        )
  if (signal === undefined) {
    return timed
  }
  const cancelled = () => endWith((running) => networkError(running, "Cancelled", signal.reason))
  return Effect.suspend(() =>
    signal.aborted ? Effect.fail(cancelled()) : failOn(timed, (_, end) => onAbort(signal, () => end(cancelled())))
  )
}
