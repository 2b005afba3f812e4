// How fast it is, and what next to: `npm run bench`. Fails past the budgets.
import { readFileSync } from "node:fs"
import { runScript, setup } from "../scripts/setup.mjs"

const args = process.argv.slice(2)
const asJson = args.includes("--json")
const quick = args.includes("--quick")
const wanted = args.filter((arg) => !arg.startsWith("--"))

// Only the result goes to the standard output, where a machine reads it.
if (asJson) console.log = console.error

setup()
if (!runScript("build")) process.exit(1)
// What is installed now was perhaps not there before.
const { figures } = await import("./figures.mjs")
const { median } = await import("./statistics.mjs")

const budgets = JSON.parse(readFileSync(new URL("budgets.json", import.meta.url), "utf8"))

const sections = {
  calls: async () => {
    const { measure } = await import("./calls/measure.mjs")
    const { names, quickNames } = await import("./calls/contenders.mjs")
    return quick
      ? measure(quickNames, { rounds: 3, many: 3000, single: 0 })
      : measure(names, { rounds: 9, many: 3000, single: 600 })
  },
  bundles: async () => {
    const { measure } = await import("./bundles/measure.mjs")
    return measure()
  }
}

const results = {}
for (const [name, measure] of Object.entries(sections)) {
  if (wanted.length === 0 || wanted.includes(name)) {
    const started = performance.now()
    results[name] = await measure()
    console.log(`measured ${name} in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  }
}

const best = (values, { least }) => (least === undefined ? Math.min(...values) : Math.max(...values))

/** In a quick run a figure that wobbles may be half as bad again as its budget. */
const slack = 1.5

const rows = Object.entries(figures).flatMap(([name, { title, section, show, exact, cpu, values }]) => {
  if (results[section] === undefined || (quick && !exact && !cpu)) return []
  const all = values(results[section])
  if (all === undefined) return []
  const budget = budgets.figures[name]
  const value = quick ? best(all, budget) : median(all)
  const limit = (budget.least ?? budget.most) * (quick && !exact ? slack : 1)
  const ok = budget.least === undefined ? value <= limit : value >= limit
  return [
    { name, title, show, value, limit, aim: budget.aim, ok, values: all, sign: budget.least === undefined ? "≤" : "≥" }
  ]
})

if (results.calls && !quick) {
  const { table } = await import("./calls/measure.mjs")
  console.table(
    table(results.calls).map(({ name, perSecond, cpu, latency }) => ({
      name,
      "calls/s": Math.round(perSecond),
      "µs CPU a call": Math.round(cpu),
      "ms alone": latency && Number(latency.toFixed(3))
    }))
  )
}
for (const { title, show, value, limit, aim, ok, sign } of rows) {
  console.log(`${ok ? "✓" : "✗"} ${show(value).padStart(8)} (${sign} ${show(limit)}, aim ${show(aim)})  ${title}`)
}
if (asJson) process.stdout.write(`${JSON.stringify({ rows, results }, null, 2)}\n`)
process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1
