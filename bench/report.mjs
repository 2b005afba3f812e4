// The measurements as the tables of docs/performance.md, and the budgets as that of docs/decisions/performance.md.
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
 * A whole number, with a space between its thousands.
 *
 * @param {ReadonlyArray<number>} values
 */
const whole = (values) => fixed(values, 0).replace(/\B(?=(\d{3})+$)/g, " ")

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
 * How many budgets were met, and which were not.
 *
 * @param {ReadonlyArray<Row>} rows
 */
const verdict = (rows) => {
  const missed = rows.filter(({ ok }) => !ok)
  const warned = rows.filter(({ mark }) => mark === "warns").length
  const warning = warned === 0 ? "" : ` ${warned} only warns.`
  const met = `**${rows.length - missed.length - warned} of ${rows.length} budgets were met.**${warning}`
  return missed.length === 0
    ? [met]
    : [
        `${met} These were not met; where the budget lies within half of the rounds, the next run can meet it.`,
        missed.map(({ title, show, value, budget }) => `- ${title}: ${show(value)}, must reach ${budget}`).join("\n")
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
  "catalog-client": "**`catalog-client`**",
  effect: "**`@catalog-client/node`**",
  "effect on Effect 4": "**`@catalog-client/node`** for Effect 4",
  "effect over platform-node": "`@catalog-client/core` over `NodeHttpClient.layerUndici`",
  "effect over platform's fetch": "`@catalog-client/core` over `FetchHttpClient.layer`"
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
      "How fast a server can call: each client sends the same `anime.get` to a server on the same machine that answers at once. " +
        "`catalog-client` and `@catalog-client/node` send with undici directly, so a call takes less CPU than one with Node's `fetch`. The difference is a fraction " +
        "of a millisecond, which matters to a busy server and not to a script.",
      "The rows are sorted by µs CPU, the CPU time of a call. The columns calls/s and µs CPU are for 64 calls at a time, ms alone is the median of calls made one after the other. The two rows " +
        "of `@catalog-client/core` are for programs that send with an `HttpClient` of `@effect/platform`. × calls and × CPU are multiples of the row of `fetch`. This table divides two medians; the table of the " +
        "runtimes and the budgets take the median of each round's ratio, so they differ slightly.",
      table(
        ["client", "calls/s", "× calls", "µs CPU", "× CPU", ...(fetch.latency ? ["ms alone"] : [])],
        Object.entries(calls)
          .toSorted(([, one], [, other]) => median(one.cpu) - median(other.cpu))
          .map(([name, { perSecond, cpu, latency }]) => [
            titles[name] ?? `\`${name}\``,
            whole(perSecond),
            (median(perSecond) / median(fetch.perSecond)).toFixed(2),
            whole(cpu),
            (median(cpu) / median(fetch.cpu)).toFixed(2),
            ...(latency ? [fixed(latency, 3)] : [])
          ])
      )
    ]
  },
  page: ({ bytes, parse, checked, call, schema, effect4 }) => [
    "## A list page of 1 000 entries",
    `What it costs to check a reply: a page of a user's list, ${(bytes / 1000).toFixed(0)} kB of JSON, in milliseconds of CPU. The ` +
      "client checks each reply against its Schema without Effect's own decoder, so a check adds little to `JSON.parse`.",
    table(
      ["step", "ms"],
      pairs([
        ["`JSON.parse`", parse],
        ["`JSON.parse` and the client's check", checked],
        ["a whole call, with a transport that answers from memory", call],
        ["`JSON.parse` and `Schema.decodeUnknownSync` of the same Schema", schema],
        ["for Effect 4: `JSON.parse` and the client's check", effect4.checked],
        ["for Effect 4: the same whole call", effect4.call],
        ["for Effect 4: `JSON.parse` and `Schema.decodeUnknownSync`", effect4.schema]
      ])
        .filter(([, values]) => values.length > 0)
        .map(([title, values]) => [title, fixed(values, 2)])
    )
  ],
  bundles: ({ floor, oneOperation, effect4, others }) => [
    "## Browser bundle",
    "What a web page with Effect downloads to make its first call, bundled by esbuild; that of `catalog-client` is above. Most of it is " +
      "Effect: a page that already uses Effect adds little more than the client's own modules. " +
      "[Other bundlers](decisions/compatibility.md#bundlers) make pages of other sizes.",
    "Each page bundles different parts of Effect, so the rows do not sum. `npm run -s bench -- --json bundles` has the bytes of each " +
      "module.",
    table(
      ["page", "minified + gzip", "minified"],
      [
        { name: "Effect 3 and `HttpClient.makeWith` alone", ...floor },
        { name: "**`@catalog-client/browser`**, one operation by its subpath", ...oneOperation },
        { name: "Effect 4 and `HttpClient.makeWith` alone", ...effect4.floor },
        {
          name: "**`@catalog-client/browser`** for Effect 4, one operation by its subpath",
          ...effect4.oneOperation
        },
        ...others.map(({ name, ...size }) => ({ name: `\`${name}\``, ...size }))
      ].map(({ name, bytes, minified }) => [name, kilobytes(bytes), kilobytes(minified)])
    )
  ],
  imports: (imports) => [
    "## Import",
    "What the first `import` in a fresh process adds to the start of a command-line program or a serverless function. Most of it is Effect and undici: the " +
      "second row imports only these.",
    table(
      ["modules", "ms", "ms CPU"],
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
    "What to expect where your program runs: 64 `anime.get` at a time, against `fetch` with a timeout in the same runtime. " +
      "On Node, `catalog-client` and `@catalog-client/node` are faster than `fetch`, by less on newer versions, whose `fetch` is faster. " +
      "`@catalog-client/browser` calls the runtime's `fetch`, so it cannot be faster. On Bun, `@catalog-client/node` does so too, and " +
      "was not measured separately. `catalog-client` brings its own Effect 4.",
    "The runtimes are measured one after the other, while the load of the machine changes. So compare a row with `fetch`, by × calls and " +
      "× CPU, and not with another runtime. The ratios vary, too: on Node by a tenth or more from round to round " +
      "([budgets](decisions/performance.md#budgets)), and from 2.3 to 3.0 on Node 20 in full runs of one day.",
    table(
      [
        "runtime, package",
        ...["", ", Effect 4"].flatMap((line) =>
          ["calls/s", "× calls", "µs CPU", "× CPU"].map((title) => `${title}${line}`)
        )
      ],
      Object.entries(runtimes).flatMap(([name, { fetch, effect, ...others }]) =>
        Object.entries({
          "`catalog-client`": [others["catalog-client"]],
          "`catalog-client` over `fetch`": [others["catalog-client over fetch"]],
          "`node`": [effect, others["effect on Effect 4"]],
          "`browser`": [others["effect over fetch"], others["effect over fetch on Effect 4"]]
        }).flatMap(([transport, lines]) =>
          fetch === undefined || lines.includes(undefined)
            ? []
            : [
                [
                  `${name.slice(0, 1).toUpperCase()}${name.slice(1).replace("-", " ")}, ${transport}`,
                  ...[...lines, undefined]
                    .slice(0, 2)
                    .flatMap((taken) =>
                      taken === undefined
                        ? ["", "", "", ""]
                        : [
                            whole(taken.perSecond),
                            fixed(ratios(taken.perSecond, fetch.perSecond), 2),
                            whole(taken.cpu),
                            fixed(ratios(taken.cpu, fetch.cpu), 2)
                          ]
                    )
                ]
              ]
        )
      )
    )
  ],
  unobserved: ({ on, off, effect4 }) => [
    "## A call without observers",
    "What the built-in tracing, metrics and logging cost a program that uses none of them: a call as it is, and one without that code.",
    table(
      ["call", "µs CPU"],
      [
        ["as it is", fixed(on, 1)],
        ["without the code for tracing, metrics and logging", fixed(off, 1)],
        ["for Effect 4, as it is", fixed(effect4.on, 1)],
        ["for Effect 4, without that code", fixed(effect4.off, 1)]
      ]
    )
  ],
  session: ({ on, off, effect4 }) => [
    "## A call with a session",
    "The cost of taking the access token of each call from a [session](recipes/sign-in.md), compared with a token that is passed as a string.",
    table(
      ["call", "µs CPU"],
      [
        ["a session whose token needs no refresh", fixed(on, 1)],
        ["the same token as a string", fixed(off, 1)],
        ["for Effect 4, with a session", fixed(effect4.on, 1)],
        ["for Effect 4, with a string", fixed(effect4.off, 1)]
      ]
    )
  ],
  browser: ({ ours, fetch }) => [
    "## Calls in Chromium",
    "The same call from a web page, 16 at a time. Most of the time is the browser's own. The client calls its `fetch`, so it cannot be " +
      "faster; the difference is what it adds.",
    table(
      ["client", "calls/s"],
      [
        ["`catalog-client`", fixed(ours, 0)],
        ["`fetch`, `AbortSignal.timeout`, `json()`", fixed(fetch, 0)]
      ]
    )
  ],
  effect4: (runs) => [
    "## Effect 4 against Effect 3",
    "What Effect 4 saves: the CPU of the same calls without a network, run alternately. The other tables have figures for Effect 4, too.",
    table(
      ["call", "Effect 3", "Effect 4", "ratio", "range"],
      Object.entries(runs).map(([kind, { ours, theirs, ratio }]) => [
        againstTitles[`effect-${kind}`] ?? kind,
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
      ["call", "this build", commit.slice(0, 7), "ratio", "range"],
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
        sizes("page of `catalog-client`, all operations, kB minified + gzip", ours.promises, theirs.promises),
        sizes("page with Effect 3, one operation, kB minified + gzip", ours.oneOperation, theirs.oneOperation)
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
  "effect-memory": "a call with Effect from memory, µs CPU",
  "effect-fetch": "a call with Effect over a mocked `fetch`, µs CPU",
  page: "a list page of 1 000 entries from memory, µs CPU",
  socket: "64 at a time over sockets, calls/s",
  survival: "bytes of a call that outlive the young generation"
}

/**
 * @template {Section} S
 * @param {S} section
 * @param {Results[S] | undefined} taken
 */
const tablesOf = (section, taken) => (taken === undefined ? [] : (tables[section]?.(taken) ?? []))

/** @param {Partial<Results>} results */
const measured = (results) =>
  /** @type {Array<Section>} */ (Object.keys(tables)).flatMap((section) => tablesOf(section, results[section]))

/** @param {ReadonlyArray<Row>} rows */
const budgets = (rows) => [
  "What each figure must reach, by `bench/budgets.json`, and what it aims at. Half of the rounds were between the two numbers. " +
    "A figure that `warns` is past a budget that fails no run.",
  ...verdict(rows),
  figuresTable(rows)
]

/**
 * All measurements.
 *
 * @param {ReadonlyArray<Row>} rows
 * @param {Partial<Results>} results
 */
export const report = (rows, results) => [...measured(results), "## Budgets", ...budgets(rows)].join("\n\n")

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

const begin = "<!-- measured: everything below is generated by the bench -->"
const end = "<!-- measured: end -->"

/**
 * Puts blocks between the two marks of a page in docs/; the text around them is written by hand.
 *
 * @param {string} name
 * @param {ReadonlyArray<string>} blocks
 */
const writeBetween = (name, blocks) => {
  const page = new URL(`../docs/${name}`, import.meta.url)
  const text = readFileSync(page, "utf8")
  const [before, after] = [text.indexOf(begin), text.indexOf(end)]
  if (before < 0 || after < before) {
    throw new Error(`docs/${name} has lost its marks`)
  }
  const written = [begin, ...blocks, end].join("\n\n")
  writeFileSync(page, text.slice(0, before) + written + text.slice(after + end.length))
}

/**
 * Writes the tables into docs/performance.md, and the budgets into docs/decisions/performance.md.
 *
 * @param {ReadonlyArray<Row>} rows
 * @param {Partial<Results>} results
 */
export const writeReport = (rows, results) => {
  writeBetween("performance.md", [machine(), ...measured(results)])
  writeBetween("decisions/performance.md", budgets(rows))
}
