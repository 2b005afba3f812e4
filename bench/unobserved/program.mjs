// A client without observers, alternately with and without the code for observers.
import { createCatalog } from "@catalog-client/node"
import { fields, id } from "../calls/selection.mjs"
import { answerWith } from "../slices.mjs"

const catalog = createCatalog({ baseUrl: process.argv[2], clientId: "my-client-id" })
const call = () => catalog.anime.get({ id }, { fields })

globalThis.observing = { on: true }
await answerWith((on) => {
  globalThis.observing.on = on
  return call
})
