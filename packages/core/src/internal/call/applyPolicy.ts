/**
 * Runs a policy around an attempt.
 */
import * as Effect from "effect/Effect"
import type { ClientNetworkError, ClientRestError } from "../../CatalogError.js"
import type { CatalogCall, Policy } from "../../CatalogPolicy.js"
import { mistake } from "../common/mistakes.js"

/** Catches a common mistake: to pass the function that makes a policy instead of the policy. */
export const applyPolicy = <A, R>(
  policy: Policy,
  call: CatalogCall,
  attempt: Effect.Effect<A, ClientRestError | ClientNetworkError, R>
): Effect.Effect<A, ClientRestError | ClientNetworkError, R> => {
  const applied = policy(call, attempt)
  if (!Effect.isEffect(applied)) {
    throw mistake(`${call.operation}: a policy must return an Effect: pass Resilience.retry(), not Resilience.retry`)
  }
  return applied
}
