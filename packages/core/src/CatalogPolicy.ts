/**
 * Policies: functions around an exchange.
 *
 * @since 0.2.0
 */
// Counterpart for the types of catalog-client: packages/promise/src/instead.ts
import * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import type * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import type { FromConfig } from "./CatalogConfig.js"
import type { ClientNetworkError, ClientRestError } from "./CatalogError.js"
import type { HookEvents } from "./CatalogHooks.js"
import { readMembers } from "./internal/common/config.js"
import { optionIn } from "./internal/common/mistakes.js"
import { refuse } from "./internal/common/refuse.js"
import { layerOf } from "./internal/policies/layers.js"
import { CatalogPolicyTag, checkPolicies, listIn, mergePolicies } from "./internal/policies/merge.js"

/** What a policy knows about a call. */
export interface CatalogCall {
  /** For example `catalog.anime.get`. */
  readonly operation: string
  /** The HTTP method of its requests. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /**
   * The whole URL, with its query. Reads with the same URL can have different replies: `credentials`, `headers` and the
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
  /** The extra headers that are sent, from `CatalogConfig` and the call. Secret values are `Redacted`. */
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
   * record of the cause, without the credentials of the call. `Object.assign` adds more to it, which reaches the caller.
   */
  readonly networkError: (reason: ClientNetworkError["reason"], cause?: unknown) => ClientNetworkError
  /** Reports an event to the hooks, with the members that name the call, and to the call's span. */
  readonly notify: <Name extends "onRetry" | "onWait">(
    hook: Name,
    details: Omit<HookEvents[Name], "operation" | "method" | "url">
  ) => Effect.Effect<void>
}

/** What a cache knows about a call. */
export type CachedCall = Pick<CatalogCall, "operation" | "url" | "params" | "credentials">

/**
 * A function from a call and its attempt to an Effect with the same reply and errors. An error of your own is the cause of one
 * of them: `Effect.fail(call.networkError("Policy", new BudgetSpent()))`.
 *
 * The attempt is one exchange under the call's timeout: headers, body, validation. A policy can run it once, several times
 * or not at all; each run has its own timeout and counts in the `attempts` of the call's errors.
 */
export interface Policy {
  <A, R>(
    call: CatalogCall,
    attempt: Effect.Effect<A, ClientRestError | ClientNetworkError, R>
  ): Effect.Effect<A, ClientRestError | ClientNetworkError, R>
  /** The place of the policy, listed from the outside in. A policy without a stage is outside all of these. */
  readonly stage?: "cache" | "dedupe" | "retry" | "breaker" | "rateLimit" | undefined
}

/** A policy, or an Effect that makes one. */
type Made = Policy | Effect.Effect<Policy, unknown, unknown>

type ErrorOf<M> = M extends Effect.Effect<Policy, infer E, unknown> ? E : never
type NeededBy<M> = M extends Effect.Effect<Policy, unknown, infer R> ? Exclude<R, Scope> : never

const madeOf = (
  where: string,
  policies: ReadonlyArray<Made>
): Effect.Effect<ReadonlyArray<Policy>, unknown, unknown> => {
  if (policies.some(Array.isArray)) {
    throw new TypeError(`${where} takes policies one by one, and not an array: ${where}(...policies)`)
  }
  const check = (made: ReadonlyArray<Policy>) => checkPolicies(made, where)
  return policies.some(Effect.isEffect)
    ? Effect.map(
        Effect.forEach(policies, (policy) => (Effect.isEffect(policy) ? policy : Effect.succeed(policy))),
        check
      )
    : Effect.succeed(check(policies as ReadonlyArray<Policy>))
}

/** The option that the policy refused; all options if its name is unknown. */
const refusedOf = (options: FromConfig<object>, option: string): unknown =>
  !Config.isConfig(options) && option in options ? (options as { readonly [name: string]: unknown })[option] : options

/** A policy that can drop replies, such as `Resilience.cache`. */
interface Dropping {
  readonly invalidate: (filter?: Filter) => void
}

type Filter = (call: CachedCall) => boolean

const isDropping = (policy: Policy): policy is Policy & Dropping =>
  "invalidate" in policy && typeof policy.invalidate === "function"

/**
 * The policies around every exchange. By default there are none, and one call is one exchange.
 *
 * They apply after the rules and the credentials, and inside the call's `signal` and `totalTimeout`. Retries, caches and
 * limiters belong here and not around `HttpClient`, which ends at the headers and does not know the operation.
 *
 * Policies are sorted by their stage. Of two policies without a stage, the first is around the second. A call's own policies
 * (its option `policies`) replace those of the same stage; without a stage, they run inside all others that have no stage. A
 * policy that is given twice applies once. Policies around a call of a `CatalogClient` are merged with the client's by the
 * same rule.
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
   * A Layer that puts policies around every exchange, in addition to those of other Layers, inside or beside it. Each replaces
   * the policy of the same stage. Throws a `TypeError` if two policies have the same stage; if an Effect made one of them,
   * that is a defect when the Layer is built.
   *
   * A policy's value contains its state, which everything that uses the value shares. An Effect makes a policy each time the
   * Layer is built, in the scope of the Layer: then its state belongs to the Layer. Its errors and requirements become
   * the Layer's.
   *
   * @example
   * ```ts
   * import { CatalogPolicy, Resilience } from "@catalog-client/core"
   * import { Effect } from "effect"
   *
   * // A retry has no state. Each build of the Layer makes its own circuit, so that tests do not share one.
   * export const careful = CatalogPolicy.layer(
   *   Resilience.retry(),
   *   Effect.sync(() => Resilience.breaker({ failures: 10 }))
   * )
   * ```
   */
  static layer<const Policies extends ReadonlyArray<Made>>(
    ...policies: Policies
  ): Layer.Layer<never, ErrorOf<Policies[number]>, NeededBy<Policies[number]>>
  static layer(...policies: ReadonlyArray<Made>): Layer.Layer<never, unknown, unknown> {
    return layerOf(CatalogPolicyTag, mergePolicies, madeOf("CatalogPolicy.layer", policies))
  }

  /**
   * Like `layer`, but its policies replace all others: those around it, and those of the Layers before it in `Layer.mergeAll`.
   * Without arguments, no policies are left.
   *
   * @example
   * ```ts
   * import { CatalogPolicy } from "@catalog-client/core"
   *
   * // For a health check: one exchange, whatever the program provides.
   * export const bare = CatalogPolicy.layerReplace()
   * ```
   */
  static layerReplace<const Policies extends ReadonlyArray<Made>>(
    ...policies: Policies
  ): Layer.Layer<never, ErrorOf<Policies[number]>, NeededBy<Policies[number]>>
  static layerReplace(...policies: ReadonlyArray<Made>): Layer.Layer<never, unknown, unknown> {
    return layerOf(CatalogPolicyTag, mergePolicies, madeOf("CatalogPolicy.layerReplace", policies), true)
  }

  /**
   * Makes a policy with options from Effect's `Config`, for `CatalogPolicy.layer`: a value or a `Config` for each option, or
   * one `Config` for all of them. A value that cannot be read, or that a policy of `Resilience` refuses, is a `ConfigError`
   * that names its variable, or those of a `Config` for several options.
   *
   * Your own function can return an Effect, with its errors and requirements: fail with your own error, or pass the
   * options on to a policy of `Resilience`. What it throws itself is a defect.
   *
   * @example
   * ```ts
   * import { CatalogPolicy, Resilience } from "@catalog-client/core"
   * import { Config, Effect } from "effect"
   *
   * export const paced = CatalogPolicy.layer(
   *   Resilience.retry(),
   *   CatalogPolicy.fromConfig(Resilience.rateLimit, { limit: Config.number("CATALOG_RATE"), interval: "1 minute" })
   * )
   *
   * // `store` is an Effect that makes one.
   * export const shared = <E, R>(store: Effect.Effect<Resilience.RateLimitStore, E, R>) =>
   *   CatalogPolicy.fromConfig(
   *     (options: Resilience.RateLimitOptions) => Effect.map(store, (store) => Resilience.rateLimit({ ...options, store })),
   *     { limit: Config.number("CATALOG_RATE"), interval: "1 minute" }
   *   )
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

  /**
   * Drops the replies of the caches in the context: all of them, or those for which a function returns `true`. It is
   * `invalidate` of `Resilience.cache` as an Effect, and needs no value of a policy. A cache that only a `CatalogClient`
   * has is not in the context; no cache at all is a defect.
   *
   * @example
   * ```ts
   * import { CatalogPolicy } from "@catalog-client/core"
   *
   * export const dropForum = CatalogPolicy.invalidate(({ operation }) => operation.startsWith("catalog.forum."))
   * ```
   */
  static invalidate(filter?: Filter): Effect.Effect<void> {
    return Effect.map(Effect.context<never>(), (context) => {
      const caches = listIn(context, CatalogPolicyTag).filter(isDropping)
      if (caches.length === 0) {
        throw new TypeError(
          "CatalogPolicy.invalidate: no policy here is a Resilience.cache. Provide its Layer here too, for example with Layer.provideMerge"
        )
      }
      caches.forEach((cache) => cache.invalidate(filter))
    })
  }
}
