/**
 * The policies around a call, each in its place.
 */
import * as Effect from "effect/Effect"
import { checkPolicies, type Policy, stages } from "../../CatalogPolicy.js"
import { memoize } from "../common/memoize.js"
import { mistake } from "../common/validate.js"

/** A function that makes a policy is easily given in the place of the policy. */
const made: Policy = (call, attempt) => {
  if (!Effect.isEffect(attempt)) {
    throw mistake(`${call.operation}: a policy must return an Effect: give Resilience.retry(), not Resilience.retry`)
  }
  return attempt
}

const around =
  (outer: Policy, inner: Policy): Policy =>
  (call, attempt) =>
    outer(call, made(call, inner(call, attempt)))

/** One policy of many, each in its place; `undefined` for none. */
const compose = (policies: ReadonlyArray<Policy>): Policy | undefined => {
  const [outermost, ...others] = [undefined, ...stages].flatMap((stage) =>
    policies.filter((policy) => policy.stage === stage)
  )
  return outermost && around(made, others.reduce(around, outermost))
}

const composed = /*#__PURE__*/ memoize(compose)

/** Policies over those around them: each replaces one of the same stage. */
export const over = (surrounding: ReadonlyArray<Policy>, own: ReadonlyArray<Policy>): ReadonlyArray<Policy> => [
  ...surrounding.filter(({ stage }) => stage === undefined || own.every((policy) => policy.stage !== stage)),
  ...own
]

/** The policy of a call: those of its surroundings, and its own in the place of those. */
export const policyOf = (surrounding: ReadonlyArray<Policy>, given: unknown, operation: string): Policy | undefined => {
  if (given === undefined || given === null) {
    return composed(surrounding)
  }
  return compose(over(surrounding, checkPolicies(given, operation)))
}
