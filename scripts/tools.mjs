import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { runQuietly } from "./setup.mjs"

const parse = (path) => JSON.parse(readFileSync(path, "utf8"))

/**
 * Makes sure of packages of a manifest of its own, at its exact versions, of which the root's installation knows nothing: all, or
 * some by name, and its devDependencies only where one of them is named. What could not be installed, as a text.
 *
 * @param {string} folder
 * @param {ReadonlyArray<string>} [named]
 * @returns {Promise<string>}
 */
export const ensureTools = async (folder, named) => {
  const { dependencies = {}, devDependencies } = parse(join(folder, "package.json"))
  const names = named ?? Object.keys({ ...dependencies, ...devDependencies })
  const isCurrent = (name) => {
    const manifest = join(folder, "node_modules", name, "package.json")
    const wanted = { ...dependencies, ...devDependencies }[name]
    return existsSync(manifest) && wanted.split("@").at(-1) === parse(manifest).version
  }
  if (names.every(isCurrent)) {
    return ""
  }
  const part = names.every((name) => name in dependencies) ? "--prod" : ""
  const { ok, output } = await runQuietly(`CI=true pnpm --dir "${folder}" install --frozen-lockfile ${part}`)
  return ok ? "" : output
}
