/**
 * The events of a call, and the hooks that are called for them.
 */
import type { ClientNetworkError, ClientRestError } from "../../CatalogError.js"

/** The members of every event, which name its call. */
interface CallEvent {
  /** For example `catalog.anime.get`. */
  readonly operation: string
  /** `POST` is a request for tokens, or a custom operation. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** The URL with its query; credentials are redacted, and after 2 048 characters it is cut. */
  readonly url: string
}

/**
 * The event of each hook.
 *
 * @example
 * ```ts
 * import { CatalogHooks } from "@catalog-client/core"
 *
 * const lineOf = ({ durationMs, operation, outcome }: CatalogHooks.Events["onResponse"]) =>
 *   `${operation}: ${outcome} in ${Math.round(durationMs)} ms`
 *
 * export const Lines = CatalogHooks.layer({ onResponse: (event) => console.error(lineOf(event)) })
 * ```
 */
export interface HookEvents {
  /** Before each request. */
  readonly onRequest: CallEvent & {
    /** The number of the attempt within its call: 1 for the first. */
    readonly attempt: number
  }
  /** After each response, and after an attempt that ends without one: once for each `onRequest`. */
  readonly onResponse: CallEvent & {
    /** The number of the attempt within its call: 1 for the first. */
    readonly attempt: number
    /**
     * `Success`, the status of an error response (`404`), the `reason` of the error (`Timeout`), or `Interrupted`, by a
     * signal or `totalTimeout` too.
     */
    readonly outcome: string
    /** The status, if there was a response. */
    readonly status: number | undefined
    /** The error of the attempt. It is the call's error too, unless a policy continues, for example with a retry. */
    readonly error: ClientRestError | ClientNetworkError | undefined
    /** Milliseconds from the request to the end of the attempt, with a fraction. */
    readonly durationMs: number
  }
  /** Before `Resilience.retry` waits to make another attempt. */
  readonly onRetry: CallEvent & {
    /** The number of the attempt that comes next: 2 for the first retry. */
    readonly attempt: number
    /** The maximum number of attempts; `undefined` if a custom policy has none. */
    readonly attempts: number | undefined
    /** Milliseconds until the next attempt. */
    readonly delay: number
    /** The error of the last attempt. */
    readonly error: ClientRestError | ClientNetworkError
  }
  /**
   * Before the first call in the queue waits for `Resilience.rateLimit`, and again if the service asks for a pause during
   * the wait.
   */
  readonly onWait: CallEvent & {
    /** Which policy waits: `rateLimit`, or the name that a custom policy reports. */
    readonly policy: string
    /** Milliseconds that it waits from now on. */
    readonly delay: number
  }
  /** When parts of a reply are omitted because they have another type than expected: once for each path. */
  readonly onMismatch: CallEvent & {
    /** Where it was in the reply, with `[]` for any element of an array: `data[].node.num_episodes`. */
    readonly path: string
    /** What the client expected there: `a number`. */
    readonly expected: string
    /** What it found: `a string`; `nothing` where a required member is missing. It is never the value itself. */
    readonly found: string
    /** How often that was in the reply; `found` describes the first one. */
    readonly count: number
  }
}

/**
 * Functions that are called for the events of calls. A call does not wait for the promise that a hook returns. If a hook
 * throws, or its promise is rejected, the call is not affected: the client logs one warning.
 *
 * @example
 * ```ts
 * import { CatalogHooks } from "@catalog-client/core"
 *
 * const hooks: CatalogHooks.Hooks = { onRetry: ({ attempt, delay }) => console.error(`attempt ${attempt} in ${delay} ms`) }
 *
 * export const Retries = CatalogHooks.layer(hooks)
 * ```
 */
export type Hooks = {
  readonly [Name in keyof HookEvents]?: ((event: HookEvents[Name]) => void) | undefined
}
