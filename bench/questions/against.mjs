// Is this build slower or larger than that of a commit?
import { cpu, exact, rate } from "../figures.mjs"
import { sides as calls } from "./calls.mjs"
import { sides as inMemory, titles as ofMemory } from "./inMemory.mjs"

/** The commit, if the command names none. `npm test -- all` compares with it. */
export const baseline = "e7105d4a5beb1c95697e07ea51881e071257c666"

/** @type {import("../figures.mjs").Question["sides"]} */
export const sides = {
  ...inMemory,
  socket: calls["catalog-client"],
  bundle: async () => (await import("./bundles.mjs")).sides.all()
}

export const heading = "Against another commit"
export const titles = {
  ...ofMemory,
  socket: "64 calls at a time",
  bundle: "a page of `catalog-client`, all operations"
}

/** Two runs of one build differ by up to 5 % on a busy machine, so what misses its budget is measured again. */
const plan = { rounds: 6, runs: 5 }
const fromMemory = { ...plan, calls: 250, turns: 50 }
/** Only a major collection removes a `Response`: slices of calls over `fetch` must be long enough to have some. */
const overFetch = { ...plan, calls: 400, turns: 50 }

export const groups = [
  { ...fromMemory, figures: [cpu("catalog-client", "catalog-client on the baseline", { most: 1.1 })] },
  { ...overFetch, figures: [cpu("fetch", "fetch on the baseline", { most: 1.12 })] },
  { ...plan, calls: 5, figures: [cpu("page", "page on the baseline", { most: 1.05, quick: false })] },
  { ...plan, calls: 600, atATime: 64, figures: [rate("socket", "socket on the baseline", { least: 0.95 })] },
  { ...fromMemory, figures: [cpu("effect", "effect on the baseline", { most: 1.08 })] },
  {
    ...overFetch,
    figures: [cpu("effect over fetch", "effect over fetch on the baseline", { most: 1.05, quick: false })]
  },
  {
    turns: 1,
    rounds: 1,
    figures: [{ ...exact("bytes", "bytes", "bundle", 500), beyond: "bundle on the baseline" }]
  }
]
