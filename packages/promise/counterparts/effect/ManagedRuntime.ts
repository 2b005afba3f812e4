/**
 * A Layer that is built once, by the first effect that needs it. The runner keeps the fibers of calls, so this one has none to end.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"

export const make = <R>(layer: Layer.Layer<R>) => {
  const scope = Scope.makeUnsafe()
  let building: Fiber.Fiber<Context.Context<R>> | undefined
  const contextEffect = Effect.withFiber((fiber) => {
    // With the scheduler of the fiber that asks, so that one that runs synchronously builds it so.
    building ??= Effect.runFork(Layer.buildWithMemoMap(layer, Layer.makeMemoMapUnsafe(), scope), {
      scheduler: fiber.cache.scheduler
    })
    return Effect.flatten(Fiber.await(building))
  })
  const provide = <A, E>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(contextEffect, (context) => Effect.provideContext(effect, context))
  return {
    contextEffect,
    runFork: <A, E>(effect: Effect.Effect<A, E, R>) => Effect.runFork(provide(effect)),
    runSyncExit: <A, E>(effect: Effect.Effect<A, E, R>) => Effect.runSyncExit(provide(effect)),
    /** Interrupts a build in progress. Called once. */
    dispose: (): Promise<void> => {
      const built = building === undefined ? Effect.void : Fiber.interrupt(building)
      return Effect.runPromise(Effect.andThen(built, Scope.close(scope, Exit.void)))
    }
  }
}
