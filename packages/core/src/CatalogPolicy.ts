/**
 * Policies: functions around an exchange.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { ClientNetworkError, ClientRestError } from "./CatalogError.js"
import type { HookDetails } from "./CatalogHooks.js"
import { memoize } from "./internal/common/memoize.js"
import { show } from "./internal/common/mistakes.js"
import { applyPolicy } from "./internal/policies/apply.js"

/** What a policy knows about a call. */
export interface CatalogCall {
  /** For example `catalog.anime.get`. */
  readonly operation: string
  /** The HTTP method of its requests. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /**
   * The whole URL, with its query. Two reads with the same URL can have different replies: `credentials`, `headers` and the
   * `HttpClient` of the fiber's context also identify the caller, and `mismatch` of `CatalogConfig` changes the reply.
   */
  readonly url: string
  /** The params that the operation was called with. */
  readonly params: object
  /** The credentials that are sent. `Equal.equals` compares their values; printing them shows nothing. */
  readonly credentials: {
    readonly accessToken: Option.Option<Redacted.Redacted<string>>
    readonly clientId: Option.Option<Redacted.Redacted<string>>
  }
  /** The extra headers that are sent: those of `CatalogConfig` and of the call. Secret values are `Redacted`. */
  readonly headers: Readonly<Record<string, string | Redacted.Redacted<string>>>
  /** Milliseconds for each attempt; `0` and `Infinity` mean no limit. */
  readonly timeout: number
  /** Bytes that the body of a response may have; `Infinity` means no limit. */
  readonly maxResponseBytes: number
  /** Whether making the exchange twice has the same effect as making it once: not with `POST` and `PATCH`. */
  readonly idempotent: boolean
  /**
   * Identifies the kind of the reply: two operations can have the same name, but replies are interchangeable only if this is
   * the same object. `undefined` if the operation has no reply.
   */
  readonly reply: object | undefined
  /**
   * Whether the reply is the same for every user, except for the list statuses in it: a read of items, searches, seasons,
   * rankings or the forum. `Resilience.cache` keeps only such replies.
   */
  readonly cacheable: boolean
  /**
   * Makes the error for a policy that ends the call itself. The error names the call and its attempts. It keeps a
   * record of the cause, without the credentials of the call.
   */
  readonly networkError: (reason: ClientNetworkError["reason"], cause?: unknown) => ClientNetworkError
  /**
   * Reports what the policy does to the hook of that name and to the call's span. The members that name the call are added.
   * Without a hook and a tracer it does nothing.
   */
  readonly notify: <Name extends "onRetry" | "onWait" | "onCacheHit">(
    hook: Name,
    details: HookDetails<Name>
  ) => Effect.Effect<void>
}

export const stages = ["cache", "dedupe", "retry", "breaker", "rateLimit"] as const

/** A place around an exchange. From the outside in: `cache`, `dedupe`, `retry`, `breaker`, `rateLimit`. */
export type PolicyStage = (typeof stages)[number]

/**
 * A function from a call and its attempt to an Effect with the same reply and errors.
 *
 * The attempt is one exchange under the call's timeout: headers, body, validation. A policy can run it once, several times
 * or not at all; each run has its own timeout and counts in the `attempts` of the call's errors.
 */
export interface Policy {
  <A, R>(
    call: CatalogCall,
    attempt: Effect.Effect<A, ClientRestError | ClientNetworkError, R>
  ): Effect.Effect<A, ClientRestError | ClientNetworkError, R>
  /** Where the policy stands. A policy without a stage stands around all that have one. */
  readonly stage?: PolicyStage | undefined
}

/**
 * Validates a list of policies. Throws a `TypeError` if an element is not a policy, or two have the same stage.
 *
 * @internal
 */
export const checkPolicies = (policies: unknown, where: string): ReadonlyArray<Policy> => {
  const wrong = Array.isArray(policies) ? policies.filter((policy) => typeof policy !== "function") : [policies]
  if (!Array.isArray(policies) || wrong.length > 0) {
    throw new TypeError(
      `${where}: policies must be an array of policies, for example [Resilience.retry()], but found ${show(wrong[0])}`
    )
  }
  // Copied, so that later changes to the array have no effect.
  const checked: ReadonlyArray<Policy> = [...policies]
  for (const { stage } of checked) {
    if (stage !== undefined && !stages.includes(stage)) {
      throw new TypeError(`${where}: there is no policy stage ${show(stage)}`)
    }
    if (stage !== undefined && checked.filter((policy) => policy.stage === stage).length > 1) {
      throw new TypeError(`${where}: policies may contain at most one ${stage}`)
    }
  }
  return checked
}

const around =
  (outer: Policy, inner: Policy): Policy =>
  (call, attempt) =>
    applyPolicy(outer, call, inner(call, attempt))

/** The attempt itself. */
const bare: Policy = (_, attempt) => attempt

/** Composes policies into one, in order; `undefined` for none. */
const compose = (policies: ReadonlyArray<Policy>): Policy | undefined => {
  const [outermost, ...others] = [undefined, ...stages].flatMap((stage) =>
    policies.filter((policy) => policy.stage === stage)
  )
  return outermost && [outermost, ...others].reduceRight((inner, outer) => around(outer, inner), bare)
}

const composed = /*#__PURE__*/ memoize(compose)

/**
 * Merges policies over outer ones: each replaces one of the same stage.
 *
 * @internal
 */
export const mergePolicies = (
  surrounding: ReadonlyArray<Policy>,
  own: ReadonlyArray<Policy>
): ReadonlyArray<Policy> => [
  ...surrounding.filter(({ stage }) => stage === undefined || own.every((policy) => policy.stage !== stage)),
  ...own
]

/**
 * The policy of a call: the outer policies, merged with its own.
 *
 * @internal
 */
export const policyOf = (surrounding: ReadonlyArray<Policy>, given: unknown, operation: string): Policy | undefined => {
  if (given === undefined || given === null) {
    return composed(surrounding)
  }
  return compose(mergePolicies(surrounding, checkPolicies(given, operation)))
}

/**
 * The policies around every exchange. By default there are none, and one call is one exchange.
 *
 * They apply after the rules and the credentials, and inside the call's `signal` and `totalTimeout`. Retries, caches and
 * limiters belong here and not around `HttpClient`, which ends at the headers and does not know the operation.
 *
 * The policies that `Resilience` makes know their {@link PolicyStage}. A function without a stage stands around them; of
 * two such functions the first is the outer one. A call's own policies (its option `policies`) replace those of the same
 * stage. Call policies without a stage run innermost. So do the policies around a call of a `CatalogClient`.
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
export class CatalogPolicy
  extends /*#__PURE__*/ Context.Reference<CatalogPolicy>()("@catalog-client/core/CatalogPolicy", {
    defaultValue: (): ReadonlyArray<Policy> => []
  })
{
  /**
   * A Layer that puts policies around every exchange. They replace the current ones. Throws a `TypeError` if two policies
   * have the same stage.
   */
  static layer(...policies: ReadonlyArray<Policy>): Layer.Layer<never> {
    return Layer.succeed(CatalogPolicy, checkPolicies(policies, "CatalogPolicy.layer"))
  }
}
