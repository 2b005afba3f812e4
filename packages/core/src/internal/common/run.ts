/**
 * Runs effects: the only module that knows how Effect makes fibers.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as FiberRef from "effect/FiberRef"
import * as FiberRefs from "effect/FiberRefs"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import { ParentSpan } from "effect/Tracer"
import { type AnyFiber, contextOf } from "./fiber.js"

/** A runtime whose fibers can be interrupted, also where the one that it is made in cannot. */
const interruptible = <R>(
  context: Context.Context<R>,
  fiberRefs: FiberRefs.FiberRefs,
  flags: RuntimeFlags.RuntimeFlags
): Runtime.Runtime<R> =>
  Runtime.make({ context, fiberRefs, runtimeFlags: RuntimeFlags.enable(flags, RuntimeFlags.Interruption) })

/** Forks effects in a runtime, outside of the span and the uninterruptible region in which the runtime was taken. */
export const forkApart = <R>({ context, fiberRefs, runtimeFlags }: Runtime.Runtime<R>) =>
  Runtime.runFork(interruptible(Context.omit(ParentSpan)(context) as Context.Context<R>, fiberRefs, runtimeFlags))

/**
 * Runs an effect in a new fiber that inherits everything from a parent, whose flags `withFiber` provides. It begins at once.
 *
 * It can be interrupted even where its parent cannot: otherwise a timeout inside an uninterruptible region would wait
 * forever.
 */
export const forkFrom = <A, E, R>(
  parent: AnyFiber,
  flags: RuntimeFlags.RuntimeFlags,
  effect: Effect.Effect<A, E, R>
): Fiber.RuntimeFiber<A, E> =>
  // The parent's context contains what the effect requires: the type says so.
  Runtime.runFork(interruptible(contextOf(parent) as Context.Context<R>, parent.getFiberRefs(), flags), effect)

/** Interrupts a fiber, and does not wait for its end. */
export const interrupt = (fiber: AnyFiber | undefined): void => fiber?.unsafeInterruptAsFork(FiberId.none)

/** A built runtime with more services. */
export const withServices = <R, R2>(
  { context, fiberRefs, runtimeFlags }: Runtime.Runtime<R>,
  services: Context.Context<R2>
): Runtime.Runtime<R | R2> =>
  Runtime.make({
    context: Context.merge(context, services),
    // Every fork copies these. It sets the context and the flags itself, and the scheduler was only for the build.
    fiberRefs: fiberRefs.pipe(
      FiberRefs.delete(FiberRef.currentContext),
      FiberRefs.delete(FiberRef.currentRuntimeFlags),
      FiberRefs.delete(FiberRef.currentScheduler)
    ),
    runtimeFlags
  })

/** Runs an effect in a fiber of a runtime. */
export const forkIn: <R, A, E>(
  runtime: Runtime.Runtime<R>,
  effect: Effect.Effect<A, E, R>
) => Fiber.RuntimeFiber<A, E> = Runtime.runFork
