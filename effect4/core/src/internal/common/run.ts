/**
 * Runs effects: the only module that knows how Effect makes fibers.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type * as ManagedRuntime from "effect/ManagedRuntime"
import { Scheduler } from "effect/Scheduler"
import { ParentSpan } from "effect/Tracer"
import { type AnyFiber, contextOf } from "./fiber.js"

/** What effects run in: services, among them loggers and tracers. */
export type Runtime<R> = Context.Context<R>

export const runtime: <R>() => Effect.Effect<Runtime<R>, never, R> = Effect.context

/** Forks effects in a runtime, outside of the span in which the runtime was taken. */
export const forkApart = <R>(runtime: Runtime<R>) =>
  Effect.runForkWith(Context.omit(ParentSpan)(runtime) as Context.Context<R>)

/**
 * Runs effects in new fibers that inherit the services of a parent. They begin at once, and can be interrupted. Call this while
 * the parent is running, because it has no services afterwards. The function that it returns also works later.
 */
export const forkFrom = (parent: AnyFiber, _flags: undefined) => {
  const context = contextOf(parent)
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Fiber.Fiber<A, E> =>
    // Safe cast: the parent's context contains what the effect requires.
    Effect.runForkWith(context as Context.Context<R>)(effect)
}

/** Interrupts a fiber, and does not wait for its end. If it can end now, its observers run before this returns. */
export const interrupt = (fiber: AnyFiber | undefined): void => fiber?.interruptUnsafe()

export const hasEnded = (fiber: AnyFiber): boolean => fiber.pollUnsafe() !== undefined

export const withServices = <R, R2>(runtime: Runtime<R>, services: Context.Context<R2>): Runtime<R | R2> =>
  // The scheduler of the build is not for calls.
  Context.merge(Context.omit(Scheduler)(runtime) as Context.Context<R>, services)

/** Runs an effect with more services, in a runtime that is built first. */
export const afterBuild = <A, E, R, R2>(
  managed: ManagedRuntime.ManagedRuntime<R, never>,
  services: Context.Context<R2>,
  effect: Effect.Effect<A, E, R | R2>
): Effect.Effect<A, E> =>
  Effect.flatMap(managed.contextEffect, (built) => Effect.provideContext(effect, withServices(built, services)))

export const forkIn = <R, A, E>(runtime: Runtime<R>, effect: Effect.Effect<A, E, R>): Fiber.Fiber<A, E> =>
  Effect.runForkWith(runtime)(effect)
