// Measures the client and compares it with others: `npm run bench`. Fails past the budgets.
//
// --quick   fewer questions and rounds: exact figures, and ratios of CPU time
// --json    the result as JSON, with every slice, on the standard output
// --write   writes the result of a full run to docs/performance.md, and its budgets to docs/decisions/performance.md
// Names of questions measure only these: `npm run bench -- bundles page`.
// `npm run bench -- against <commit>` compares this build with that of a commit, by default the baseline.
import { readdirSync } from "node:fs"
import { buildOrExit } from "../scripts/build.mjs"
import { setup } from "../scripts/setup.mjs"

const options = process.argv.slice(2).filter((arg) => arg.startsWith("--"))
const names = process.argv.slice(2).filter((arg) => !arg.startsWith("--"))
const [quick, asJson, write] = [options.includes("--quick"), options.includes("--json"), options.includes("--write")]

if (asJson) {
  console.log = console.error
}

setup()
buildOrExit()
// Imported late, because the packages may have been installed just now.
const { answer, groupsOf, start } = await import("./runner.mjs")
const { prepare } = await import("./places.mjs")
const { judge, report, writeReport } = await import("./report.mjs")
const { baseline } = await import("./questions/against.mjs")

/** @type {Record<string, import("./figures.mjs").Question>} */
const questions = {}
for (const file of readdirSync(new URL("questions", import.meta.url))) {
  questions[file.replace(".mjs", "")] = await import(`./questions/${file}`)
}
const at = names.indexOf("against")
const [commit = baseline] = at < 0 || (names[at + 1] ?? "") in questions ? [] : names.splice(at + 1, 1)
if (names.some((name) => !(name in questions)) || (write && (quick || names.length > 0))) {
  console.error(`The questions: ${Object.keys(questions).join(", ")}. Only a full run is written.`)
  process.exit(1)
}

const isAsked = (/** @type {string} */ name) => (names.length > 0 ? names.includes(name) : quick || name !== "against")
const asked = Object.entries(questions).filter(([name]) => isAsked(name))
const needed = asked.flatMap(([, question]) => groupsOf(question, quick).flatMap(({ names }) => names))
await prepare(needed, commit)
const server = await start(new URL("server.mjs", import.meta.url), "")
const answers = []
for (const [name, question] of asked) {
  console.log(`${name}…`)
  const taken = await answer(name, question, server.ready.url, quick)
  answers.push({ name, question, taken, rows: judge(question, taken, quick) })
}
server.stop()

console.log(`\n${report(answers)}`)
if (write) {
  writeReport(answers)
}
const rows = answers.flatMap(({ rows }) => rows)
if (asJson) {
  const results = Object.fromEntries(answers.map(({ name, taken }) => [name, taken]))
  process.stdout.write(`${JSON.stringify({ rows, results }, null, 2)}\n`)
}
process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1
