/**
 * Asks the store of a rate limit, whose functions return promises or values.
 */
import * as Effect from "effect/Effect"

export const fromStore = <A>(run: () => A | Promise<A>): Effect.Effect<A, unknown> =>
  Effect.tryPromise({ try: async () => run(), catch: (error) => error })
