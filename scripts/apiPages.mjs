// The pages of docs/api: what each entry point exports, from the doc comments of the declarations.
import { existsSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import ts from "typescript"
import {
  entryPoints,
  formatted,
  found,
  isNamespace,
  isValue,
  load,
  print,
  printNode,
  readDeclarations,
  readHomes,
  statementsOf
} from "./declarations.mjs"
import { models } from "./models.mjs"
import { root } from "./setup.mjs"

/** Where the pages are kept. */
export const folder = join(root, "docs/api")

/** @type {typeof import("../docs/.vitepress/urls.js")} */
const { anchorOf } = await load("docs/.vitepress/urls.ts")
const { checker, moduleOf } = readDeclarations()
const { exportsOf, homes, target } = readHomes()

/**
 * @typedef {(typeof entryPoints)[number]} EntryPoint
 *
 * @typedef {object} Member
 * @property {string} name with the members around it: `extra.query`
 * @property {ts.Symbol} symbol
 * @property {ts.Node} node
 * @property {boolean} isFunction
 *
 * @typedef {object} Page of an entry point, of a subject of one, or of a namespace that one exports
 * @property {string} file
 * @property {string} title as Markdown
 * @property {string} [subject] its name
 * @property {string} [about] what its subject is; other pages have the doc comment of their module
 * @property {EntryPoint} entry
 * @property {ts.Symbol} module
 * @property {ReadonlyArray<Section>} sections
 *
 * @typedef {object} Section
 * @property {string} title what a program writes for it, without the import: `Transport.make`
 * @property {ts.Symbol} symbol
 * @property {ReadonlyArray<Member>} members those with a doc comment
 */

/** @param {string} text */
const code = (text) => `\`${text}\``

/**
 * The text of a doc comment as it is declared, with its links.
 *
 * @param {ts.Symbol} symbol
 */
const commentOf = (symbol) => {
  const whole = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim()
  // A value and a type of the same name each have a comment: two paragraphs.
  const parts = (symbol.declarations ?? []).flatMap((declaration) =>
    ts
      .getJSDocCommentsAndTags(declaration)
      .filter(ts.isJSDoc)
      .map(({ comment }) => (ts.getTextOfJSDocComment(comment) ?? "").trim())
  )
  return parts.filter((part) => part !== "").length > 1 && parts.join("\n") === whole ? parts.join("\n\n") : whole
}

/**
 * @param {ts.Symbol} symbol
 * @param {string} name
 */
const tagsOf = (symbol, name) =>
  symbol.getJsDocTags(checker).flatMap((tag) => (tag.name === name ? [ts.displayPartsToString(tag.text).trim()] : []))

/**
 * What the first release has needs no date. The version can be one that is not released yet.
 *
 * @param {string} version
 */
const sinceText = (version) => (version === "0.2.0" ? "" : `Since [${version}](../../CHANGELOG.md).`)

/** @param {ts.Node} node */
const isFunction = (node) =>
  ts.isMethodSignature(node) ||
  ts.isMethodDeclaration(node) ||
  (ts.isPropertySignature(node) && node.type !== undefined && ts.isFunctionTypeNode(node.type))

/**
 * The members of a class, an interface or an object type that have a doc comment. Those of a class made by a function are
 * in the declaration of its base.
 *
 * @param {ts.Symbol} symbol
 */
const membersOf = (symbol) => {
  /**
   * By name: the base of a class with a Schema has its fields again for what they encode to.
   *
   * @type {Map<string, Member>}
   */
  const members = new Map()
  /**
   * @param {ts.Node} node
   * @param {string} prefix
   */
  const visit = (node, prefix) => {
    if (ts.isExpressionWithTypeArguments(node) && node.expression.getText().endsWith("_base")) {
      const base = checker.getSymbolAtLocation(node.expression)
      base?.declarations?.forEach((declaration) => visit(declaration, prefix))
      return
    }
    if (!ts.isTypeElement(node) && !ts.isClassElement(node)) {
      ts.forEachChild(node, (child) => visit(child, prefix))
      return
    }
    const member = node.name && checker.getSymbolAtLocation(node.name)
    const name = prefix + (node.name?.getText() ?? "")
    if (member && !members.has(name) && commentOf(member) !== "") {
      members.set(name, { name, symbol: member, node, isFunction: isFunction(node) && prefix === "" })
    }
    ts.forEachChild(node, (child) => visit(child, `${name}.`))
  }
  statementsOf(symbol).forEach((statement) => visit(statement, ""))
  return [...members.values()]
}

/**
 * The name by which another entry point exports a whole one: `Resilience`.
 *
 * @param {EntryPoint} entry
 */
const namespaceOf = ({ types }) =>
  entryPoints
    .flatMap((other) => exportsOf(moduleOf(other.types)).map(([name, symbol]) => ({ name, symbol, other })))
    .find(({ other, symbol }) => other.types !== types && symbol === moduleOf(types))

/** Values before types of the same name. */
const inOrder = (/** @type {Section} */ a, /** @type {Section} */ b) =>
  a.title.localeCompare(b.title, "en", { sensitivity: "base" }) || Number(isValue(b.symbol)) - Number(isValue(a.symbol))

/**
 * The subjects of core, which has too much for a page: each has the declarations of these files. Clients are on core's own.
 *
 * @type {Readonly<Record<string, { readonly about: string, readonly files: ReadonlyArray<string> }>>}
 */
const subjects = {
  Calls: {
    about: "Calls as types: their options, the fields of replies, replies with their responses, and whole lists.",
    files: ["Face", "Selector", "withResponse"]
  },
  Configuration: {
    about: "Options of a client: limits and defaults, the addresses of the service, and credentials.",
    files: ["CatalogConfig", "Credentials", "limits", "ServiceProfile"]
  },
  Errors: {
    about: "The four errors of a call. [Errors](../errors.md) says what to do about each.",
    files: ["CatalogError"]
  },
  Hooks: {
    about: "Hooks that observe calls, and policies that wrap each attempt.",
    files: ["CatalogHooks", "CatalogPolicy"]
  },
  Values: { about: "The known values of inputs and members, as arrays.", files: ["Word"] }
}

/**
 * The subject of a declaration, if its entry point is split into some.
 *
 * @param {EntryPoint} entry
 * @param {ts.Symbol} symbol
 */
const subjectOf = ({ report }, symbol) =>
  report === "core.md"
    ? Object.keys(subjects).find((name) =>
        symbol.declarations?.some((node) =>
          subjects[name]?.files.includes(basename(node.getSourceFile().fileName, ".d.ts"))
        )
      )
    : undefined

/**
 * The pages of an entry point: its own, and those of its subjects and namespaces. They have a section for all that it shows,
 * except the records and sets of values.
 *
 * @param {EntryPoint} entry
 * @returns {ReadonlyArray<Page>}
 */
const pagesOf = (entry) => {
  const module = moduleOf(entry.types)
  const isShown = (/** @type {ts.Symbol} */ symbol, /** @type {string} */ path) =>
    homes.get(symbol)?.specifier === entry.specifier && homes.get(symbol)?.path === path && !models.has(path)
  /**
   * @param {ts.Symbol} of
   * @param {string} prefix of titles
   * @param {string} path of homes
   */
  const sectionsOf = (of, prefix, path) =>
    exportsOf(of)
      .filter(([name, symbol]) => isShown(symbol, path + name) && !isNamespace(symbol))
      .map(([name, symbol]) => ({ title: prefix + name, symbol, members: membersOf(symbol) }))
      .sort(inOrder)
  const name = namespaceOf(entry)?.name
  const sections = sectionsOf(module, name === undefined ? "" : `${name}.`, "")
  const sectionsAbout = (/** @type {string | undefined} */ subject) =>
    sections.filter(({ symbol }) => subjectOf(entry, symbol) === subject)
  const fileFor = (/** @type {string} */ part) => entry.report.replace(".md", `-${part.toLowerCase()}.md`)
  return [
    { file: entry.report, title: code(entry.specifier), entry, module, sections: sectionsAbout(undefined) },
    ...Object.entries(subjects)
      .map(([subject, { about }]) => ({
        file: fileFor(subject),
        title: `${code(entry.specifier)}: ${subject.toLowerCase()}`,
        subject,
        about,
        entry,
        module,
        sections: sectionsAbout(subject)
      }))
      .filter(({ sections }) => sections.length > 0),
    ...exportsOf(module)
      .filter(([name, symbol]) => isNamespace(symbol) && isShown(symbol, name))
      .map(([name, symbol]) => ({
        file: fileFor(name),
        title: `${code(name)} of ${code(entry.specifier)}`,
        entry,
        module: symbol,
        sections: sectionsOf(symbol, `${name}.`, `${name}.`)
      }))
  ]
}

const pages = entryPoints.flatMap(pagesOf)

/**
 * The heading of a section. Anchors have no capitals, so a type whose value differs only in them says that it is a type.
 *
 * @param {string} title
 * @param {ReadonlyArray<Section>} sections of its page
 */
const headingFor = (title, sections) => {
  const same = sections.filter((section) => anchorOf(section.title) === anchorOf(title))
  return same.findIndex((section) => section.title === title) > 0 ? `${code(title)} type` : code(title)
}

/** The addresses of sections, by their titles: `core.md#createcatalog`. */
const addresses = pages.map(({ file, sections }) => {
  const titles = sections.flatMap(({ members, title }) => [
    title,
    ...members.filter(({ isFunction }) => isFunction).map(({ name }) => `${title}.${name}`)
  ])
  return new Map(titles.map((title) => [title, `${file}#${anchorOf(headingFor(title, sections))}`]))
})

/**
 * Where a name is explained, from a page of docs/api.
 *
 * @param {string} name
 * @param {Page} page the page that names it
 * @param {ReadonlyArray<string>} scopes titles in which the name may be
 */
const addressOf = (name, page, scopes) => {
  const own = found(addresses[pages.indexOf(page)], page.title)
  const operation = name.replace(/^(\w+)Operations[.]/, (_, domain) => `${String(domain).toLowerCase()}.`)
  if (operation !== name) {
    return existsSync(join(root, "docs/operations", `${operation}.md`)) ? `../operations/${operation}.md` : undefined
  }
  if (models.has(name)) {
    return `../operations/records.md#${anchorOf(name)}`
  }
  const titles = [...scopes.map((scope) => `${scope}.${name}`), name]
  return [own, ...addresses]
    .flatMap((byTitle) => titles.map((title) => byTitle.get(title)))
    .find((address) => address !== undefined)
}

/**
 * A link to where a name is explained, or the name.
 *
 * @param {string} name
 * @param {Page} page
 * @param {ReadonlyArray<string>} scopes
 */
const linkTo = (name, page, scopes = []) => {
  // A member without a section is in that of its type.
  const address = addressOf(name, page, scopes) ?? addressOf(name.replace(/[.]\w+$/, ""), page, scopes)
  const isHere = address?.startsWith(`${page.file}#`) ?? false
  return address === undefined ? code(name) : `[${code(name)}](${isHere ? address.slice(page.file.length) : address})`
}

/**
 * The comment, when there is one, with its links and examples.
 *
 * @param {ts.Symbol} symbol
 * @param {Page} page
 * @param {ReadonlyArray<string>} scopes
 */
const prose = (symbol, page, scopes) =>
  [commentOf(symbol), ...tagsOf(symbol, "example"), ...tagsOf(symbol, "since").map(sinceText)]
    .filter((text) => text !== "")
    .join("\n\n")
    .replaceAll(/\{@link[\s*]+([^}]+)\}/g, (_, name) => linkTo(String(name).trim(), page, scopes))

/**
 * A type as it is written in TypeScript, where its declaration has a Schema.
 *
 * @param {string} type
 * @returns {string}
 */
const plainType = (type) =>
  type
    .replace(/^typeof Schema[.](String|Number|Boolean|Unknown)$/, (_, name) => String(name).toLowerCase())
    .replace(/^Schema[.]Redacted<(.*)>$/, (_, inner) => `Redacted.Redacted<${plainType(inner)}>`)
    .replace(/^Schema[.]Schema<(.*), \1, never>$/, "$1")
    .replace(/^(?:import\(.*?\)[.])?Optional<(.*)>$/, "$1 | undefined")

/** @param {Member} member */
const lineOf = ({ name, node }) => {
  const type = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) ? node.type : undefined
  if (type === undefined) {
    return code(name)
  }
  const declared = asImported(printNode(type)).replaceAll(/\s+/g, " ")
  const [, optional] = /^Schema[.]optionalWith<(.*), \{ exact: true; \}>$/.exec(declared) ?? []
  const isOptional = optional !== undefined || ("questionToken" in node && node.questionToken !== undefined)
  const text = plainType(optional ?? declared)
  const written = isOptional ? text.replace(/ [|] undefined$|^undefined [|] /, "") : text
  const head = `${name}${isOptional ? "?" : ""}`
  return code(written.length > 150 ? head : `${head}: ${written}`)
}

/** @param {string} text */
const indented = (text) => text.replaceAll(/\n(?=.)/g, "\n  ")

/**
 * A signature with the names that programs write: modules as they are imported, and the base of a class as it is declared.
 *
 * @param {string} text
 * @param {ts.Symbol} [symbol] of the class
 */
const asImported = (text, symbol) =>
  text
    .replaceAll(/\b(\w+)_base(?=\W)/g, (whole, /** @type {string} */ name) => {
      const [statement] = symbol?.declarations ?? []
      const base = statement && checker.resolveName(whole, statement, ts.SymbolFlags.Value, false)
      const type =
        base?.valueDeclaration && ts.isVariableDeclaration(base.valueDeclaration) && base.valueDeclaration.type
      if (!type || !ts.isTypeReferenceNode(type)) {
        return `Data.TaggedError("${name}")`
      }
      const [self, , service] = (type.typeArguments ?? []).map(printNode)
      const constructor = type.typeName.getText().replace(/(?<=\w)Class$/, "")
      return `${constructor}<${constructor.startsWith("Context.") ? `${self}, ${service}` : self}>`
    })
    .replaceAll(/\bClient[.]HttpClient\b/g, "HttpClient.HttpClient")
    .replaceAll(/\bRecords[.](?=[A-Z])/g, "")
    // It is the type of a selector that is right, and a message about any other.
    .replaceAll(/\bCheckedDefault<(\w+)>/g, "$1")

/** @param {Section} section */
const signatureOf = async ({ symbol }) => {
  const declared = await formatted(print(symbol, "export declare "))
  return asImported(declared.replaceAll(/^export (?:declare )?/gm, ""), symbol)
}

/** @param {Member} member */
const signatureOfMember = async ({ symbol }) => {
  const declarations = (symbol.declarations ?? []).map(printNode).join("\n")
  const block = await formatted(`declare class Members {\n${declarations}\n}`)
  return asImported(
    block
      .replace("declare class Members {\n", "")
      .replace(/\}\n```$/, "```")
      .replaceAll(/^ {2}/gm, "")
  )
}

/** The sections by what they show. */
const sectionsBySymbol = new Map(pages.flatMap(({ sections }) => sections.map((section) => [section.symbol, section])))

/**
 * Links to the types that a signature names, except those that the text below it links.
 *
 * @param {Section} section
 * @param {string} text
 * @param {Page} page
 */
const typesIn = ({ symbol }, text, page) => {
  /** @type {Set<string>} */
  const links = new Set()
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isIdentifier(node)) {
      const named = checker.getSymbolAtLocation(node)
      const meant = named && target(named)
      const base = node.text.endsWith("_base") ? meant?.valueDeclaration : undefined
      if (base && ts.isVariableDeclaration(base) && base.type?.getText().startsWith("Context.")) {
        visit(base.type)
      }
      const title = meant && (sectionsBySymbol.get(meant)?.title ?? homes.get(meant)?.path)
      if (title !== undefined && meant !== symbol && addressOf(title, page, []) !== undefined) {
        links.add(linkTo(title, page))
      }
    }
    ts.forEachChild(node, visit)
  }
  statementsOf(symbol).forEach(visit)
  const others = [...links].filter((link) => !text.includes(link))
  return others.length === 0 ? "" : `Types: ${others.join(", ")}.`
}

/**
 * @param {Section} section
 * @param {Page} page
 */
const sectionText = async (section, page) => {
  const { members, symbol, title } = section
  const heading = `## ${headingFor(title, page.sections)}`
  const scopes = [title, title.split(".").slice(0, -1).join(".")]
  const [, domain] = /^(\w+)Operations$/.exec(title) ?? []
  if (domain !== undefined && domain !== "Catalog") {
    const operations = checker.getDeclaredTypeOfSymbol(symbol).getProperties()
    const links = operations.map(({ name }) => `- ${linkTo(`${title}.${name}`, page)}`)
    return [heading, prose(symbol, page, scopes), links.join("\n")].join("\n\n")
  }
  const lines = members
    .filter(({ isFunction }) => !isFunction)
    .map((member) => `- ${lineOf(member)}: ${indented(prose(member.symbol, page, scopes))}`)
  const below = [prose(symbol, page, scopes), lines.join("\n")]
  const parts = [heading, await signatureOf(section), typesIn(section, below.join("\n"), page), ...below]
  for (const member of members.filter(({ isFunction }) => isFunction)) {
    parts.push(
      `### ${code(`${title}.${member.name}`)}`,
      await signatureOfMember(member),
      prose(member.symbol, page, scopes)
    )
  }
  return parts.filter((part) => part !== "").join("\n\n")
}

/**
 * What a page is about: the doc comment at the top of its module, or its subject.
 *
 * @param {Page} page
 */
const introduction = (page) => {
  if (page.about !== undefined) {
    return page.about
  }
  // A declaration file lacks the comment where its first import is left out.
  const file = page.module.declarations
    ?.find(ts.isSourceFile)
    ?.fileName.replace("/dist/", "/src/")
    .replace(".d.ts", ".ts")
  const [, comment = ""] =
    /^(?:#!.*\n)?\/\*\*([^]*?)\*\//.exec(file === undefined ? "" : readFileSync(file, "utf8")) ?? []
  const scopes = page.sections.flatMap(({ title }) => title.split(".").slice(0, -1))
  return comment
    .replaceAll(/^ *[*] ?/gm, "")
    .replace(/^@since (.*)$/m, (_, version) => sinceText(String(version)))
    .trim()
    .replaceAll(/\{@link\s+([^}]+)\}/g, (_, name) => linkTo(String(name).trim(), page, scopes.slice(0, 1)))
}

/**
 * What an entry point exports that other pages show.
 *
 * @param {Page} page
 */
const elsewhere = (page) => {
  const { entry } = page
  const exported = exportsOf(page.module)
  const names = new Set(exported.map(([name]) => name))
  const link = (/** @type {EntryPoint} */ { report, specifier }) => `[${code(specifier)}](${report})`
  /** What is all here, the largest first: core has the exports of other entry points too. */
  const [whole] = entryPoints
    .filter(({ specifier }) => specifier.startsWith("@catalog-client/core"))
    .filter((other) => other !== entry && exportsOf(moduleOf(other.types)).every(([name]) => names.has(name)))
    .sort((a, b) => exportsOf(moduleOf(b.types)).length - exportsOf(moduleOf(a.types)).length)
  const inWhole = new Set(whole && exportsOf(moduleOf(whole.types)).map(([name]) => name))
  const isHere = (/** @type {ts.Symbol} */ symbol) => homes.get(symbol)?.specifier === entry.specifier
  const lines = pages
    .filter(({ entry: { report }, subject }) => subject !== undefined && report === entry.report)
    .map(({ file, sections, subject }) => {
      const names = sections.map((section) => linkTo(section.title, page))
      return `[${subject}](${file}): ${names.join(", ")}.`
    })
  if (whole) {
    lines.push(`It also exports everything from ${link(whole)}. Exports that are new or different here are below.`)
  }
  for (const other of entryPoints.filter((other) => other !== entry)) {
    const shown = exported.filter(([name, symbol]) => {
      const home = homes.get(symbol)
      return home?.specifier === other.specifier && home.path !== "*" && !inWhole.has(name) && !models.has(name)
    })
    if (shown.length > 0) {
      lines.push(`From ${link(other)}: ${shown.map(([name]) => linkTo(name, page)).join(", ")}.`)
    }
  }
  const namespaces = exported.flatMap(([name, symbol]) => {
    const home = inWhole.has(name) ? undefined : pages.find(({ module }) => module === symbol)
    return home ? [`[${code(name)}](${home.file})`] : []
  })
  if (namespaces.length > 0) {
    lines.push(`Namespaces: ${namespaces.join(", ")}.`)
  }
  const alone = exported.filter(([name, symbol]) => isHere(symbol) && homes.get(symbol)?.path.endsWith(`.${name}`))
  if (alone.length > 0) {
    const links = alone.map(([, symbol]) => linkTo(homes.get(symbol)?.path ?? "", page))
    lines.push(`These are exported by themselves, too: ${links.join(", ")}.`)
  }
  return exported.some(([name, symbol]) => isHere(symbol) && models.has(name))
    ? [...lines, "Records and sets of values, such as `Anime`, are in [Records and values](../operations/records.md)."]
    : lines
}

/**
 * How a program imports what a page shows.
 *
 * @param {Page} page
 */
const importOf = ({ entry, module, sections }) => {
  const whole = namespaceOf(entry)
  const [namespace] = sections[0]?.title.split(".") ?? []
  const name = whole?.name ?? (isNamespace(module) && module !== moduleOf(entry.types) ? namespace : "…")
  return `import { ${name} } from "${(whole?.other ?? entry).specifier}"`
}

/** The pages by the names of their files. */
export const apiPages = async () => {
  const writtenBy = "<!-- Written by `npm run api` from the doc comments. -->"
  const rows = pages.map((page) => {
    const [first = ""] = introduction(page).split("\n\n")
    return `| [${page.title}](${page.file}) | ${first.replaceAll(/\s+/g, " ")} |`
  })
  const table = [
    "# API",
    writtenBy,
    "What each entry point exports, with signatures and examples. Operations have [pages](../operations/README.md) with their inputs and replies; the members of replies are in [Records and values](../operations/records.md). Signatures use the names of Effect 3; [a table](../effect-versions.md#names) has those of Effect 4.",
    ["| import from | what it is |", "| --- | --- |", ...rows].join("\n")
  ]
  const written = new Map([["README.md", `${table.join("\n\n")}\n`]])
  for (const page of pages) {
    const isWhole = page.file === page.entry.report
    const namespace = isWhole ? namespaceOf(page.entry) : undefined
    const parts = [
      `# ${page.title}`,
      writtenBy,
      introduction(page),
      code(importOf(page)),
      ...(namespace ? [`${code(namespace.other.specifier)} exports all of it as ${code(namespace.name)}.`] : []),
      ...(isWhole ? elsewhere(page) : [])
    ]
    for (const section of page.sections) {
      parts.push(await sectionText(section, page))
    }
    written.set(page.file, `${parts.filter((part) => part !== "").join("\n\n")}\n`)
  }
  return written
}
