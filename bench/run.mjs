// Measures the client and compares it with others: `npm run bench`. Fails past the budgets.
//
// --quick   fewer questions and rounds: exact figures, and ratios of CPU time
// --json    the result as JSON, with every slice, on the standard output
// --write   writes the result of a full run to docs/performance.md, and its budgets to docs/decisions/performance.md
// Names of questions measure only these: `npm run bench -- bundles page`.
// `npm run bench -- types` and `mirror` are programs of their own.
// `npm run bench -- against <commit>` compares this build with that of a commit, by default the baseline of budgets.json.
import { mkdirSync, readFileSync } from "node:fs"
import { run, setupAndBuild } from "../scripts/setup.mjs"

const options = process.argv.slice(2).filter((arg) => arg.startsWith("--"))
const names = process.argv.slice(2).filter((arg) => !arg.startsWith("--"))
const [quick, asJson, write] = [options.includes("--quick"), options.includes("--json"), options.includes("--write")]

/** What is measured by itself, and is no part of a full run. @type {Readonly<Record<string, string>>} */
const programs = {
  types: "node bench/types/run.mjs",
  mirror: "node test/mirror/run.mjs bench"
}
const command = programs[names[0] ?? ""]
if (command !== undefined && names.length === 1) {
  process.exit(run(command) ? 0 : 1)
}
// With --json, only the result goes to the standard output.
if (asJson) {
  console.log = console.error
}

setupAndBuild()
// Imported late, since the packages may have been installed just now.
const { answer, median, start, valuesOf } = await import("./runner.mjs")
const { prepareEffect4 } = await import("./copies.mjs")
const { report, writeReport } = await import("./report.mjs")
const against = await import("./questions/against.mjs")

/**
 * @import { Question, Taken } from "./runner.mjs"
 * @import { Answer, Row } from "./report.mjs"
 * @typedef {object} Budget
 * @property {number} [least]
 * @property {number} [most]
 * @property {number} [exactly]
 * @property {number} [aim]
 * @property {boolean} [warns] past it there is only a warning
 */

/** @type {{ readonly figures: Readonly<Record<string, Budget>>, readonly baseline: string }} */
const { figures: budgets, baseline } = JSON.parse(readFileSync(new URL("budgets.json", import.meta.url), "utf8"))
const at = names.indexOf("against")

/** @type {Readonly<Record<string, Question>>} */
const questions = {
  bundles: await import("./questions/bundles.mjs"),
  counts: await import("./questions/counts.mjs"),
  memory: await import("./questions/memory.mjs"),
  page: await import("./questions/page.mjs"),
  starts: await import("./questions/starts.mjs"),
  inMemory: await import("./questions/inMemory.mjs"),
  calls: await import("./questions/calls.mjs"),
  runtimes: await import("./questions/runtimes.mjs"),
  httpClient: await import("./questions/httpClient.mjs"),
  lists: await import("./questions/lists.mjs"),
  cancelled: await import("./questions/cancelled.mjs"),
  against
}
const [commit = baseline] = at < 0 || (names[at + 1] ?? "") in questions ? [] : names.splice(at + 1, 1)
if (names.some((name) => !(name in questions)) || (write && (quick || names.length > 0))) {
  const known = [...Object.keys(questions), "by themselves", ...Object.keys(programs)].join(", ")
  console.error(`The questions: ${known}. Only a full run is written.`)
  process.exit(1)
}

/** How much worse than its budget a ratio may be in a quick run, whose rounds are few. */
const slack = 1.5

/** Whether a value is within its budget. @param {string} name @param {number} value */
const reaches = (name, value, slack = 1) => {
  const { least, most, exactly } = budgets[name] ?? {}
  if (exactly !== undefined) {
    return value === exactly
  }
  return least === undefined ? value <= (most ?? NaN) * slack : value >= least / slack
}

/** @param {string} name @param {Question} question @param {Taken} taken @returns {Array<Row>} */
const judged = (name, { figures }, taken) =>
  Object.entries(figures)
    .filter(([, { side, when }]) => taken[side] !== undefined && (!quick || when !== undefined))
    .map(([figure, described]) => {
      const { least, most, exactly, aim, warns = false } = budgets[figure] ?? {}
      const rounds = valuesOf(taken, described)
      const best = least === undefined ? Math.min(...rounds) : Math.max(...rounds)
      const value = name === "against" ? best : median(rounds)
      const isWithin = reaches(figure, value, quick && described.when === "quick" ? slack : 1)
      const isSize = described.of === "bytes" && described.when === "exact"
      const show = (/** @type {number} */ value) =>
        described.beyond !== undefined
          ? `${(value / 1000).toFixed(0)} ms`
          : isSize
            ? `${(value / 1000).toFixed(1)} kB`
            : described.when === "exact"
              ? String(value)
              : value.toFixed(2)
      const sign = exactly === undefined ? (least === undefined ? "≤" : "≥") : "="
      return {
        title: described.title,
        show,
        value,
        rounds,
        budget: `${sign} ${show(exactly ?? least ?? most ?? NaN)}`,
        aim: aim === undefined ? "" : show(aim),
        ok: isWithin || warns,
        mark: isWithin ? "✓" : warns ? "warns" : "✗"
      }
    })

mkdirSync(new URL(".cache", import.meta.url), { recursive: true })
if (!prepareEffect4()) {
  process.exit(1)
}
const server = await start(new URL("server.mjs", import.meta.url), "")
/** @type {Record<string, Answer>} */
const answers = {}
const inQuick = (/** @type {Question} */ { figures }) => Object.values(figures).some(({ when }) => when !== undefined)
for (const [name, question] of Object.entries(questions)) {
  if (names.length > 0 ? names.includes(name) : quick ? inQuick(question) : name !== "against") {
    const begun = performance.now()
    console.log(`${name}…`)
    const asked = name === "against" ? { ...question, measure: against.measureAgainst(commit, reaches) } : question
    const taken = await answer(name, asked, { url: server.ready.url, quick })
    answers[name] = { question, taken, rows: judged(name, question, taken) }
    console.log(`${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  }
}
server.stop()

console.log(`\n${report(answers)}`)
if (quick) {
  console.log(`A ratio may be ${slack} times its budget in this run, except against a commit.`)
}
if (write) {
  writeReport(answers)
}
const rows = Object.values(answers).flatMap(({ rows }) => rows)
if (asJson) {
  const results = Object.fromEntries(Object.entries(answers).map(([name, { taken }]) => [name, taken]))
  process.stdout.write(`${JSON.stringify({ rows, results }, null, 2)}\n`)
}
process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1
