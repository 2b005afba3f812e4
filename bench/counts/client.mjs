// Counts what one call uses of the runtime: fibers, timers, spans.
import { Catalog, CatalogConfig, Credentials } from "@catalog-client/core"
import { layer } from "@catalog-client/node"
import { createCatalog } from "catalog-client"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Tracer from "effect/Tracer"
import { fields, id } from "../calls/selection.mjs"

const baseUrl = process.argv[2] ?? ""
const clientId = "my-client-id"
const catalog = createCatalog({ baseUrl, clientId })
const client = Layer.mergeAll(layer, CatalogConfig.layer({ baseUrl }), Credentials.layer({ clientId }))
const runtime = ManagedRuntime.make(client)

let spans = 0
const live = Context.get(DefaultServices.liveServices, Tracer.Tracer)
const span = live.span.bind(live)
/** @type {typeof span} */
const counting = (...args) => {
  spans++
  return span(...args)
}
const watched = ManagedRuntime.make(Layer.provideMerge(client, Layer.setTracer({ ...live, span: counting })))
// The default tracer, which a program has that does not set one.
live.span = counting

let timers = 0
/** @type {ProxyHandler<typeof setTimeout>} */
const countingTimers = {
  apply: (target, self, args) => {
    // undici has one timer for all its connections, which it sets again now and then; `catalog-client` has it in a chunk.
    if (!/[/\\]undici[/\\]|[/\\]dispatch-/.test(new Error("where").stack?.split("\n")[2] ?? "")) {
      timers++
    }
    return Reflect.apply(target, self, args)
  }
}
globalThis.setTimeout = new Proxy(setTimeout, countingTimers)

/** The number of the next fiber. */
const nextFiber = () => FiberId.unsafeMake().id

const get = () => Catalog.anime.get({ id }, { fields })

/** @param {() => Promise<unknown>} call */
const counted = async (call) => {
  // The first call builds the transport and connects.
  await call()
  await call()
  const before = { fiber: nextFiber(), timers, spans }
  await call()
  return { fibers: nextFiber() - before.fiber - 1, timers: timers - before.timers, spans: spans - before.spans }
}

process.send?.({
  // Its fibers and spans are those of its own Effect.
  promise: await counted(() => catalog.anime.get({ id }, { fields })),
  effect: await counted(() => runtime.runPromise(get())),
  traced: await counted(() => watched.runPromise(get()))
})
