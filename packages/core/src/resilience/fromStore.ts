/**
 * Asks the store of a rate limit.
 */
import type * as Effect from "effect/Effect"

/** Runs a function of the store. */
export const fromStore = <A>(run: () => Effect.Effect<A, unknown>): Effect.Effect<A, unknown> => run()
