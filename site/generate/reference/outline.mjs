// What stands on each page, and at which address each name is explained.
import ts from "typescript"
import { found, isNamespace, load } from "../../../scripts/generate/declarations.mjs"
import { models } from "../../../scripts/generate/models.mjs"
import { pages } from "./pages.mjs"
import {
  aliased,
  isOurs,
  isPackage,
  isUnexported,
  isValue,
  memberTitle,
  membersOf,
  modules,
  problems
} from "./exports.mjs"
import { codeOf, shownIn } from "./written.mjs"
import { hasSection, isSaid, keyOf, optionsOf, shortOf, wordsOf } from "./comments.mjs"
import { grouped, groupsOf, isNamed, ofOperationsTitle, rows, unexportedTitle } from "./groups.mjs"

/** @import { Section } from "./exports.mjs" */

/** @type {typeof import("../../urls.js")} */
const { anchorOf } = await load("site/urls.ts")

/** Anchors as a page makes them: of two that are equal, the second has a number. @returns {(heading: string) => string} */
const anchors = () => {
  /** @type {Map<string, number>} */
  const uses = new Map()
  return (heading) => {
    const anchor = anchorOf(heading)
    const used = uses.get(anchor) ?? 0
    uses.set(anchor, used + 1)
    return used === 0 ? anchor : `${anchor}-${used}`
  }
}

/** The types that sections name and that programs cannot import, each before those that it names. @param {ReadonlyArray<Section>} sections */
const unexportedIn = (sections) => {
  /** @type {Map<ts.Symbol, Section>} */
  const all = new Map()
  /** @param {Section} section */
  const visit = (section) => {
    for (const [, { symbol }] of shownIn(section)) {
      if (isUnexported(symbol) && !all.has(symbol) && !addresses.has(symbol)) {
        const { declarations = [], name } = symbol
        const named = {
          heading: name,
          name,
          symbol,
          statements: declarations.filter((node) => !ts.isVariableDeclaration(node))
        }
        all.set(symbol, named)
        visit(named)
      }
    }
  }
  sections.forEach(visit)
  return [...all.values()]
}

/** Where each name is explained. @type {Map<ts.Symbol, string>} */
export const addresses = new Map()

/** The heading at each address. @type {Map<string, string>} */
export const headings = new Map()

/** Where a name is explained that a comment has, and its module does not import. @type {Map<string, string>} */
export const named = new Map()

/** The sections that a later module can repeat, by their names. @type {Map<string, Array<{ address: string, words: ReadonlySet<string>, keys: string }>>} */
const described = new Map()

/** The words of each section. @type {Map<string, ReadonlySet<string>>} */
export const wordsAt = new Map()

/** The modules that first export names. @type {Map<ts.Symbol, string>} */
export const modulesOf = new Map()

/** Where the function of another module is, which does the same as that of a section. @type {Map<Section, string>} */
export const like = new Map()

/** The section that first says what a function among the members does. @type {Map<string, Section>} */
const saidBy = new Map()

/** Sections whose functions do what those of another one do. @type {Map<Section, Section>} */
export const repeated = new Map()

/** @param {Section} section */
const noteFunctions = (section) => {
  const keys = section.statements.flatMap(membersOf).filter(hasSection).map(keyOf)
  const [other] = keys.map((key) => saidBy.get(key))
  if (other !== undefined && keys.every((key) => saidBy.get(key) === other)) {
    repeated.set(section, other)
  }
  keys.forEach((key) => saidBy.set(key, saidBy.get(key) ?? section))
}

/** Whether a section is a function with the signature that its module needs. @param {Section} section */
const isFunction = ({ statements }) =>
  statements.some(
    (node) =>
      ts.isVariableStatement(node) &&
      node.declarationList.declarations.some(({ type }) => type && ts.isFunctionTypeNode(type))
  )

/** The signatures of functions, by the addresses of their sections. @type {Map<string, string>} */
const signatures = new Map()

/** @param {Section} section */
const signatureOf = ({ statements }) => statements.map((node) => codeOf(node)).join("\n")

/** Whether a function that another section describes needs its own: its module has others for the same, or its types differ. @param {Section} section @param {string} known @param {string} module */
const isOther = (section, known, module) => {
  const [page = ""] = known.split("#")
  const isSamePage = pages.some(({ file, modules }) => file === page && modules.includes(module))
  return isPackage(module) ? signatures.get(known) !== signatureOf(section) : isSamePage
}

// The places of all sections are known before any of them is written, since links lead to them.
export const outline = pages.map(({ file, title, ...page }) => {
  const anchorIn = anchors()
  anchorIn(title)
  const groups = groupsOf(file)
  const parts = page.modules.map((module) => {
    headings.set(`${file}#${anchorIn(module)}`, module)
    const { sections, types } = found(modules.get(module), module)
    /** The modules whose names it exports, too. @type {Set<string>} */
    const elsewhere = new Set()
    /** Where another page, or another section, describes it. @param {Section} section */
    const knownAt = (section) => {
      const { name, statements, symbol } = section
      const words = wordsOf(section, statements.flatMap(membersOf))
      const keys = optionsOf(section)
      const known = described
        .get(name)
        ?.find((other) => isSaid(words, other.words) && (isPackage(module) || other.keys === keys))
      return addresses.get(symbol) ?? known?.address
    }
    /** What its index lists: names by group, with their addresses. @type {Map<string, Array<readonly [string, string]>>} */
    const index = new Map()
    /** @param {Section} section @param {string} address @param {boolean} isHere */
    const place = (section, address, isHere) => {
      const { name, statements, symbol } = section
      const isWhole = isHere && shortOf(section) === undefined
      if (isWhole) {
        noteFunctions(section)
      }
      addresses.set(symbol, address)
      for (const member of statements.flatMap(membersOf)) {
        const isCalled = isWhole && hasSection(member) && !repeated.has(section)
        const own = isCalled ? `${file}#${anchorIn(memberTitle(member, section))}` : address
        headings.set(own, headings.get(own) ?? member.symbol.name)
        addresses.set(member.symbol, addresses.get(member.symbol) ?? own)
        named.set(member.symbol.name, named.get(member.symbol.name) ?? own)
      }
      named.set(name, named.get(name) ?? address)
    }
    const all = grouped(sections, groups).map(({ sections, title }) => ({
      title,
      sections: sections.filter((section) => {
        const { heading, symbol } = section
        const origin = modulesOf.get(symbol)
        const known = knownAt(section)
        if (origin !== undefined && isPackage(origin)) {
          elsewhere.add(origin)
          return false
        }
        modulesOf.set(symbol, modulesOf.get(symbol) ?? module)
        if (known === undefined || (isFunction(section) && isOther(section, known, module))) {
          return true
        }
        if (isValue(section) || section.name.endsWith("Options")) {
          index.set(title, [...(index.get(title) ?? []), [heading, known]])
        }
        place(section, known, false)
        return false
      })
    }))
    const whole = all.flatMap(({ sections }) => sections).filter((section) => shortOf(section) === undefined)
    const unexported = unexportedIn(whole).filter((section) => {
      const known = knownAt(section)
      if (known !== undefined) {
        place(section, known, false)
      }
      return known === undefined
    })
    all.push({ title: unexportedTitle, sections: unexported })
    // A module with few names has no groups.
    const hasGroups = all.slice(0, groups.length).filter(({ sections }) => sections.length > 0).length > 1
    const own = all
      .filter(({ sections }) => sections.length > 0)
      .map(({ sections, title }) => {
        const isOfOperations = title === ofOperationsTitle
        const anchor = hasGroups || isOfOperations || title === unexportedTitle ? anchorIn(title) : ""
        for (const section of sections) {
          const { heading, name, statements } = section
          const known = knownAt(section)
          const address = `${file}#${isOfOperations ? anchor : anchorIn(heading)}`
          headings.set(address, isOfOperations ? title : heading)
          const words = wordsOf(section, statements.flatMap(membersOf))
          described.set(name, [...(described.get(name) ?? []), { address, words, keys: optionsOf(section) }])
          wordsAt.set(address, words)
          if (known !== undefined) {
            like.set(section, known)
          }
          signatures.set(address, signatureOf(section))
          // The types that only others name follow them, and options follow their functions.
          if (isValue(section) || isNamespace(section.symbol) || isNamed(section, file)) {
            index.set(title, [...(index.get(title) ?? []), [heading, address]])
          }
          place(section, address, true)
        }
        const guides = groups.find((group) => group.title === title)?.guides ?? ""
        return {
          title: anchor === "" ? "" : title,
          guides: guides && `${guides.includes(", ") ? "Guides" : "Guide"}: ${guides}`,
          sections
        }
      })
    index.delete(ofOperationsTitle)
    index.delete(unexportedTitle)
    const listed = all.flatMap(({ title }) => {
      const names = index.get(title)
      return names === undefined ? [] : [/** @type {const} */ ([title, names])]
    })
    const isLong = listed.flatMap(([, names]) => names).length > 20
    return {
      module,
      types,
      groups: own,
      index: new Map(isLong ? listed : [["", listed.flatMap(([, names]) => names)]]),
      elsewhere
    }
  })
  return { ...page, file, title, parts }
})

for (const [, name = "", page = "", anchor = ""] of rows
  .join()
  .matchAll(/\[`([^`]+)`\]\([^()]*[/]api[/]([\w-]+)#([\w-]+)\)/g)) {
  const heading = headings.get(`${page}.md#${anchor}`)
  if (heading !== name) {
    problems.add(`docs/reference.md: the link of ${name} leads to ${heading ?? "nothing"}`)
  }
}

/** An address as a page writes it. @param {string} address @param {string} file the page */
export const addressFrom = (address, file) => (address.startsWith(`${file}#`) ? address.slice(file.length) : address)

/** A link to where something is explained. @param {string} text @param {string} address @param {string} file the page that it is on */
export const link = (text, address, file) => `[\`${text}\`](${addressFrom(address, file)})`

/** Where a name is explained; `undefined` if it is not of the packages. @param {ts.Symbol | undefined} symbol */
export const addressOf = (symbol) => {
  const target = symbol && aliased(symbol)
  return target && models.has(target.name) && target.declarations?.some(isOurs)
    ? `../operations/records.md#${anchorOf(target.name)}`
    : target && addresses.get(target)
}

/** @param {Section} section */
export const moduleOfSymbol = ({ symbol }) => found(modulesOf.get(symbol), symbol.name)

/** @param {Section} section */
export const addressIn = ({ symbol }) => found(addresses.get(symbol), symbol.name)

/** The module with a section. @param {string} address */
export const moduleAt = (address) =>
  found(
    outline
      .flatMap(({ parts }) => parts)
      .find(({ index }) => [...index.values()].flat().some(([, at]) => at === address))?.module,
    address
  )
