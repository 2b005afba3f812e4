// The tests of examples/mirror, which has an installation of its own:
//
// npm test -- full mirror           a few minutes on two cores
// npm test -- run mirror soak       the same on larger data, with more kills, a fleet and real time
// npm test -- run mirror soak long  the same on all data: an hour
// npm test -- run mirror bench      the CPU of an item, against a plain program
import { rmSync } from "node:fs"
import { join } from "node:path"
import { findExecutable } from "../executables.mjs"
import { setup } from "../../scripts/setup.mjs"
import { isMain, root, runQuietly } from "../../scripts/workspace.mjs"

/** Installs. @param {string} [options] of pnpm */
const installWith = (options = "") =>
  runQuietly(`pnpm --dir examples/mirror install --frozen-lockfile --prefer-offline ${options}`, { CI: "true" })

/** Installs all but what has to be compiled. */
const installQuickly = () => installWith("--ignore-scripts")

const hasDriver = () => runQuietly(`cd examples/mirror && node -e "new (require('better-sqlite3'))(':memory:')"`)

/**
 * Installs; `isDriver` where all but better-sqlite3 works, which cannot be built here.
 *
 * @returns {Promise<{ readonly ok: boolean, readonly output: string, readonly isDriver?: boolean }>}
 */
const install = async () => {
  let whole = await installWith()
  if (whole.ok && !(await hasDriver()).ok) {
    // The sample installs without it, and an installation does not make up for that.
    rmSync(join(root, "examples/mirror/node_modules"), { recursive: true })
    whole = await installWith()
  }
  const installed = whole.ok ? whole : await installQuickly()
  if (!installed.ok) {
    return installed
  }
  const driver = await hasDriver()
  return { ok: driver.ok, isDriver: !driver.ok, output: whole.output + driver.output }
}

const vitest = "examples/mirror/node_modules/.bin/vitest run --root examples/mirror"

/**
 * A sample of the tests, over a SQLite that needs no compiler, and without types.
 *
 * @param {string} options those of vitest
 */
export const sampleMirror = async (options) => {
  const installed = await installQuickly()
  const built = installed.ok ? await runQuietly("node examples/mirror/bundle.mjs wasm") : installed
  return built.ok ? runQuietly(`${vitest} ${options}`, { MIRROR_QUICK: "1" }) : built
}

/**
 * Installs, compiles, lints and tests the mirror.
 *
 * @param {string} options those of vitest
 * @returns {Promise<{ readonly ok: boolean, readonly output: string, readonly isSkipped?: boolean }>}
 */
export const testMirror = async (options = "") => {
  const installed = await install()
  if (installed.isDriver) {
    return {
      ok: true,
      isSkipped: true,
      output: `${installed.output}\nSkipped: better-sqlite3 cannot be built on this machine.`
    }
  }
  if (!installed.ok) {
    return installed
  }
  const compiled = await runQuietly("tsc -p examples/mirror && node examples/mirror/bundle.mjs")
  if (!compiled.ok) {
    return compiled
  }
  const linted = await runQuietly("oxlint examples/mirror")
  if (!linted.ok) {
    return linted
  }
  process.env["POSTGRES_PATH"] ??= findExecutable("postgresql") ?? ""
  return runQuietly(`${vitest} ${options}`)
}

const main = async () => {
  setup()
  /** @param {string} arg */
  const isOurs = (arg) => arg === "soak" || arg === "long"
  if (process.argv.includes("soak")) {
    process.env["MIRROR_SOAK"] = process.argv.includes("long") ? "long" : "1"
  }
  const built = await runQuietly("node scripts/build.mjs")
  if (built.ok && process.argv.includes("bench")) {
    const installed = await install()
    const bench = installed.ok ? await runQuietly("cd examples/mirror && node bundle.mjs && node bench.mjs") : installed
    console.log(bench.output)
    process.exitCode = bench.ok ? 0 : 1
    return
  }
  const options = process.argv.slice(2).filter((arg) => !isOurs(arg))
  const { ok, output } = built.ok ? await testMirror(options.join(" ")) : built
  console.log(output)
  process.exitCode = ok ? 0 : 1
}

if (isMain(import.meta)) {
  await main()
}
