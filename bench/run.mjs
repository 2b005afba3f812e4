// Measures the client and compares it with others: `npm run bench`. Fails past the budgets.
//
// --quick   fewer questions and rounds: exact figures, and ratios of CPU time
// --json    the result as JSON, with every slice, on the standard output
// --write   writes the result of a full run to docs/performance.md, and its budgets to docs/decisions/performance.md
// Names of questions measure only these: `npm run bench -- bundles page`. `npm run bench -- mirror` is a program of its own.
// `npm run bench -- against <commit>` compares this build with that of a commit, by default the baseline.
import { run, setupAndBuild } from "../scripts/setup.mjs"

const options = process.argv.slice(2).filter((arg) => arg.startsWith("--"))
const names = process.argv.slice(2).filter((arg) => !arg.startsWith("--"))
const [quick, asJson, write] = [options.includes("--quick"), options.includes("--json"), options.includes("--write")]

if (names.join() === "mirror") {
  process.exit(run("node test/mirror/run.mjs bench") ? 0 : 1)
}
// With --json, only the result goes to the standard output.
if (asJson) {
  console.log = console.error
}

setupAndBuild()
// Imported late, since the packages may have been installed just now.
const { answer, groupsOf, start } = await import("./runner.mjs")
const { prepare } = await import("./places.mjs")
const { judge, report, writeReport } = await import("./report.mjs")
const { baseline } = await import("./questions/against.mjs")

/** @type {Readonly<Record<string, import("./figures.mjs").Question>>} */
const questions = {
  calls: await import("./questions/calls.mjs"),
  page: await import("./questions/page.mjs"),
  bundles: await import("./questions/bundles.mjs"),
  starts: await import("./questions/starts.mjs"),
  types: await import("./questions/types.mjs"),
  runtimes: await import("./questions/runtimes.mjs"),
  inMemory: await import("./questions/inMemory.mjs"),
  httpClient: await import("./questions/httpClient.mjs"),
  lists: await import("./questions/lists.mjs"),
  cancelled: await import("./questions/cancelled.mjs"),
  against: await import("./questions/against.mjs")
}
const at = names.indexOf("against")
const [commit = baseline] = at < 0 || (names[at + 1] ?? "") in questions ? [] : names.splice(at + 1, 1)
if (names.some((name) => !(name in questions)) || (write && (quick || names.length > 0))) {
  console.error(
    `The questions: ${Object.keys(questions).join(", ")}, and mirror by itself. Only a full run is written.`
  )
  process.exit(1)
}

const isAsked = (/** @type {string} */ name) => (names.length > 0 ? names.includes(name) : quick || name !== "against")
const asked = Object.entries(questions).filter(
  ([name, question]) => isAsked(name) && groupsOf(question, quick).length > 0
)
const groups = asked.flatMap(([, question]) => groupsOf(question, quick))
await prepare(
  groups.flatMap(({ names }) => names),
  commit
)
const server = await start(new URL("server.mjs", import.meta.url), "")
const answers = []
for (const [name, question] of asked) {
  const begun = performance.now()
  console.log(`${name}…`)
  const taken = await answer(name, question, server.ready.url, quick)
  answers.push({ name, question, taken, rows: judge(question, taken, quick) })
  console.log(`${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s`)
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
