/**
 * `effect` for the tests that run against `catalog-client`: what it hides is hidden by the package.
 */
/* oxlint-disable no-restricted-imports -- the tests import what they need of it, as they do of Effect's own */
import { Redacted as OwnRedacted } from "catalog-client"
import { Layer as EffectLayer, Redacted as EffectRedacted } from "effect"

export * from "effect"

export const Redacted = {
  ...EffectRedacted,
  make: OwnRedacted.make as unknown as typeof EffectRedacted.make,
  value: <A>(redacted: EffectRedacted.Redacted<A>): A =>
    EffectRedacted.isRedacted(redacted) ? EffectRedacted.value(redacted) : OwnRedacted.value(redacted)
}

const parts = new WeakMap<object, { readonly transport: unknown; readonly observers: EffectLayer.Layer<never> }>()

/** A transport, and the Layer of a tracer or a logger that a test has put around it. */
export const observersOf = (layer: unknown) => parts.get(layer as object) ?? { transport: layer, observers: undefined }

export const Layer = {
  ...EffectLayer,
  provideMerge: ((...layers: Parameters<typeof EffectLayer.provideMerge>) => {
    const layer = EffectLayer.provideMerge(...layers)
    const [transport, observers] = layers as unknown as [unknown, EffectLayer.Layer<never>]
    if (layers.length === 2) {
      parts.set(layer, { transport, observers })
    }
    return layer
  }) as typeof EffectLayer.provideMerge
}
