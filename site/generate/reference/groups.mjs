// The groups of a page: the rows of docs/reference.md say what each is for, and which names it begins with.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { found, isNamespace, load } from "../../../scripts/generate/declarations.mjs"
import { root } from "../../../scripts/workspace.mjs"
import { pages } from "./pages.mjs"
import { aliased, checker, isValue, namespaces } from "./exports.mjs"
import { isOfOperations } from "./comments.mjs"

/** @import { Section } from "./exports.mjs" */

/** @type {typeof import("../../urls.js")} */
const { anchorOf } = await load("site/urls.ts")

/** @typedef {{ readonly title: string, readonly guides: string, readonly anchors: ReadonlyArray<string> }} Group What a reader wants to do, what to read first, and the names for it. */

export const rows = readFileSync(join(root, "docs/reference.md"), "utf8").match(/^\| .*\]\(.*$/gm) ?? []

/** A link to a guide, with the beginning of its title. @param {string} address from docs/reference.md */
const linkToGuide = (address) => {
  const text = readFileSync(join(root, "docs", address.replace(/#.*/, "")), "utf8")
  return `[${/^# ([^:,\n]+)/m.exec(text)?.[1]}](../${address})`
}

/** @param {string} file @returns {ReadonlyArray<Group>} */
const readGroups = (file) =>
  rows.map((row) => {
    const [, task = ""] = row.split(" | ", 1)[0]?.match(/^\| (.*)/) ?? []
    // Of a catalog or a client, a page has one.
    const here =
      file === "core.md"
        ? task.replace(/\[[^\]]+\]\(start\/promise\.md\) or /, "")
        : task.replace(/ or \[[^\]]+\]\(start\/effect\.md\)/, "")
    const title = here.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    const guides = Array.from(here.matchAll(/\]\(([^)]+)\)/g), ([, address = ""]) => linkToGuide(address))
    const links = [...row.matchAll(/[(][^()]*[/]api[/]([\w-]+)#(\w+)(?:-\w+)?[)]/g)]
    // Its own names come first; those of other pages are in its index.
    const anchors = [true, false].flatMap((isOwn) =>
      links.flatMap(([, page, anchor = ""]) => ((`${page}.md` === file) === isOwn ? [anchor] : []))
    )
    return { title: title.charAt(0).toUpperCase() + title.slice(1), guides: guides.join(", "), anchors }
  })

const groupsByPage = new Map(pages.map(({ file }) => [file, readGroups(file)]))

/** The groups of a page. @param {string} file */
export const groupsOf = (file) => found(groupsByPage.get(file), file)

/** Modules that programs import as a whole, by the names that they give them. */
const wholeModules = Object.values(namespaces)

/** Whether docs/reference.md links to a section. @param {Section} section @param {string} file */
export const isNamed = ({ heading }, file) => groupsOf(file).some(({ anchors }) => anchors.includes(anchorOf(heading)))

export const ofOperationsTitle = "Operations and their inputs"

export const unexportedTitle = "Unexported types"

export const otherTitle = "Other names"

export const entryPointsTitle = "Entry points"

/** What the types of a section name. @param {Section} section */
const referencesOf = ({ statements }) => {
  /** @type {Set<ts.Symbol>} */
  const symbols = new Set()
  /** @param {ts.Node} node */
  const visit = (node) => {
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined
    if (symbol !== undefined) {
      symbols.add(aliased(symbol))
    }
    ts.forEachChild(node, visit)
  }
  statements.forEach(visit)
  return symbols
}

/** Values before types, and below each function the options that it takes. @param {ReadonlyArray<Section>} sections */
const ordered = (sections) => {
  const types = new Set(sections.filter((section) => !isNamespace(section.symbol) && !isValue(section)))
  const values = sections
    .filter((section) => !types.has(section))
    .flatMap((section) => {
      const options = [...types].filter(
        ({ name, symbol }) => /Options$|^DatasetParts$/.test(name) && referencesOf(section).has(symbol)
      )
      options.forEach((option) => types.delete(option))
      return [section, ...options]
    })
  return [...values, ...types]
}

/**
 * The sections of a module in groups. Each begins with the names of `docs/reference.md`; what their types name follows, with the
 * nearest of them. What only leads to another page comes last.
 *
 * @param {ReadonlyArray<Section>} sections
 * @param {ReadonlyArray<Group>} groups
 */
export const grouped = (sections, groups) => {
  const left = new Set(sections.filter((section) => !isOfOperations(section)))
  const ofOperations = sections.filter(isOfOperations)
  /** @param {ReadonlyArray<Section>} taken */
  const take = (taken) => {
    taken.forEach((section) => left.delete(section))
    return taken
  }
  const made = groups.map(({ anchors, title }) => ({
    title,
    sections: anchors.flatMap((anchor) => {
      // Options of a namespace are where those of the other face are.
      const named = [...left].filter(
        ({ heading, name }) => anchorOf(heading) === anchor || (/.Options$/.test(name) && anchorOf(name) === anchor)
      )
      return take([...named.filter(isValue), ...named.filter((section) => !isValue(section))])
    })
  }))
  // The other members of a namespace are with it.
  for (const { sections } of made) {
    const spaces = sections.flatMap(({ heading, symbol }) => {
      const [root = ""] = heading.split(".")
      return isNamespace(symbol) ? [`${heading}.`] : wholeModules.includes(root) ? [`${root}.`] : []
    })
    sections.push(...take([...left].filter(({ heading }) => spaces.some((space) => heading.startsWith(space)))))
  }
  made.push({ title: otherTitle, sections: [...take([...left].filter(isValue))] })
  let last = made.map(({ sections }) => [...sections])
  while (last.some((sections) => sections.length > 0)) {
    last = last.map((sections, at) => {
      const named = sections.flatMap((section) => [...referencesOf(section)])
      const next = take(named.flatMap((symbol) => [...left].find((section) => section.symbol === symbol) ?? []))
      made[at]?.sections.push(...new Set(next))
      return [...new Set(next)]
    })
  }
  made.at(-1)?.sections.push(...left)
  return [
    ...made.map(({ sections, title }) => ({ title, sections: ordered(sections) })),
    { title: ofOperationsTitle, sections: ofOperations }
  ]
}
