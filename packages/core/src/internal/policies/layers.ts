/**
 * Layers of policies and of hooks. They add up: a Layer inside another one, and Layers side by side.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import { servicesIn } from "../common/fiber.js"
import { type Layered, listIn } from "./merge.js"

/**
 * What one build of a Layer adds. Of two Layers side by side, Effect keeps one value of a tag, the last. So each also adds this
 * service under a key of its own, and the list is merged from those where it is read: after `Layer.mergeAll` of a retry and a cache,
 * the tag has the cache alone, and `listIn` finds both.
 */
class Added {
  readonly key: Context.Tag<Added, Added>

  constructor(
    readonly tag: { readonly key: string },
    /** What the Layers add to: nothing, or the list of a client. */
    readonly base: ReadonlyArray<unknown>,
    readonly own: ReadonlyArray<unknown>,
    readonly replaces: boolean
  ) {
    this.key = Context.GenericTag<Added>(`${tag.key}/${Math.random()}`)
  }
}

/** What the Layers of a context have added, from the outside in. */
export const addedIn = (context: Context.Context<never>, { key }: { readonly key: string }): ReadonlyArray<Added> =>
  servicesIn(context).filter((service) => service instanceof Added && service.tag.key === key) as ReadonlyArray<Added>

type Merge<A> = (outer: ReadonlyArray<A>, added: ReadonlyArray<A>) => ReadonlyArray<A>

const mergeAdded = <A>(added: ReadonlyArray<Added>, merge: Merge<A>): ReadonlyArray<A> => {
  let base: ReadonlyArray<unknown> | undefined
  let list: ReadonlyArray<unknown> = []
  for (const one of added) {
    // A client has its own list, to which the Layers around a call of it add.
    if (one.base !== base) {
      list = one.base
    }
    base = one.base
    list = merge((one.replaces ? [] : list) as ReadonlyArray<A>, one.own as ReadonlyArray<A>)
  }
  return list as ReadonlyArray<A>
}

/** A Layer that adds to a list in the context, or that replaces it. */
export const makeLayer = <Self, A, E, R>(
  tag: Context.Reference<Self, ReadonlyArray<A>>,
  merge: Merge<A>,
  made: Effect.Effect<ReadonlyArray<A>, E, R>,
  replaces = false
): Layer.Layer<never, E, Exclude<R, Scope>> =>
  Layer.scopedContext(
    Effect.zipWith(Effect.context<never>(), made, (outer, own) => {
      const list: Layered<A> = Context.get(outer, tag)
      const added = new Added(tag, list.base ?? list, own, replaces)
      // A client compares the list with that of its last call.
      let last: { readonly added: ReadonlyArray<Added>; readonly merged: ReadonlyArray<A> } = { added: [], merged: [] }
      const mergedIn = (context: Context.Context<never>): ReadonlyArray<A> => {
        const found = addedIn(context, tag)
        if (found.length !== last.added.length || found.some((one, index) => one !== last.added[index])) {
          last = { added: found, merged: mergeAdded(found, merge) }
        }
        return last.merged
      }
      const merged = merge(replaces ? [] : listIn(outer, tag), own)
      const layered: Layered<A> = Object.assign([...merged], { base: added.base, mergedIn })
      return Context.add(Context.make(added.key, added), tag, layered)
    })
  )
