// What do 200 calls cost that one signal ends, compared with the same requests by hand?
import { setMaxListeners } from "node:events"
import { setTimeout as after } from "node:timers/promises"
import { fourSides, fourTitles, id } from "../contenders.mjs"
import { cpu } from "../figures.mjs"

/** Starts 200 calls, ends them, and waits for their sockets. @param {(signal: AbortSignal) => Promise<unknown>} call */
const ended = (call) => async () => {
  const stop = new AbortController()
  // Without it Node warns of a leak, which takes longer than the calls.
  setMaxListeners(0, stop.signal)
  const ends = Promise.allSettled(Array.from({ length: 200 }, () => call(stop.signal)))
  await after(20)
  stop.abort()
  if ((await ends).some(({ status }) => status !== "rejected")) {
    throw new Error("a call was not cancelled")
  }
  await after(5)
}

export const sides = fourSides(
  "/never",
  ({ anime }) => ended((signal) => anime.get({ id }, { signal })),
  (read, url) => ended((signal) => read(`${url}/anime/${id}?nsfw=true`, signal))
)
export const heading = "200 calls that one signal ends"
export const titles = fourTitles
const plan = { turns: 50, rounds: 2 }
export const groups = [
  { ...plan, figures: [cpu("catalog-client", "undici", { most: 1.3 })] },
  { ...plan, figures: [cpu("catalog-client over fetch", "fetch", { most: 2 })] }
]
