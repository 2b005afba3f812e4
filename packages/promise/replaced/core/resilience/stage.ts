/**
 * The stage of a policy, which is the client's own: it works on Effects, and not on promises.
 */
import type { Policy, PolicyStage } from "#core/CatalogPolicy.js"
import { asOwn } from "../internal/policies/apply.js"

export const inStage = (stage: PolicyStage, policy: Policy) => Object.assign(asOwn(policy), { stage })
