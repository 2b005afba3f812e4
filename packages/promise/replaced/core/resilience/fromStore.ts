/**
 * Asks the store of a rate limit, whose functions return promises or values.
 */
import * as Effect from "effect/Effect"
import { isEffect } from "../internal/policies/apply.js"

/** A store of Effect is a mistake, and not a failure that `onStoreFailure` decides about. */
export const fromStore = <A>(run: () => A | Promise<A>): Effect.Effect<A, unknown> =>
  Effect.flatMap(Effect.tryPromise({ try: async () => run(), catch: (error) => error }), (reply) =>
    isEffect(reply)
      ? Effect.die(
          new TypeError(
            "Resilience.rateLimit: store must return numbers or promises, but it returned an Effect: stores of @catalog-client packages are for Effect programs"
          )
        )
      : Effect.succeed(reply)
  )
