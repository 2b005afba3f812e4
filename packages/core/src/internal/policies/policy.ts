/**
 * A policy, and what it knows about a call.
 */
// Counterpart for the types of catalog-client: packages/promise/src/ownTypes.ts
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { ClientNetworkError, ClientRestError } from "../../CatalogError.js"
import type { HookEvents } from "./hookEvents.js"

/** The stages of policies, from the outside in. A policy without a stage is outside all of them. */
export const stages = ["cache", "dedupe", "retry", "breaker", "rateLimit"] as const

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
  /** Whether making the request twice has the same effect as making it once: not with `POST` and `PATCH`. */
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
   * Makes the error for a policy that ends the call itself. The error names the call and its attempts. It keeps a record of the
   * cause, without the credentials of the call.
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
 * The attempt is one request under the call's timeout: headers, body, validation. A policy can run it once, several times
 * or not at all; each run has its own timeout and counts in the `attempts` of the call's errors.
 */
export interface Policy {
  <A, R>(
    call: CatalogCall,
    attempt: Effect.Effect<A, ClientRestError | ClientNetworkError, R>
  ): Effect.Effect<A, ClientRestError | ClientNetworkError, R>
  /** The place of the policy, listed from the outside in. A policy without a stage is outside all of these. */
  readonly stage?: (typeof stages)[number] | undefined
}

/** The policy that `Resilience.cache` makes. */
export interface Cache extends Policy {
  /**
   * Drops replies at once: all of them, or those for which a function returns `true`. The reply of a read in flight goes to
   * its caller but is not kept.
   *
   * @example
   * ```ts
   * import type { Resilience } from "catalog-client"
   *
   * export const dropForum = (kept: Resilience.Cache) =>
   *   kept.invalidate(({ operation }) => operation.startsWith("catalog.forum."))
   * ```
   */
  readonly invalidate: (filter?: (call: CachedCall) => boolean) => void
}
