// Writes the data of the embedded service, which is JSON in the repository, as a module beside the modules that import it: some
// runtimes and bundlers cannot import JSON. Each part is an export of its own, so that a program contains the parts that it uses.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isProgram, root } from "../setup.mjs"

const source = "data/sample"

/**
 * @param {string} folder of the package that was built, with its dist
 */
export const writeSample = (folder) => {
  const from = join(root, "packages/testing/src", source)
  const to = join(folder, "dist", source)
  const parts = Object.entries(JSON.parse(readFileSync(`${from}.json`, "utf8")))
  writeFileSync(`${to}.js`, parts.map(([name, part]) => `export const ${name} = ${JSON.stringify(part)}\n`).join(""))
  copyFileSync(`${from}.d.ts`, `${to}.d.ts`)
}

if (isProgram(import.meta)) {
  writeSample(join(root, "packages/testing"))
}
