// What stands on each page, and at which address each name is explained.
import ts from "typescript"
import { found, isNamespace, load } from "../../../scripts/generate/declarations.mjs"
import { models } from "../../../scripts/generate/models.mjs"
import { pages } from "./pages.mjs"
import {
  aliased,
  exported,
  isCatalogOfEffect,
  isMachinery,
  isOurs,
  isPackage,
  isUnexported,
  isValue,
  memberTitle,
  membersOf,
  modules,
  namespaces,
  problems
} from "./exports.mjs"
import { codeOf, shownIn } from "./written.mjs"
import { aboutOf, hasSection, isSaid, keyOf, operationOf, optionsOf, shortOf, wordsOf } from "./comments.mjs"
import {
  entryPointsTitle,
  grouped,
  groupsOf,
  isNamed,
  ofOperationsTitle,
  otherTitle,
  rows,
  unexportedTitle
} from "./groups.mjs"
import { titlesOf } from "./titles.mjs"

/** @import { Section } from "./exports.mjs" */

/** @type {typeof import("../../urls.js")} */
const { anchorOf } = await load("site/urls.ts")

/** The types that sections name and that programs cannot import, each before those that it names. @param {ReadonlyArray<Section>} sections */
const unexportedIn = (sections) => {
  /** @type {Map<ts.Symbol, Section>} */
  const all = new Map()
  /** @param {Section} section */
  const visit = (section) => {
    for (const [, { symbol }] of shownIn(section)) {
      if (isUnexported(symbol) && !isMachinery(symbol) && !all.has(symbol) && !addresses.has(symbol)) {
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
const named = new Map()

/** The same, on a page that explains it itself, and for the face of a comment. @param {string} file @param {string} name @param {boolean} [isEffect] */
export const namedOn = (file, name, isEffect = false) =>
  (isEffect ? named.get(`Effect ${file} ${name}`) : undefined) ?? named.get(`${file} ${name}`) ?? named.get(name)

/** @param {string} name @param {string} address @param {string} module */
const note = (name, address, module) => {
  const page = `${address.split("#")[0]} ${name}`
  for (const key of [name, page, ...(isPackage(module) ? [`Effect ${page}`] : [])]) {
    named.set(key, named.get(key) ?? address)
  }
}

/** The sections that a later module can repeat, by their names. @type {Map<string, Array<{ address: string, words: ReadonlySet<string>, keys: string, shape: string }>>} */
const described = new Map()

/** The words of each section. @type {Map<string, ReadonlySet<string>>} */
export const wordsAt = new Map()

/** The titles of sections. @type {Map<Section, string>} */
export const titlesAt = new Map()
/** The titles of functions among the members of sections, by their names. @type {Map<Section, Map<string, string>>} */
export const memberTitlesAt = new Map()
/** The modules of sections, by their addresses. @type {Map<string, string>} */
const modulesAt = new Map()
/** What a package for Effect exports, which the section at an address is about, too. @type {Map<string, { readonly module: string, readonly section: Section }>} */
const others = new Map()
/** All names that have a section, with what each is, and with an empty name the entry points. @type {Array<{ readonly name: string, readonly module: string, readonly address: string, readonly isMember: boolean, readonly kind?: string, readonly line?: string }>} */
export const places = []
/** The modules that first export names. @type {Map<ts.Symbol, string>} */
export const modulesOf = new Map()

/** Where the function of another module is, which does the same as that of a section. @type {Map<Section, string>} */
export const like = new Map()

/** The section that first says what a function among the members does. @type {Map<string, Section>} */
const saidBy = new Map()

/** Sections whose functions do what those of another one do. @type {Map<Section, Section>} */
export const repeated = new Map()

/** @param {Section} section @param {string} face whose options they are */
const noteFunctions = (section, face) => {
  const members = section.statements.flatMap(membersOf).filter(hasSection)
  const keys = members.map((member) => `${face} ${keyOf(member)}`)
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

/** The members of a type, and which of them have Effects. @param {Section} section */
const shapeOf = ({ statements }) =>
  statements.some(ts.isInterfaceDeclaration)
    ? statements
        .flatMap(membersOf)
        .map(({ declared, given, symbol }) => `${symbol.name} ${/\bEffect</.test(codeOf(declared, given))}`)
        .sort()
        .join("\n")
    : ""

/** Whether a section recognizes errors: with Effect it is a refinement, with programs of its own. @param {Section} section */
const isGuard = ({ name }) => /^is[A-Z]/.test(name)

/** The signatures of functions, by the addresses of their sections. @type {Map<string, string>} */
const signatures = new Map()

/** @param {Section} section */
const signatureOf = ({ statements }) => statements.map((node) => codeOf(node)).join("\n")

/** Whether a function that another section describes needs its own: its module has others for the same, or its types differ. @param {Section} section @param {string} known @param {string} module */
const isOther = (section, known, module) => {
  const [page = ""] = known.split("#")
  const isSamePage = pages.some(({ file, modules }) => file === page && modules.includes(module))
  return isPackage(module) ? isGuard(section) || signatures.get(known) !== signatureOf(section) : isSamePage
}

// The places of all sections are known before any of them is written, since links lead to them.
export const outline = pages.map(({ file, modules: names, ...page }) => {
  const { titleOf, titleOfMember, titleOfModule, use } = titlesOf(
    names,
    names.find((name) => `${name.split("/").at(-1)}.md` === file)
  )
  use(page.title)
  const groups = groupsOf(file)
  const titles = [...groups.map(({ title }) => title), otherTitle, ofOperationsTitle, unexportedTitle]
  titles.forEach(use)
  if (names.length > 1) {
    use(entryPointsTitle)
  }
  const ofModules = names.length > 1 ? names.map(titleOfModule) : []
  /** What its index lists: names by group, with their addresses. @type {Map<string, Array<readonly [string, string]>>} */
  const index = new Map(titles.map((title) => [title, []]))
  const parts = names.map((module, at) => {
    const introduction = ofModules[at] ?? ""
    places.push({
      name: "",
      module,
      address: introduction === "" ? file : `${file}#${anchorOf(introduction)}`,
      isMember: false
    })
    const { sections, types } = found(modules.get(module), module)
    /** Whether each face has it, since the types differ. @param {Section} section */
    const isOwn = ({ name }) => isPackage(module) && /(?:Options|^Hooks|^Client\w+Error|^PagedItems)$/.test(name)
    /** Where another page, or another section, describes it. @param {Section} section */
    const knownAt = (section) => {
      const { name, statements, symbol } = section
      const members = statements.flatMap(membersOf)
      const words = wordsOf(section, members)
      const keys = optionsOf(section)
      const shape = shapeOf(section)
      const known = described.get(name)?.find(
        (other) =>
          (other.address.startsWith(`${file}#`) ? !isPackage(module) || other.shape === shape : !isOwn(section)) &&
          isSaid(words, other.words) &&
          // A function that only one of them has is no word among many.
          members.every((member) => !hasSection(member) || other.words.has(member.symbol.name.toLowerCase())) &&
          (isPackage(module) || other.keys === keys)
      )
      return addresses.get(symbol) ?? known?.address
    }
    /** @param {Section} section @param {string} address @param {boolean} isHere */
    const place = (section, address, isHere) => {
      const { name, statements, symbol } = section
      const isWhole = isHere && shortOf(section) === undefined
      if (isWhole) {
        noteFunctions(section, isOwn(section) ? module : "")
      }
      addresses.set(symbol, address)
      for (const member of statements.flatMap(membersOf)) {
        const isCalled = isWhole && hasSection(member) && !repeated.has(section)
        const title = isCalled ? titleOfMember(member, section, module) : ""
        const own = isCalled ? `${file}#${anchorOf(title)}` : address
        memberTitlesAt.set(section, (memberTitlesAt.get(section) ?? new Map()).set(member.symbol.name, title))
        headings.set(own, headings.get(own) ?? member.symbol.name)
        addresses.set(member.symbol, addresses.get(member.symbol) ?? own)
        note(member.symbol.name, own, module)
        if (isCalled) {
          places.push({ name: memberTitle(member, section), module, address: own, isMember: true })
        }
      }
      note(name, address, module)
    }
    const all = grouped(sections, groups).map(({ sections, title }) => ({
      title,
      sections: sections.filter((section) => {
        const { heading, symbol } = section
        const origin = modulesOf.get(symbol)
        const known = knownAt(section)
        if (origin !== undefined && isPackage(origin)) {
          return false
        }
        modulesOf.set(symbol, modulesOf.get(symbol) ?? module)
        if (known === undefined || (isFunction(section) && isOther(section, known, module))) {
          return true
        }
        if (headings.get(known) === heading && isPackage(module)) {
          others.set(known, others.get(known) ?? { module, section })
        }
        if (isValue(section) || section.name.endsWith("Options")) {
          const names = found(index.get(title), title)
          if (names.every(([, address]) => address !== known)) {
            names.push([heading, known])
          }
        }
        place(section, known, false)
        return false
      })
    }))
    const whole = all.flatMap(({ sections }) => sections).filter((section) => shortOf(section) === undefined)
    const unexported = unexportedIn(whole.filter((section) => !isCatalogOfEffect(section))).filter((section) => {
      const known = knownAt(section)
      if (known !== undefined) {
        place(section, known, false)
      }
      return known === undefined
    })
    all.push({ title: unexportedTitle, sections: unexported })
    for (const { sections, title } of all) {
      for (const section of sections) {
        const { heading, name, statements } = section
        const isOfOperations = title === ofOperationsTitle
        const known = knownAt(section)
        const shown = isOfOperations ? title : titleOf(section, module)
        const address = (isOfOperations ? operationOf(section) : undefined) ?? `${file}#${anchorOf(shown)}`
        if (!isOfOperations) {
          headings.set(address, heading)
        }
        titlesAt.set(section, shown)
        const words = wordsOf(section, statements.flatMap(membersOf))
        const all = { address, words, keys: optionsOf(section), shape: shapeOf(section) }
        described.set(name, [...(described.get(name) ?? []), all])
        wordsAt.set(address, words)
        // What another page says of the other face is said here, too; a Stream is like no promise.
        const isStream = /=> Stream[.]/.test(signatureOf(section))
        if (known !== undefined && !isStream && (!isPackage(module) || known.startsWith(`${file}#`))) {
          like.set(section, known)
        }
        signatures.set(address, signatureOf(section))
        modulesAt.set(address, module)
        if (title !== unexportedTitle) {
          places.push({ name: heading, module, address, isMember: false, ...aboutOf(section) })
        }
        // The types that only others name follow them, and options follow their functions.
        if (isValue(section) || isNamespace(section.symbol) || isNamed(section, file)) {
          found(index.get(title), title).push([shown, address])
        }
        place(section, address, true)
      }
    }
    return { title: introduction, types, groups: all }
  })
  const written = titles.flatMap((title) => {
    const { anchors = [], guides = "" } = groups.find((group) => group.title === title) ?? {}
    const sections = parts
      .flatMap(({ groups }) => {
        // What docs/reference.md names, with what follows it in its module.
        let place = -1
        return groups
          .flatMap((group) => (group.title === title ? group.sections : []))
          .map((section) => {
            place = Math.max(place, anchors.indexOf(anchorOf(section.heading)))
            return { place, section }
          })
      })
      .toSorted((one, other) => one.place - other.place)
      .map(({ section }) => section)
    return sections.length === 0
      ? []
      : [{ title, guides: guides && `${guides.includes(", ") ? "Guides" : "Guide"}: ${guides}`, sections }]
  })
  const order = written.flatMap(({ sections }) => sections.map(({ symbol }) => addresses.get(symbol)))
  return {
    ...page,
    file,
    entryPoints: parts,
    index: [...index].flatMap(([title, names]) =>
      names.length === 0 || title === ofOperationsTitle || title === unexportedTitle
        ? []
        : [
            /** @type {const} */ ([
              title,
              names.toSorted(([, one], [, other]) => order.indexOf(one) - order.indexOf(other))
            ])
          ]
    ),
    groups: written
  }
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
export const moduleAt = (address) => found(modulesAt.get(address), address)

/** The section of the other face that is described with one. @param {Section} section */
export const otherOf = (section) => (like.has(section) ? undefined : others.get(addressIn(section)))

/** How programs import a section's name; nothing where they cannot. @param {Section} section */
export const importsOf = (section) => {
  const { heading, symbol } = section
  const [root = ""] = heading.split(".")
  const other = otherOf(section)?.module
  const isType = root === heading && !isValue(section) && !isNamespace(symbol)
  return exported.has(symbol)
    ? [moduleOfSymbol(section), ...(other === undefined ? [] : [other])].map((module) => {
        const isWhole = namespaces[module] === root
        const names = isWhole ? `* as ${root}` : `${isType ? "type " : ""}{ ${root} }`
        return `import ${names} from "${module}"${module === other ? " // with Effect" : ""}`
      })
    : []
}
