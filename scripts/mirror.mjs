// The tests of examples/mirror, which has an installation of its own:
//
// npm run mirror:test    a few minutes on two cores
// npm run mirror:soak    the same on large data, with many kills, a fleet and real time: an hour
import { pathToFileURL } from "node:url"
import { findProgram } from "./programs.mjs"
import { runQuietly, scripts, setup } from "./setup.mjs"

/** Installs; `isDriver` where all but better-sqlite3 works, which cannot be built here. */
const install = async () => {
  const pnpm = "CI=true pnpm --dir examples/mirror install --frozen-lockfile --prefer-offline"
  const whole = await runQuietly(pnpm)
  // Without scripts nothing is compiled.
  const installed = whole.ok ? whole : await runQuietly(`${pnpm} --ignore-scripts`)
  if (!installed.ok) return installed
  const driver = await runQuietly(`cd examples/mirror && node -e "new (require('better-sqlite3'))(':memory:')"`)
  return { ok: driver.ok, isDriver: !driver.ok, output: whole.output + driver.output }
}

/** Installs, compiles, lints and tests the mirror. `options` are those of vitest. */
export const testMirror = async (options = "") => {
  const installed = await install()
  if (installed.isDriver) {
    return {
      ok: true,
      isSkipped: true,
      output: `${installed.output}\nSkipped: better-sqlite3 cannot be built on this machine.`
    }
  }
  if (!installed.ok) return installed
  const compiled = await runQuietly("tsc -p examples/mirror && node examples/mirror/bundle.mjs")
  if (!compiled.ok) return compiled
  const linted = await runQuietly(`${scripts.lint.split(" --ignore-pattern")[0]} examples/mirror`)
  if (!linted.ok) return linted
  process.env.POSTGRES_PATH ??= findProgram("postgresql") ?? ""
  return runQuietly(`examples/mirror/node_modules/.bin/vitest run --root examples/mirror ${options}`)
}

const main = async () => {
  setup()
  if (process.argv.includes("soak")) process.env.MIRROR_SOAK = "1"
  const built = await runQuietly(scripts.build)
  const options = process.argv.slice(2).filter((arg) => arg !== "soak")
  const { ok, output } = built.ok ? await testMirror(options.join(" ")) : built
  console.log(output)
  process.exitCode = ok ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main()
