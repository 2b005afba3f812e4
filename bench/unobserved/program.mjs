// A client without observers: small slices of calls, alternately with and without the code for observers.
import { createCatalog } from "@catalog-client/node"
import { fields, id } from "../calls/selection.mjs"
import { many } from "../many.mjs"

const catalog = createCatalog({ baseUrl: process.argv[2], clientId: "my-client-id" })
const call = () => catalog.anime.get({ id }, { fields })

/** Microseconds of CPU for a call. */
const slice = async (on, count) => {
  globalThis.observing.on = on
  const cpu = process.cpuUsage()
  await many(call, count, 64)
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / count
}

const measure = async (rounds) => {
  const taken = { on: [], off: [] }
  for (let round = 0; round < rounds; round++) {
    for (const on of round % 2 === 0 ? [true, false] : [false, true]) {
      taken[on ? "on" : "off"].push(await slice(on, 256))
    }
  }
  return taken
}

globalThis.observing = { on: true }
process.on("message", (rounds) => void measure(rounds).then((taken) => process.send(taken)))
await measure(20)
process.send("ready")
