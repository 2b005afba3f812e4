/**
 * Layers of policies and of hooks. They add up: a Layer inside another one, and Layers side by side.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import { servicesIn } from "../common/fiber.js"
import { type Layered, listIn } from "./merge.js"

let builds = 0

/**
 * What one build of a Layer adds. Effect keeps one service for each tag, so of two Layers side by side only the last would
 * count. Here that would be the cache:
 *
 *     Layer.mergeAll(CatalogPolicy.layer(Resilience.retry()), CatalogPolicy.layer(Resilience.cache()))
 *
 * So each build adds a service under a key of its own. All of them stay in the context, and `listIn` merges their lists.
 */
class Added {
  readonly key: Context.Tag<Added, Added>

  constructor(
    readonly tag: { readonly key: string },
    readonly clientList: ReadonlyArray<unknown>,
    readonly items: ReadonlyArray<unknown>,
    readonly replacesOuter: boolean
  ) {
    this.key = Context.GenericTag<Added>(`${tag.key}/${builds++}`)
  }
}

/** What the Layers of a context have added, from the outside in. */
export const addedIn = (context: Context.Context<never>, { key }: { readonly key: string }): ReadonlyArray<Added> =>
  servicesIn(context).filter((service) => service instanceof Added && service.tag.key === key) as ReadonlyArray<Added>

type Merge<A> = (outer: ReadonlyArray<A>, added: ReadonlyArray<A>) => ReadonlyArray<A>

const mergeAdded = <A>(added: ReadonlyArray<Added>, merge: Merge<A>): ReadonlyArray<A> => {
  let clientList: ReadonlyArray<unknown> | undefined
  let list: ReadonlyArray<unknown> = []
  for (const layer of added) {
    // A client has its own list, to which the Layers around a call of it add.
    if (layer.clientList !== clientList) {
      list = layer.clientList
    }
    clientList = layer.clientList
    list = merge((layer.replacesOuter ? [] : list) as ReadonlyArray<A>, layer.items as ReadonlyArray<A>)
  }
  return list as ReadonlyArray<A>
}

/** A Layer that adds to a list in the context, or that replaces it. */
export const makeLayer = <Self, A, E, R>(
  tag: Context.Reference<Self, ReadonlyArray<A>>,
  merge: Merge<A>,
  made: Effect.Effect<ReadonlyArray<A>, E, R>,
  replacesOuter = false
): Layer.Layer<never, E, Exclude<R, Scope>> =>
  Layer.scopedContext(
    Effect.zipWith(Effect.context<never>(), made, (outer, items) => {
      const list: Layered<A> = Context.get(outer, tag)
      const added = new Added(tag, list.clientList ?? list, items, replacesOuter)
      // Kept, because a client compares the list with that of its last call.
      let lastMerge: { readonly added: ReadonlyArray<Added>; readonly list: ReadonlyArray<A> } = { added: [], list: [] }
      const mergedIn = (context: Context.Context<never>): ReadonlyArray<A> => {
        const found = addedIn(context, tag)
        if (found.length !== lastMerge.added.length || found.some((layer, index) => layer !== lastMerge.added[index])) {
          lastMerge = { added: found, list: mergeAdded(found, merge) }
        }
        return lastMerge.list
      }
      const merged = merge(replacesOuter ? [] : listIn(outer, tag), items)
      const layered: Layered<A> = Object.assign([...merged], { clientList: added.clientList, mergedIn })
      return Context.add(Context.make(added.key, added), tag, layered)
    })
  )
