// Writes docs/api, the reference of the entry points, from the doc comments of what is built, and the OpenAPI document of the
// service: `npm run docs` runs it. The packages for Effect are those for Effect 4. The table of docs/reference.md says what a page
// begins with, and in which groups. It fails if a public name has no comment, or if a link in one leads nowhere.
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { load } from "../../scripts/generate/declarations.mjs"
import { openApi } from "./openApi.mjs"
import { root } from "../../scripts/workspace.mjs"
import { problems } from "./reference/exports.mjs"
import { shownIn } from "./reference/written.mjs"
import { introductionOf, shortOf, withOperations } from "./reference/comments.mjs"
import { groupsOf, ofOperationsTitle } from "./reference/groups.mjs"
import { headings, link, outline } from "./reference/outline.mjs"
import { commentOf, linksOf, textOf } from "./reference/text.mjs"

/** @import { Section } from "./reference/exports.mjs" */

/** @type {typeof import("../urls.js")} */
const { anchorOf } = await load("site/urls.ts")

/** The names of a module by group, a line for each. @param {(typeof outline)[number]["parts"][number]} part @param {string} file */
const indexOf = ({ groups, index }, file) => {
  const lines = [...index].map(([title, names]) => {
    // A function of a catalog is found by its own name.
    const members = (groupsOf(file).find((group) => group.title === title)?.anchors ?? []).flatMap((anchor) => {
      const address = `${file}#${anchor}`
      const name = headings.get(address)
      const isMember = name !== undefined && !names.some(([, other]) => other === address) && anchorOf(name) !== anchor
      return isMember ? [/** @type {const} */ ([name, address])] : []
    })
    const links = [...members, ...names].map(([name, address]) => link(name, address, file)).join(", ")
    return title === "" ? links : `- **${title}**: ${links}`
  })
  const isLong = groups.flatMap(({ sections }) => sections).length > 3 || index.size > 1
  return isLong || [...index.values()].flat().some(([, address]) => !address.startsWith(`${file}#`))
    ? lines.join("\n")
    : ""
}

/** Names of operations' types, and what each is, a row for each. @param {ReadonlyArray<Section>} sections @param {string} file */
const operationsTable = (sections, file) => {
  const rows = sections.map((section) => {
    const texts = section.statements.map((statement) => commentOf(statement, file).text)
    const text = withOperations([...new Set(texts), shortOf(section) ?? ""].join(" ").trim())
    return `| \`${section.heading}\` | ${text.match(/\[[^\]]*\]\([^)]*\)/g)?.join(", ") ?? text} |`
  })
  return ["| Type | Of |", "| --- | --- |", ...rows].join("\n")
}

/** Where the types in signatures are explained: by the page, by the signature, and by the names in it. @type {Record<string, Record<string, Record<string, string>>>} */
const signatureLinks = {}

/** A section's text, whose signatures are noted. @param {Section} section @param {string} file */
const notedTextOf = async (section, file) => {
  const parts = await textOf(section, file)
  const links = linksOf(shortOf(section) === undefined ? shownIn(section) : [], file)
  for (const part of parts) {
    const [, code = ""] = /^```ts\n([^]*)\n```$/.exec(part) ?? []
    const known = Object.fromEntries([...links].filter(([name]) => code.includes(name)))
    if (code !== "" && !/^import /m.test(code) && Object.keys(known).length > 0) {
      const onPage = (signatureLinks[file] ??= {})
      if (JSON.stringify(onPage[code] ?? known) !== JSON.stringify(known)) {
        problems.add(`${file}: one signature has different links: ${code}`)
      }
      onPage[code] = known
    }
  }
  return parts
}

const folder = join(root, "docs/api")
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const { file, intro, parts, title } of outline) {
  const text = [`# ${title}`, intro]
  for (const part of parts) {
    text.push(`## \`${part.module}\``, introductionOf(part.types))
    text.push(part.elsewhere.size === 0 ? "" : `It also exports what \`${[...part.elsewhere][0]}\` does.`)
    text.push(indexOf(part, file))
    for (const { guides, sections, title } of part.groups) {
      text.push(title === "" ? "" : `## ${title}`, guides)
      if (title === ofOperationsTitle) {
        text.push(operationsTable(sections, file))
        continue
      }
      for (const section of sections) {
        text.push(...(await notedTextOf(section, file)))
      }
    }
  }
  writeFileSync(join(folder, file), `${text.filter((part) => part !== "").join("\n\n")}\n`)
}
writeFileSync(join(folder, "signatures.json"), JSON.stringify(signatureLinks, null, 2))
writeFileSync(join(folder, "openapi.json"), await openApi())
for (const problem of problems) {
  console.error(problem)
}
process.exitCode = problems.size === 0 ? 0 : 1
