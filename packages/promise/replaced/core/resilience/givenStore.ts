/**
 * The store that a program passes to a rate limit: its functions return promises or values.
 */
import * as Effect from "effect/Effect"
import { show } from "#core/internal/common/mistakes.js"
import type { RateLimitStore } from "#core/resilience/store.js"
import { isEffect } from "../internal/policies/apply.js"

interface Given {
  readonly take: (...inputs: Parameters<RateLimitStore["take"]>) => unknown
  readonly hold: (...inputs: Parameters<RateLimitStore["hold"]>) => unknown
}

/** A store of Effect is a mistake, and not a failure that `onStoreFailure` decides about. */
const asked = <A>(where: string, ask: () => unknown): Effect.Effect<A, unknown> =>
  Effect.flatMap(Effect.tryPromise({ try: async () => ask(), catch: (error) => error }), (reply) =>
    isEffect(reply)
      ? Effect.die(
          new TypeError(
            `${where}: store must return numbers or promises, but it returned an Effect: stores of @catalog-client packages are for Effect programs`
          )
        )
      : Effect.succeed(reply as A)
  )

/** Rate limits with one store share its line, so it is the same object each time. */
const stores = new WeakMap<object, RateLimitStore>()

export const givenStore = (where: string, store: Given): RateLimitStore => {
  if (typeof store.take !== "function" || typeof store.hold !== "function") {
    throw new TypeError(`${where}: store must be an object with the functions take and hold, but it is ${show(store)}`)
  }
  const known = stores.get(store) ?? {
    take: (bucket) => asked(where, () => store.take(bucket)),
    hold: (bucket, millis) => asked(where, () => store.hold(bucket, millis))
  }
  stores.set(store, known)
  return known
}
