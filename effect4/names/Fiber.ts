/** `effect/Fiber` with the names of Effect 3. */
import * as Effect from "effect/Effect"
import type { Exit } from "effect/Exit"
import * as Fiber from "effect/Fiber"

export * from "effect/Fiber"
export type { Fiber as RuntimeFiber } from "effect/Fiber"

/** Returns the exit, as in Effect 3. */
export const interrupt = <A, E>(fiber: Fiber.Fiber<A, E>): Effect.Effect<Exit<A, E>> =>
  Effect.andThen(Fiber.interrupt(fiber), Fiber.await(fiber))

export const interruptFork = (fiber: Fiber.Fiber<unknown, unknown>): Effect.Effect<void> =>
  Effect.sync(() => fiber.interruptUnsafe())

/** Nothing flows back from a child: references are in the context. */
export const inheritAll: (fiber: Fiber.Fiber<unknown, unknown>) => Effect.Effect<void> = () => Effect.void
