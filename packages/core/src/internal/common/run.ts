/**
 * Runs effects: the only module that knows how Effect makes fibers.
 */
// Counterpart for Effect 4: effect4/core/src/internal/common/run.ts
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as FiberRef from "effect/FiberRef"
import * as FiberRefs from "effect/FiberRefs"
import type * as ManagedRuntime from "effect/ManagedRuntime"
import * as EffectRuntime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import { ParentSpan } from "effect/Tracer"
import { type AnyFiber, contextOf } from "./fiber.js"

/** What effects run in: services, loggers and tracers. */
export type Runtime<R> = EffectRuntime.Runtime<R>

export const runtime: <R>() => Effect.Effect<Runtime<R>, never, R> = Effect.runtime

/** A runtime whose fibers can be interrupted, even if the current fiber cannot. */
const interruptible = <R>(
  context: Context.Context<R>,
  fiberRefs: FiberRefs.FiberRefs,
  flags: RuntimeFlags.RuntimeFlags
): Runtime<R> =>
  EffectRuntime.make({ context, fiberRefs, runtimeFlags: RuntimeFlags.enable(flags, RuntimeFlags.Interruption) })

/** Forks without the current span, and interruptibly. */
export const forkApart = <R>({ context, fiberRefs, runtimeFlags }: Runtime<R>) =>
  EffectRuntime.runFork(interruptible(Context.omit(ParentSpan)(context) as Context.Context<R>, fiberRefs, runtimeFlags))

/**
 * Runs effects in new fibers that inherit everything from a parent, and begin at once. `withFiber` provides the flags. Call
 * this while the parent is running; the function that it returns also works afterwards.
 *
 * They can be interrupted even where their parent cannot: otherwise a timeout inside an uninterruptible region would wait
 * forever.
 */
export const forkFrom =
  (parent: AnyFiber, flags: RuntimeFlags.RuntimeFlags) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Fiber.RuntimeFiber<A, E> =>
    // Safe cast: the parent's context contains what the effect requires.
    EffectRuntime.runFork(interruptible(contextOf(parent) as Context.Context<R>, parent.getFiberRefs(), flags), effect)

/** Interrupts a fiber, and does not wait for its end. */
export const interrupt = (fiber: AnyFiber | undefined): void => fiber?.unsafeInterruptAsFork(FiberId.none)

export const hasEnded = (fiber: AnyFiber): boolean => fiber.unsafePoll() !== null

export const withServices = <R, R2>(
  { context, fiberRefs, runtimeFlags }: Runtime<R>,
  services: Context.Context<R2>
): Runtime<R | R2> =>
  EffectRuntime.make({
    context: Context.merge(context, services),
    // Every fork copies these, so drop the two that it sets itself, and the scheduler of the build.
    fiberRefs: fiberRefs.pipe(
      FiberRefs.delete(FiberRef.currentContext),
      FiberRefs.delete(FiberRef.currentRuntimeFlags),
      FiberRefs.delete(FiberRef.currentScheduler)
    ),
    runtimeFlags
  })

/** Runs an effect with more services, in a runtime that is built first. */
export const afterBuild = <A, E, R, R2>(
  managed: ManagedRuntime.ManagedRuntime<R, never>,
  services: Context.Context<R2>,
  effect: Effect.Effect<A, E, R | R2>
): Effect.Effect<A, E> => Effect.provide(Effect.provide(effect, services), managed) as Effect.Effect<A, E>

export const forkIn: <R, A, E>(runtime: Runtime<R>, effect: Effect.Effect<A, E, R>) => Fiber.RuntimeFiber<A, E> =
  EffectRuntime.runFork
