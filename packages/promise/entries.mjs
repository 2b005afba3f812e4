// Writes src/entries/{anime,manga,user,forum}.ts, the operations for `createCatalogOf`, from the operations of core.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"

const core = join(import.meta.dirname, "../core/src")
const folder = join(import.meta.dirname, "src/entries")

/** What each domain is, as its file begins. */
const domains = { anime: "anime", manga: "manga", user: "users and their lists", forum: "the forum" }

/**
 * The exported constants of a module, each with the first words of its doc comment.
 *
 * @param {string} file
 * @returns {ReadonlyArray<readonly [name: string, does: string]>}
 */
const operationsIn = (file) =>
  ts
    .createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)
    .statements.flatMap((statement) => {
      if (!ts.isVariableStatement(statement) || statement.modifiers?.[0]?.kind !== ts.SyntaxKind.ExportKeyword) {
        return []
      }
      const [comment] = ts.getJSDocCommentsAndTags(statement)
      const [first] = comment && typeof comment.comment === "object" ? comment.comment : []
      return statement.declarationList.declarations.map(({ name }) => [name.getText(), first?.text ?? ""])
    })

/** Writes the files that have other operations than core. */
export const writeEntries = () => {
  for (const [domain, what] of Object.entries(domains)) {
    const path = join(folder, `${domain}.ts`)
    const constants = operationsIn(join(core, `${domain}.ts`)).map(
      ([name, does]) =>
        `/** ${does}\`catalog.${domain}.${name}\`. */\nexport const ${name}: CatalogOperation<"${domain}.${name}"> = operations.${name}`
    )
    const text = `/**
 * The operations on ${what}, for \`createCatalogOf\`. Written by the build, from those of core.
 */
import type { CatalogOperation } from "../createCatalog.js"
import * as operations from "#core/${domain}.js"

${constants.join("\n\n")}
`
    const words = (/** @type {string} */ source) => source.replaceAll(/\s+/g, "")
    if (words(text) !== words(readFileSync(path, "utf8"))) {
      writeFileSync(path, text)
    }
  }
}
