// Measures the client and compares it with others: `npm run bench`. Fails past the budgets.
//
// --quick   under a minute, without the other libraries and the browser: exact figures, and ratios of CPU time
// --json    the result as JSON, with every round, on the standard output
// --write   writes the result of a full run to docs/performance.md, and its budgets to docs/decisions/performance.md
// Names of sections measure only these: `npm run bench -- bundles page`.
// `npm run bench -- types`, `memory` and `mirror` are programs of their own.
// `npm run bench -- against <commit>` compares this build with that of a commit, by default the baseline of budgets.json.
import { mkdirSync, readFileSync } from "node:fs"
import { run, setupAndBuild } from "../scripts/setup.mjs"

const options = process.argv.slice(2).filter((arg) => arg.startsWith("--"))
const names = process.argv.slice(2).filter((arg) => !arg.startsWith("--"))
const [quick, asJson, write] = [options.includes("--quick"), options.includes("--json"), options.includes("--write")]

/** What is measured by itself, and is no part of a full run. @type {Readonly<Record<string, string>>} */
const alone = {
  types: "node bench/types/run.mjs",
  memory: "node bench/memory/run.mjs",
  mirror: "node scripts/test/mirror.mjs bench"
}
const command = alone[names[0] ?? ""]
if (command !== undefined && names.length === 1) {
  process.exit(run(command) ? 0 : 1)
}

// With --json, only the result goes to the standard output.
if (asJson) {
  console.log = console.error
}

setupAndBuild()
// Imported late, since the packages may have been installed just now.
const { figures } = await import("./figures.mjs")
const { start } = await import("./fork.mjs")
const { prepare } = await import("./effect4.mjs")
const { report, writeReport } = await import("./report.mjs")
const { median } = await import("./statistics.mjs")

/**
 * @import { Budget, Figure, FigureName, Results, Section } from "./figures.mjs"
 * @import { Process } from "./fork.mjs"
 * @import { Row } from "./report.mjs"
 */

/** @type {{ readonly figures: Readonly<Record<FigureName, Budget>>, readonly baseline: string }} */
const { figures: budgets, baseline } = JSON.parse(readFileSync(new URL("budgets.json", import.meta.url), "utf8"))
mkdirSync(new URL(".cache", import.meta.url), { recursive: true })
if (!prepare()) {
  process.exit(1)
}

/** @type {{ readonly [S in Section]: () => Promise<Results[S]> }} */
const sections = {
  bundles: async () => (await import("./bundles/measure.mjs")).measure({ quick }),
  counts: async () => (await import("./counts/measure.mjs")).measure(server.ready),
  page: async () => (await import("./page/measure.mjs")).measure(server.ready, { rounds: quick ? 1 : 5, quick }),
  imports: async () => (await import("./imports/measure.mjs")).measure({ rounds: quick ? 3 : 9, quick }),
  calls: async () => (await import("./calls/measure.mjs")).measure(server.ready, { quick }),
  runtimes: async () => (await import("./runtimes/measure.mjs")).measure(server.ready),
  unobserved: async () => (await import("./unobserved/measure.mjs")).measure(server.ready, quick ? 3 : 15),
  session: async () => (await import("./session/measure.mjs")).measure(server.ready, quick ? 3 : 15),
  client: async () => (await import("./client/measure.mjs")).measure(server.ready, { rounds: quick ? 3 : 9, quick }),
  cancelled: async () => (await import("./cancelled/measure.mjs")).measure(server.ready, quick ? 3 : 15),
  browser: async () => (await import("./browser/measure.mjs")).measure(server.ready, { rounds: 21, count: 400 }),
  effect4: async () => (await import("./against/measure.mjs")).measureEffect4(server.ready, { quick }),
  promise: async () => (await import("./promise/measure.mjs")).measure(server.ready, { rounds: quick ? 3 : 9, quick }),
  against: async () => (await import("./against/measure.mjs")).measure(server.ready, commit, { quick, reaches })
}
/** @param {Figure} figure */
const inQuick = ({ cpu, exact, repeated }) => cpu || exact || repeated
/** @param {string} name */
const needed = (name) =>
  quick ? Object.values(figures).some((figure) => figure.section === name && inQuick(figure)) : name !== "against"

const at = names.indexOf("against")
const [commit = baseline] = at < 0 || (names[at + 1] ?? "") in sections ? [] : names.splice(at + 1, 1)
const unknown = names.filter((name) => !(name in sections))
if (unknown.length > 0 || (write && (quick || names.length > 0))) {
  const known = `The sections: ${Object.keys(sections).join(", ")}; by itself: ${Object.keys(alone).join(", ")}.`
  console.error(`${known} Only a full run is written.`)
  process.exit(1)
}

/** How much worse than its budget a ratio may be in a quick run, of which only the best round counts. */
const slack = 1.5

/**
 * Whether a value is within its budget.
 *
 * @param {FigureName} name
 * @param {number} value
 */
const reaches = (name, value, slack = 1) => {
  const { least, most, exactly } = budgets[name]
  if (exactly !== undefined) {
    return value === exactly
  }
  return least === undefined ? value <= (most ?? NaN) * slack : value >= least / slack
}

/** @type {Process<{ readonly url: string, readonly anime: string, readonly page: string }, never, never>} */
const server = await start(new URL("calls/server.mjs", import.meta.url))
/** @type {Partial<Results>} */
const results = {}
const all = /** @type {Results} */ (results)
/** @param {number} since */
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(0)} s`
const started = performance.now()
/**
 * @template {Section} S
 * @param {S} name
 */
const measure = async (name) => {
  all[name] = await sections[name]()
}
for (const name of /** @type {Array<Section>} */ (Object.keys(sections))) {
  if (names.length === 0 ? needed(name) : names.includes(name)) {
    console.log(`${name}…`)
    const begun = performance.now()
    await measure(name)
    console.log(`${name}: ${seconds(begun)}, ${seconds(started)} in all`)
  }
}
server.stop()

/**
 * @param {FigureName} name
 * @returns {Row}
 */
const judged = (name) => {
  const { exact, repeated, show, title, values } = figures[name]
  const { least, most, exactly, aim, warns = false } = budgets[name]
  const rounds = values(all)
  const best = least === undefined ? Math.min(...rounds) : Math.max(...rounds)
  const value = quick || repeated ? best : median(rounds)
  const budget = exactly ?? least ?? most ?? NaN
  const isWithin = reaches(name, value, quick && !exact && !repeated ? slack : 1)
  if (warns && !isWithin) {
    console.warn(`warning: ${title}: ${show(value)}, and it was ${show(budget)}. Is it worth it?`)
  }
  const sign = exactly === undefined ? (least === undefined ? "≤" : "≥") : "="
  return {
    name,
    title,
    show,
    value,
    rounds,
    budget: `${sign} ${show(budget)}`,
    aim: aim === undefined ? "" : show(aim),
    ok: isWithin || warns,
    mark: isWithin ? "✓" : warns ? "warns" : "✗"
  }
}

const rows = /** @type {Array<FigureName>} */ (Object.keys(figures))
  .filter((name) => results[figures[name].section] !== undefined && (!quick || inQuick(figures[name])))
  .filter((name) => figures[name].values(all).length > 0)
  .map(judged)

console.log(`\n${report(rows, results)}`)
if (quick) {
  console.log(`Of each ratio the best of its rounds, which may be ${slack} times its budget, except against a commit.`)
}
if (write) {
  writeReport(rows, results)
}
if (asJson) {
  process.stdout.write(`${JSON.stringify({ rows, results }, null, 2)}\n`)
}
process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1
