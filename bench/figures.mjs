// Every figure that has a budget: its source and its format.
import { median, ratios } from "./statistics.mjs"

const ratio = (value) => value.toFixed(2)
const count = String
const kilobytes = (value) => `${(value / 1000).toFixed(1)} kB`
const more = (value) => `${value < 0 ? "−" : "+"}${(Math.abs(value) / 1000).toFixed(2)} kB`
const share = (value) => `${value < 0 ? "−" : "+"}${Math.abs(Math.round(value * 100))} %`

/** The calls of a package in a runtime, against that runtime's own `fetch`. */
const inRuntime = (runtime, transport, title) => ({
  title: `${title}, \`@catalog-client/${transport}\`, 64 at a time, against its own \`fetch\` + timeout: calls/s`,
  section: "runtimes",
  show: ratio,
  values: ({ [runtime]: taken }) =>
    ratios((transport === "node" ? taken.promise : taken.browser).perSecond, taken.fetch.perSecond)
})

/** The calls of this build against those of a commit. */
const againstCommit = (kind, title) => ({
  title: `${title}, against the build of a commit`,
  section: "against",
  show: ratio,
  repeated: true,
  values: ({ runs: { [kind]: runs = [] } }) => runs.map((run) => median(run.ratio))
})

/**
 * The figures by the name of their budget in budgets.json. `values` takes the measurements of a section and gives the figure of
 * each round. An `exact` figure has one value and is the same in each run; a ratio of `cpu` time is also valid on
 * a busy machine. The values of a `repeated` figure are whole runs, of which the best counts.
 */
export const figures = {
  "calls-fetch": {
    title: "`anime.get`, promises on Node, 64 at a time, against `fetch` + timeout: calls/s",
    section: "calls",
    show: ratio,
    values: ({ promise, fetch }) => ratios(promise.perSecond, fetch.perSecond)
  },
  "cpu-fetch": {
    title: "the same calls against `fetch` + timeout: CPU per call",
    section: "calls",
    show: ratio,
    cpu: true,
    values: ({ promise, fetch }) => ratios(promise.cpu, fetch.cpu)
  },
  "calls-node-myanimelist": {
    title: "the same calls against `node-myanimelist` (axios): calls/s",
    section: "calls",
    show: ratio,
    values: ({ promise, "node-myanimelist": peer }) => ratios(promise.perSecond, peer.perSecond)
  },
  "cpu-undici": {
    title: "the same calls against `undici.request` + `text()` + `JSON.parse` + a signal: CPU per call",
    section: "calls",
    show: ratio,
    cpu: true,
    values: ({ promise, undici }) => ratios(promise.cpu, undici.cpu)
  },
  "cpu-effect": {
    title: "the same calls with Effect against promises: CPU per call",
    section: "calls",
    show: ratio,
    cpu: true,
    values: ({ promise, effect }) => ratios(effect.cpu, promise.cpu)
  },
  "latency-undici": {
    title: "one call at a time: added latency over bare undici, share of its own time",
    section: "calls",
    show: share,
    values: ({ promise, undici }) => ratios(promise.latency, undici.latency).map((value) => value - 1)
  },
  page: {
    title: "a page of 1 000 entries, unknown fields kept: parse + check against `JSON.parse` alone",
    section: "page",
    show: ratio,
    cpu: true,
    values: ({ checked, parse }) => ratios(checked, parse)
  },
  "browser-fetch": {
    title: "Chromium, promises, 16 at a time, against hand-written `fetch`: calls/s",
    section: "browser",
    show: ratio,
    values: ({ ours, fetch }) => ratios(ours, fetch)
  },
  "bundle-one": {
    title: "page bundle, minified + gzip: one operation by its subpath, Effect",
    section: "bundles",
    show: kilobytes,
    exact: true,
    values: ({ oneOperation }) => [oneOperation.bytes]
  },
  "bundle-all": {
    title: "page bundle, minified + gzip: promises, all operations, no list and no policy used",
    section: "bundles",
    show: kilobytes,
    exact: true,
    values: ({ allOperations }) => [allOperations.bytes]
  },
  "bundle-share": {
    title: "our own share of that: Effect and its platform left out",
    section: "bundles",
    show: kilobytes,
    exact: true,
    values: ({ ourShare }) => [ourShare.bytes]
  },
  "bundle-guard": {
    title: "page bundle, minified + gzip: a guard of `@catalog-client/core/guards` alone",
    section: "bundles",
    show: kilobytes,
    exact: true,
    values: ({ guard }) => [guard.bytes]
  },
  import: {
    title: "importing `@catalog-client/node` against `effect/Effect`, `HttpClient` and undici alone",
    section: "imports",
    show: ratio,
    cpu: true,
    values: ({ ours, parts }) => ratios(ours.cpu, parts.cpu)
  },
  unobserved: {
    title: "a call without observers against one with tracing, metrics and logging compiled out: CPU",
    section: "unobserved",
    show: (value) => value.toFixed(3),
    cpu: true,
    values: ({ ratio }) => ratio
  },
  session: {
    title: "a call with a session whose token needs no refresh against one with that token as a value: CPU",
    section: "session",
    show: (value) => value.toFixed(3),
    cpu: true,
    values: ({ ratio }) => ratio
  },
  fibers: {
    title: "fibers of a call with promises",
    section: "counts",
    show: count,
    exact: true,
    values: ({ promise }) => [promise.fibers]
  },
  "fibers-effect": {
    title: "fibers of a call with Effect, the one that runs it among them",
    section: "counts",
    show: count,
    exact: true,
    values: ({ effect }) => [effect.fibers]
  },
  timers: {
    title: "timers of a call",
    section: "counts",
    show: count,
    exact: true,
    values: ({ promise, effect }) => [Math.max(promise.timers, effect.timers)]
  },
  spans: {
    title: "spans of a call to which no tracer listens",
    section: "counts",
    show: count,
    exact: true,
    values: ({ promise, effect }) => [Math.max(promise.spans, effect.spans)]
  },
  "spans-traced": {
    title: "spans of a call to which one listens: the operation's and that of its one exchange",
    section: "counts",
    show: count,
    exact: true,
    values: ({ traced }) => [traced.spans]
  },
  "against-memory": againstCommit("memory", "a call over a transport that answers from memory: CPU"),
  "against-fetch": againstCommit("fetch", "a call over a `fetch` that answers from memory: CPU"),
  "against-page": againstCommit("page", "a call for a page of 1 000 entries from memory: CPU"),
  "against-socket": againstCommit("socket", "calls on Node, 64 at a time: calls/s"),
  "against-survival": againstCommit("survival", "bytes of a call from memory that outlive the young generation"),
  "against-bundle": {
    title: "page bundle, minified + gzip: promises, all operations, against the build of a commit",
    section: "against",
    show: more,
    exact: true,
    values: ({ pages: { ours, theirs } }) => [ours.allOperations.bytes - theirs.allOperations.bytes]
  },
  "node-24": inRuntime("node-24", "node", "Node 24"),
  "node-26": inRuntime("node-26", "node", "Node 26"),
  "browser-node-20": inRuntime("node-20", "browser", "Node 20"),
  "browser-node-24": inRuntime("node-24", "browser", "Node 24"),
  "browser-bun": inRuntime("bun", "browser", "Bun"),
  "browser-deno": inRuntime("deno", "browser", "Deno")
}
