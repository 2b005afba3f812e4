// What to expect in each runtime, and how much does the client add to its own `fetch`?
import { cpu, rate } from "../figures.mjs"
import { columns as ofCalls, plan as ofPlan, titles as ofSides } from "./calls.mjs"

export { sides } from "./calls.mjs"
export const heading = "Runtimes"
export const text =
  "What to expect where your program runs: 64 `anime.get` at a time, against `fetch` with a timeout in the same runtime. On Node, " +
  "`catalog-client` and `@catalog-client/node` are faster than `fetch`, by less on newer versions, whose `fetch` is faster. " +
  "`@catalog-client/browser` calls the runtime's `fetch`, so it cannot be faster. On Bun, the others do so too.\n\n" +
  "The runtimes are measured one after the other, while the load of the machine changes. So compare a row with `fetch`, by × calls " +
  "and × CPU, and not with another runtime."
export const titles = ofSides
export const columns = ofCalls.filter(({ of }) => of !== "alone")

const overFetch = ["fetch", "catalog-client over fetch", "effect over fetch"]
/** @param {string} place @param {ReadonlyArray<string>} more On Bun, every package sends with `fetch` anyway. */
const group = (place, ...more) => [...overFetch, ...more].map((side) => `${side} on ${place}`)
export const groups = [
  ...["Node 24", "Node 26", "Deno"].map((place) => group(place, "catalog-client", "effect")),
  group("Bun")
]
export const plan = { ...ofPlan, alone: 0 }

const over = "catalog-client over fetch on"
export const figures = [
  rate("effect on Node 24", "fetch on Node 24", { least: 1.3, aim: 2 }),
  rate("effect on Node 26", "fetch on Node 26", { least: 1.1, aim: 1.7 }),
  rate(`${over} Node 24`, "fetch on Node 24", { least: 0.4, aim: 0.9 }),
  rate(`${over} Deno`, "fetch on Deno", { least: 0.4, aim: 0.6 }),
  cpu(`${over} Deno`, "fetch on Deno", { most: 2, aim: 1.5, quick: false }),
  rate(`${over} Bun`, "fetch on Bun", { least: 0.3, aim: 0.6 }),
  cpu(`${over} Bun`, "fetch on Bun", { most: 3, aim: 2, quick: false })
]
