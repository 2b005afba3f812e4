/** `effect/Layer` with the names of Effect 3. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export * from "effect/Layer"
export {
  effect as scoped,
  effectContext as scopedContext,
  effectDiscard as scopedDiscard,
  unwrap as unwrapEffect,
  unwrap as unwrapScoped
} from "effect/Layer"

export const map = <A, E, R, B>(
  layer: Layer.Layer<A, E, R>,
  f: (context: Context.Context<A>) => Context.Context<B>
): Layer.Layer<B, E, R> => Layer.effectContext(Effect.map(Layer.build(layer), f))
