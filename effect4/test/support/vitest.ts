/**
 * `it` with Effects, as `@effect/vitest` has it for Effect 3: its version for Effect 4 needs a newer vitest.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type { Scope } from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import * as vitest from "vitest"

export * from "vitest"

type Run = <A, E>(effect: Effect.Effect<A, E, Scope>, signal: AbortSignal) => Promise<A>

/** Throws the first error itself, so that vitest shows its stack. */
const live: Run = async (effect, signal) => {
  const exit = await Effect.runPromiseExit(Effect.scoped(effect), { signal })
  if (Exit.isFailure(exit)) {
    const errors = Cause.hasInterruptsOnly(exit.cause) ? [] : Cause.prettyErrors(exit.cause)
    throw errors[0] ?? new Error("All fibers interrupted without errors.")
  }
  return exit.value
}

/** With a clock that the test moves, and without logs. */
const test: Run = (effect, signal) =>
  live(Effect.provide(effect, Layer.mergeAll(TestClock.layer(), Logger.layer([]))), signal)

type Body<Args extends ReadonlyArray<unknown>> = (...args: Args) => Effect.Effect<unknown, unknown, Scope>

const tester = (run: Run) =>
  Object.assign(
    (name: string, body: Body<[]>, timeout?: number) =>
      vitest.it(name, async ({ signal }) => void (await run(Effect.suspend(body), signal)), timeout),
    {
      each:
        <T>(cases: ReadonlyArray<T>) =>
        (name: string, body: Body<[T]>, timeout?: number) =>
          vitest.it.for(cases)(
            name,
            { ...(timeout !== undefined && { timeout }) },
            async (one, { signal }) =>
              void (await run(
                Effect.suspend(() => body(one)),
                signal
              ))
          )
    }
  )

export const it = Object.assign(vitest.it, {
  effect: tester(test),
  live: tester(live),
  scoped: tester(test)
})

interface TesterOf<R> {
  readonly effect: (name: string, body: () => Effect.Effect<unknown, unknown, R | Scope>) => void
}

/** Tests that share a Layer, which is built once. */
export const layer =
  <R, E>(shared: Layer.Layer<R, E>) =>
  (title: string, declare: (it: TesterOf<R>) => void): void => {
    vitest.describe(title, () => {
      const runtime = ManagedRuntime.make(shared)
      vitest.afterAll(() => runtime.dispose())
      const provided = (body: () => Effect.Effect<unknown, unknown, R | Scope>) =>
        Effect.flatMap(runtime.contextEffect, (context) => Effect.provide(Effect.suspend(body), context))
      declare({ effect: (name, body) => it.effect(name, () => provided(body)) })
    })
  }
