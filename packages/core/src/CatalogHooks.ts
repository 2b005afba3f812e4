/**
 * Hooks: functions that are called for the events of a call.
 *
 * @since 0.2.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { HookEvents, Hooks as AnyHooks } from "./internal/policies/hookEvents.js"
import { addTo } from "./internal/common/layers.js"
import { addHooks, CatalogHooksTag, checkHooks, hookNames } from "./internal/policies/merge.js"
import { provideFrom } from "./internal/settings/provide.js"

// TypeScript writes these names into declarations of programs. In code, they are members of the class: `CatalogHooks.Events`.
export type { HookEvents } from "./internal/policies/hookEvents.js"

/**
 * Functions that are called for the events of calls. The call waits for the Effect of a hook, which requires `R`, and ignores
 * any other result. If a hook fails, the call is not affected: the client logs one warning.
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
export type Hooks<R = never> = {
  readonly [Name in keyof HookEvents]?:
    | ((event: HookEvents[Name]) => void | PromiseLike<unknown> | Effect.Effect<unknown, unknown, R>)
    | undefined
}

/**
 * Hooks by what they return: nothing, anything that is ignored, or an Effect. Editors show the doc comments of `HookEvents`.
 */
interface HooksReturning<OnRequest, OnResponse, OnRetry, OnWait, OnMismatch> extends AnyHooks {
  readonly onRequest?: ((event: HookEvents["onRequest"]) => OnRequest) | undefined
  readonly onResponse?: ((event: HookEvents["onResponse"]) => OnResponse) | undefined
  readonly onRetry?: ((event: HookEvents["onRetry"]) => OnRetry) | undefined
  readonly onWait?: ((event: HookEvents["onWait"]) => OnWait) | undefined
  readonly onMismatch?: ((event: HookEvents["onMismatch"]) => OnMismatch) | undefined
}

/** What the Effect of a hook requires. */
type NeededByHook<A> = A extends Effect.Effect<unknown, unknown, infer R> ? R : never

/** The hooks of one build of a Layer: their Effects get the services that they require, and a time limit. */
const bind = <R>(hooks: AnyHooks, built: Context.Context<R>): AnyHooks => {
  // Calls made by a hook run without hooks, or it could trigger itself.
  const provide = provideFrom(Context.add(built, CatalogHooksTag, []))
  const bound: Record<string, unknown> = { origin: hooks }
  for (const name of hookNames) {
    const hook = hooks[name] as ((event: object) => unknown) | undefined
    bound[name] =
      hook &&
      ((event: object) => {
        const result = hook.call(hooks, event)
        return Effect.isEffect(result)
          ? Effect.interruptible(provide(result as Effect.Effect<unknown, unknown, R>)).pipe(
              Effect.timeoutFail({
                duration: "1 second",
                onTimeout: () => new Error("it took longer than 1 second, and was interrupted")
              }),
              Effect.catchAllDefect(Effect.fail)
            )
          : result
      })
  }
  return bound
}

const hooksLayer = <R>(calledAs: string, hooks: AnyHooks, merge = addHooks): Layer.Layer<never, never, R> => {
  const made = Effect.map(Effect.context<R>(), (built) => [bind(checkHooks(hooks, calledAs), built)])
  return Layer.effectContext(addTo(CatalogHooksTag, merge, made))
}

/**
 * The hooks of every call, called one after the other. By default there are none. A `CatalogClient` calls its own
 * hooks first, then those in the context of the call.
 *
 * @example
 * ```ts
 * import { Catalog, CatalogHooks, Credentials } from "@catalog-client/core"
 * import { EmbeddedCatalog } from "@catalog-client/testing"
 * import { Console, Effect } from "effect"
 *
 * const Lines = CatalogHooks.layer({ onResponse: ({ operation, outcome }) => Console.log(`${operation}: ${outcome}`) })
 *
 * const program = Catalog.anime.get({ id: 1 }).pipe(Effect.andThen(Catalog.forum.boards()))
 * await Effect.runPromise(Effect.provide(program, [Lines, EmbeddedCatalog.layer(), Credentials.layerNone]))
 * ```
 *
 * ```text
 * catalog.anime.get: Success
 * catalog.forum.boards: Success
 * ```
 */
export class CatalogHooks extends CatalogHooksTag {
  /**
   * A Layer with hooks for every call, in addition to those of other Layers, inside or beside it.
   *
   * A hook can return an Effect, whose requirements become the Layer's. It runs in a child fiber of the call, which waits for
   * it. If it fails, or takes longer than a second, the call continues, and the client logs one warning. An operation that it
   * calls has no hooks.
   *
   * @example
   * ```ts
   * import { CatalogHooks } from "@catalog-client/core"
   * import { Effect } from "effect"
   *
   * export const layer = CatalogHooks.layer({ onRetry: ({ operation }) => Effect.logInfo(`${operation} again`) })
   * ```
   */
  static layer<OnRequest = void, OnResponse = void, OnRetry = void, OnWait = void, OnMismatch = void>(
    hooks: HooksReturning<OnRequest, OnResponse, OnRetry, OnWait, OnMismatch>
  ): Layer.Layer<never, never, NeededByHook<OnRequest | OnResponse | OnRetry | OnWait | OnMismatch>> {
    return hooksLayer("CatalogHooks.layer", hooks)
  }

  /**
   * Like `layer`, but its hooks replace all others: those around it, and those of the Layers before it in `Layer.mergeAll`.
   *
   * @example
   * ```ts
   * import { CatalogHooks } from "@catalog-client/core"
   *
   * export const silent = CatalogHooks.layerReplace({})
   * ```
   */
  static layerReplace<OnRequest = void, OnResponse = void, OnRetry = void, OnWait = void, OnMismatch = void>(
    hooks: HooksReturning<OnRequest, OnResponse, OnRetry, OnWait, OnMismatch>
  ): Layer.Layer<never, never, NeededByHook<OnRequest | OnResponse | OnRetry | OnWait | OnMismatch>> {
    return hooksLayer("CatalogHooks.layerReplace", hooks, (_, made) => addHooks([], made))
  }
}

export declare namespace CatalogHooks {
  export { type HookEvents as Events, type Hooks }
}
