// Calls that one signal ends, alternately those of the client and the same requests by hand: over `fetch` or undici.
import { createCatalog } from "catalog-client"
import { setMaxListeners } from "node:events"
import { setTimeout as after } from "node:timers/promises"
import { request } from "undici"
import { answerWith } from "../fork.mjs"
import { cpuOf } from "../many.mjs"

const calls = 200
const id = 30230
const clientId = "my-client-id"
const headers = { accept: "application/json", "x-mal-client-id": clientId }
const [, , url = "", transport] = process.argv
// The server receives these requests and answers none.
const baseUrl = `${url}/never`
const address = `${baseUrl}/anime/${id}?nsfw=true`

const catalog = createCatalog({ baseUrl, clientId, ...(transport === "fetch" && { fetch: "global" }) })
/** @type {(signal: AbortSignal) => Promise<unknown>} */
const byClient = (signal) => catalog.anime.get({ id }, { signal })
/** @type {(signal: AbortSignal) => Promise<unknown>} */
const byHand =
  transport === "fetch"
    ? async (signal) => (await fetch(address, { headers, signal })).json()
    : async (signal) => (await request(address, { headers, signal })).body.json()

/**
 * Microseconds of CPU for a call, from its start to its rejection.
 *
 * @param {(signal: AbortSignal) => Promise<unknown>} call
 */
const slice = async (call) => {
  const stop = new AbortController()
  // Without it Node warns of a leak, which takes longer than the calls.
  setMaxListeners(0, stop.signal)
  const taken = await cpuOf(async () => {
    const ends = Promise.allSettled(Array.from({ length: calls }, () => call(stop.signal)))
    await after(20)
    stop.abort()
    if ((await ends).some(({ status }) => status !== "rejected")) {
      throw new Error("a call was not cancelled")
    }
  })
  // The sockets of the last slice are closed before the next one begins.
  await after(5)
  return taken / calls
}

/** @param {number} pairs */
const measure = async (pairs) => {
  /** @type {import("../slices.mjs").Slices} */
  const taken = { on: [], off: [] }
  for (let pair = 0; pair < pairs; pair++) {
    for (const on of pair % 2 === 0 ? [true, false] : [false, true]) {
      taken[on ? "on" : "off"].push(await slice(on ? byClient : byHand))
    }
  }
  return taken
}

await measure(20)
answerWith(measure)
