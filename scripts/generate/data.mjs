// Writes data, which is JSON in the repository, as a module beside the modules that import it: some runtimes and bundlers
// cannot import JSON. Each part is an export of its own, so that a program contains the parts that it uses.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isMain, root } from "../workspace.mjs"

/** Each has a JSON file and, by hand, its types, in the sources of a package. */
const data = /** @type {const} */ ([
  ["core", "internal/schemas/comments"],
  ["testing", "data/sample"]
])

/**
 * @param {string} packages a folder of packages that are built, each with its dist
 */
export const writeData = (packages) => {
  for (const [name, source] of data) {
    const from = join(root, "packages", name, "src", source)
    const to = join(packages, name, "dist", source)
    mkdirSync(dirname(to), { recursive: true })
    const parts = Object.entries(JSON.parse(readFileSync(`${from}.json`, "utf8")))
    writeFileSync(`${to}.js`, parts.map(([name, part]) => `export const ${name} = ${JSON.stringify(part)}\n`).join(""))
    copyFileSync(`${from}.d.ts`, `${to}.d.ts`)
  }
}

if (isMain(import.meta)) {
  writeData(join(root, "packages"))
}
