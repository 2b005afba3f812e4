// The measurements as the tables of docs/performance.md.
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { cpus, loadavg, release, totalmem, type } from "node:os"
import { kilobytes } from "./figures.mjs"
import { median, quantile, ratios } from "./statistics.mjs"

/**
 * @import { Results, Section } from "./figures.mjs"
 * @typedef {object} Row A figure, with its verdict.
 * @property {string} name
 * @property {string} title
 * @property {(value: number) => string} show
 * @property {number} value
 * @property {ReadonlyArray<number>} rounds
 * @property {string} budget
 * @property {string} aim
 * @property {boolean} ok
 * @property {string} mark
 */

const require = createRequire(import.meta.url)

/**
 * @param {ReadonlyArray<string>} head
 * @param {ReadonlyArray<ReadonlyArray<string>>} rows
 */
const table = (head, rows) =>
  [head, head.map((title) => (title === head[0] ? "---" : "---:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")

/**
 * @param {ReadonlyArray<number>} values
 * @param {number} digits
 */
const fixed = (values, digits) => median(values).toFixed(digits)

/**
 * The middle half of the rounds.
 *
 * @param {ReadonlyArray<number>} values
 * @param {(value: number) => string} show
 */
const spread = (values, show) =>
  values.length === 1 ? "" : `${show(quantile(values, 0.25))} to ${show(quantile(values, 0.75))}`

/** @param {ReadonlyArray<Row>} rows */
const figuresTable = (rows) =>
  table(
    ["figure", "measured", "half of the rounds", "must reach", "aim", "met"],
    rows.map(({ title, show, value, rounds, budget, aim, mark }) => [
      title,
      `**${show(value)}**`,
      spread(rounds, show),
      budget,
      aim,
      mark
    ])
  )

/**
 * What it means that budgets are not met.
 *
 * @param {ReadonlyArray<Row>} rows
 */
const missed = (rows) => {
  const names = rows
    .filter(({ ok }) => !ok)
    .map(({ title, show, value, budget }) => `- ${title}: ${show(value)}, must reach ${budget}`)
  return names.length === 0
    ? []
    : [
        `**This run failed: it did not meet ${names.length} of ${rows.length} budgets.** Where the budget is within the numbers of ` +
          "half of the rounds, the next run can meet it.",
        names.join("\n")
      ]
}

/**
 * What rows show, by their titles.
 *
 * @template A
 * @param {ReadonlyArray<readonly [title: string, taken: A]>} rows
 */
const pairs = (rows) => rows

/** @type {Readonly<Record<string, string>>} */
const titles = {
  undici: "`undici.request`, `text()`, `JSON.parse`, a signal",
  "undici, no signal": "`undici.request`, `json()`, no signal",
  fetch: "`fetch`, `AbortSignal.timeout`, `json()`",
  promise: "**ours, promises**",
  effect: "**ours, Effect** (one runtime, a fiber for each of the 64)",
  "promise on Effect 4": "**ours for Effect 4, promises**",
  "effect on Effect 4": "**ours for Effect 4, Effect**",
  "promise over platform-node": "ours over `@effect/platform-node`'s undici Layer",
  "promise over platform's fetch": "ours over `FetchHttpClient.layer`"
}

/** @type {{ readonly [S in Section]?: (taken: Results[S]) => ReadonlyArray<string> }} */
const tables = {
  calls: (calls) => {
    const { fetch } = calls
    if (fetch === undefined) {
      return []
    }
    return [
      "## Calls on Node",
      "64 at a time: calls per second, and CPU of the client's process for a call. Alone: the median of calls made one after the other. " +
        "Here `× fetch` divides two medians. In the tables of runtimes and budgets it is the median of each round's ratio, so they differ slightly.",
      table(
        ["", "calls/s", "× `fetch`", "µs CPU", "× `fetch`", ...(fetch.latency ? ["ms alone"] : [])],
        Object.entries(calls)
          .toSorted(([, one], [, other]) => median(one.cpu) - median(other.cpu))
          .map(([name, { perSecond, cpu, latency }]) => [
            titles[name] ?? `\`${name}\``,
            fixed(perSecond, 0),
            (median(perSecond) / median(fetch.perSecond)).toFixed(2),
            fixed(cpu, 0),
            (median(cpu) / median(fetch.cpu)).toFixed(2),
            ...(latency ? [fixed(latency, 3)] : [])
          ])
      )
    ]
  },
  page: ({ bytes, parse, checked, call, schema, effect4 }) => [
    "## A page of 1 000 list entries",
    `${(bytes / 1000).toFixed(0)} kB, in milliseconds of CPU.`,
    table(
      ["", "ms"],
      pairs([
        ["`JSON.parse`", parse],
        ["parse and check", checked],
        ["a whole call over a transport that answers from memory", call],
        ["`JSON.parse` and `Schema.decodeUnknownSync` of the same Schema", schema],
        ["parse and check, for Effect 4", effect4.checked],
        ["the same whole call, for Effect 4", effect4.call],
        ["`JSON.parse` and `Schema.decodeUnknownSync`, of Effect 4", effect4.schema]
      ])
        .filter(([, values]) => values.length > 0)
        .map(([title, values]) => [title, fixed(values, 2)])
    )
  ],
  bundles: ({ floor, oneOperation, allOperations, ourShare, effect4, others }) => [
    "## What a page loads",
    "`--json` has the bytes of each module.",
    table(
      ["", "minified + gzip", "minified"],
      [
        { name: "Effect 3 and `HttpClient.makeWith` alone", ...floor },
        { name: "one operation by its subpath, Effect", ...oneOperation },
        { name: "promises, all operations", ...allOperations },
        { name: "our own share of that", ...ourShare },
        { name: "Effect 4 and `HttpClient.makeWith` alone", ...effect4.floor },
        { name: "for Effect 4: one operation by its subpath, Effect", ...effect4.oneOperation },
        { name: "for Effect 4: promises, all operations", ...effect4.allOperations },
        { name: "for Effect 4: our own share of that", ...effect4.ourShare },
        ...others.map(({ name, ...size }) => ({ name: `\`${name}\``, ...size }))
      ].map(({ name, bytes, minified }) => [name, kilobytes(bytes), kilobytes(minified)])
    )
  ],
  imports: (imports) => [
    "## Importing, in a fresh process",
    table(
      ["", "ms", "ms CPU"],
      pairs([
        ["`@catalog-client/node`", imports.ours],
        ["`effect/Effect`, `@effect/platform/HttpClient`, `undici`", imports.parts],
        ["`@catalog-client/node` for Effect 4", imports.effect4],
        ["`effect/Effect`, `effect/http/HttpClient` of Effect 4, `undici`", imports.parts4],
        ["`@effect/platform-node/NodeHttpClient`", imports.platformNode]
      ])
        .filter(([, { wall }]) => wall.length > 0)
        .map(([title, { wall, cpu }]) => [title, fixed(wall, 0), fixed(cpu, 0)])
    )
  ],
  runtimes: (runtimes) => [
    "## Runtimes",
    "64 `anime.get` at a time, promises, against `fetch` + timeout of the same runtime.",
    table(
      ["", "calls/s", "× `fetch`", "µs CPU", "× `fetch`"],
      Object.entries(runtimes).flatMap(([name, { fetch, promise, browser, ...others }]) =>
        Object.entries({
          "`@catalog-client/node`": promise,
          "`@catalog-client/browser`": browser,
          "`@catalog-client/node` for Effect 4": others["promise on Effect 4"],
          "`@catalog-client/browser` for Effect 4": others["browser on Effect 4"]
        }).flatMap(([transport, taken]) =>
          taken === undefined || fetch === undefined
            ? []
            : [
                [
                  `${name.slice(0, 1).toUpperCase()}${name.slice(1).replace("-", " ")}, ${transport}`,
                  fixed(taken.perSecond, 0),
                  fixed(ratios(taken.perSecond, fetch.perSecond), 2),
                  fixed(taken.cpu, 0),
                  fixed(ratios(taken.cpu, fetch.cpu), 2)
                ]
              ]
        )
      )
    )
  ],
  unobserved: ({ on, off, effect4 }) => [
    "## A call without observers",
    table(
      ["", "µs CPU"],
      [
        ["as it is", fixed(on, 1)],
        ["tracing, metrics and logging switched off in the code", fixed(off, 1)],
        ["for Effect 4, as it is", fixed(effect4.on, 1)],
        ["for Effect 4, switched off", fixed(effect4.off, 1)]
      ]
    )
  ],
  session: ({ on, off, effect4 }) => [
    "## A call with a session",
    table(
      ["", "µs CPU"],
      [
        ["a session whose token needs no refresh", fixed(on, 1)],
        ["the same token as a value", fixed(off, 1)],
        ["for Effect 4, with a session", fixed(effect4.on, 1)],
        ["for Effect 4, with a value", fixed(effect4.off, 1)]
      ]
    )
  ],
  browser: ({ ours, fetch }) => [
    "## Calls in Chromium, 16 at a time",
    table(
      ["", "calls/s"],
      [
        ["ours, promises", fixed(ours, 0)],
        ["`fetch`, `AbortSignal.timeout`, `json()`", fixed(fetch, 0)]
      ]
    )
  ],
  effect4: (runs) => [
    "## Effect 4 against Effect 3",
    "By turns, in µs of CPU; the other tables have rows for Effect 4.",
    table(
      ["", "Effect 3", "Effect 4", "ratio", "of each pair of processes"],
      Object.entries(runs).map(([kind, { ours, theirs, ratio }]) => [
        againstTitles[kind] ?? kind,
        fixed(theirs, 1),
        fixed(ours, 1),
        fixed(ratio, 2),
        spread(ratio, (value) => value.toFixed(2))
      ])
    )
  ],
  against: ({ commit, runs, pages: { ours, theirs } }) => [
    `## Against ${commit.slice(0, 7)}`,
    table(
      ["", "this build", commit.slice(0, 7), "ratio", "of each pair of processes"],
      [
        ...Object.entries(runs).flatMap(([kind, taken]) =>
          taken.map(({ ours, theirs, ratio }) => [
            againstTitles[kind] ?? kind,
            fixed(ours, 1),
            fixed(theirs, 1),
            fixed(ratio, 3),
            `${Math.min(...ratio).toFixed(3)} to ${Math.max(...ratio).toFixed(3)}`
          ])
        ),
        sizes("page with all operations, kB minified + gzip", ours.allOperations, theirs.allOperations),
        sizes("our own share of it, kB minified + gzip", ours.ourShare, theirs.ourShare)
      ]
    )
  ]
}

/**
 * @param {string} title
 * @param {{ readonly bytes: number }} ours
 * @param {{ readonly bytes: number }} theirs
 */
const sizes = (title, { bytes: ours }, { bytes: theirs }) => [
  title,
  (ours / 1000).toFixed(2),
  (theirs / 1000).toFixed(2),
  (ours / theirs).toFixed(3),
  ""
]

/** @type {Readonly<Record<string, string>>} */
const againstTitles = {
  memory: "a call from memory, µs CPU",
  fetch: "a call over a mocked `fetch`, µs CPU",
  page: "a page of 1 000 entries from memory, µs CPU",
  socket: "64 at a time over sockets, calls/s",
  survival: "bytes of a call that outlive the young generation"
}

/**
 * @template {Section} S
 * @param {S} section
 * @param {Results[S] | undefined} taken
 */
const tablesOf = (section, taken) => (taken === undefined ? [] : (tables[section]?.(taken) ?? []))

/**
 * All measurements.
 *
 * @param {ReadonlyArray<Row>} rows
 * @param {Partial<Results>} results
 */
export const report = (rows, results) => {
  const sections = /** @type {Array<Section>} */ (Object.keys(tables))
  return [
    ...sections.flatMap((section) => tablesOf(section, results[section])),
    "## Budgets",
    "What must be reached, by `bench/budgets.json`, and what is aimed at. Half of the rounds were between the two numbers. " +
      "A figure that `warns` is past a budget that fails no run.",
    ...missed(rows),
    figuresTable(rows)
  ].join("\n\n")
}

/** @param {string} name */
const versionOf = (name) => `${name} ${require(`${name}/package.json`).version}`

/** The axios that a client brings, which is another one than that of the row `axios`. */
const axiosOf = (/** @type {string} */ client) => createRequire(require.resolve(client))("axios/package.json").version

const [load = 0] = loadavg()

const machine = () => {
  const all = cpus()
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GB`
  return (
    `Measured on ${new Date().toISOString().slice(0, 10)}: ${all.length} × ${all[0]?.model.trim()}, ${memory}, ${type()} ` +
    `${release()}, Node ${process.versions.node} (its \`fetch\` is undici ${process.versions["undici"]}); ` +
    `${["effect", "@effect/platform", "@effect/platform-node", "undici", "esbuild", "axios"].map(versionOf).join(", ")} ` +
    `(\`node-myanimelist\` brings its own, ${axiosOf("node-myanimelist")}). ` +
    `Load average when it began: ${load.toFixed(1)}.`
  )
}

const page = new URL("../docs/performance.md", import.meta.url)
const begin = "<!-- measured: what stands from here on is written by the bench -->"
const end = "<!-- measured: end -->"

/**
 * Puts the tables between the two marks of docs/performance.md; the text around them is written by hand.
 *
 * @param {ReadonlyArray<Row>} rows
 * @param {Partial<Results>} results
 */
export const writeReport = (rows, results) => {
  const text = readFileSync(page, "utf8")
  const [before, after] = [text.indexOf(begin), text.indexOf(end)]
  if (before < 0 || after < before) {
    throw new Error("docs/performance.md has lost its marks")
  }
  const written = [begin, machine(), report(rows, results), end].join("\n\n")
  writeFileSync(page, text.slice(0, before) + written + text.slice(after + end.length))
}
