/**
 * Marks policies with their stage, and calls one with an attempt.
 */
import * as Effect from "effect/Effect"
import { mistake } from "../common/mistakes.js"

const own = new WeakSet<object>()

/** Whether a policy is one of the client's own. */
export const isOwn = (policy: object): boolean => own.has(policy)

export const inStage = <P extends object, const Stage extends string>(
  stage: Stage,
  policy: P
): P & { readonly stage: Stage } => {
  own.add(policy)
  return Object.assign(policy, { stage })
}

/**
 * Calls a policy. Reports a common mistake: `Resilience.retry` passed instead of `Resilience.retry()`. Core's own policies
 * ignore `progress`; those of catalog-client read it.
 */
export const applyPolicy = <Call extends { readonly operation: string }, Attempt, Progress>(
  policy: (call: Call, attempt: Attempt, progress: Progress) => Attempt,
  call: Call,
  attempt: Attempt,
  progress: Progress
): Attempt => {
  const applied = policy(call, attempt, progress)
  if (!Effect.isEffect(applied)) {
    throw mistake(`${call.operation}: a policy must return an Effect: pass Resilience.retry(), not Resilience.retry`)
  }
  return applied
}
