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
    const links = [...row.matchAll(/\[`([^`.]+)[^`]*`\][(][^()]*[/]api[/]([\w-]+)#(\w+)(?:-\w+)?[)]/g)]
    // Its own names come first; those of other pages are in its index. The members of a name follow it.
    const anchors = [true, false].flatMap((isOwn) => {
      const named = links.filter(([, , page]) => (`${page}.md` === file) === isOwn)
      const roots = [...new Set(named.map(([, root]) => root))]
      return roots.flatMap((root) => named.flatMap(([, own, , anchor = ""]) => (own === root ? [anchor] : [])))
    })
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

/**
 * What docs/reference.md names, in its order; then values, then types, which only support them. The options that a function takes
 * are below it, and those of a namespace below that.
 *
 * @param {ReadonlyArray<Section>} sections
 * @param {number} count how many it names
 */
const ordered = (sections, count) => {
  const isType = (/** @type {Section} */ section) => !isNamespace(section.symbol) && !isValue(section)
  const [named, others] = [sections.slice(0, count), sections.slice(count)]
  const all = [...named, ...others.filter((section) => !isType(section)), ...others.filter(isType)]
  const values = all.filter(isValue)
  /** The function that takes options, or the class that they are a member of. @param {Section} section */
  const ownerOf = (section) =>
    isType(section) && /Options$|^DatasetParts$/.test(section.name)
      ? (values.find(
          ({ heading, symbol }) => !isNamespace(symbol) && section.heading === `${heading}.${section.name}`
        ) ?? values.find((value) => referencesOf(value).has(section.symbol)))
      : undefined
  const owners = new Map(all.map((section) => [section, ownerOf(section)]))
  return all.flatMap((section) =>
    owners.get(section) === undefined ? [section, ...all.filter((option) => owners.get(option) === section)] : []
  )
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
  const made = groups.map(({ anchors, title }) => {
    const sections = anchors.flatMap((anchor) => {
      // Options of a namespace are where those of the other face are.
      const named = [...left].filter(
        ({ heading, name }) => anchorOf(heading) === anchor || (/.Options$/.test(name) && anchorOf(name) === anchor)
      )
      return take([...named.filter(isValue), ...named.filter((section) => !isValue(section))])
    })
    return { title, sections, count: sections.length }
  })
  // The other members of a namespace or a class are with it.
  for (const { sections } of made) {
    const spaces = sections.flatMap((section) => {
      const [root = ""] = section.heading.split(".")
      return wholeModules.includes(root)
        ? [`${root}.`]
        : isValue(section) || isNamespace(section.symbol)
          ? [`${section.heading}.`]
          : []
    })
    sections.push(...take([...left].filter(({ heading }) => spaces.some((space) => heading.startsWith(space)))))
  }
  made.push({ title: otherTitle, sections: [...take([...left].filter(isValue))], count: 0 })
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
    ...made.map(({ count, sections, title }) => ({ title, sections: ordered(sections, count) })),
    { title: ofOperationsTitle, sections: ofOperations }
  ]
}
