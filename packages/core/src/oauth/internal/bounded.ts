/**
 * Uses of what a program passes in, such as stores and locks, which may never end.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { startTimer } from "../../internal/call/timeout.js"
import { withFiber } from "../../internal/common/fiber.js"
import { forkFrom, interrupt } from "../../internal/common/run.js"

/** Why an effect was left. */
export class NoResponse {
  readonly name: string

  constructor(millis: number) {
    this.name = `no response after ${millis} ms`
  }
}

/**
 * Runs an effect for at most some milliseconds, also where nothing can be interrupted, such as in a finalizer. Then it is
 * interrupted, and left if it does not end.
 */
export const bounded = <A, E, R>(
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

/** Milliseconds to wait for a lock: longer than the request of another process takes. */
const longestWait = 15_000

/**
 * Runs an effect under a lock. If the lock is not acquired in time, the effect runs without it, and nothing runs when the lock
 * is acquired later. Its release may take some milliseconds.
 */
export const locked = <A, E, R>(
  lock: <B, F, S>(effect: Effect.Effect<B, F, S>) => Effect.Effect<B, F, S>,
  effect: Effect.Effect<A, E, R>,
  millis: number
): Effect.Effect<A, E, R> =>
  withFiber((parent, flags) =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<Exit.Exit<A, E>>()
      let state: "waiting" | "begun" | "late" = "waiting"
      const inside = Effect.suspend(() => {
        if (state !== "waiting") {
          return Effect.void
        }
        state = "begun"
        const running = Effect.zipRight(Deferred.succeed(begun, undefined), effect)
        return Effect.asVoid(Effect.onExit(running, (exit) => Deferred.succeed(ended, exit)))
      })
      // A lock can fail, and it can end without having run the effect.
      const holding = Effect.ensuring(
        Effect.exit(Effect.suspend(() => lock(inside))),
        Deferred.succeed(begun, undefined)
      )
      const holder = forkFrom(parent, flags)(holding)
      const run = Effect.gen(function* () {
        yield* bounded(Deferred.await(begun), longestWait)
        if (state === "waiting") {
          state = "late"
          interrupt(holder)
          return yield* effect
        }
        const exit = yield* Deferred.await(ended)
        yield* bounded(Fiber.await(holder), millis)
        return yield* exit
      })
      return yield* Effect.ensuring(
        run,
        Effect.sync(() => interrupt(holder))
      )
    })
  )
