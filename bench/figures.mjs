// Every figure that has a budget: where it comes from and how it is written.
import { ratios } from "./statistics.mjs"

const ratio = (value) => value.toFixed(2)
const kilobytes = (value) => `${(value / 1000).toFixed(1)} kB`

/**
 * What is measured, by the name of its budget in budgets.json. `values` is the figure's value in each round; a figure that is
 * `exact` has one, and no run differs from another. `cpu` marks a ratio of CPU time: it holds on a machine that is busy.
 */
export const figures = {
  "calls-fetch": {
    title: "`anime.get`, promises on Node, 64 at a time: calls/s against `fetch` + timeout",
    section: "calls",
    show: ratio,
    values: ({ promise, fetch }) => ratios(promise.perSecond, fetch.perSecond)
  },
  "cpu-fetch": {
    title: "the same, CPU per call against `fetch` + timeout",
    section: "calls",
    show: ratio,
    cpu: true,
    values: ({ promise, fetch }) => ratios(promise.cpu, fetch.cpu)
  },
  "calls-node-myanimelist": {
    title: "the same against `node-myanimelist` (axios): calls/s",
    section: "calls",
    show: ratio,
    values: ({ promise, "node-myanimelist": peer }) => peer && ratios(promise.perSecond, peer.perSecond)
  },
  "cpu-undici": {
    title: "the same against `undici.request` + `text()` + `JSON.parse` + an abort signal: CPU per call",
    section: "calls",
    show: ratio,
    cpu: true,
    values: ({ promise, undici }) => ratios(promise.cpu, undici.cpu)
  },
  "cpu-effect": {
    title: "the Effect face against the promise face: CPU per call",
    section: "calls",
    show: ratio,
    cpu: true,
    values: ({ promise, effect }) => ratios(effect.cpu, promise.cpu)
  },
  "latency-undici": {
    title: "one call at a time: added latency over bare undici, share of its own time",
    section: "calls",
    show: (value) => `${value >= 0 ? "+" : ""}${Math.round(value * 100)} %`,
    values: ({ promise, undici }) =>
      promise.latency && ratios(promise.latency, undici.latency).map((value) => value - 1)
  },
  "bundle-one": {
    title: "page bundle, one operation by its subpath, Effect face, minified + gzip",
    section: "bundles",
    show: kilobytes,
    exact: true,
    values: ({ oneOperation }) => [oneOperation.bytes]
  },
  "bundle-all": {
    title: "the same with promises and all nineteen operations, no list and no policy used",
    section: "bundles",
    show: kilobytes,
    exact: true,
    values: ({ allOperations }) => [allOperations.bytes]
  },
  "bundle-share": {
    title: "our own share of it (Effect and its platform left out)",
    section: "bundles",
    show: kilobytes,
    exact: true,
    values: ({ ourShare }) => [ourShare.bytes]
  }
}
