/**
 * Asks the store of a rate limit: the one in memory has Effects, those of programs return promises or values.
 */
import * as Effect from "effect/Effect"

const catcher = (error: unknown): unknown => error

export const fromStore = <A>(run: () => A | Promise<A> | Effect.Effect<A, unknown>): Effect.Effect<A, unknown> =>
  Effect.flatMap(Effect.try({ try: run, catch: catcher }), (taken) =>
    Effect.isEffect(taken) ? taken : Effect.tryPromise({ try: async () => taken, catch: catcher })
  )
