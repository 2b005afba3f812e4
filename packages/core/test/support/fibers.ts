/**
 * Fibers. Tests fork and watch them only through this module, which effect4/core/test/support/fibers.ts replaces
 * for Effect 4.
 */
import { Effect, Fiber, FiberRef, Runtime } from "effect"

/** A fiber that a test has started. */
export type Running<A, E = never> = Fiber.RuntimeFiber<A, E>

/** Starts a fiber that ends with the one that forks it. */
export const { fork } = Effect

/** Starts a fiber that outlives the one that forks it. */
export const { forkDaemon } = Effect

/** Starts a fiber from outside of Effect. */
export const { runFork } = Effect

/** The value of a fiber, or its error. */
export const join = <A, E>(fiber: Running<A, E>): Effect.Effect<A, E> => Fiber.join(fiber)

/** The exit of a fiber, awaited. */
export const exitOf = <A, E>(fiber: Running<A, E>) => Fiber.await(fiber)

/** The exit of a fiber, or none while it runs. */
export const poll = <A, E>(fiber: Running<A, E>) => Fiber.poll(fiber)

/** Interrupts a fiber and returns its exit. */
export const interrupt = <A, E>(fiber: Running<A, E>) => Fiber.interrupt(fiber)

/** The fibers without a parent, including the caller's. */
export const { roots } = Fiber

/** How many fibers run from outside of Effect. */
export const running = (): number => Effect.runSync(Fiber.roots).length - 1

/** What Effect shows of a fiber in flight. */
export const inspect = <A, E>(fiber: Running<A, E>) => Effect.all([Fiber.dump(fiber), Fiber.status(fiber)])

/** What `Effect.runPromise` rejects with. */
export const { makeFiberFailure: rejection } = Runtime

/** A value that is local to each fiber. */
export const local = <A>(initial: A) => {
  const ref = FiberRef.unsafeMake(initial)
  return { get: FiberRef.get(ref), update: (change: (value: A) => A) => FiberRef.update(ref, change) }
}

/** What a ref is known by: two with the same are one. */
export const keyOf = <A>(ref: FiberRef.FiberRef<A>): unknown => ref
