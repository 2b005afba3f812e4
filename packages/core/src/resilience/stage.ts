/**
 * The stage of a policy.
 */
import type { Policy, PolicyStage } from "../CatalogPolicy.js"

/** Says where a policy stands. */
export const inStage = <const Stage extends PolicyStage>(
  stage: Stage,
  policy: Policy
): Policy & { readonly stage: Stage } => Object.assign(policy, { stage })
