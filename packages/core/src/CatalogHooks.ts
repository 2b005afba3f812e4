/**
 * Hooks: functions that are told what happens to a call.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { ClientNetworkError, ClientRestError } from "./CatalogError.js"
import { checkFunctions } from "./internal/common/validate.js"

/** What each hook is told: which call it is about. */
export interface CallEvent {
  /** For example `catalog.anime.get`. */
  readonly operation: string
  /** `POST` is a request for tokens. */
  readonly method: "GET" | "PATCH" | "DELETE" | "POST"
  /** The whole URL with its query; credentials are redacted. */
  readonly url: string
}

/** A request is about to be sent. */
export interface RequestEvent extends CallEvent {
  /** The number of the attempt within its call: 1 for the first. */
  readonly attempt: number
}

/** An attempt has ended: with a response that was read and validated, with an error, or since the call was cancelled. */
export interface ResponseEvent extends CallEvent {
  /** The number of the attempt within its call: 1 for the first. */
  readonly attempt: number
  /**
   * `Success`, or the status of a refusal (`404`), or the `reason` of the error (`Timeout`), or `Interrupted` where the
   * call was cancelled or ran out of `totalTimeout`.
   */
  readonly outcome: string
  /** The status, where there was a response. */
  readonly status: number | undefined
  /** What the attempt failed with. It is the call's error too, unless a policy goes on. */
  readonly error: ClientRestError | ClientNetworkError | undefined
  /** Milliseconds from the request to the end of the attempt, with a fraction. */
  readonly durationMs: number
}

/** An attempt has failed, and another will follow. */
export interface RetryEvent extends CallEvent {
  /** The number of the attempt that comes next: 2 for the first retry. */
  readonly attempt: number
  /** How many attempts there are at most; `undefined` where a schedule decides. */
  readonly attempts: number | undefined
  /** Milliseconds until the next attempt. */
  readonly delay: number
  /** What the last attempt failed with. */
  readonly error: ClientRestError | ClientNetworkError
}

/** A call waits before its next attempt. */
export interface WaitEvent extends CallEvent {
  /** Which policy waits: `rateLimit`, or the name that a policy of your own gives. */
  readonly policy: string
  /** Milliseconds that it waits from now on. */
  readonly delay: number
}

/**
 * Functions that are told what happens to calls: an option of `createCatalog`, and what {@link CatalogHooks.layer}
 * takes. Each may be missing.
 *
 * A hook is called at once and not waited for. What it returns does not matter. One that throws, or whose promise is
 * rejected, changes nothing for the call: the client warns of it, once.
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
   * Before a call waits for `Resilience.rateLimit`. A call in a line is told when it is the first, since its delay is
   * known only then; and again where the service says stop meanwhile.
   */
  readonly onWait?: ((event: WaitEvent) => void) | undefined
  /** When `Resilience.cache` gives a reply that it has kept. No request is sent. */
  readonly onCacheHit?: ((event: CallEvent) => void) | undefined
}

/** What a hook is told besides the call itself. */
export type HookDetails<Name extends keyof Hooks> = Omit<Parameters<NonNullable<Hooks[Name]>>[0], keyof CallEvent>

/**
 * Hooks that can be called. Throws a `TypeError` where one is no function.
 *
 * @internal
 */
export const checkHooks = (hooks: Hooks, where: string): Hooks =>
  checkFunctions(`${where}: hooks`, hooks, ["onRequest", "onResponse", "onRetry", "onWait", "onCacheHit"])

/**
 * The hooks by themselves: what only calls them carries no way to put them there.
 */
export const HooksOfCalls = /*#__PURE__*/ Context.Reference<CatalogHooks>()("@catalog-client/core/CatalogHooks", {
  defaultValue: (): Hooks => ({})
})

/**
 * The hooks of every call. By default there are none.
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
export class CatalogHooks extends HooksOfCalls {
  /** A Layer with hooks for every call, in place of those that are there. Throws a `TypeError` where one is no function. */
  static layer(hooks: Hooks): Layer.Layer<never> {
    return Layer.succeed(CatalogHooks, checkHooks(hooks, "CatalogHooks.layer"))
  }
}
