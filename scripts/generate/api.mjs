// Writes all that is written from the code (`npm run api`): the reports of the public API that test/api.test.ts compares, the table of
// operations in AGENTS.md, and the pages of docs/operations.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { build as buildForEffect4 } from "../../effect4/build.mjs"
import { entryPoints, entryPointsIn, promiseEntryPoints } from "./declarations.mjs"
import { folder as pages, operationPages, tableForAgents } from "./operationPages.mjs"
import { differencesFrom, reportsOf } from "./reports.mjs"
import { isProgram, root, setup } from "../setup.mjs"

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

/**
 * A page with another table under a heading.
 *
 * @param {string} page
 * @param {string} heading
 * @param {string} rows
 */
const withTable = (page, heading, rows) => {
  const table = new RegExp(`(?<=^## ${heading}\\n(?:[^|#]*\\n)?\\n)(\\|.*\\n)+`, "m")
  const text = readFileSync(join(root, page), "utf8")
  if (!table.test(text)) {
    throw new Error(`${page} has no table under ## ${heading}`)
  }
  return text.replace(table, () => `${rows}\n`)
}

/**
 * The pages with a table of all operations, in the order of their declarations.
 *
 * @returns {Promise<Map<string, string>>}
 */
export const pagesWithTables = async () =>
  new Map([["AGENTS.md", withTable("AGENTS.md", "Which operation", await tableForAgents())]])

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

if (isProgram(import.meta)) {
  setup()
  if (!buildForEffect4()) {
    process.exit(1)
  }
  const current = await reports()
  writeInto(folder, current)
  writeInto(folderOfEffect4, await differencesOnEffect4())
  const withTables = await pagesWithTables()
  for (const [page, text] of withTables) {
    writeFileSync(join(root, page), text)
  }
  writeInto(pages, await operationPages())
  console.log(
    `Wrote ${current.size} reports to ${relative(process.cwd(), folder)}/, ${[...withTables.keys()].join(", ")} and docs/operations/.`
  )
}
