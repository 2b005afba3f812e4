/**
 * The time of a call: timers, `totalTimeout` and signals.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { constVoid } from "effect/Function"
import type { ClientError } from "../../CatalogError.js"
import { limitOf } from "../../limits.js"
import { type AnyFiber, clockOf, isLive, withFiber } from "../common/fiber.js"
import { signalOf } from "../common/mistakes.js"
import { forkFrom, interrupt } from "../common/run.js"
import type { Inputs } from "../declaration/declaration.js"
import type { Call } from "./call.js"

/** Starts to wait; returns a function that stops waiting. */
type Watch<E> = (fiber: AnyFiber, end: (error: () => E) => void) => () => void

/**
 * Runs an effect in a child fiber, and ends it with an error when the watcher fires.
 *
 * Not `Effect.timeout`, which waits for an uninterruptible region to end.
 */
const bounded = <A, E, R, E2>(effect: Effect.Effect<A, E, R>, watch: Watch<E2>): Effect.Effect<A, E | E2, R> =>
  withFiber((parent, flags) =>
    Effect.async<A, E | E2>((resume) => {
      let ended: { readonly error: () => E2 } | undefined
      let child: Fiber.RuntimeFiber<Exit.Exit<A, E>> | undefined
      // Watch first: the child runs at once and can already trigger the end.
      const unwatch = watch(parent, (error) => {
        ended ??= { error }
        interrupt(child)
      })
      // As a value: a failed fiber is logged, but this failure is handled.
      const running = (child = forkFrom(parent, flags)(Effect.exit(effect)))
      if (ended !== undefined) {
        interrupt(running)
      }
      running.addObserver((exit) => {
        unwatch()
        resume(
          ended !== undefined && Exit.isInterrupted(exit)
            ? Effect.fail(ended.error())
            : Effect.zipRight(Fiber.inheritAll(running), Exit.flatten(exit))
        )
      })
      return Effect.suspend(() => {
        unwatch()
        return Fiber.interrupt(running)
      })
    })
  )

/** The longest delay of one `setTimeout`; more would fire at once. */
const longest = 2 ** 31 - 1

const afterMillis = (millis: number, run: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout>
  const arm = (left: number): void => {
    timer = left > longest ? setTimeout(() => arm(left - longest), longest) : setTimeout(run, left)
  }
  arm(millis)
  return () => clearTimeout(timer)
}

/**
 * Calls back after some milliseconds of the fiber's own clock; `0` and `Infinity` mean never. Returns a function that stops
 * it.
 */
export const startTimer = (fiber: AnyFiber, millis: number, run: () => void): (() => void) => {
  if (millis === 0 || millis === Infinity) {
    return constVoid
  }
  const clock = clockOf(fiber)
  if (isLive(clock)) {
    return afterMillis(millis, run)
  }
  const sleeper = Effect.runFork(clock.sleep(Duration.millis(millis)))
  sleeper.addObserver((exit) => {
    if (Exit.isSuccess(exit)) {
      run()
    }
  })
  return () => interrupt(sleeper)
}

/** Ends the effect after some milliseconds of the fiber's own clock; `0` and `Infinity` mean never. */
const withTimeout = <A, E, R, E2>(
  effect: Effect.Effect<A, E, R>,
  millis: number,
  error: () => E2
): Effect.Effect<A, E | E2, R> =>
  millis === 0 || millis === Infinity
    ? effect
    : bounded(effect, (parent, end) => startTimer(parent, millis, () => end(error)))

/** The calls that wait for a signal. They share one listener: platforms warn of a leak if there are many. */
class Waiting extends Set<() => void> {
  handleEvent(): void {
    for (const call of this) {
      call()
    }
  }
}

const waiting = new WeakMap<AbortSignal, Waiting>()

const onAbort = (signal: AbortSignal, call: () => void): (() => void) => {
  const calls = waiting.get(signal) ?? new Waiting()
  if (calls.size === 0) {
    waiting.set(signal, calls)
    signal.addEventListener("abort", calls)
  }
  calls.add(call)
  return () => {
    if (calls.delete(call) && calls.size === 0) {
      waiting.delete(signal)
      signal.removeEventListener("abort", calls)
    }
  }
}

/** Ends the effect when a signal is aborted; if it is already aborted, the effect does not begin. */
const withSignal = <A, E, R, E2>(
  effect: Effect.Effect<A, E, R>,
  signal: AbortSignal | undefined,
  error: (reason: unknown) => E2
): Effect.Effect<A, E | E2, R> =>
  signal === undefined
    ? effect
    : Effect.suspend(() =>
        signal.aborted
          ? Effect.fail(error(signal.reason))
          : bounded(effect, (_, end) => onAbort(signal, () => end(() => error(signal.reason))))
      )

/** Runs an effect under a call's `totalTimeout` and signal. */
export const within = <A, R>(
  call: Call,
  { options }: Inputs,
  effect: Effect.Effect<A, ClientError, R>
): Effect.Effect<A, ClientError, R> => {
  const {
    config,
    operation: { name }
  } = call
  const totalTimeout = limitOf("totalTimeout", options["totalTimeout"] ?? config.totalTimeout, name)
  return withSignal(
    withTimeout(effect, totalTimeout, () => call.timedOut(totalTimeout)),
    signalOf(options["signal"] ?? config.signal, name),
    (reason) => call.networkError("Cancelled", reason)
  )
}
