// Every check of the project, the cheap ones first. With names of steps as arguments, only the build and those.
import { mkdirSync, readFileSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { ensureProgram } from "./programs.mjs"
import { root, run, runScript, setup } from "./setup.mjs"

const check = (ok) => (ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })

/** Runs one project of vitest.config.ts and counts its tests. */
const vitest = (project) => {
  const report = `.cache/vitest-${project}.json`
  rmSync(join(root, report), { force: true })
  const ok = run(`vitest run --project ${project} --reporter=default --reporter=json --outputFile.json=${report}`)
  let passed = 0
  let failed = 0
  try {
    for (const file of JSON.parse(readFileSync(join(root, report), "utf8")).testResults) {
      const count = (status) => file.assertionResults.filter((test) => test.status === status).length
      passed += count("passed")
      // A file that failed without a failed test did not load, or a hook of it threw.
      failed += file.status === "failed" ? Math.max(1, count("failed")) : 0
    }
  } catch {
    console.error(`vitest left no report of its ${project} tests.`)
  }
  // An error outside any test, or no test at all, is a failure too.
  return { passed, failed: failed === 0 && (!ok || passed === 0) ? 1 : failed }
}

/** The quick run of the bench, each of its figures a test. */
const bench = () => {
  const report = join(root, ".cache/bench.json")
  mkdirSync(dirname(report), { recursive: true })
  run(`node bench/run.mjs --quick --json > "${report}"`)
  try {
    const { rows } = JSON.parse(readFileSync(report, "utf8"))
    const passed = rows.filter(({ ok }) => ok).length
    return { passed, failed: rows.length - passed }
  } catch {
    return check(false)
  }
}

const steps = {
  build: () => check(runScript("build")),
  types: () => check(runScript("types")),
  lint: () => check(runScript("lint")),
  format: () => check(runScript("format:check")),
  structure: () => check(runScript("structure")),
  "dead-code": () => check(runScript("dead-code")),
  "type-tests": () => vitest("types"),
  node: () => (ensureProgram("redis-server") ? vitest("node") : check(false)),
  browser: () => (ensureProgram("chromium") ? vitest("browser") : check(false)),
  bench
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

const main = () => {
  setup()
  const wanted = process.argv.slice(2)
  const unknown = wanted.filter((name) => !(name in steps))
  if (unknown.length > 0) {
    console.error(`No step is called ${unknown.join(", ")}. The steps: ${Object.keys(steps).join(", ")}.`)
    process.exit(1)
  }
  const total = { passed: 0, failed: 0 }
  const summary = []
  const started = performance.now()
  for (const [name, step] of Object.entries(steps)) {
    if (wanted.length > 0 && name !== "build" && !wanted.includes(name)) continue
    console.log(`\n── ${name}`)
    const stepStarted = performance.now()
    const { passed, failed } = step()
    total.passed += passed
    total.failed += failed
    summary.push(`${failed === 0 ? "✓" : "✗"} ${name} (${seconds(stepStarted)}): ${passed} passed, ${failed} failed`)
    console.log(summary.at(-1))
    if (name === "build" && failed > 0) {
      console.log("Nothing else can run without the build.")
      break
    }
  }
  console.log(`\n${summary.join("\n")}\nall (${seconds(started)})`)
  console.log(`${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed === 0 ? 0 : 1
}

main()
