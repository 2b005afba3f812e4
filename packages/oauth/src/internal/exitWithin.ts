/**
 * Runs effects that may never end, such as a store of the program, for a limited time.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { forkFrom, interrupt, startTimer, withFiber } from "@catalog-client/core/internal"

/** The error of an effect that took too long. */
export class NoResponse {
  readonly name: string

  constructor(millis: number) {
    this.name = `no response after ${millis} ms`
  }
}

/**
 * Runs an effect for at most some milliseconds, even in an uninterruptible region such as a finalizer. Then interrupts it, and
 * does not wait for its end.
 */
export const exitWithin = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  millis: number
): Effect.Effect<Exit.Exit<A, E | NoResponse>, never, R> =>
  withFiber((parent, flags) =>
    Effect.async<Exit.Exit<A, E | NoResponse>>((resume) => {
      const child = forkFrom(parent, flags)(Effect.exit(effect))
      const stop = startTimer(parent, millis, () => {
        resume(Effect.succeed(Exit.fail(new NoResponse(millis))))
        interrupt(child)
      })
      child.addObserver((exit) => {
        stop()
        resume(Effect.succeed(Exit.flatten(exit)))
      })
      return Effect.sync(() => {
        stop()
        interrupt(child)
      })
    })
  )
