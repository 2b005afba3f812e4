import type { ClientNetworkError } from "./CatalogError.js"
import type { HookEvents } from "./CatalogHooks.js"

/** What a policy knows about a call. */
export interface CatalogCall {
  /** For example `catalog.anime.get`. */
  readonly operation: string
  /** The HTTP method of its requests. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** The whole URL, with its query. */
  readonly url: string
  /** The params that the operation was called with. */
  readonly params: object
  /** Milliseconds for each attempt; `0` and `Infinity` mean no limit. */
  readonly timeout: number
  /** Bytes that the body of a response may have; `Infinity` means no limit. */
  readonly maxResponseBytes: number
  /** Whether making the request twice has the same effect as making it once: not with `POST` and `PATCH`. */
  readonly idempotent: boolean
  /** Whether the reply is the same for every user, except for the list statuses in it. */
  readonly cacheable: boolean
  /** Is aborted when the call ends: also when the caller cancels it. */
  readonly signal: AbortSignal
  /**
   * Reports an event to the hooks, with the members that name the call, and to the call's span. Does nothing after the end.
   */
  readonly notify: <Name extends "onRetry" | "onWait">(
    hook: Name,
    details: Omit<HookEvents[Name], "operation" | "method" | "url">
  ) => void
  /** Makes the error for a policy that ends the call itself. The error names the call and its attempts. */
  readonly networkError: (reason: ClientNetworkError["reason"], cause?: unknown) => ClientNetworkError
}

/**
 * A function around the attempts of a call. It is called with the call and with `next`, which makes one attempt: one request
 * under the call's `timeout`, to the validated reply. It can call `next` once, several times or not at all, and it returns
 * the reply. What it throws is what the call is rejected with. Once the call or the policy has ended, `next` sends nothing: it
 * rejects with the error of the call, or else with a `ClientNetworkError` of the reason `Cancelled`.
 *
 * A policy without a stage is called outside all others. Of two, the first is the outer one.
 *
 * @example
 * ```ts
 * import { createCatalog, type Policy } from "catalog-client"
 *
 * const timed: Policy = async (call, next) => {
 *   const started = performance.now()
 *   try {
 *     return await next()
 *   } finally {
 *     console.error(`${call.operation}: ${Math.round(performance.now() - started)} ms`)
 *   }
 * }
 *
 * export const catalog = createCatalog({ clientId: "my-client-id", policies: [timed] })
 * ```
 */
export interface Policy {
  <A>(call: CatalogCall, next: () => Promise<A>): A | Promise<A>
  /** The place of the policy, listed from the outside in. A policy of a call replaces the catalog's policy of the same stage. */
  readonly stage?: "cache" | "dedupe" | "retry" | "breaker" | "rateLimit" | undefined
}
