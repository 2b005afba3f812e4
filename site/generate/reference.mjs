// Writes docs/api, the reference of the entry points, from the doc comments of what is built, and the OpenAPI document of the
// service: `npm run docs` runs it. The packages for Effect are those for Effect 4. The table of docs/reference.md says what a page
// begins with, and in which groups. For the site, it also writes where each name is explained (names.json) and where the types in
// signatures lead (signatures.json). It fails if a public name has no comment, or if a link in one leads nowhere.
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isNamespace, load } from "../../scripts/generate/declarations.mjs"
import { openApi } from "./openApi.mjs"
import { root } from "../../scripts/workspace.mjs"
import { isCatalogOfEffect, membersOfNamespace, problems } from "./reference/exports.mjs"
import { shownIn } from "./reference/written.mjs"
import { fence } from "./reference/code.mjs"
import { introductionOf, shortOf, withOperations } from "./reference/comments.mjs"
import { entryPointsTitle, groupsOf, ofOperationsTitle } from "./reference/groups.mjs"
import { addressFrom, headings, importsOf, outline, places } from "./reference/outline.mjs"
import { operationsOfEffect } from "./reference/operations.mjs"
import { commentOf, linksOf, textOf } from "./reference/text.mjs"

/** @import { Section } from "./reference/exports.mjs" */

/** @type {typeof import("../urls.js")} */
const { anchorOf } = await load("site/urls.ts")

/** A title whose name is code: `Plan` (type). @param {string} title */
const titleCode = (title) => title.replace(/^\S+/, "`$&`")

/** The names of a page by group, a line for each: its own before those of other pages. @param {(typeof outline)[number]} page */
const indexOf = ({ file, index }) =>
  index
    .map(([title, names]) => {
      // A function of a catalog is found by its own name.
      const members = (groupsOf(file).find((group) => group.title === title)?.anchors ?? []).flatMap((anchor) => {
        const address = `${file}#${anchor}`
        const name = headings.get(address)
        const isMember =
          name !== undefined && !names.some(([, other]) => other === address) && anchorOf(name) !== anchor
        return isMember ? [/** @type {const} */ ([name, address])] : []
      })
      const all = [...members, ...names]
      const isOwn = (/** @type {readonly [string, string]} */ [, address]) => address.startsWith(`${file}#`)
      const sorted = [...all.filter(isOwn), ...all.filter((named) => !isOwn(named))]
      return `- **${title}**: ${sorted.map(([name, address]) => `[${titleCode(name)}](${addressFrom(address, file)})`).join(", ")}`
    })
    .join("\n")

/** Names of operations' types, and what each is, a row for each. @param {ReadonlyArray<Section>} sections @param {string} file */
const operationsTable = (sections, file) => {
  const rows = sections.map((section) => {
    const texts = section.statements.map((statement) => commentOf(statement, file).text)
    const text = withOperations([...new Set(texts), shortOf(section) ?? ""].join(" ").trim())
    return `| \`${section.heading}\` | ${text.match(/\[[^\]]*\]\([^)]*\)/g)?.join(", ") ?? text} |`
  })
  const [first] = sections.flatMap(importsOf)
  return [...(first === undefined ? [] : [fence(first)]), ["| Type | Of |", "| --- | --- |", ...rows].join("\n")]
}

/** Where the types in signatures are explained: by the page, by the signature, and by the names in it. @type {Record<string, Record<string, Record<string, string>>>} */
const signatureLinks = {}

/** A section's text, whose signatures are noted. @param {Section} section @param {string} file */
const notedTextOf = async (section, file) => {
  const parts = await textOf(section, file)
  const members = isNamespace(section.symbol) ? membersOfNamespace(section.symbol) : []
  const named = members.map(({ name, symbol }) => /** @type {const} */ ([name, { symbol, own: name }]))
  const links = isCatalogOfEffect(section)
    ? operationsOfEffect.links
    : linksOf(shortOf(section) === undefined ? [...shownIn(section), ...named] : [], file)
  for (const part of parts) {
    const [, code = ""] = /^```ts signature\n([^]*)\n```$/.exec(part) ?? []
    const known = Object.fromEntries([...links].filter(([name]) => code.includes(name)))
    if (Object.keys(known).length > 0) {
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
for (const page of outline) {
  const { entryPoints, file, groups, intro, title } = page
  const text = [`# ${title}`, intro, indexOf(page)]
  for (const { guides, sections, title } of groups) {
    text.push(`## ${title}`, guides)
    if (title === ofOperationsTitle) {
      text.push(...operationsTable(sections, file))
      continue
    }
    for (const section of sections) {
      text.push(...(await notedTextOf(section, file)))
    }
  }
  if (entryPoints.length > 1) {
    text.push(`## ${entryPointsTitle}`)
    for (const { title, types } of entryPoints) {
      text.push(`### ${titleCode(title)}`, introductionOf(types))
    }
  }
  writeFileSync(join(folder, file), `${text.filter((part) => part !== "").join("\n\n")}\n`)
}
writeFileSync(join(folder, "signatures.json"), JSON.stringify(signatureLinks, null, 2))
writeFileSync(join(folder, "names.json"), JSON.stringify(places, null, 2))
writeFileSync(join(folder, "openapi.json"), await openApi())
for (const problem of problems) {
  console.error(problem)
}
process.exitCode = problems.size === 0 ? 0 : 1
