/**
 * The policies and hooks in the context of a call: checks and merges them, from client, view and call.
 */
import * as Context from "effect/Context"
import type { CatalogHooks } from "../../CatalogHooks.js"
import type { Hooks } from "./hookEvents.js"
import type { CatalogPolicy } from "../../CatalogPolicy.js"
import { type Policy, stages } from "./policy.js"
import { checkFunctions, show } from "../common/mistakes.js"

/** The tag of `CatalogPolicy`. */
export const CatalogPolicyTag = /*#__PURE__*/ Context.Reference<CatalogPolicy>()("@catalog-client/core/CatalogPolicy", {
  defaultValue: (): ReadonlyArray<Policy> => []
})

/** The tag of `CatalogHooks`. */
export const CatalogHooksTag = /*#__PURE__*/ Context.Reference<CatalogHooks>()("@catalog-client/core/CatalogHooks", {
  defaultValue: (): ReadonlyArray<CatalogHooks.Hooks> => []
})

/** What the order of policies depends on. */
interface Staged {
  readonly stage?: (typeof stages)[number] | undefined
}

const sorted = <P extends Staged>(policies: ReadonlyArray<P>): ReadonlyArray<P> =>
  [undefined, ...stages].flatMap((stage) => policies.filter((policy) => policy.stage === stage))

/** Sorts policies by their stages. Throws a `TypeError` if an element is not a policy, or two have the same stage. */
export const checkPolicies = <P extends Staged>(policies: ReadonlyArray<P>, calledAs: string): ReadonlyArray<P> => {
  const wrong: ReadonlyArray<unknown> = Array.isArray(policies)
    ? policies.filter((policy) => typeof policy !== "function")
    : [policies]
  if (wrong.length > 0) {
    throw new TypeError(
      `${calledAs}: policies must be an array of policies, for example [Resilience.retry()], but found ${show(wrong[0])}`
    )
  }
  for (const { stage } of policies) {
    if (stage !== undefined && !stages.includes(stage)) {
      throw new TypeError(`${calledAs}: there is no policy stage ${show(stage)}`)
    }
    if (stage !== undefined && policies.filter((policy) => policy.stage === stage).length > 1) {
      throw new TypeError(`${calledAs}: policies may contain at most one ${stage}`)
    }
  }
  return sorted(policies)
}

/**
 * Adds policies to outer ones, in the order of their stages. A policy replaces itself, and the outer policy of its
 * stage.
 */
export const mergePolicies = <P extends Staged>(outer: ReadonlyArray<P>, added: ReadonlyArray<P>): ReadonlyArray<P> =>
  sorted([
    ...outer.filter(
      (policy) =>
        !added.some((other) => other === policy || (other.stage !== undefined && other.stage === policy.stage))
    ),
    ...added
  ])

export const hookNames = ["onRequest", "onResponse", "onRetry", "onWait", "onMismatch"] as const

export const checkHooks = <H extends { readonly [Name in (typeof hookNames)[number]]?: unknown }>(
  hooks: H,
  calledAs: string
): H => checkFunctions(`${calledAs}: hooks`, hooks, hookNames)

/** The program's own object of hooks: each build of `CatalogHooks.layer` makes another object from it. */
const givenHooks = (hooks: Hooks & { readonly origin?: object }): object => hooks.origin ?? hooks

/** Adds hooks after others, each only once. */
export const addHooks = (hooks: ReadonlyArray<Hooks>, added: ReadonlyArray<Hooks>): ReadonlyArray<Hooks> => [
  ...hooks,
  ...added.filter((one) => !hooks.some((known) => givenHooks(known) === givenHooks(one)))
]
