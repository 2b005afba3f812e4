/**
 * Marks policies with their stage, and calls one with an attempt.
 */
// Counterpart for catalog-client: packages/promise/replaced/core/internal/policies/apply.ts
import * as Effect from "effect/Effect"
import { mistake } from "../common/mistakes.js"

export const inStage = <P extends object, const Stage extends string>(
  stage: Stage,
  policy: P
): P & { readonly stage: Stage } => Object.assign(policy, { stage })

/** Calls a policy. Reports a common mistake: `Resilience.retry` passed instead of `Resilience.retry()`. The counterpart needs the progress. */
export const applyPolicy = <Call extends { readonly operation: string }, Attempt>(
  policy: (call: Call, attempt: Attempt) => Attempt,
  call: Call,
  attempt: Attempt,
  _progress: object
): Attempt => {
  const applied = policy(call, attempt)
  if (!Effect.isEffect(applied)) {
    throw mistake(`${call.operation}: a policy must return an Effect: pass Resilience.retry(), not Resilience.retry`)
  }
  return applied
}
