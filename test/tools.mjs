import { existsSync } from "node:fs"
import { join } from "node:path"
import { buildOrExit } from "../scripts/build.mjs"
import { setup } from "../scripts/setup.mjs"
import { manifestOf, run, runQuietly } from "../scripts/workspace.mjs"

/**
 * Makes sure of packages of a manifest of its own, at its exact versions, of which the root's installation knows nothing: all, or
 * some by name, and its devDependencies only where one of them is named. What could not be installed, as a string.
 *
 * @param {string} folder
 * @param {ReadonlyArray<string>} [named]
 * @returns {Promise<string>}
 */
export const ensureTools = async (folder, named) => {
  const { dependencies = {}, devDependencies } = manifestOf(folder)
  const wanted = { ...dependencies, ...devDependencies }
  const names = named ?? Object.keys(wanted)
  /** @param {string} name */
  const isCurrent = (name) => {
    const installed = join(folder, "node_modules", name)
    return (
      existsSync(join(installed, "package.json")) && wanted[name]?.split("@").at(-1) === manifestOf(installed).version
    )
  }
  if (names.every(isCurrent)) {
    return ""
  }
  const part = names.every((name) => name in dependencies) ? "--prod" : ""
  const { ok, output } = await runQuietly(`pnpm --dir "${folder}" install --frozen-lockfile ${part}`, { CI: "true" })
  return ok ? "" : output
}

/**
 * Builds, prepares, and runs the tests of a project of vitest.config.ts. `prepare` returns what could not be installed, as a string.
 *
 * @param {string} project
 * @param {() => Promise<string>} prepare
 * @param {ReadonlyArray<string>} [options] options of vitest
 */
export const runSuite = async (project, prepare, options = []) => {
  setup()
  buildOrExit()
  const problem = await prepare()
  if (problem !== "") {
    console.error(`The programs for ${project} could not be installed.\n${problem}`)
    process.exit(1)
  }
  const quoted = options.map((option) => JSON.stringify(option))
  process.exitCode = run(["vitest run --project", project, ...quoted].join(" ")) ? 0 : 1
}
