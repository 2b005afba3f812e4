/**
 * Hooks: functions that are called for the events of a call.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { ClientNetworkError, ClientRestError } from "./CatalogError.js"
import { checkHooks } from "./internal/policies/merge.js"

/** What every event says: which call it belongs to. */
interface CallEvent {
  /** For example `catalog.anime.get`. */
  readonly operation: string
  /** `POST` is a request for tokens, or a custom operation. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** The URL with its query; credentials are redacted, and after 2 048 characters it is cut. */
  readonly url: string
}

/** The events of calls, by the hook that is called for them. */
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
     * `Success`, the status of an error response (`404`), the `reason` of the error (`Timeout`), or `Interrupted` if the
     * call was cancelled or exceeded its `totalTimeout`.
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
    /** The maximum number of attempts; `undefined` if there is none. */
    readonly attempts: number | undefined
    /** Milliseconds until the next attempt. */
    readonly delay: number
    /** The error of the last attempt. */
    readonly error: ClientRestError | ClientNetworkError
  }
  /**
   * Before a call waits for `Resilience.rateLimit`. A queued call reports it when it becomes the first in line, since its
   * delay is known only then, and again if the service asks to stop meanwhile.
   */
  readonly onWait: CallEvent & {
    /** Which policy waits: `rateLimit`, or the name that a custom policy reports. */
    readonly policy: string
    /** Milliseconds that it waits from now on. */
    readonly delay: number
  }
  /**
   * When parts of a reply are omitted because they have another type than expected: once for each path. Not with
   * `mismatch: "fail"`, where the call fails.
   */
  readonly onMismatch: CallEvent & {
    /** Where it was in the reply, with `[]` for any element of an array: `data[].node.num_episodes`. */
    readonly path: string
    /** What the client expected there: `a number`. */
    readonly expected: string
    /** What it found: `a string`; `nothing` where a required member is missing. It is never the value itself. */
    readonly found: string
    /** How often that was in the reply; `found` is of the first. */
    readonly count: number
  }
}

/**
 * Functions that are called for the events of calls: an option of `createCatalog`. With Effect, `CatalogHooks.layer` takes
 * them. All are optional.
 *
 * A hook is called synchronously, and its result is ignored. If it throws, or its promise is rejected, the call is not
 * affected: the client logs one warning.
 *
 * @example
 * ```ts
 * import { createCatalog, type Hooks, Resilience } from "@catalog-client/core"
 *
 * const hooks: Hooks = {
 *   onRetry: ({ attempt, attempts, delay }) =>
 *     console.error(`waiting ${Math.ceil(delay / 1000)} s, attempt ${attempt} of ${attempts}`)
 * }
 *
 * export const catalog = createCatalog({ fetch, hooks, policies: [Resilience.retry()] })
 * ```
 */
export type Hooks = {
  readonly [Name in keyof HookEvents]?: ((event: HookEvents[Name]) => void) | undefined
}

/**
 * The hooks of every call, called one after the other. By default there are none. A `CatalogClient` calls those around
 * the call after its own.
 *
 * @example
 * ```ts
 * import { Catalog, CatalogHooks } from "@catalog-client/core"
 * import { Effect } from "effect"
 *
 * const slow = CatalogHooks.layer({
 *   onResponse: ({ durationMs, operation }) => {
 *     if (durationMs > 1_000) console.error(`${operation} took ${Math.round(durationMs)} ms`)
 *   }
 * })
 *
 * export const boards = Catalog.forum.boards().pipe(Effect.provide(slow))
 * ```
 */
export class CatalogHooks
  extends /*#__PURE__*/ Context.Reference<CatalogHooks>()("@catalog-client/core/CatalogHooks", {
    defaultValue: (): ReadonlyArray<Hooks> => []
  })
{
  /** A Layer with hooks for every call, which replace the current ones. Throws a `TypeError` if one is not a function. */
  static layer(hooks: Hooks): Layer.Layer<never> {
    return Layer.succeed(CatalogHooks, [checkHooks(hooks, "CatalogHooks.layer")])
  }
}
