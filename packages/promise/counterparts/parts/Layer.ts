/**
 * Parts of Layers, in short.
 */

/** Keeps nothing: each Layer of a catalog is used once. One that was used twice would be built twice. */
export class MemoMapImpl {
  get(): undefined {
    return undefined
  }
  getOrElseMemoize<Scope, Built>(_layer: unknown, scope: Scope, build: (memoMap: this, scope: Scope) => Built): Built {
    return build(this, scope)
  }
}
