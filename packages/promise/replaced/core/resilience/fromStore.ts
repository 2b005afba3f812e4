/**
 * Asks the store of a rate limit: that in memory, which is the client's own, or one whose functions return promises or values.
 */
import * as Effect from "effect/Effect"

export const fromStore = <A>(run: () => A | Promise<A> | Effect.Effect<A>): Effect.Effect<A, unknown> =>
  Effect.flatMap(Effect.try({ try: run, catch: (error) => error }), (reply) =>
    Effect.isEffect(reply) ? reply : Effect.tryPromise({ try: async () => reply, catch: (error) => error })
  )
