// Writes docs/api, the reference of the entry points, from the doc comments of what is built, and the OpenAPI document of the
// service: `npm run docs` runs it. The packages for Effect are those for Effect 4. The table of docs/reference.md says what a page
// begins with, and in which groups. It fails if a public name has no comment, or if a link in one leads nowhere.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import {
  aliasedIn,
  declarationOf,
  entryPointsIn,
  formatSource,
  found,
  isNamespace,
  load,
  promiseEntryPoints,
  readDeclarations,
  statementOf
} from "../../scripts/generate/declarations.mjs"
import { models } from "../../scripts/generate/models.mjs"
import { openApi } from "./openApi.mjs"
import { root } from "../../scripts/workspace.mjs"

/** @type {typeof import("../urls.js")} */
const { anchorOf } = await load("site/urls.ts")

const core = "@catalog-client/core"

/** The pages, and the modules of each; where two modules describe a name in the same words, the first does. */
const pages = [
  {
    file: "catalog-client.md",
    title: "API: promises",
    intro: `The signature of everything in \`catalog-client\`, except [operations](../operations/README.md) and [records](../operations/records.md). A function throws a \`TypeError\` for an invalid option.`,
    modules: [
      "catalog-client",
      "catalog-client/postgres",
      "catalog-client/queries",
      "catalog-client/redis",
      "catalog-client/sqlite",
      "catalog-client/sync",
      "catalog-client/telemetry"
    ]
  },
  {
    file: "core.md",
    title: "API: Effect",
    intro: `What the packages for Effect export, except [operations](../operations/README.md), [records](../operations/records.md), and what is the same as [with promises](catalog-client.md), to which the lists of names lead. Signatures are those for Effect 4; [a table](../effect-versions.md#names) has the names of Effect 3. \`${core}/guards\` has the guards alone, and \`${core}/schemas\` the [Schemas](../your-own-operation.md#schemas) of all params and replies.`,
    modules: [
      core,
      "@catalog-client/node",
      "@catalog-client/browser",
      "@catalog-client/node/redis",
      "@catalog-client/node/sql",
      "@catalog-client/sync",
      "@catalog-client/sync/node"
    ]
  },
  {
    file: "oauth.md",
    title: "API: sign-in",
    intro:
      "Everything that signs users in and keeps their tokens. A function throws a `TypeError` for an invalid option. For whole programs, see [one user](../recipes/sign-in.md) and [a server](../recipes/sign-in-server.md).",
    modules: [
      "catalog-client/oauth",
      "catalog-client/handlers",
      "@catalog-client/oauth",
      "@catalog-client/oauth/node",
      "@catalog-client/oauth/browser",
      "@catalog-client/oauth/redis",
      "@catalog-client/oauth/sql"
    ]
  },
  {
    file: "testing.md",
    title: "API: testing",
    intro:
      "The embedded service, the recorder, and errors to test with. For whole tests, see [testing](../testing.md).",
    modules: ["catalog-client/testing", "@catalog-client/testing", "@catalog-client/testing/node"]
  }
]

const entries = [...promiseEntryPoints(), ...entryPointsIn(join(root, "effect4/dist"))]
const { checker, moduleOf } = readDeclarations(entries)
const aliased = aliasedIn(checker)

/** What is wrong with comments. @type {Set<string>} */
const problems = new Set()

/** @param {ts.Node} node */
const isOurs = (node) =>
  !/[/]node_modules[/](?!catalog-client|@catalog-client)|[/]dist[/]effect[/]/.test(node.getSourceFile().fileName)

/** Code with the names that programs write. @param {ts.Node} node */
const codeOf = (node) => asWritten(declarationOf(node), node)

/** Code with the values of lists that no page has, in place of `(typeof stages)[number]`. @param {string} code @param {ts.Node} node */
const withValues = (code, node) => {
  let text = code
  /** @param {ts.Node} part */
  const visit = (part) => {
    if (ts.isIndexedAccessTypeNode(part) && /^\(typeof \w+\)\[number\]$/.test(part.getText())) {
      text = text.replaceAll(part.getText(), checker.typeToString(checker.getTypeFromTypeNode(part)))
    }
    ts.forEachChild(part, visit)
  }
  visit(node)
  return text
}

/** Code as programs write it, without the modules that the compiler names types with. @param {string} code @param {ts.Node} node */
const asWritten = (code, node) => {
  const names = writtenIn(node)
  const text = withValues(code, node).replaceAll(/(?<![.\w"])[A-Z]\w*(?![\w"]|\?:)/g, (name) => names.get(name) ?? name)
  return ofEffect4
    .reduce((all, [one, other]) => all.replaceAll(one, other), text)
    .replaceAll(/import\("[^"]+"\)\.(?:internal\.)?/g, "")
}

/** The doc comments of a node. @param {ts.Node} node */
const docsOf = (node) => ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)

/**
 * Something with a heading: an export, or a member with a program of its own.
 *
 * @typedef {object} Section
 * @property {string} heading
 * @property {string} name
 * @property {ts.Symbol} symbol
 * @property {ReadonlyArray<ts.Node>} statements that declare it
 *
 * @typedef {{ readonly symbol: ts.Symbol, readonly node: ts.Declaration }} Member
 */

/** What an interface or a class extends. @param {ts.Node} node */
const basesOf = (node) =>
  ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)
    ? (node.heritageClauses ?? []).flatMap(({ types }) => [...types])
    : []

/** @param {ts.ExpressionWithTypeArguments} base */
const symbolOf = ({ expression }) => {
  const symbol = checker.getSymbolAtLocation(expression)
  return symbol && aliased(symbol)
}

/** Whether a member is one that every object has, or that only the compiler reads. @param {ts.Symbol} symbol @param {ts.Node} node */
const isHidden = ({ name }, node) =>
  /^__@(?!\w*terator)/.test(name) || (/^(?:toJSON|toString|message)$/.test(name) && docsOf(node).length === 0)

/** The members of an interface, a class or an object type, without those of a base that has a section. @param {ts.Node} statement @returns {ReadonlyArray<Member>} */
const membersOf = (statement) => {
  const type = ts.isTypeAliasDeclaration(statement) ? statement.type : statement
  if (!ts.isInterfaceDeclaration(type) && !ts.isClassDeclaration(type) && !ts.isTypeLiteralNode(type)) {
    return []
  }
  const own = [...type.members].flatMap((node) => {
    const symbol = node.name && checker.getSymbolAtLocation(node.name)
    return symbol === undefined ? [] : [{ symbol, node: documented(type, symbol) ?? node }]
  })
  // What `Omit` or `Pick` leaves has its declarations, too.
  const inherited = basesOf(type)
    .filter((base) => !hasSectionOf(base))
    .flatMap((base) => checker.getPropertiesOfType(checker.getTypeAtLocation(base)))
    .flatMap((symbol) =>
      (symbol.declarations ?? [])
        .filter(isOurs)
        .map((node) => ({ symbol, node: documented(node.parent, symbol) ?? node }))
    )
  const all = [...own, ...inherited].filter(({ node, symbol }) => !isHidden(symbol, node))
  // Of overloads and of two accessors, the first has the comment.
  return [
    ...new Map(all.map((member) => /** @type {const} */ ([member.symbol.name, member])).toReversed()).values()
  ].toReversed()
}

/** Whether a base is a type with a section. @param {ts.ExpressionWithTypeArguments} base */
const hasSectionOf = (base) => {
  const symbol = symbolOf(base)
  return symbol !== undefined && exported.has(symbol)
}

/** The declaration in a base whose comment a member without one has, too. @param {ts.Node} type @param {ts.Symbol} member */
const documented = (type, { declarations = [], name }) =>
  declarations.some((node) => docsOf(node).length > 0)
    ? undefined
    : basesOf(type)
        .flatMap((base) => checker.getTypeAtLocation(base).getProperty(name)?.declarations ?? [])
        .find((node) => docsOf(node).length > 0)

/** What a namespace or a class has besides members. @param {ts.Symbol} symbol */
const exportsOf = (symbol) => {
  const { Method, Accessor, Property, Prototype } = ts.SymbolFlags
  return checker
    .getExportsOfModule(symbol)
    .filter(({ flags }) => (flags & (Method | Accessor | Property | Prototype)) === 0)
    .sort((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1))
}

/** The exports of a module, and those of its namespaces below them. @param {ts.Symbol} module @param {string} prefix @returns {ReadonlyArray<Section>} */
const sectionsOf = (module, prefix) =>
  exportsOf(module).flatMap((exported) => {
    const symbol = aliased(exported)
    // Records and sets of values have a page, with their members and when the service sends them. Programs do not name those of the
    // embedded service, what makes one declaration serve both faces, and what OpenTelemetry declares.
    if (
      models.has(exported.name) ||
      /Reply$|^(?:Any|AnyPaged|Face|Optional|TypeId|TelemetryAttributes|TelemetrySpan)$/.test(exported.name)
    ) {
      return []
    }
    const statements = isNamespace(symbol)
      ? []
      : [...new Set((symbol.declarations ?? []).map(statementOf))].filter((node) => !ts.isModuleDeclaration(node))
    const heading = prefix + exported.name
    return [
      { heading, name: exported.name, symbol, statements },
      ...(symbol.exports ? sectionsOf(symbol, `${heading}.`) : [])
    ]
  })

/** The modules by their names, with their sections. */
const modules = new Map(
  entries.map(({ specifier, types }) => [specifier, { types, sections: sectionsOf(moduleOf(types), "") }])
)

const exported = new Set([...modules.values()].flatMap(({ sections }) => sections.map(({ symbol }) => symbol)))

/** How programs write a name, which the source can call otherwise: `Credentials.Slot` is its `CredentialSlot`. @type {Map<ts.Symbol, string>} */
const written = new Map(
  [...modules.values()]
    .flatMap(({ sections }) => sections.map(({ heading, symbol }) => /** @type {const} */ ([symbol, heading])))
    .toReversed()
)

/** The names of types in code, as its source has them, and as programs write them. @param {ts.Node} node */
const writtenIn = (node) => {
  /** @type {Map<string, string>} */
  const names = new Map()
  /** @param {ts.Node} part */
  const visit = (part) => {
    const symbol = ts.isIdentifier(part) ? checker.getSymbolAtLocation(part) : undefined
    const name = symbol && written.get(aliased(symbol))
    if (name !== undefined && (ts.isTypeReferenceNode(part.parent) || ts.isExpressionWithTypeArguments(part.parent))) {
      names.set(part.getText(), name)
    }
    ts.forEachChild(part, visit)
  }
  visit(node)
  return names
}

/** Effect 4's own names, where the declarations have those of Effect 3. @type {ReadonlyArray<readonly [string, string]>} */
const ofEffect4 = [
  ["Schema.Schema.AnyNoContext", "Schema.Codec<unknown, unknown>"],
  ["Schema.Schema<", "Schema.Codec<"],
  ["Schema.Array$<", "Schema.$Array<"],
  ["DurationInput", "Duration.Input"],
  [" Client.HttpClient", " HttpClient"]
]

/** @typedef {{ readonly title: string, readonly anchors: ReadonlyArray<string> }} Group What a reader wants to do, and the names for it. */

const [, ...rows] = readFileSync(join(root, "docs/reference.md"), "utf8").match(/^\| [a-z].*$/gm) ?? []

/** The groups of a page. @param {string} file @returns {ReadonlyArray<Group>} */
const groupsOf = (file) =>
  rows.map((row) => {
    const [, title = ""] = row.split(" | ", 1)[0]?.match(/^\| (.*)/) ?? []
    const links = [...row.matchAll(/[(][^()]*[/]api[/]([\w-]+)#([\w-]+?)(?:-\d)?[)]/g)]
    // Its own names come first; those of other pages are in its index.
    const anchors = [true, false].flatMap((isOwn) =>
      links.flatMap(([, page, anchor = ""]) => ((`${page}.md` === file) === isOwn ? [anchor] : []))
    )
    return { title: title.charAt(0).toUpperCase() + title.slice(1), anchors }
  })

/** Whether docs/reference.md links to a section. @param {Section} section @param {string} file */
const isNamed = ({ heading }, file) => groupsOf(file).some(({ anchors }) => anchors.includes(anchorOf(heading)))

/** Whether a section leads to an operation. @param {Section} section */
const isOfOperations = ({ name }) => /(?:Params|^(?:Anime|Manga|User|Forum)Operations(?:With)?)$/.test(name)

/** What is said beside its comment of a section whose members another one has. @param {Section} section */
const shortOf = (section) => {
  const { name } = section
  const [, domain = ""] = /^(Anime|Manga|User|Forum)(?:Operations(?:With)?|(?<!User)Params)$/.exec(name) ?? []
  const [, item = ""] = /^(Anime|Manga)ListUpdateParams$/.exec(name) ?? []
  return domain !== ""
    ? `See [operations](../operations/${domain.toLowerCase()}.md).`
    : item !== ""
      ? `See \`${item.toLowerCase()}.updateMyListStatus\`.`
      : // For other default fields.
        name.endsWith("With")
        ? `It has the members of \`${name.slice(0, -"With".length)}\`.`
        : // What other packages declare.
          isOfOperations(section) || /^(?:Meter|Tracer)$/.test(name)
          ? ""
          : undefined
}

/** Text with links for the operations that it names. @param {string} text */
const withOperations = (text) =>
  text.replaceAll(
    /`((anime|manga|user|forum)[.](\w+))`/g,
    (code, /** @type {string} */ name, /** @type {string} */ domain) =>
      `[${code}](../operations/${domain}.md#${anchorOf(name)})`
  )

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

/** @param {Section} section */
const isValue = ({ symbol }) => (symbol.flags & ts.SymbolFlags.Value) !== 0

/**
 * The sections of a module in groups. Each begins with the names of `docs/reference.md`; what their types name follows, with the
 * nearest of them. What only leads to another page comes last.
 *
 * @param {ReadonlyArray<Section>} sections
 * @param {ReadonlyArray<Group>} groups
 */
const grouped = (sections, groups) => {
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
      const named = [...left].filter(({ heading }) => anchorOf(heading) === anchor)
      return take([...named.filter(isValue), ...named.filter((section) => !isValue(section))])
    })
  }))
  // The other members of a namespace are with it.
  for (const { sections } of made) {
    const spaces = sections.filter(({ symbol }) => isNamespace(symbol)).map(({ heading }) => `${heading}.`)
    sections.push(...take([...left].filter(({ heading }) => spaces.some((space) => heading.startsWith(space)))))
  }
  made.push({ title: "Other names", sections: [...take([...left].filter(isValue))] })
  let last = made.map(({ sections }) => [...sections])
  while (last.some((sections) => sections.length > 0)) {
    last = last.map((sections, at) => {
      const named = sections.flatMap((section) => [...referencesOf(section)])
      const found = take(named.flatMap((symbol) => [...left].find((section) => section.symbol === symbol) ?? []))
      made[at]?.sections.push(...new Set(found))
      return [...new Set(found)]
    })
  }
  made.at(-1)?.sections.push(...left)
  return [
    ...made.map(({ sections, title }) => ({ title, sections: ordered(sections) })),
    { title: ofOperationsTitle, sections: ofOperations }
  ]
}

const ofOperationsTitle = "Operations and their inputs"

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

/** The comment at the top of the source behind a file of declarations. @param {string} declarations */
const introductionOf = (declarations) => {
  const source = ["src", "src/entries"]
    .map((folder) => declarations.replace(/[/]dist[/](?!.*[/]dist[/])/, `/${folder}/`).replace(/[.]d[.]c?ts$/, ".ts"))
    .find(existsSync)
  const [, comment = ""] = /^\/\*\*([^]*?)\*\//.exec(source ? readFileSync(source, "utf8") : "") ?? []
  return comment
    .replaceAll(/^ *[*] ?/gm, "")
    .replace(/^@since.*$/m, "")
    .replaceAll(/\{@link\s+([^}]+?)\}/g, "`$1`")
    .trim()
}

/** The first words about a namespace. @param {ts.Symbol} namespace */
const introductionTo = ({ declarations: [declaration] = [] }) =>
  introductionOf(declaration?.getSourceFile().fileName ?? "").split("\n\n")[0] ?? ""

/** @param {string} text */
const wordsIn = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu))

/** @param {string} text */
const firstSentenceOf = (text) => text.split(/(?<=[.]) (?=[A-Z`])/)[0] ?? ""

/** @param {ts.Symbol} symbol */
const isOptional = (symbol) => (symbol.flags & ts.SymbolFlags.Optional) !== 0

/** The words that a section says, whichever package it is of. @param {Section} section @param {ReadonlyArray<Member>} members */
const wordsOf = ({ statements, symbol }, members) =>
  wordsIn(
    [...statements, ...members.map(({ node }) => node)]
      .flatMap(docsOf)
      .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
      .concat(isNamespace(symbol) ? introductionTo(symbol) : members.map(({ symbol }) => symbol.name))
      .join(" ")
  )

/** Whether a section says little that another one does not: one word of six at most. @param {ReadonlySet<string>} words @param {ReadonlySet<string>} known */
const isSaid = (words, known, least = 6) =>
  words.size > 0 && [...words].filter((word) => !known.has(word)).length <= words.size / least

/** Whether a member is a function, which programs call, or has a program or several paragraphs: no text for a cell. @param {Member} member */
const hasSection = ({ node, symbol }) => {
  const { type } = /** @type {{ readonly type?: ts.TypeNode }} */ (node)
  const isFunction = ts.isMethodSignature(node) || ts.isMethodDeclaration(node) || (type && ts.isFunctionTypeNode(type))
  const isOption = isOptional(symbol)
  return docsOf(node).some(
    ({ comment, tags = [] }) =>
      (isFunction && !isOption) || tags.length > 0 || ts.getTextOfJSDocComment(comment)?.includes("\n\n")
  )
}

/** A member and what its comment says. @param {Member} member */
const keyOf = ({ node, symbol }) => {
  const comments = docsOf(node).map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
  return `${symbol.name}: ${comments.join(" ").replaceAll(/\s+/g, " ")}`
}

/** The members of options, and what is said of each: two with one name can have other defaults. @param {Section} section */
const optionsOf = ({ name, statements }) =>
  name.endsWith("Options") ? statements.flatMap(membersOf).map(keyOf).sort().join("\n") : ""

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

/** Where each name is explained. @type {Map<ts.Symbol, string>} */
const addresses = new Map()
/** The heading at each address. @type {Map<string, string>} */
const headings = new Map()
/** Where a name is explained that a comment has, and its module does not import. @type {Map<string, string>} */
const named = new Map()
/** The sections that a later module can repeat, by their names. @type {Map<string, Array<{ address: string, words: ReadonlySet<string>, keys: string }>>} */
const described = new Map()

/** The words of each section. @type {Map<string, ReadonlySet<string>>} */
const wordsAt = new Map()
/** The modules that first export names. @type {Map<ts.Symbol, string>} */
const modulesOf = new Map()
/** Where the function of another module is, which does the same as that of a section. @type {Map<Section, string>} */
const like = new Map()

/** The section that first says what a function among the members does. @type {Map<string, Section>} */
const saidBy = new Map()
/** Sections whose functions do what those of another one do. @type {Map<Section, Section>} */
const repeated = new Map()

/** @param {Section} section */
const noteFunctions = (section) => {
  const keys = section.statements.flatMap(membersOf).filter(hasSection).map(keyOf)
  const [other] = keys.map((key) => saidBy.get(key))
  if (other !== undefined && keys.every((key) => saidBy.get(key) === other)) {
    repeated.set(section, other)
  }
  keys.forEach((key) => saidBy.set(key, saidBy.get(key) ?? section))
}

/** What a member with a section is called there: of two sessions, each has its own `login`. @param {Member} member @param {Section} section */
const memberTitle = ({ symbol }, { heading }) => `${heading}.${symbol.name}`

/** Whether a section is a function with the signature that its module needs. @param {Section} section */
const isFunction = ({ statements }) =>
  statements.some(
    (node) =>
      ts.isVariableStatement(node) &&
      node.declarationList.declarations.some(({ type }) => type && ts.isFunctionTypeNode(type))
  )

/** Whether a module is that of a package for Effect, whose other modules export what it does. @param {string} module */
const isPackage = (module) => module.startsWith("@")

/** The signatures of functions, by the addresses of their sections. @type {Map<string, string>} */
const signatures = new Map()

/** @param {Section} section */
const signatureOf = ({ statements }) => statements.map(codeOf).join("\n")

/** Whether a function that another section describes needs its own: its module has others for the same, or its types differ. @param {Section} section @param {string} known @param {string} module */
const isOther = (section, known, module) => {
  const [page = ""] = known.split("#")
  const isSamePage = pages.some(({ file, modules }) => file === page && modules.includes(module))
  return isPackage(module) ? signatures.get(known) !== signatureOf(section) : isSamePage
}

// The places of all sections are known before any of them is written, since links lead to them.
const outline = pages.map(({ file, title, ...page }) => {
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
    // A module with few names has no groups.
    const hasGroups = all.slice(0, groups.length).filter(({ sections }) => sections.length > 0).length > 1
    const own = all
      .filter(({ sections }) => sections.length > 0)
      .map(({ sections, title }) => {
        const isOfOperations = title === ofOperationsTitle
        const anchor = hasGroups || isOfOperations ? anchorIn(title) : ""
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
          // The types that only others name follow them.
          if (isValue(section) || isNamespace(section.symbol) || isNamed(section, file) || name.endsWith("Options")) {
            index.set(title, [...(index.get(title) ?? []), [heading, address]])
          }
          place(section, address, true)
        }
        return { title: anchor === "" ? "" : title, sections }
      })
    index.delete(ofOperationsTitle)
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

/** A link to where something is explained. @param {string} text @param {string} address @param {string} file the page that it is on */
const link = (text, address, file) =>
  `[\`${text}\`](${address.startsWith(`${file}#`) ? address.slice(file.length) : address})`

/** Where a name is explained; `undefined` if it is not of the packages. @param {ts.Symbol | undefined} symbol */
const addressOf = (symbol) => {
  const target = symbol && aliased(symbol)
  return target && models.has(target.name) && target.declarations?.some(isOurs)
    ? `../operations/records.md#${anchorOf(target.name)}`
    : target && addresses.get(target)
}

/** The text of a comment's link, which leads to where its name is explained. @param {Exclude<ts.JSDocComment, ts.JSDocText>} part @param {string} file */
const linkIn = (part, file) => {
  const name = `${part.name?.getText() ?? ""}${part.text}`
  const address = addressOf(part.name && checker.getSymbolAtLocation(part.name)) ?? named.get(name.split(".")[0] ?? "")
  if (address === undefined) {
    problems.add(`${part.getSourceFile().fileName}: {@link ${name}} leads nowhere`)
  }
  return address === undefined ? name : link(name, address, file)
}

/** A doc comment as Markdown, and its programs. @param {ts.Node} node @param {string} file */
const commentOf = (node, file) => {
  const docs = docsOf(node)
  const text = docs
    .flatMap(({ comment = "" }) =>
      typeof comment === "string"
        ? [comment]
        : comment.map((part) => (part.kind === ts.SyntaxKind.JSDocText ? part.text : linkIn(part, file)))
    )
    .join("")
  const programs = docs.flatMap(({ tags = [] }) =>
    tags.flatMap((tag) => (tag.tagName.text === "example" ? [ts.getTextOfJSDocComment(tag.comment) ?? ""] : []))
  )
  return { text, programs }
}

/** A type; that of `Options["headers"]` is what `headers` is declared as. @param {ts.TypeNode} type @returns {ts.TypeNode} */
const typeAt = (type) => {
  if (!ts.isIndexedAccessTypeNode(type) || !ts.isLiteralTypeNode(type.indexType)) {
    return type
  }
  const name = type.indexType.literal.getText().slice(1, -1)
  const [member] = checker.getTypeAtLocation(type.objectType).getProperty(name)?.declarations ?? []
  return member && ts.isPropertySignature(member) && member.type ? member.type : type
}

/** The type of a member in a cell: its code, with links to what is explained. @param {ts.Node} node @param {string} file */
const typeIn = (node, file) => {
  const declared = /** @type {{ readonly type?: ts.TypeNode }} */ (node).type
  const type = declared && typeAt(declared)
  const code = codeOf(type && !ts.isMethodSignature(node) ? type : node).replace(/;$/, "")
  /** @type {Map<string, string>} */
  const links = new Map()
  /** @param {ts.Node} part */
  const visit = (part) => {
    const symbol = ts.isIdentifier(part) ? checker.getSymbolAtLocation(part) : undefined
    const address = addressOf(symbol)
    if (address !== undefined && ts.isTypeReferenceNode(part.parent)) {
      const name = written.get(aliased(found(symbol, "symbol"))) ?? part.getText()
      links.set(name, link(name, address, file))
    }
    ts.forEachChild(part, visit)
  }
  visit(type ?? node)
  return code
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\breadonly (?=\w+[?]?:)|(?<!\w)readonly (?=\[)| [|] undefined$/g, "")
    .split(/(?<![.\w"])([A-Z]\w*(?:[.][A-Z]\w*)*)(?![\w"])/)
    .reduce(
      (parts, part) => {
        const shown = links.get(part)
        return shown === undefined ? [...parts.slice(0, -1), `${parts.at(-1)}${part}`] : [...parts, shown, ""]
      },
      [""]
    )
    .map((part, at) => (at % 2 === 1 || part.trim() === "" ? part.trim() : `\`${part.trim()}\``))
    .filter((part) => part !== "")
    .join(" ")
    .replaceAll("|", "\\|")
}

/** The members that a later section can repeat, and where they are. @type {Map<string, string>} */
const shown = new Map()

/** The functions among members, by their names, with what is said of each. @type {Map<string, Array<{ readonly title: string, readonly address: string, readonly text: string, readonly isPromise: boolean }>>} */
const functions = new Map()

/** What a comment says of a function among the members, or the one that does the same, which can be that of the other face. @param {Member} member @param {string} text @param {Section} section @param {string} file */
const said = ({ symbol }, text, { heading, symbol: owner }, file) => {
  const address = found(addresses.get(symbol), symbol.name)
  const isPromise = !isPackage(modulesOf.get(owner) ?? "")
  const others = functions.get(symbol.name) ?? []
  const other = others.find(
    (other) => other.text === text || (!isPromise && other.isPromise && isSaid(wordsIn(text), wordsIn(other.text), 3.6))
  )
  functions.set(symbol.name, [...others, { title: heading, address, text, isPromise }])
  return other === undefined || text.length < 40 ? [text] : [`See ${link(other.title, other.address, file)}.`]
}

/**
 * The table of members; of those that another section describes in the same words, it has the first sentence. Where they are most
 * of a long table, it names them.
 *
 * @param {ReadonlyArray<Member>} members
 * @param {string} own
 * @param {string} file
 * @param {boolean} hasTypes otherwise they are in the code above it
 * @param {ts.Symbol} owner
 */
const tableOf = (members, own, file, hasTypes, owner) => {
  const places = members.map((member) => {
    const place = shown.get(keyOf(member)) ?? own
    shown.set(keyOf(member), place)
    return place
  })
  const isOptions = /Options[|]/.test(own)
  const isOfPackage = isPackage(modulesOf.get(owner) ?? "")
  const most = places.find(
    (place) => place !== own && places.filter((other) => other === place).length > (isOptions ? 8 : 4)
  )
  const linkTo = (/** @type {string} */ place) => {
    const [heading = "", address = ""] = place.split("|")
    return link(heading, address, file)
  }
  const rows = members.flatMap((member, at) => {
    const place = found(places[at], member.symbol.name)
    const from = place === own ? undefined : isOfPackage ? `${place}|package` : place
    return place === most ? [] : [rowOf(member, file, from, hasTypes)]
  })
  const names = members.flatMap(({ symbol }, at) => (places[at] === most ? [`\`${symbol.name}\``] : []))
  return [
    ...(rows.length === 0
      ? []
      : [
          [
            ...(hasTypes
              ? ["| Property | Type | Description |", "| --- | --- | --- |"]
              : ["| Property | Description |", "| --- | --- |"]),
            ...rows
          ].join("\n")
        ]),
    ...(most === undefined
      ? []
      : [`${rows.length === 0 ? "Its properties are" : "Also"} ${names.join(", ")} of ${linkTo(most)}.`])
  ]
}

/** @param {Member} member @param {string} file @param {string | undefined} other the section that says all of its comment @param {boolean} hasType */
const rowOf = ({ node, symbol }, file, other, hasType) => {
  const text = commentOf(node, file).text.replaceAll(/\s+/g, " ")
  const first = firstSentenceOf(text)
  const [heading = "", address = "", ofPackages] = other?.split("|") ?? []
  // A reader of another page has its text in the link.
  const isHere = address.startsWith(`${file}#`) && !ofPackages
  const more = `See ${link(heading, address, file)}.`
  const said =
    other === undefined || text.length < more.length * 1.5
      ? text
      : !isHere
        ? more
        : first === text
          ? text
          : `${first} ${more}`
  const name = `${ts.getNameOfDeclaration(node)?.getText()}${isOptional(symbol) ? "?" : ""}`
  return `| \`${name}\` | ${hasType ? `${typeIn(node, file)} | ` : ""}${said.replaceAll("|", "\\|") || (symbol.name === "_tag" ? "Its name." : "-")} |`
}

/** @param {string} code */
const formatted = async (code) => (await formatSource("api.d.ts", code)).trim()

/** A declaration by the name that programs write, which can be an alias of the one in the source. @param {string} code @param {Section} section */
const renamed = (code, { name }) =>
  code.replace(/^((?:(?:export|declare|abstract) )*(?:type|interface|class|const|function) )[\w$.]+/, `$1${name}`)

/** @param {string} code */
const fence = (code) => `\`\`\`ts\n${code}\n\`\`\``

/** An interface up to its members, without bases whose members are among them. @param {ts.InterfaceDeclaration} statement */
const headOf = (statement) => {
  const bases = basesOf(statement).filter(hasSectionOf)
  const parameters = statement.typeParameters?.map(codeOf).join(", ")
  return `interface ${statement.name.text}${parameters === undefined ? "" : `<${parameters}>`}${bases.length === 0 ? "" : ` extends ${bases.map(codeOf).join(", ")}`} {`
}

/** A member with the comments within its type, which no table has, and with its own. @param {ts.PropertySignature} node @param {boolean} hasOwn */
const commented = (node, hasOwn) =>
  asWritten(
    `${
      hasOwn
        ? docsOf(node)
            .map((doc) => `${doc.getText()}\n`)
            .join("")
        : ""
    }${node.getText()}`,
    node
  ).replaceAll(/\{@link\s+([^}]+?)\}/g, "`$1`")

/** An interface as code, with the members that no table or section has; without any, only its parameters. @param {Section} section @param {ReadonlyArray<Member>} shown */
const interfaceCodeOf = ({ statements }, shown, isPlain = false) =>
  statements.filter(ts.isInterfaceDeclaration).flatMap((statement) => {
    const members = shown.map(({ node, symbol }) => {
      const type = ts.isPropertySignature(node) && node.type ? typeAt(node.type) : undefined
      const code =
        type !== undefined && type.parent !== node
          ? `readonly ${symbol.name}: ${codeOf(type)}`
          : ts.isPropertySignature(node) && (isPlain || /\/\*\*/.test(node.getText()))
            ? commented(node, isPlain)
            : codeOf(node)
      // What `Partial` makes of a member is not in its declaration.
      return isOptional(symbol) ? code.replace(/^((?:readonly )?\w+):/m, "$1?:").replace(/ [|] undefined;?$/, "") : code
    })
    const calls = shown.length === 0 ? [] : statement.members.filter(ts.isCallSignatureDeclaration).map(codeOf)
    return membersOf(statement).length > 0 && (shown.length > 0 || statement.typeParameters)
      ? [`${headOf(statement)}\n${[...calls, ...members].join("\n")}}`]
      : []
  })

/** An error as code: its members' types are those of a schema. @param {Section} section @param {ReadonlyArray<Member>} members */
const errorCodeOf = ({ name, statements }, members) => {
  const statement = statements.find(ts.isClassDeclaration)
  if (statement === undefined) {
    return []
  }
  const lines = members.map(({ symbol }) => {
    const type = checker.typeToString(
      checker.getTypeOfSymbolAtLocation(symbol, statement),
      statement,
      ts.TypeFormatFlags.NoTruncation
    )
    return `readonly ${symbol.name}${isOptional(symbol) ? "?" : ""}: ${isOptional(symbol) ? type.replace(/ [|] undefined$/, "") : type}`
  })
  return [`class ${name} extends Error {\n${lines.join("\n")}}`]
}

/** What a reader sees of a cell's Markdown. @param {string} cell */
const textInCell = (cell) => cell.replaceAll(/\]\([^)]*\)|[`[\\]/g, "")

/** Whether few of the members have a comment. @param {ReadonlyArray<Member>} members */
const isPlainCode = (members) => members.filter(({ node }) => docsOf(node).length > 0).length * 2 < members.length

/** What the beginnings of the pages say of all functions. */
const ofOptions = /(?:^|\s)Throws a `TypeError` (?:that names an|for an)\s+invalid\s+option\.$/

/** @param {Section} section @param {string} file */
const textOf = async (section, file) => {
  const { heading, statements, symbol } = section
  const members = statements.flatMap(membersOf)
  const comments = statements.map((statement) => commentOf(statement, file))
  const texts = comments.map(({ text }) => text.replace(ofOptions, "").trim())
  const prose = [...new Set(texts.filter((text) => text !== ""))]
  if (isNamespace(symbol)) {
    return [`### ${heading}`, introductionTo(symbol)]
  }
  if (prose.length === 0) {
    problems.add(`${heading} of ${statements[0]?.getSourceFile().fileName} has no doc comment`)
  }
  const short = shortOf(section)
  if (short !== undefined) {
    return [`### ${heading}`, withOperations([...prose, short].join(" ").trim())]
  }
  const known = like.get(section)
  if (known !== undefined) {
    const first = firstSentenceOf(prose.join(" ").replaceAll(/\s+/g, " "))
    const programs = comments.flatMap(({ programs }) => programs)
    return [
      `### ${heading}`,
      fence(await formatted(statements.map(codeOf).join("\n"))),
      isPackage(moduleOfSymbol(section))
        ? `See ${link(found(headings.get(known), known), known, file)}.`
        : isSaid(wordsIn(prose.join(" ")), found(wordsAt.get(known), known))
          ? `${first} Otherwise it is like ${link(heading, known, file)} of \`${moduleAt(known)}\`.`
          : prose.join("\n\n"),
      ...programs
    ]
  }
  const other = repeated.get(section)
  const bases = statements.flatMap(basesOf).flatMap((base) => {
    const address = addressOf(symbolOf(base))
    const name = written.get(/** @type {ts.Symbol} */ (symbolOf(base))) ?? base.expression.getText()
    return address === undefined ? [] : [link(name, address, file)]
  })
  const rows = members.filter((member) => !hasSection(member))
  // The code of an error has its tag, and the first error says what its call is.
  const inTable = rows.filter(
    ({ symbol }) =>
      symbol.name !== "_tag" &&
      !(/^Client(?!Rest)\w+Error$/.test(section.name) && /^(?:operation|method|url)$/.test(symbol.name))
  )
  const isPlain = members.length === rows.length && !statements.some(ts.isClassDeclaration) && isPlainCode(rows)
  // A long type is not for a cell, and of many members a reader first wants to see the whole.
  const hasLong =
    (statements.some(ts.isInterfaceDeclaration) || /^Client\w+Error$/.test(section.name)) &&
    (rows.length > 4 || rows.some(({ node }) => textInCell(typeIn(node, file)).length > 50))
  const table = isPlain
    ? []
    : tableOf(hasLong ? inTable : rows, `${heading}|${addresses.get(symbol)}`, file, !hasLong, symbol)
  // A table shows the others.
  const signatures = statements.filter((node) => membersOf(node).length === 0 && basesOf(node).length === 0)
  const code = [
    ...signatures.map(codeOf),
    ...(hasLong ? errorCodeOf(section, rows) : []),
    ...interfaceCodeOf(section, isPlain || other !== undefined ? members : hasLong ? rows : [], isPlain)
  ].map((text) => renamed(text, section))
  const parts = members
    .filter((member) => other === undefined && hasSection(member))
    .map((member) => {
      const { text, programs } = commentOf(member.node, file)
      const signature = (member.symbol.declarations ?? []).map(codeOf).join("\n")
      return {
        signature,
        texts: [...said(member, text, section, file), ...programs],
        title: `#### ${memberTitle(member, section)}`
      }
    })
  return [
    `### ${heading}`,
    ...(await Promise.all(code.map(formatted))).map((text) => fence(text.replace(/\{\}$/, "{ … }"))),
    ...prose,
    ...new Set(comments.flatMap(({ programs }) => programs)),
    ...(bases.length === 0 ? [] : [`Extends ${bases.join(" and ")}.`]),
    ...(other === undefined
      ? []
      : [`Its functions do the same as those of ${link(other.heading, addressIn(other), file)}.`]),
    ...table,
    ...(
      await Promise.all(
        parts.map(async ({ signature, texts, title }) => {
          const [, ...lines] = (await formatted(`class Any { ${signature} }`)).split(/\n {0,2}/)
          return [title, fence(lines.slice(0, -1).join("\n")), ...texts]
        })
      )
    ).flat()
  ]
}

/** @param {Section} section */
const moduleOfSymbol = ({ symbol }) => found(modulesOf.get(symbol), symbol.name)

/** @param {Section} section */
const addressIn = ({ symbol }) => found(addresses.get(symbol), symbol.name)

/** The module with a section. @param {string} address */
const moduleAt = (address) =>
  found(
    outline
      .flatMap(({ parts }) => parts)
      .find(({ index }) => [...index.values()].flat().some(([, at]) => at === address))?.module,
    address
  )

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

const folder = join(root, "docs/api")
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const { file, intro, parts, title } of outline) {
  const text = await Promise.all(
    parts.map(async (part) => [
      `## \`${part.module}\``,
      introductionOf(part.types),
      part.elsewhere.size === 0 ? "" : `It also exports what \`${[...part.elsewhere][0]}\` does.`,
      indexOf(part, file),
      ...(
        await Promise.all(
          part.groups.map(async ({ sections, title }) => [
            title === "" ? "" : `## ${title}`,
            ...(title === ofOperationsTitle
              ? [operationsTable(sections, file)]
              : (await Promise.all(sections.map((section) => textOf(section, file)))).flat())
          ])
        )
      ).flat()
    ])
  )
  writeFileSync(
    join(folder, file),
    `${[`# ${title}`, intro, ...text.flat()].filter((part) => part !== "").join("\n\n")}\n`
  )
}
writeFileSync(join(folder, "openapi.json"), await openApi())
for (const problem of problems) {
  console.error(problem)
}
process.exitCode = problems.size === 0 ? 0 : 1
