/**
 * Parts of Layers, in short.
 */

/** Remembers no Layer, because a catalog uses each of its Layers once: a Layer that is used twice is built twice. */
export class MemoMapImpl {
  get(): undefined {
    return undefined
  }
  getOrElseMemoize<Scope, Built>(_layer: unknown, scope: Scope, build: (memoMap: this, scope: Scope) => Built): Built {
    return build(this, scope)
  }
}
