/** `effect/Effect` with the names of Effect 3. */
import { Clock } from "effect/Clock"
import type * as Context from "effect/Context"
import type { Input as DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Fiber } from "effect/Fiber"
import type { Scope } from "effect/Scope"
import { dual } from "effect/Function"
import type { Semaphore } from "effect/Semaphore"

export * from "effect/Effect"
export {
  andThen as zipRight,
  callback as async,
  catch as catchAll,
  catchCause as catchAllCause,
  catchDefect as catchAllDefect,
  forkChild as fork,
  updateContext as mapInputContext
} from "effect/Effect"
export { make as makeSemaphore, makeUnsafe as unsafeMakeSemaphore } from "effect/Semaphore"
export type { Semaphore }

type Yielded = Effect.Effect<unknown, unknown, unknown>

/** With `this`, as in Effect 3. */
export const gen: typeof Effect.gen & {
  <Self, Eff extends Yielded, A>(
    self: Self,
    body: (this: Self) => Generator<Eff, A, never>
  ): Effect.Effect<A, Effect.Error<Eff>, Effect.Services<Eff>>
} = (...args: ReadonlyArray<unknown>): never =>
  (Effect.gen as (...args: ReadonlyArray<unknown>) => never)(
    ...(args.length === 1 ? args : [{ self: args[0] }, args[1]])
  )

export const clock: Effect.Effect<Clock> = /*#__PURE__*/ Effect.clockWith(Effect.succeed)

export const withClock: {
  (clock: Clock): <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  <A, E, R>(effect: Effect.Effect<A, E, R>, clock: Clock): Effect.Effect<A, E, R>
} = /*#__PURE__*/ dual(2, <A, E, R>(effect: Effect.Effect<A, E, R>, clock: Clock) =>
  Effect.provideService(effect, Clock, clock)
)

export const contextWithEffect = <R0, A, E, R>(
  make: (context: Context.Context<R0>) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | R0> => Effect.flatMap(Effect.context<R0>(), make)

export const dieMessage = (message: string): Effect.Effect<never> => Effect.die(new Error(message))

/** It begins at once, as in Effect 3. */
export const forkDaemon = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Fiber<A, E>, never, R> =>
  Effect.forkDetach(effect, { startImmediately: true })

/** It begins at once, as in Effect 3. */
export const forkIn = <A, E, R>(effect: Effect.Effect<A, E, R>, scope: Scope): Effect.Effect<Fiber<A, E>, never, R> =>
  Effect.forkIn(effect, scope, { startImmediately: true })

type Timeout<E> = { readonly duration: DurationInput; readonly onTimeout: () => E }

export const timeoutFail: {
  <E2>(options: Timeout<E2>): <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | E2, R>
  <A, E, R, E2>(effect: Effect.Effect<A, E, R>, options: Timeout<E2>): Effect.Effect<A, E | E2, R>
} = /*#__PURE__*/ dual(2, <A, E, R, E2>(effect: Effect.Effect<A, E, R>, { duration, onTimeout }: Timeout<E2>) =>
  Effect.timeoutOrElse(effect, { duration, orElse: () => Effect.fail(onTimeout()) })
)

export const ignoreLogged = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
  Effect.ignore(effect, { log: "Debug" })
