import { existsSync } from "node:fs"
import { join } from "node:path"
import { manifestOf, runQuietly } from "../setup.mjs"

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
  const { ok, output } = await runQuietly(`CI=true pnpm --dir "${folder}" install --frozen-lockfile ${part}`)
  return ok ? "" : output
}
