/**
 * Layers of configuration, policies and hooks: how they add up, one inside another and side by side.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { servicesIn } from "./fiber.js"
import { memoize } from "./memoize.js"

let builds = 0

/**
 * What one build of a Layer adds. Effect keeps one service for each tag, so of two Layers side by side only the last would
 * count. Here that would be the cache:
 *
 *     Layer.mergeAll(CatalogPolicy.layer(Resilience.retry()), CatalogPolicy.layer(Resilience.cache()))
 *
 * So each build adds a service that is its own tag. All of them stay in the context, and `valueIn` merges them.
 */
interface Added extends Context.Tag<Added, Added> {
  /** The value before any Layer: a default, that of a client, or the program's own. Each tag has its own default. */
  readonly addsTo: object
  readonly add: (outer: object) => object
  /** Undefined if the context lacks this service, because a program has read the value and provides it elsewhere. */
  readonly mergedIn: (context: Context.Context<never>) => object | undefined
}

/** A value that was read from the context. If a Layer has made it, it hides what the Layer adds. */
type Layered<A> = A & { readonly layered?: Added }

/** The value of a tag, merged from its Layers. */
export const valueIn = <Self, A extends object>(
  context: Context.Context<never>,
  tag: Context.Reference<Self, A>
): A => {
  const value: Layered<A> = Context.get(context, tag)
  return (value.layered?.mergedIn(context) as A | undefined) ?? value
}

/** What Layers have added to a context, from the outside in. */
export const addedIn = (context: Context.Context<never>): ReadonlyArray<Added> =>
  (servicesIn(context) as ReadonlyArray<Added>).filter((service: Added | undefined) => service?.addsTo)

/** The services of a Layer that adds to a value in the context. `merge` returns a new object. */
export const addTo = <Self, A extends object, B, E, R>(
  tag: Context.Reference<Self, A>,
  merge: (outer: A, made: B) => A,
  made: Effect.Effect<B, E, R>
): Effect.Effect<Context.Context<never>, E, R> =>
  Effect.flatMap(made, (made) =>
    Effect.map(Effect.context<never>(), (outer) => {
      const value: Layered<A> = Context.get(outer, tag)
      const addsTo = value.layered?.addsTo ?? value
      const allIn = (context: Context.Context<never>) => addedIn(context).filter((one) => one.addsTo === addsTo)
      const added: Added = Object.assign(Context.GenericTag<Added>(`${tag.key}/${builds++}`), {
        addsTo,
        // The same value for the same outer one, because a client compares it with that of its last call.
        add: memoize((outer: object): object => merge(outer as A, made)),
        mergedIn: (context: Context.Context<never>) => {
          const all = allIn(context)
          return all.includes(added) ? all.reduce((value, one) => one.add(value), addsTo) : undefined
        }
      })
      // With what it was built with, which need not be around the call.
      return [...allIn(outer), added].reduce<Context.Context<never>>(
        (context, one) => Context.add(context, one, one),
        Context.make(tag, Object.defineProperty(merge(valueIn(outer, tag), made), "layered", { value: added }))
      )
    })
  )
