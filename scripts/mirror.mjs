// The tests of examples/mirror, which has an installation of its own:
//
// npm run mirror:test    a few minutes on two cores
// npm run mirror:soak    the same on large data, with many kills, a fleet and real time: an hour
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { findProgram } from "./programs.mjs"
import { root, runQuietly, scripts, setup } from "./setup.mjs"

/** Installs, or says in one word what is wrong: `driver` where better-sqlite3 cannot be built here. */
const install = async () => {
  const pnpm = "pnpm --dir examples/mirror install --frozen-lockfile --prefer-offline"
  const installed = await runQuietly(`CI=true ${pnpm}`)
  if (installed.ok) return installed
  // All else can be installed: what failed is the compiler.
  const { ok } = await runQuietly(`CI=true ${pnpm} --ignore-scripts`)
  return { ...installed, isDriver: ok }
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
  const compiled = await runQuietly("tsc -p examples/mirror")
  if (!compiled.ok) return compiled
  const linted = await runQuietly(`${scripts.lint.split(" --ignore-pattern")[0]} examples/mirror`)
  if (!linted.ok) return linted
  process.env.POSTGRES_PATH ??= findProgram("postgresql") ?? ""
  return runQuietly(`examples/mirror/node_modules/.bin/vitest run --root examples/mirror ${options}`)
}

const main = async () => {
  setup()
  if (process.argv.includes("soak")) process.env.MIRROR_SOAK = "1"
  if (!existsSync(join(root, "packages/node/dist"))) await runQuietly(scripts.build)
  const { ok, output } = await testMirror(
    process.argv
      .slice(2)
      .filter((arg) => arg !== "soak")
      .join(" ")
  )
  console.log(output)
  process.exitCode = ok ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main()
