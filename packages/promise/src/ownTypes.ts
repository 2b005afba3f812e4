/**
 * Types that this package has in place of those of the same name in core and in Effect. `promiseDeclarations.mjs` puts them there.
 */
import type { ClientNetworkError } from "#core/CatalogError.js"
import type { HookEvents } from "#core/internal/policies/hookEvents.js"
import type { stages } from "#core/internal/policies/policy.js"
import type { RateLimitBucket } from "#core/resilience/store.js"
import type { Redacted } from "./Redacted.js"

export type { Redacted }

/** A number of milliseconds, or a string like `"5 seconds"`: in `millis` or `milliseconds`, seconds, minutes, hours or days. */
export type Duration = number | `${number} ${"milli" | "millisecond" | "second" | "minute" | "hour" | "day"}${"" | "s"}`
export type { Duration as DurationInput }

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
  /** Is aborted when the call ends, even if the caller cancels it. */
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

/** The known words of a member that may have others. */
export type OpenSet<Words extends ReadonlyArray<string>> = {
  /** The known words, in the order of the service's reference. */
  readonly words: Words
}

/**
 * A credential: a string, a `Redacted` string, or where it comes from. A blank one counts as not configured.
 *
 * A function is called once per call, and returns a credential, a promise of one, or `undefined` for none. A call that it
 * makes needs other credentials, or it would wait for itself. If it throws, a promise is rejected with that error.
 */
export type CredentialSource =
  | string
  | Redacted
  | (() => string | Redacted | undefined | Promise<string | Redacted | undefined>)

/** What a cache knows about a call. */
export type CachedCall = Pick<CatalogCall, "operation" | "url" | "params">

/**
 * A function around the attempts of a call. It is called with the call and with `next`, which makes one attempt: one request
 * under the call's `timeout`, to the validated reply. It can call `next` once, several times or not at all, and it returns the
 * reply. What it throws is what the call is rejected with. Once the call has ended, `next` sends nothing and rejects.
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
  /**
   * The place of the policy, listed from the outside in. A policy of a call replaces the catalog's policy of the same stage.
   */
  readonly stage?: (typeof stages)[number] | undefined
}

/**
 * Where the tokens of a rate limit are kept, for example in a database that several processes share. If a function throws or
 * rejects, the rate limit's `onStoreFailure` decides.
 *
 * @example
 * ```ts
 * import { createCatalog, Resilience } from "catalog-client"
 *
 * // Requests start at equal distances, never several at once.
 * const spaced = (): Resilience.RateLimitStore => {
 *   let next = 0
 *   return {
 *     take: ({ interval, limit }) => {
 *       const wait = next - Date.now()
 *       if (wait > 0) return wait
 *       next = Date.now() + interval / limit
 *       return 0
 *     },
 *     hold: (_bucket, millis) => {
 *       next = Math.max(next, Date.now() + millis)
 *     }
 *   }
 * }
 *
 * const policies = [Resilience.rateLimit({ limit: 3, interval: "1 second", store: spaced() })]
 *
 * export const catalog = createCatalog({ clientId: "my-client-id", policies })
 * ```
 */
export interface RateLimitStore {
  /** Takes a token and returns 0, or returns the milliseconds to wait before it is asked again. */
  readonly take: (bucket: RateLimitBucket) => number | Promise<number>
  /** Issues no token for `millis` milliseconds from now, and then one by one. */
  readonly hold: (bucket: RateLimitBucket, millis: number) => unknown
}

/** The credentials of a session. A program does not read them. */
export interface CredentialsService {
  readonly renew?: unknown
}

/** A store that the package has made, for example of a file. `Scope` says who can share it. */
export interface TokenStoreService<Scope extends "process" | "processes" = "process" | "processes"> {
  readonly [scope]: Scope
}
declare const scope: unique symbol
