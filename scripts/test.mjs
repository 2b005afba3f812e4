// Every check of the project:
//
// npm test                  what a contributor waits for
// npm test -- all           most of the rest; slow suites take samples of their tables
// npm test -- full          every step, and every row of every table
// npm test -- node lint     these steps, and the build, which takes a second or two if nothing has changed
// npm test -- run soak      a runner: run.mjs of a folder of test/, with options. Its first lines say which
import { spawnSync } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join, relative } from "node:path"
import * as Bundlers from "../test/bundlers/run.mjs"
import { sampleMirror, testMirror } from "../test/mirror/run.mjs"
import { ensureExecutable } from "../test/executables.mjs"
import * as Runtimes from "../test/runtimes/run.mjs"
import { setup } from "./setup.mjs"
import { root, runQuietly } from "./workspace.mjs"

/** @import { ExecutableName } from "../test/executables.mjs" */

const cores = availableParallelism()
const args = process.argv.slice(2)
const isFull = args.includes("full")

/**
 * @typedef {object} Checked
 * @property {string} [output]
 * @property {number} passed
 * @property {number} failed
 * @property {ReadonlyArray<string>} [failures] the names of failed tests, each with the beginning of its message
 *
 * @typedef {{ fullName: string, status: string, failureMessages: ReadonlyArray<string> }} Test
 * @typedef {{ name: string, message: string, status: string, assertionResults: ReadonlyArray<Test> }} TestFile
 *
 * @typedef {object} Step
 * @property {string} checks
 * @property {(name: string) => Promise<Checked>} run with the name of the step
 * @property {ExecutableName | false} [executable] what it needs besides Node
 * @property {boolean} [needsBuild] true, unless given: it sees what is built, also as types or where an import leads
 */

/**
 * @param {boolean} ok
 * @returns {Checked}
 */
const check = (ok) => (ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })

/**
 * Runs a command line as one check.
 *
 * @param {string} line
 */
const command = (line) => async () => {
  const { ok, output } = await runQuietly(line)
  return { output, ...check(ok) }
}

/**
 * Runs vitest with options for a report, counts its tests and names those that failed.
 *
 * @param {string} name
 * @param {(options: string) => Promise<{ ok: boolean, output: string, isSkipped?: boolean }>} run
 * @returns {Promise<Checked>}
 */
const runCounted = async (name, run) => {
  const report = join(root, `.cache/vitest-${name}.json`)
  rmSync(report, { force: true })
  const { ok, output, isSkipped } = await run(`--reporter=default --reporter=json --outputFile.json="${report}"`)
  if (isSkipped) {
    return { output, passed: 0, failed: 0 }
  }
  let passed = 0
  /** @type {Array<string>} */
  const failures = []
  try {
    /** @type {{ testResults: ReadonlyArray<TestFile> }} */
    const { testResults } = JSON.parse(readFileSync(report, "utf8"))
    for (const { name: path, status, message, assertionResults } of testResults) {
      const file = relative(root, path)
      const failed = assertionResults.filter((test) => test.status === "failed")
      passed += assertionResults.filter((test) => test.status === "passed").length
      failures.push(...failed.map((test) => failure(`${file} > ${test.fullName}`, test.failureMessages.join("\n"))))
      if (status === "failed" && failed.length === 0) {
        failures.push(failure(`${file}, which did not load, or one of its hooks threw`, message))
      }
    }
  } catch {
    failures.push(`vitest left no report of its ${name} tests`)
  }
  if (failures.length === 0 && (!ok || passed === 0)) {
    failures.push(ok ? "no test ran" : "an error outside any test")
  }
  return { output, passed, failed: failures.length, failures }
}

/**
 * @param {string} name
 * @param {string} message
 */
const failure = (name, message) => `${name}: ${message.split("\n", 3).join(" ").slice(0, 300)}`

/** Workers of a step: others run meanwhile. */
const halfOfCores = Math.max(1, cores >> 1)

/**
 * Runs a project of vitest.config.ts on half of the cores, unless it waits a lot.
 *
 * @param {string} project
 * @param {string} [options] of vitest
 * @param {number} [workers]
 * @param {NodeJS.ProcessEnv} [env] variables of its own, because other steps share ours
 * @returns {Step["run"]}
 */
const vitest =
  (project, options = "", workers = halfOfCores, env = {}) =>
  (step) =>
    runCounted(step, (report) =>
      runQuietly(`vitest run --project "${project}" ${options} --minWorkers=1 --maxWorkers=${workers} ${report}`, env)
    )

/**
 * Runs a project in processes that run many files, and load Effect or TypeScript only once.
 *
 * @param {string} name
 * @param {number} [workers]
 */
const withoutIsolation = (name, workers) => vitest(name, "--no-isolate", workers)

/**
 * A step that needs what its runner installs; `prepare` returns what could not be installed, as a string.
 *
 * @param {() => Promise<string>} prepare
 * @param {Step["run"]} run
 * @returns {Step["run"]}
 */
const afterPreparing = (prepare, run) => async (name) => {
  const problem = await prepare()
  return problem === "" ? run(name) : { output: problem, ...check(false) }
}

/**
 * The suite of test/runtimes in some engines.
 *
 * @param {ReadonlyArray<Runtimes.EngineName>} names
 * @param {3 | 4} effect
 */
const runtimes = (names, effect) =>
  afterPreparing(
    () => Runtimes.prepare(names),
    vitest("runtimes", "", halfOfCores, { CATALOG_EFFECT: `${effect}`, CATALOG_ENGINES: names.join() })
  )

/** A sample of the tests for Effect 4; all of them with `full`, or if such a step was named. */
const testsOfEffect4 = isFull || args.some((name) => name.startsWith("effect4")) ? "all" : "sample"

/** The tests of the packages for Effect 4. @type {Step["run"]} */
const effect4 = async (name) => {
  const { prepareTests } = await import("../effect4/build.mjs")
  prepareTests()
  return vitest("*", "--config effect4/vitest.config.ts", 1, { CATALOG_EFFECT4: testsOfEffect4 })(name)
}

/** The longest are first, where they do not need each other. @type {Readonly<Record<string, Step>>} */
const steps = {
  build: { checks: "the packages compile to what is published", run: command("node scripts/build.mjs") },
  format: { checks: "every file but Markdown is formatted", needsBuild: false, run: command("oxfmt --check") },
  tarballs: { checks: "each tarball is installed, and its modules and commands start", run: vitest("tarballs") },
  packages: { checks: "the packed tarballs, installed from npm into a new project", run: vitest("packages") },
  site: {
    checks: "the built site in Chromium: links, accessibility, search, hovers, weight, no request to another origin",
    executable: "chromium",
    run: withoutIsolation("site", cores)
  },
  node: {
    checks: "the packages on Node: the embedded service on a port, sign-ins, lists, policies, Redis",
    executable: "redis-server",
    // It waits for half of its time.
    run: withoutIsolation("node", Math.max(2, cores))
  },
  compilers: {
    checks: "examples and recipes, the public API, bundles; what an editor shows; other versions of TypeScript",
    run: withoutIsolation("compilers")
  },
  browser: { checks: "the packages in Chromium", executable: "chromium", run: vitest("browser") },
  unit: {
    checks: "what needs no socket: calls, lists, policies, redaction, the embedded service",
    // One process, which loads Effect once.
    run: withoutIsolation("unit", 1)
  },
  docs: {
    checks: "what pages say of files, commands, figures and workflows; their spelling",
    needsBuild: false,
    run: withoutIsolation("docs", 1)
  },
  promise: {
    checks: "catalog-client: what promises have in place of Effect, over the built bundle",
    executable: isFull && "postgresql",
    run: withoutIsolation("promise")
  },
  "over-bundle": {
    checks:
      "the tests of promises, over catalog-client in place of the packages for Effect: those of core, or all with full",
    run: vitest("over-bundle", isFull || args.includes("over-bundle") ? "" : "packages/core/test")
  },
  stress: {
    checks: "the packages on Node under faults and load, and what is left in their process; commands that tests start",
    executable: "redis-server",
    run: vitest("stress")
  },
  mirror: {
    checks:
      "examples/mirror in an installation of its own: runs, 404s, a kill, the rate limit in SQL; a fleet with full",
    executable: isFull && "postgresql",
    run: () => runCounted("mirror", isFull ? testMirror : sampleMirror)
  },
  runtimes: {
    checks: "the packed tarballs in Bun; with full in other versions of Node, in Deno, workerd and three browsers",
    run: runtimes(isFull ? Runtimes.engineNames : Runtimes.quick, 3)
  },
  installers: {
    checks: "catalog-client, and the packages for Effect with their peers, installed by npm, pnpm, Bun and Yarn",
    run: vitest("installers")
  },
  bundlers: {
    checks: "the packed tarballs in pages of seven bundlers, in Next and in SvelteKit",
    executable: "chromium",
    run: afterPreparing(Bundlers.prepare, vitest("bundlers"))
  },
  types: {
    checks: "types of tests, scripts and examples, and every type test",
    run: command(`node scripts/types.mjs ${isFull ? "" : "--fast"}`)
  },
  effect4: {
    checks: `the packages for Effect 4, built from the same sources (tests: ${testsOfEffect4})`,
    run: effect4
  },
  "effect4-runtimes": {
    checks: "their tarballs in one version of Node; with full in other engines without a browser",
    run: runtimes(Runtimes.onEffect4[testsOfEffect4], 4)
  },
  "dead-code": { checks: "no unused file, export or dependency", run: command("knip") },
  lint: { checks: "oxlint's rules, with types", run: command("npm run -s lint") },
  structure: { checks: "imports keep to the rules between folders", run: command('depcruise "packages/!(mcp)/src"') },
  "type-tests": { checks: "the type tests one by one", run: vitest("types") },
  bench: {
    checks: "sizes, counts and ratios of CPU time against their budgets, and calls against those of the baseline",
    run: command(`node bench/run.mjs --quick ${isFull ? "" : "bundles types against"}`)
  }
}

/** Steps that run in parallel; the bench runs alone. */
const stages = [
  ["build", "format"],
  Object.keys(steps).filter((name) => !/^(build|format|bench)$/.test(name)),
  ["bench"]
]
/** How many run at a time: each waits for a third of its time, for a socket, a timer or the network. */
const lanes = Math.min(4, cores + 2)

const usual = ["build", "format", "lint", "types", "structure", "unit", "docs", "node", "tarballs"]
/** They take long, or `types` compiles them as well. */
const onlyFull = ["installers", "bundlers", "type-tests"]

const runners = ["bundlers", "mirror", "mutants", "runtimes", "soak"]

/** @param {number} since */
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

const chosen = () => {
  const names = args.filter((arg) => arg !== "full" && arg !== "all")
  const unknown = names.filter((name) => !(name in steps))
  if (unknown.length > 0) {
    const known = `The steps: ${Object.keys(steps).join(", ")}; all, full. After run: ${runners.join(", ")}.`
    console.error(`No step is called ${unknown.join(", ")}. ${known}`)
    process.exit(1)
  }
  if (args.includes("all")) {
    names.push(...Object.keys(steps).filter((name) => ![...usual, ...onlyFull].includes(name)))
  }
  if (names.length > 0) {
    return names.every((name) => steps[name]?.needsBuild === false) ? names : ["build", ...names]
  }
  return isFull ? Object.keys(steps) : usual
}

const main = async () => {
  if (isFull) {
    process.env["CATALOG_TESTS"] = "full"
  }
  const wanted = chosen()
  setup()
  // An installation would delay the steps that run meanwhile.
  const lacking = wanted.filter((name) => {
    const executable = steps[name]?.executable
    return executable && !ensureExecutable(executable)
  })
  const total = { passed: 0, failed: 0 }
  /** @type {Array<string>} */
  const summary = []
  let isBuilt = true
  const started = performance.now()

  /**
   * @param {string} name
   * @param {Step} step
   */
  const runStep = async (name, { checks, run }) => {
    console.log(`▸ ${name}: ${checks}`)
    const stepStarted = performance.now()
    const { passed, failed, output, failures = [] } = lacking.includes(name) ? check(false) : await run(name)
    total.passed += passed
    total.failed += failed
    const line = `${failed === 0 ? "✓" : "✗"} ${name} (${seconds(stepStarted)}): ${passed} passed, ${failed} failed`
    summary.push([`${line} – ${checks}`, ...failures].join("\n    ✗ "))
    console.log(`\n── ${name}\n${output ?? ""}\n${line}\n`)
    isBuilt &&= name !== "build" || failed === 0
  }

  for (const stage of stages) {
    const queue = stage.filter((name) => wanted.includes(name))
    const lane = async () => {
      for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
        const step = steps[name]
        await (step && runStep(name, step))
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    if (!isBuilt) {
      console.log("Nothing else can run without the build.")
      break
    }
  }
  console.log(`${summary.join("\n")}\nall (${seconds(started)})`)
  console.log(`${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed === 0 ? 0 : 1
}

const [first, runner = "", ...options] = args
if (first === "run" && runners.includes(runner)) {
  const { status } = spawnSync(process.execPath, [join(root, `test/${runner}/run.mjs`), ...options], {
    stdio: "inherit"
  })
  process.exitCode = status ?? 1
} else {
  await main()
}
