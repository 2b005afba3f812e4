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
import type { HookEvents } from "./CatalogHooks.js"
import { checkPolicies } from "./internal/policies/merge.js"

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
   * Reports what the policy does to the hook of that name, with the members that name the call, and to the call's span.
   */
  readonly notify: <Name extends "onRetry" | "onWait">(
    hook: Name,
    details: Omit<HookEvents[Name], "operation" | "method" | "url">
  ) => Effect.Effect<void>
}

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
  /** Where the policy stands: these are from the outside in. A policy without a stage stands around all of them. */
  readonly stage?: "cache" | "dedupe" | "retry" | "breaker" | "rateLimit" | undefined
}

/**
 * The policies around every exchange. By default there are none, and one call is one exchange.
 *
 * They apply after the rules and the credentials, and inside the call's `signal` and `totalTimeout`. Retries, caches and
 * limiters belong here and not around `HttpClient`, which ends at the headers and does not know the operation.
 *
 * Policies are sorted by their stage; of two without a stage the first is the outer one. A call's own policies (its option
 * `policies`) replace those of the same stage, and without a stage they run inside the others without one. So do the
 * policies around a call of a `CatalogClient`.
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
