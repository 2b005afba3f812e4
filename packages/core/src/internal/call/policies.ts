/**
 * The policies around a call, in order.
 */
import * as Effect from "effect/Effect"
import { type CatalogCall, checkPolicies, type Policy, stages } from "../../CatalogPolicy.js"
import { memoize } from "../common/memoize.js"
import { mistake } from "../common/validate.js"
import type { Declaration, Params } from "../operation/declaration.js"
import { tell } from "../telemetry/hooks.js"
import type { Call } from "./call.js"

/** It is easy to pass the function that makes a policy in place of the policy. */
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

/** Composes policies into one, in order; `undefined` for none. */
const compose = (policies: ReadonlyArray<Policy>): Policy | undefined => {
  const [outermost, ...others] = [undefined, ...stages].flatMap((stage) =>
    policies.filter((policy) => policy.stage === stage)
  )
  return outermost && around(made, others.reduce(around, outermost))
}

const composed = /*#__PURE__*/ memoize(compose)

/** Merges a call's policies over the outer ones: each replaces one of the same stage. */
export const over = (surrounding: ReadonlyArray<Policy>, own: ReadonlyArray<Policy>): ReadonlyArray<Policy> => [
  ...surrounding.filter(({ stage }) => stage === undefined || own.every((policy) => policy.stage !== stage)),
  ...own
]

/** The policy of a call: the outer policies, merged with its own. */
export const policyOf = (surrounding: ReadonlyArray<Policy>, given: unknown, operation: string): Policy | undefined => {
  if (given === undefined || given === null) {
    return composed(surrounding)
  }
  return compose(over(surrounding, checkPolicies(given, operation)))
}

/** What policies know about a call. `isLink`: its URL is from a reply, and can hold a secret. */
export const describe = (
  call: Call,
  { cacheable, method, name, reply }: Declaration,
  params: Params,
  isLink: boolean
): CatalogCall => ({
  operation: name,
  method,
  url: isLink ? call.redactedUrl : call.request.url,
  params,
  credentials: call.credentials,
  headers: call.config.headers,
  timeout: call.timeout,
  maxResponseBytes: call.maxResponseBytes,
  idempotent: method !== "PATCH" && method !== "POST",
  reply,
  cacheable: cacheable === true,
  networkError: (reason, cause) => call.networkError(reason, cause),
  tell: (hook, details) => tell(call, hook, details)
})
