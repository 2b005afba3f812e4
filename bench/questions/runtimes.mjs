// What to expect in each runtime, and how much does the client add to its own `fetch`?
import { cpu, rate } from "../figures.mjs"
import { columns as ofCalls, plan, titles as ofSides } from "./calls.mjs"

export { sides } from "./calls.mjs"
export const heading = "Runtimes"
export const titles = ofSides
export const columns = ofCalls.filter(({ of }) => of !== "alone")

/** @import { Budget } from "../figures.mjs" */
/** @param {string} place @param {Budget} calls @param {Budget} time @param {string[]} others */
const group = (place, calls, time, ...others) => {
  const [over, byHand] = [`catalog-client over fetch on ${place}`, `fetch on ${place}`]
  return {
    ...plan,
    figures: [rate(over, byHand, calls), cpu(over, byHand, { ...time, quick: false })],
    others: ["effect over fetch", ...others].map((side) => `${side} on ${place}`)
  }
}
export const groups = [
  group("Node 24", { least: 0.65, aim: 0.9 }, { most: 1.45, aim: 1.15 }, "catalog-client", "effect"),
  group("Node 26", { least: 0.65, aim: 0.9 }, { most: 1.45, aim: 1.15 }, "catalog-client", "effect"),
  group("Deno", { least: 0.55, aim: 0.6 }, { most: 1.75, aim: 1.5 }, "catalog-client", "effect"),
  // There every package sends with `fetch`.
  group("Bun", { least: 0.45, aim: 0.6 }, { most: 2.4, aim: 2 })
]
