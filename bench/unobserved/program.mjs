// A client without observers, alternately with and without the code for observers.
import { Catalog, CatalogConfig, Credentials } from "@catalog-client/core"
import { layer } from "@catalog-client/node"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { fields, id } from "../calls/selection.mjs"
import { answerWithSlices } from "../slices.mjs"

const config = CatalogConfig.layer({ baseUrl: process.argv[2] ?? "" })
const runtime = ManagedRuntime.make(Layer.mergeAll(layer, config, Credentials.layer({ clientId: "my-client-id" })))
const call = () => runtime.runPromise(Catalog.anime.get({ id }, { fields }))

// build.mjs reads it.
const observing = { on: true }
Object.assign(globalThis, { observing })
await answerWithSlices((on) => {
  observing.on = on
  return call
})
