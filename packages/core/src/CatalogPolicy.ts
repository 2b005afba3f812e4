/**
 * Policies: functions around a request.
 *
 * @since 0.2.0
 */
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import { type FromConfig, readMembers } from "./internal/common/config.js"
import { addTo } from "./internal/common/layers.js"
import { optionIn } from "./internal/common/mistakes.js"
import { checkNames } from "./internal/common/options.js"
import { refuse } from "./internal/common/refuse.js"
import type { CachedCall, CatalogCall, Policy } from "./internal/policies/policy.js"
import { CatalogPolicyTag, checkPolicies, mergePolicies } from "./internal/policies/merge.js"

// TypeScript writes these names into declarations of programs. In code, they are members of the class: `CatalogPolicy.Call`.
export type { CachedCall, CatalogCall, Policy } from "./internal/policies/policy.js"

/** A policy, or an Effect that makes one. */
type PolicyOrEffect = Policy | Effect.Effect<Policy, unknown, unknown>

/** The errors of an Effect that makes a policy. */
type ErrorOf<M> = M extends Effect.Effect<Policy, infer E, unknown> ? E : never
/** What such an Effect requires, besides a scope. */
type NeededBy<M> = M extends Effect.Effect<Policy, unknown, infer R> ? Exclude<R, Scope> : never

const makePolicies = (
  calledAs: string,
  policies: ReadonlyArray<PolicyOrEffect>
): Effect.Effect<ReadonlyArray<Policy>, unknown, unknown> =>
  Effect.map(
    Effect.forEach(policies, (policy) => (Effect.isEffect(policy) ? policy : Effect.succeed(policy))),
    (made) => {
      if (made.some(Array.isArray)) {
        throw new TypeError(`${calledAs} takes policies one by one, and not an array: ${calledAs}(...policies)`)
      }
      return checkPolicies(made, calledAs)
    }
  )

/** The option that the policy refused; all options if its name is unknown. */
const refusedOf = (options: FromConfig<object>, option: string): unknown =>
  !Config.isConfig(options) && option in options ? (options as { readonly [name: string]: unknown })[option] : options

/**
 * The policies around every request. By default, there are none.
 *
 * They run after the inputs are checked and the credentials are read, and inside the call's `signal` and `totalTimeout`. Do
 * not put retries, caches or limits around the `HttpClient`: its Effect succeeds as soon as the headers arrive, and it does
 * not know which operation is running.
 *
 * Policies are sorted by their stage. Of two without a stage, the first is around the second. A call's own policies replace
 * those of the same stage; without a stage, they run inside all others that have none. A policy that is given twice applies
 * once. Policies around a call of a `CatalogClient` are merged with the client's by the same rule.
 *
 * @example
 * ```ts
 * import { CatalogPolicy, Resilience } from "@catalog-client/core"
 * import { Effect } from "effect"
 *
 * export const patient = CatalogPolicy.layer(Resilience.retry({ attempts: 5 }), (call, attempt) =>
 *   Effect.tapError(attempt, (error) => Effect.logDebug(`${call.operation}: ${error._tag}`))
 * )
 * ```
 */
export class CatalogPolicy extends CatalogPolicyTag {
  /**
   * Makes a policy with a stage.
   *
   * @example
   * ```ts
   * import { CatalogPolicy } from "@catalog-client/core"
   *
   * // Replaces the cache of a call.
   * export const uncached = CatalogPolicy.make((_, attempt) => attempt, { stage: "cache" })
   * ```
   */
  static make(run: Policy, options: { readonly stage: NonNullable<Policy["stage"]> }): Policy {
    checkNames("CatalogPolicy.make", options, { stage: 1 })
    const policy: Policy = (call, attempt) => run(call, attempt)
    return Object.assign(policy, { stage: options.stage })
  }

  /**
   * A Layer that puts policies around every request, in addition to those of other Layers, inside or beside it. Each replaces
   * the policy of the same stage. Two policies of the same stage are a defect.
   *
   * An Effect, such as `Resilience.breaker()`, makes a policy each time the Layer is built, so its state belongs to the Layer.
   * Its errors and requirements become the Layer's.
   *
   * @example
   * ```ts
   * import { CatalogPolicy, Resilience } from "@catalog-client/core"
   *
   * // A retry has no state. Each build of the Layer makes its own circuit, so that tests do not share one.
   * export const careful = CatalogPolicy.layer(
   *   Resilience.retry(),
   *   Resilience.breaker({ failures: 10 })
   * )
   * ```
   */
  static layer<const Policies extends ReadonlyArray<PolicyOrEffect>>(
    ...policies: Policies
  ): Layer.Layer<never, ErrorOf<Policies[number]>, NeededBy<Policies[number]>>
  static layer(...policies: ReadonlyArray<PolicyOrEffect>): Layer.Layer<never, unknown, unknown> {
    return Layer.scopedContext(addTo(CatalogPolicyTag, mergePolicies, makePolicies("CatalogPolicy.layer", policies)))
  }

  /**
   * Like `layer`, but its policies replace all others: those around it, and those of the Layers before it in `Layer.mergeAll`.
   * Without arguments, no policies are left.
   *
   * @example
   * ```ts
   * import { CatalogPolicy } from "@catalog-client/core"
   *
   * // For a health check: one request, whatever the program provides.
   * export const bare = CatalogPolicy.layerReplace()
   * ```
   */
  static layerReplace<const Policies extends ReadonlyArray<PolicyOrEffect>>(
    ...policies: Policies
  ): Layer.Layer<never, ErrorOf<Policies[number]>, NeededBy<Policies[number]>>
  static layerReplace(...policies: ReadonlyArray<PolicyOrEffect>): Layer.Layer<never, unknown, unknown> {
    const made = makePolicies("CatalogPolicy.layerReplace", policies)
    return Layer.scopedContext(addTo(CatalogPolicyTag, (_, made) => mergePolicies([], made), made))
  }

  /**
   * Makes a policy with options from Effect's `Config`, for `CatalogPolicy.layer`: a value or a `Config` for each option, or
   * one `Config` for all of them. A value that cannot be read, or that a policy of `Resilience` refuses, is a `ConfigError`
   * that names its variable.
   *
   * What your own function throws is a defect.
   *
   * @example
   * ```ts
   * import { CatalogPolicy, Resilience } from "@catalog-client/core"
   * import { Config } from "effect"
   *
   * export const paced = CatalogPolicy.layer(
   *   Resilience.retry(),
   *   CatalogPolicy.fromConfig(Resilience.rateLimit, { limit: Config.number("CATALOG_RATE"), interval: "1 minute" })
   * )
   * ```
   */
  static fromConfig<Options, E = never, R = never>(
    make: (options: Options) => Policy | Effect.Effect<Policy, E, R>,
    options: FromConfig<NonNullable<Options>>
  ): Effect.Effect<Policy, ConfigError | E, R> {
    return Effect.flatMap(readMembers(options, constVoid), (read) => {
      const made = Effect.suspend(() => {
        const policy = make(read as Options)
        return Effect.isEffect(policy) ? policy : Effect.succeed(policy)
      })
      return Effect.catchAllDefect(made, (error) => {
        const option = optionIn(error)
        return option === undefined
          ? Effect.die(error)
          : refuse(readMembers(refusedOf(options, option), constVoid), error)
      })
    })
  }
}

export declare namespace CatalogPolicy {
  export { type CachedCall, type CatalogCall as Call, type Policy }
}
