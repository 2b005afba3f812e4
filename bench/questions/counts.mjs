// How many fibers and timers does a call use?
import { Catalog, CatalogConfig, Credentials } from "@catalog-client/core"
import { layer } from "@catalog-client/node"
import { createCatalog } from "catalog-client"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { exact } from "../figures.mjs"
import { clientId, fields, id } from "../request.mjs"

let timers = 0
/** @type {ProxyHandler<typeof setTimeout>} */
const counting = {
  apply: (target, self, args) => {
    // undici has one timer for all its connections, which it sets again now and then; `catalog-client` has it in a chunk.
    if (!/[/\\]undici[/\\]|[/\\]dispatch-/.test(new Error("where").stack?.split("\n")[2] ?? "")) {
      timers++
    }
    return Reflect.apply(target, self, args)
  }
}

/** @param {() => Promise<unknown>} call */
const counted = async (call) => {
  // The first call builds the transport and connects.
  await call()
  await call()
  const before = { fiber: FiberId.unsafeMake().id, timers }
  await call()
  return [[{ fibers: FiberId.unsafeMake().id - before.fiber - 1, timers: timers - before.timers }]]
}

/** @type {import("../runner.mjs").Question["measure"]} */
export const measure = async ({ url: baseUrl }) => {
  const real = setTimeout
  globalThis.setTimeout = new Proxy(setTimeout, counting)
  const catalog = createCatalog({ baseUrl, clientId })
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(layer, CatalogConfig.layer({ baseUrl }), Credentials.layer({ clientId }))
  )
  const taken = {
    // Its fibers are those of its own Effect.
    "catalog-client": await counted(() => catalog.anime.get({ id }, { fields })),
    effect: await counted(() => runtime.runPromise(Catalog.anime.get({ id }, { fields })))
  }
  globalThis.setTimeout = real
  await Promise.all([catalog.close(), runtime.dispose()])
  return taken
}

export const figures = {
  "fibers-effect": exact("fibers of a call with Effect, the one that runs it among them", "fibers", "effect"),
  timers: exact("timers of a call of `catalog-client`", "timers", "catalog-client"),
  "timers-effect": exact("timers of a call with Effect", "timers", "effect")
}
