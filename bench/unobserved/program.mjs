// A client without observers, alternately with and without the code for observers.
import { createCatalog } from "@catalog-client/node"
import { fields, id } from "../calls/selection.mjs"
import { answerWithSlices } from "../slices.mjs"

const catalog = createCatalog({ baseUrl: process.argv[2] ?? "", clientId: "my-client-id" })
const call = () => catalog.anime.get({ id }, { fields })

// build.mjs reads it.
const observing = { on: true }
Object.assign(globalThis, { observing })
await answerWithSlices((on) => {
  observing.on = on
  return call
})
