// Is this build slower or larger than that of a commit?
import { Session } from "node:inspector/promises"
import { cpu, rate, times, whole } from "../figures.mjs"
import { sides as calls } from "./calls.mjs"
import { sides as inMemory, titles as ofMemory } from "./inMemory.mjs"

/** @import { HeapProfiler } from "node:inspector" */

/** The commit, if the command names none. `npm test` compares with it. */
export const baseline = "e7105d4a5beb1c95697e07ea51881e071257c666"

/** Bytes of a call that outlive the young generation. @param {() => Promise<unknown>} call */
const survivors = async (call) => {
  const count = 8000
  const session = new Session()
  session.connect()
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: 512,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: false
  })
  for (let made = 0; made < count; made++) {
    await call()
  }
  const { profile } = await session.post("HeapProfiler.stopSampling")
  session.disconnect()
  /** @type {(node: HeapProfiler.SamplingHeapProfileNode) => number} */
  const sizeOf = ({ children, selfSize }) => children.reduce((size, child) => size + sizeOf(child), selfSize)
  return { bytes: sizeOf(profile.head) / count }
}

/** @type {import("../figures.mjs").Question["sides"]} */
export const sides = {
  ...inMemory,
  socket: calls["catalog-client"],
  survivors: async () => {
    const call = inMemory["catalog-client"]()
    // Warm.
    await survivors(call)
    return { sample: () => survivors(call) }
  },
  bundle: async () => (await import("./bundles.mjs")).page
}

export const heading = "Against another commit"
export const titles = {
  ...ofMemory,
  socket: "64 calls at a time",
  survivors: "a call, what outlives the young generation",
  bundle: "a page of `catalog-client`, all operations"
}

/** Equal builds differ by 3 % on a busy machine, so what misses its budget is measured again. */
export const plan = { rounds: 6, runs: 3 }
/** Only a major collection removes a `Response`: slices of calls over `fetch` must be long enough to have some. */
const [fromMemory, overFetch] = [
  { ...plan, calls: 250, turns: 50 },
  { ...plan, calls: 400, turns: 50 }
]
const bytes = { title: "bytes", of: "bytes" }

/** @type {import("../figures.mjs").Question["figures"]} */
export const figures = [
  cpu("catalog-client", "catalog-client on the baseline", { most: 1.08, plan: fromMemory }),
  cpu("fetch", "fetch on the baseline", { most: 1.08, plan: overFetch }),
  cpu("page", "page on the baseline", { most: 1.05, quick: false, plan: { calls: 5 } }),
  rate("socket", "socket on the baseline", { least: 0.95, plan: { calls: 600, atATime: 64 } }),
  { ...bytes, side: "survivors", against: "survivors on the baseline", show: times, most: 1.1, plan: { turns: 3 } },
  cpu("effect", "effect on the baseline", { most: 1.08, plan: fromMemory }),
  cpu("effect over fetch", "effect over fetch on the baseline", { most: 1.05, quick: false, plan: overFetch }),
  {
    ...bytes,
    side: "bundle",
    beyond: "bundle on the baseline",
    show: whole,
    most: 500,
    quick: true,
    plan: { turns: 1, rounds: 1, runs: 1 }
  }
]
