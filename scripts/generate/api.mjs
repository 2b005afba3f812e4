// Writes all that is written from the code (`npm run api`): the reports of the public API that test/api.test.ts compares, the
// table of operations in AGENTS.md, and the pages of docs/operations.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { entryPoints, entryPointsIn, promiseEntryPoints } from "./declarations.mjs"
import { folder as pages, operationPages, tableForAgents } from "../../site/generate/operations.mjs"
import { differencesFrom, reportsOf } from "./reports.mjs"
import { isMain, root } from "../workspace.mjs"

/** Where the reports are kept. */
export const folder = join(root, "api")

/** Where the differences for Effect 4 are kept. */
export const folderOfEffect4 = join(folder, "effect4")

/** The report of each package. That of `catalog-client` has what is its own. */
export const reports = async () => {
  const promises = await reportsOf(promiseEntryPoints(), {
    entries: entryPoints,
    renamed: [
      ["Redacted.Redacted<string>", "Redacted"],
      ["Redacted<string>", "Redacted"],
      ["Duration.DurationInput", "Duration"]
    ]
  })
  return new Map([...(await reportsOf(entryPoints)), ...promises])
}

/** What differs for Effect 4. */
export const differencesOnEffect4 = () =>
  differencesFrom(entryPointsIn(join(root, "effect4/dist")), {
    entries: entryPoints,
    renamed: [
      ["Context.Tag<", "Context.Service<"],
      ["Context.TagClass<", "Context.ServiceClass<"],
      ["Schema.Array$", "Schema.$Array"],
      ["Schema.Schema<", "Schema.Codec<"],
      ["extends TaggedErrorClass", "extends Class"],
      ["typeof Schema.", "Schema."]
    ]
  })

/** AGENTS.md, with the table of all operations, in the order of their declarations. */
export const agentsPage = async () => {
  const text = readFileSync(join(root, "AGENTS.md"), "utf8")
  const table = /(?<=^## Which operation\n(?:[^|#]*\n)?\n)(\|.*\n)+/m
  if (!table.test(text)) {
    throw new Error("AGENTS.md has no table under ## Which operation")
  }
  const rows = await tableForAgents()
  return text.replace(table, () => `${rows}\n`)
}

/**
 * Writes files into a folder, in place of those that it has.
 *
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} texts
 */
const writeInto = (folder, texts) => {
  mkdirSync(folder, { recursive: true })
  for (const entry of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())) {
    rmSync(join(folder, entry.name))
  }
  for (const [file, text] of texts) {
    writeFileSync(join(folder, file), text)
  }
}

// Everything is built.
if (isMain(import.meta)) {
  const current = await reports()
  writeInto(folder, current)
  writeInto(folderOfEffect4, await differencesOnEffect4())
  writeFileSync(join(root, "AGENTS.md"), await agentsPage())
  writeInto(pages, await operationPages())
  console.log(`Wrote ${current.size} reports to ${relative(process.cwd(), folder)}/, AGENTS.md and docs/operations/.`)
}
