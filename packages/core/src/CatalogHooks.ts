/**
 * Hooks: functions that are called for the events of a call.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { ClientNetworkError, ClientRestError } from "./CatalogError.js"
import { checkFunctions } from "./internal/common/mistakes.js"

/** What every hook receives: which call the event belongs to. */
export interface CallEvent {
  /** For example `catalog.anime.get`. */
  readonly operation: string
  /** `POST` is a request for tokens, or a custom operation. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** The URL with its query; credentials are redacted, and after 2 048 characters it is cut. */
  readonly url: string
}

/** A request is about to be sent. */
export interface RequestEvent extends CallEvent {
  /** The number of the attempt within its call: 1 for the first. */
  readonly attempt: number
}

/** An attempt has ended: with a validated response, with an error, or because the call was cancelled. */
export interface ResponseEvent extends CallEvent {
  /** The number of the attempt within its call: 1 for the first. */
  readonly attempt: number
  /**
   * `Success`, the status of an error response (`404`), the `reason` of the error (`Timeout`), or `Interrupted` if the call
   * was cancelled or exceeded its `totalTimeout`.
   */
  readonly outcome: string
  /** The status, if there was a response. */
  readonly status: number | undefined
  /** The error of the attempt. It is the call's error too, unless a policy continues, for example with a retry. */
  readonly error: ClientRestError | ClientNetworkError | undefined
  /** Milliseconds from the request to the end of the attempt, with a fraction. */
  readonly durationMs: number
}

/** An attempt has failed, and another will follow. */
export interface RetryEvent extends CallEvent {
  /** The number of the attempt that comes next: 2 for the first retry. */
  readonly attempt: number
  /** The maximum number of attempts; `undefined` if there is none. */
  readonly attempts: number | undefined
  /** Milliseconds until the next attempt. */
  readonly delay: number
  /** The error of the last attempt. */
  readonly error: ClientRestError | ClientNetworkError
}

/** A call waits before its next attempt. */
export interface WaitEvent extends CallEvent {
  /** Which policy waits: `rateLimit`, or the name that a custom policy reports. */
  readonly policy: string
  /** Milliseconds that it waits from now on. */
  readonly delay: number
}

/** A part of a reply had another type than expected, and was left out. */
export interface MismatchEvent extends CallEvent {
  /** Where it was in the reply, with `[]` for any element of an array: `data[].node.num_episodes`. */
  readonly path: string
  /** What the client expected there: `a number`. */
  readonly expected: string
  /** What it found: `a string`; `nothing` where a required member is missing. It is never the value itself. */
  readonly found: string
  /** How often that was in the reply; `found` is of the first. */
  readonly count: number
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
export interface Hooks {
  /** Before each request. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined
  /** After each response, and after an attempt that ends without one: once for each {@link Hooks.onRequest}. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined
  /** Before `Resilience.retry` waits to make another attempt. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined
  /**
   * Before a call waits for `Resilience.rateLimit`. A queued call reports it when it becomes the first in line, since its
   * delay is known only then, and again if the service asks to stop meanwhile.
   */
  readonly onWait?: ((event: WaitEvent) => void) | undefined
  /** When `Resilience.cache` returns a stored reply. No request is sent. */
  readonly onCacheHit?: ((event: CallEvent) => void) | undefined
  /**
   * When parts of a reply are left out because they have another type than expected: once for each path. Not with `mismatch:
   * "fail"`, where the call fails.
   */
  readonly onMismatch?: ((event: MismatchEvent) => void) | undefined
}

/** The event of a hook without the members that name the call. */
export type HookDetails<Name extends keyof Hooks> = Omit<Parameters<NonNullable<Hooks[Name]>>[0], keyof CallEvent>

/**
 * Validates hooks. Throws a `TypeError` if one is not a function.
 *
 * @internal
 */
export const checkHooks = (hooks: Hooks, where: string): Hooks =>
  checkFunctions(`${where}: hooks`, hooks, ["onRequest", "onResponse", "onRetry", "onWait", "onCacheHit", "onMismatch"])

/**
 * Adds hooks to others, each once: they are called after those.
 *
 * @internal
 */
export const addHooks = (hooks: ReadonlyArray<Hooks>, more: ReadonlyArray<Hooks>): ReadonlyArray<Hooks> => [
  ...new Set([...hooks, ...more])
]

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
