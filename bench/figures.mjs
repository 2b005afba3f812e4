// Every figure that has a budget: its source and its format.
import { median, ratios } from "./statistics.mjs"

/**
 * @import { Kind } from "./against/client.mjs"
 * @import { Runtime } from "./runtimes/measure.mjs"
 *
 * @typedef {object} Results The measurements of each section.
 * @property {Awaited<ReturnType<typeof import("./bundles/measure.mjs").measure>>} bundles
 * @property {Awaited<ReturnType<typeof import("./counts/measure.mjs").measure>>} counts
 * @property {Awaited<ReturnType<typeof import("./page/measure.mjs").measure>>} page
 * @property {Awaited<ReturnType<typeof import("./imports/measure.mjs").measure>>} imports
 * @property {Awaited<ReturnType<typeof import("./calls/measure.mjs").measure>>} calls
 * @property {Awaited<ReturnType<typeof import("./runtimes/measure.mjs").measure>>} runtimes
 * @property {Awaited<ReturnType<typeof import("./unobserved/measure.mjs").measure>>} unobserved
 * @property {Awaited<ReturnType<typeof import("./session/measure.mjs").measure>>} session
 * @property {Awaited<ReturnType<typeof import("./client/measure.mjs").measure>>} client
 * @property {Awaited<ReturnType<typeof import("./cancelled/measure.mjs").measure>>} cancelled
 * @property {Awaited<ReturnType<typeof import("./browser/measure.mjs").measure>>} browser
 * @property {Awaited<ReturnType<typeof import("./against/measure.mjs").measureEffect4>>} effect4
 * @property {Awaited<ReturnType<typeof import("./promise/measure.mjs").measure>>} promise
 * @property {Awaited<ReturnType<typeof import("./against/measure.mjs").measure>>} against
 *
 * @typedef {keyof Results} Section
 *
 * @typedef {object} Figure
 * @property {string} title
 * @property {Section} section
 * @property {(value: number) => string} show
 * @property {(results: Results) => ReadonlyArray<number>} values the figure of each round, from the measurements of its section
 * @property {boolean} [exact] it has one value and is the same in each run
 * @property {boolean} [cpu] a ratio of CPU time, which is also valid on a busy machine
 * @property {boolean} [repeated] its values are whole runs, of which the best counts
 *
 * @typedef {object} Budget
 * @property {number} [least]
 * @property {number} [most]
 * @property {number} [exactly]
 * @property {number} [aim]
 * @property {boolean} [warns] past it there is only a warning
 *
 * @typedef {"calls-fetch" | "cpu-fetch" | "calls-node-myanimelist" | "cpu-undici" | "cpu-effect" | "latency-undici" | "page"
 *   | "browser-fetch" | "bundle-one" | "bundle-guard" | "import" | "unobserved" | "session" | `${"" | "effect4-"}client${"" | "-fetch" | "-fetch-chunked" | "-undici" | "-undici-chunked"}`
 *   | "cancelled-undici" | "cancelled-fetch"
 *   | "fibers-effect" | "timers" | "spans" | "spans-traced" | `against-${Kind}` | "against-bundle"
 *   | "promise-import" | "promise-help" | "promise-first" | "promise-installed" | "promise-page" | "promise-page-one"
 *   | "promise-page-late" | "promise-node" | "promise-types" | "promise-tsc" | "promise-edit" | "promise-memory" | "promise-calls"
 *   | "effect4-calls" | "effect4-memory" | "effect4-fetch" | "effect4-page" | "effect4-bundle-one"
 *   | "effect4-import" | "effect4-unobserved" | "effect4-session"
 *   | "node-24" | "node-26" | "browser-node-20" | "browser-node-24" | "browser-bun" | "browser-deno"} FigureName
 */

/** @param {number} value */
const ratio = (value) => value.toFixed(2)
const count = String
/** @param {number} value */
export const kilobytes = (value) => `${(value / 1000).toFixed(1)} kB`
/** @param {number} value */
const more = (value) => `${value < 0 ? "−" : "+"}${(Math.abs(value) / 1000).toFixed(2)} kB`
/** @param {number} value */
const share = (value) => `${value < 0 ? "−" : "+"}${Math.abs(Math.round(value * 100))} %`

const overs = {
  memory: "`FetchHttpClient` from memory",
  fetch: "`FetchHttpClient`",
  "fetch chunked": "`FetchHttpClient`, chunked",
  undici: "`NodeHttpClient.layerUndici`",
  "undici chunked": "`NodeHttpClient.layerUndici`, chunked"
}

/**
 * A call over an ordinary `HttpClient`.
 *
 * @param {"effect3" | "effect4"} line
 * @param {keyof typeof overs} over
 * @returns {Figure}
 */
const overClient = (line, over) => ({
  title: `${line === "effect4" ? "Effect 4: " : ""}a call over ${overs[over]} against the platform's own modules and a Schema by hand: CPU`,
  section: "client",
  show: ratio,
  cpu: true,
  values: ({ client }) => client[line][over] ?? []
})

/**
 * The calls of two clients, which were measured by turns.
 *
 * @param {"perSecond" | "cpu" | "latency"} of
 * @param {import("./calls/measure.mjs").Taken} [one]
 * @param {import("./calls/measure.mjs").Taken} [other]
 */
const compared = (of, one, other) => {
  const [values, others] = [one?.[of], other?.[of]]
  if (values === undefined || others === undefined) {
    throw new Error(`one of two clients has no ${of}`)
  }
  return ratios(values, others)
}

/**
 * The calls of a package in a runtime, against that runtime's own `fetch`.
 *
 * @param {Runtime} runtime
 * @param {"node" | "browser"} transport
 * @param {string} title
 * @returns {Figure}
 */
const inRuntime = (runtime, transport, title) => ({
  title: `${title}, \`@catalog-client/${transport}\`, 64 at a time, against its own \`fetch\` + timeout: calls/s`,
  section: "runtimes",
  show: ratio,
  values: ({ runtimes: { [runtime]: taken = {} } }) =>
    compared("perSecond", transport === "node" ? taken.effect : taken["effect over fetch"], taken.fetch)
})

/**
 * The calls of this build against those of a commit.
 *
 * @param {Kind} kind
 * @param {string} title
 * @returns {Figure}
 */
const againstCommit = (kind, title) => ({
  title: `${title}, against the build of a commit`,
  section: "against",
  show: ratio,
  repeated: true,
  values: ({
    against: {
      runs: { [kind]: runs = [] }
    }
  }) => runs.map((run) => median(run.ratio))
})

/**
 * The figures by the name of their budget in budgets.json.
 *
 * @type {Readonly<Record<FigureName, Figure>>}
 */
export const figures = {
  "calls-fetch": {
    title: "`anime.get`, `catalog-client` on Node, 64 at a time, against `fetch` + timeout: calls/s",
    section: "calls",
    show: ratio,
    values: ({ calls: { "catalog-client": promise, fetch } }) => compared("perSecond", promise, fetch)
  },
  "cpu-fetch": {
    title: "the same calls against `fetch` + timeout: CPU per call",
    section: "calls",
    show: ratio,
    cpu: true,
    values: ({ calls: { "catalog-client": promise, fetch } }) => compared("cpu", promise, fetch)
  },
  "calls-node-myanimelist": {
    title: "the same calls against `node-myanimelist`: calls/s",
    section: "calls",
    show: ratio,
    values: ({ calls: { "catalog-client": promise, "node-myanimelist": peer } }) => compared("perSecond", promise, peer)
  },
  "cpu-undici": {
    title: "the same calls against `undici.request` + `text()` + `JSON.parse` + a signal: CPU per call",
    section: "calls",
    show: ratio,
    cpu: true,
    values: ({ calls: { "catalog-client": promise, undici } }) => compared("cpu", promise, undici)
  },
  "cpu-effect": {
    title: "the same calls with Effect against `fetch` + timeout: CPU per call",
    section: "calls",
    show: ratio,
    cpu: true,
    values: ({ calls: { effect, fetch } }) => compared("cpu", effect, fetch)
  },
  "latency-undici": {
    title: "one call at a time: latency added to `undici.request` with a signal, share of its own time",
    section: "calls",
    show: share,
    values: ({ calls: { "catalog-client": promise, undici } }) =>
      compared("latency", promise, undici).map((value) => value - 1)
  },
  page: {
    title: "a list page of 1 000 entries, unknown fields kept: parse + check against `JSON.parse` alone",
    section: "page",
    show: ratio,
    cpu: true,
    values: ({ page: { checked, parse } }) => ratios(checked, parse)
  },
  "browser-fetch": {
    title: "Chromium, `catalog-client`, 16 at a time, against hand-written `fetch`: calls/s",
    section: "browser",
    show: ratio,
    values: ({ browser: { ours, fetch } }) => ratios(ours, fetch)
  },
  "bundle-one": {
    title: "browser bundle, minified + gzip: one operation by its subpath, Effect",
    section: "bundles",
    show: kilobytes,
    exact: true,
    values: ({ bundles: { oneOperation } }) => [oneOperation.bytes]
  },
  "bundle-guard": {
    title: "browser bundle, minified + gzip: a guard of `@catalog-client/core/guards` alone",
    section: "bundles",
    show: kilobytes,
    exact: true,
    values: ({ bundles: { guard } }) => [guard.bytes]
  },
  import: {
    title: "importing `@catalog-client/node` against `effect/Effect`, `HttpClient` and undici alone",
    section: "imports",
    show: ratio,
    cpu: true,
    values: ({ imports: { ours, parts } }) => ratios(ours.cpu, parts.cpu)
  },
  unobserved: {
    title: "a call without observers against one with tracing, metrics and logging compiled out: CPU",
    section: "unobserved",
    show: (value) => value.toFixed(3),
    cpu: true,
    values: ({ unobserved: { ratio } }) => ratio
  },
  session: {
    title: "a call with a session whose token needs no refresh against one with that token as a value: CPU",
    section: "session",
    show: (value) => value.toFixed(3),
    cpu: true,
    values: ({ session: { ratio } }) => ratio
  },
  client: overClient("effect3", "memory"),
  "client-fetch": overClient("effect3", "fetch"),
  "client-fetch-chunked": overClient("effect3", "fetch chunked"),
  "client-undici": overClient("effect3", "undici"),
  "client-undici-chunked": overClient("effect3", "undici chunked"),
  "cancelled-undici": {
    title: "`catalog-client`: 200 calls that one signal ends, against the same requests with undici by hand: CPU",
    section: "cancelled",
    show: ratio,
    cpu: true,
    values: ({ cancelled: { undici } }) => undici.ratio
  },
  "cancelled-fetch": {
    title: "`catalog-client`: 200 calls that one signal ends, against the same requests with `fetch` by hand: CPU",
    section: "cancelled",
    show: ratio,
    cpu: true,
    values: ({ cancelled: { fetch } }) => fetch.ratio
  },
  "fibers-effect": {
    title: "fibers of a call with Effect, the one that runs it among them",
    section: "counts",
    show: count,
    exact: true,
    values: ({ counts: { effect } }) => [effect.fibers]
  },
  timers: {
    title: "timers of a call",
    section: "counts",
    show: count,
    exact: true,
    values: ({ counts: { promise, effect } }) => [Math.max(promise.timers, effect.timers)]
  },
  spans: {
    title: "spans of a call to which no tracer listens",
    section: "counts",
    show: count,
    exact: true,
    values: ({ counts: { effect } }) => [effect.spans]
  },
  "spans-traced": {
    title: "spans of a call to which one listens: the operation's and that of its one exchange",
    section: "counts",
    show: count,
    exact: true,
    values: ({ counts: { traced } }) => [traced.spans]
  },
  "against-memory": againstCommit(
    "memory",
    "a call of `catalog-client` over a dispatcher that answers from memory: CPU"
  ),
  "against-fetch": againstCommit("fetch", "a call of `catalog-client` over a `fetch` that answers from memory: CPU"),
  "against-page": againstCommit("page", "a call for a list page of 1 000 entries from memory: CPU"),
  "against-socket": againstCommit("socket", "calls on Node, 64 at a time: calls/s"),
  "against-survival": againstCommit("survival", "bytes of a call from memory that outlive the young generation"),
  "against-effect-memory": againstCommit(
    "effect-memory",
    "a call with Effect over a transport that answers from memory: CPU"
  ),
  "against-effect-fetch": againstCommit("effect-fetch", "a call with Effect over a `fetch` from memory: CPU"),
  "against-bundle": {
    title: "browser bundle, minified + gzip: `catalog-client`, all operations, against the build of a commit",
    section: "against",
    show: more,
    exact: true,
    values: ({
      against: {
        pages: { ours, theirs }
      }
    }) => [ours.promises.bytes - theirs.promises.bytes]
  },
  "effect4-calls": {
    title: "Effect 4: `anime.get` with Effect on Node, 64 at a time, against Effect 3: calls/s",
    section: "calls",
    show: ratio,
    values: ({ calls: { effect, "effect on Effect 4": onEffect4 } }) => compared("perSecond", onEffect4, effect)
  },
  "effect4-memory": {
    title: "Effect 4: a call over a transport that answers from memory, against Effect 3: CPU",
    section: "effect4",
    show: ratio,
    cpu: true,
    values: ({ effect4: { memory } }) => memory.ratio
  },
  "effect4-fetch": {
    title: "Effect 4: a call over a `fetch` that answers from memory, against Effect 3: CPU",
    section: "effect4",
    show: ratio,
    cpu: true,
    values: ({ effect4: { fetch } }) => fetch?.ratio ?? []
  },
  "effect4-page": {
    title: "Effect 4: a list page of 1 000 entries: parse + check against `JSON.parse` alone",
    section: "page",
    show: ratio,
    cpu: true,
    values: ({
      page: {
        effect4: { checked, parse }
      }
    }) => ratios(checked, parse)
  },
  "effect4-bundle-one": {
    title: "Effect 4: browser bundle, one operation by its subpath, Effect",
    section: "bundles",
    show: kilobytes,
    exact: true,
    values: ({ bundles: { effect4 } }) => [effect4.oneOperation.bytes]
  },
  "effect4-import": {
    title: "Effect 4: importing `@catalog-client/node`, against Effect 3",
    section: "imports",
    show: ratio,
    cpu: true,
    values: ({ imports: { effect4, ours } }) => ratios(effect4.cpu, ours.cpu)
  },
  "effect4-unobserved": {
    title: "Effect 4: a call without observers, as above: CPU",
    section: "unobserved",
    show: (value) => value.toFixed(3),
    cpu: true,
    values: ({ unobserved: { effect4 } }) => effect4.ratio
  },
  "effect4-session": {
    title: "Effect 4: a call with a session, as above: CPU",
    section: "session",
    show: (value) => value.toFixed(3),
    cpu: true,
    values: ({ session: { effect4 } }) => effect4.ratio
  },
  "effect4-client": overClient("effect4", "memory"),
  "effect4-client-fetch": overClient("effect4", "fetch"),
  "effect4-client-fetch-chunked": overClient("effect4", "fetch chunked"),
  "effect4-client-undici": overClient("effect4", "undici"),
  "effect4-client-undici-chunked": overClient("effect4", "undici chunked"),
  "promise-import": {
    title: "`catalog-client`: importing it, against `@catalog-client/node`",
    section: "promise",
    show: ratio,
    cpu: true,
    values: ({ promise: { imports } }) => ratios(imports.ours, imports.effect)
  },
  "promise-help": {
    title: "`catalog-client`: `--help` of a small program, against the same without a client: CPU",
    section: "promise",
    show: ratio,
    cpu: true,
    values: ({ promise: { help } }) => ratios(help.ours, help.hand)
  },
  "promise-first": {
    title: "`catalog-client`: a program with one call, against one with one `fetch`: CPU",
    section: "promise",
    show: ratio,
    cpu: true,
    values: ({ promise: { first } }) => ratios(first.ours, first.fetch)
  },
  "promise-installed": {
    title: "`catalog-client`: all that is installed",
    section: "promise",
    show: kilobytes,
    exact: true,
    values: ({ promise: { installed } }) => [installed.bytes]
  },
  "promise-page": {
    title: "`catalog-client`: browser bundle, all operations",
    section: "promise",
    show: kilobytes,
    exact: true,
    values: ({ promise: { pages } }) => [pages.all]
  },
  "promise-page-one": {
    title: "`catalog-client`: browser bundle, one operation",
    section: "promise",
    show: kilobytes,
    exact: true,
    values: ({ promise: { pages } }) => [pages.one]
  },
  "promise-page-late": {
    title: "`catalog-client`: browser bundle, all operations, with `import()`: all that is loaded",
    section: "promise",
    show: kilobytes,
    exact: true,
    values: ({ promise: { pages } }) => [pages.late]
  },
  "promise-node": {
    title: "`catalog-client`: a program for Node in one file by esbuild, not minified",
    section: "promise",
    show: kilobytes,
    exact: true,
    values: ({ promise: { oneFile } }) => [oneFile]
  },
  "promise-types": {
    title: "`catalog-client`: types of a small program",
    section: "promise",
    show: count,
    exact: true,
    values: ({ promise: { types } }) => [types.ours.types]
  },
  "promise-tsc": {
    title: "`catalog-client`: seconds of CPU that `tsc` takes for a small program, beyond the same without it",
    section: "promise",
    show: ratio,
    cpu: true,
    values: ({ promise: { types } }) =>
      types.ours.seconds.map((own, round) => own - (types.without.seconds[round] ?? 0))
  },
  "promise-edit": {
    title: "`catalog-client`: diagnostics of a program with one call after an edit, against the same with `fetch`: CPU",
    section: "promise",
    show: ratio,
    cpu: true,
    values: ({ promise: { edits } }) => ratios(edits.ours, edits.without)
  },
  "promise-memory": {
    title:
      "`catalog-client`: a call over a dispatcher that answers from memory, against `undici.request` with a signal: CPU",
    section: "promise",
    show: ratio,
    cpu: true,
    values: ({ promise: { memory } }) => ratios(memory.ours, memory.hand)
  },
  "promise-calls": {
    title: "`catalog-client`: calls on Node, 64 at a time, against `undici.request` with a signal: calls/s",
    section: "promise",
    show: ratio,
    values: ({ promise: { calls } }) =>
      calls === undefined ? [] : compared("perSecond", calls["catalog-client"], calls.undici)
  },
  "node-24": inRuntime("node-24", "node", "Node 24"),
  "node-26": inRuntime("node-26", "node", "Node 26"),
  "browser-node-20": inRuntime("node-20", "browser", "Node 20"),
  "browser-node-24": inRuntime("node-24", "browser", "Node 24"),
  "browser-bun": inRuntime("bun", "browser", "Bun"),
  "browser-deno": inRuntime("deno", "browser", "Deno")
}
