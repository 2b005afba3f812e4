/**
 * Fibers of Effect 4.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"

/** A fiber that a test has started. */
export type Running<A, E = never> = Fiber.Fiber<A, E>

/** The fibers that have begun and not ended. Effect 4 keeps no list of them. */
const started = new Set<Fiber.Fiber<unknown, unknown>>()

interface Evaluating extends Fiber.Fiber<unknown, unknown> {
  evaluate: (this: Evaluating, effect: Effect.Effect<unknown, unknown>) => void
}

const prototype: Evaluating = Object.getPrototypeOf(Effect.runFork(Effect.void))
const { evaluate } = prototype
prototype.evaluate = function (effect) {
  evaluate.call(this, effect)
  if (this.pollUnsafe() === undefined) {
    started.add(this)
  } else {
    started.delete(this)
  }
}

/** Starts a fiber that ends with the one that forks it. */
export const fork = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.forkChild(effect, { startImmediately: true })

/** Starts a fiber that outlives the one that forks it. */
export const forkDaemon = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.forkDetach(effect, { startImmediately: true })

/** Starts a fiber from outside of Effect. */
export const { runFork } = Effect

/** The value of a fiber, or its error. */
export const { join } = Fiber

/** The exit of a fiber, awaited. */
export const exitOf = <A, E>(fiber: Running<A, E>) => Fiber.await(fiber)

/** The exit of a fiber, or none while it runs. */
export const poll = <A, E>(fiber: Running<A, E>) => Effect.sync(() => Option.fromUndefinedOr(fiber.pollUnsafe()))

/** Interrupts a fiber and returns its exit. */
export const interrupt = <A, E>(fiber: Running<A, E>) =>
  Effect.flatMap(Fiber.interrupt(fiber), () => Fiber.await(fiber))

/** The fibers without a parent, including the caller's. */
export const roots = Effect.sync(() => [...started])

/** How many fibers run from outside of Effect. */
export const running = (): number => started.size

/** What Effect shows of a fiber in flight: Effect 4 has no dump of it. */
export const inspect = <A, E>(fiber: Running<A, E>) => Effect.succeed([fiber.id])

/** What `Effect.runPromise` rejects with: the first error itself. */
export { squash as rejection } from "effect/Cause"

/** A value that is local to each fiber. */
export const local = <A>(initial: A) => {
  const ref = Context.Reference<A>(`test/${Math.random()}`, { defaultValue: () => initial })
  return {
    get: Effect.withFiber((fiber) => Effect.succeed(fiber.getRef(ref))),
    update: (change: (value: A) => A) =>
      Effect.withFiber((fiber) =>
        Effect.sync(() => fiber.setContext(Context.add(fiber.context, ref, change(fiber.getRef(ref)))))
      )
  }
}

/** What a reference is known by: two with the same are one. */
export const keyOf = <A>(ref: Context.Reference<A>): unknown => ref.key
