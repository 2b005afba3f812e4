// The licences of the packages whose code is in a bundle, as one file of the tarball.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { root } from "../../scripts/workspace.mjs"

/**
 * The folder of the package that a file belongs to; undefined for a file of this project.
 *
 * @param {string} file
 */
const packageOf = (file) => /^.*[/]node_modules[/](?:@[^/]+[/])?[^/]+/.exec(file)?.[0]

/**
 * Writes LICENSES.md, and LICENSE: beside the former, pnpm packs no licence of the workspace.
 *
 * @param {ReadonlyArray<string>} inputs the files that were bundled
 * @param {string} folder of the package
 */
export const writeLicences = (inputs, folder) => {
  const packages = [...new Set(inputs.map((file) => packageOf(resolve(folder, file))))].filter(
    (found) => found !== undefined
  )
  const sections = packages.sort().map((path) => {
    const { license, name, version } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"))
    const file = readdirSync(path).find((name) => /^licen[cs]e/i.test(name))
    if (file === undefined) {
      throw new Error(`${name} has no file with its licence`)
    }
    return `## ${name} ${version} (${license})\n\n${readFileSync(join(path, file), "utf8").trim()}\n`
  })
  writeFileSync(join(folder, "LICENSES.md"), `# Licences of the code in this package\n\n${sections.join("\n")}`)
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"))
}
