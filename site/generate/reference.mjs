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
import { root } from "../../scripts/setup.mjs"

/** @type {typeof import("../urls.js")} */
const { anchorOf } = await load("site/urls.ts")

const core = "@catalog-client/core"

/** The pages, and the modules of each; where two modules describe a name in the same words, the first does. */
const pages = [
  {
    file: "catalog-client.md",
    title: "API: promises",
    intro: `The signature of everything in \`catalog-client\`, except [operations](../operations/README.md), [records](../operations/records.md) and [sync](../recipes/sync.md).`,
    modules: [
      "catalog-client",
      "catalog-client/postgres",
      "catalog-client/queries",
      "catalog-client/redis",
      "catalog-client/sqlite",
      "catalog-client/telemetry"
    ]
  },
  {
    file: "core.md",
    title: "API: Effect",
    intro: `What the packages for Effect export, except [operations](../operations/README.md), [records](../operations/records.md), [sync](../recipes/sync.md), and what is the same as [with promises](catalog-client.md), such as the guards of errors. Signatures are those of the built packages for Effect 4, in which \`Schema.Schema<A, I>\` stands for Effect 4's \`Schema.Codec<A, I>\`; [a table](../effect-versions.md#names) has the names of Effect 3. \`${core}/guards\` has the guards alone, and \`${core}/schemas\` the [Schemas](../your-own-operation.md#schemas) of all params and replies.`,
    modules: [
      core,
      "@catalog-client/node",
      "@catalog-client/browser",
      "@catalog-client/node/redis",
      "@catalog-client/node/sql"
    ]
  },
  {
    file: "oauth.md",
    title: "API: sign-in",
    intro:
      "Everything that signs users in and keeps their tokens. For whole programs, see [one user](../recipes/sign-in.md) and [a server](../recipes/sign-in-server.md).",
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

/** Code without the modules that the compiler names types with. @param {ts.Node} node */
const codeOf = (node) => declarationOf(node).replaceAll(/import\("[^"]+"\)\.(?:internal\.)?/g, "")

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
    // Records and sets of values have a page, with their members and when the service sends them; those of the embedded service
    // are named only by declarations.
    if (models.has(exported.name) || exported.name.endsWith("Reply")) {
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

/** @typedef {{ readonly title: string, readonly anchors: ReadonlyArray<string> }} Group What a reader wants to do, and the names for it. */

const [, ...rows] = readFileSync(join(root, "docs/reference.md"), "utf8").match(/^\| [a-z].*$/gm) ?? []

/** The groups of a page. @param {string} file @returns {ReadonlyArray<Group>} */
const groupsOf = (file) =>
  rows.map((row) => {
    const [, title = ""] = row.split(" | ", 1)[0]?.match(/^\| (.*)/) ?? []
    const links = row.matchAll(/[(][^()]*[/]api[/]([\w-]+)#([\w-]+?)(?:-\d)?[)]/g)
    const anchors = Array.from(links, ([, page, anchor = ""]) => (`${page}.md` === file ? anchor : ""))
    return { title: title.charAt(0).toUpperCase() + title.slice(1), anchors: anchors.filter((anchor) => anchor !== "") }
  })

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
          isOfOperations(section) || /^(?:Meter|Telemetry\w+|Tracer)$/.test(name)
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
  return [...made, { title: "Operations and their inputs", sections: ofOperations }]
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

/** The words that a section says, whichever package it is of. @param {Section} section @param {ReadonlyArray<Member>} members */
const wordsOf = ({ statements, symbol }, members) =>
  new Set(
    [...statements, ...members.map(({ node }) => node)]
      .flatMap(docsOf)
      .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
      .concat(isNamespace(symbol) ? introductionTo(symbol) : members.map(({ symbol }) => symbol.name))
      .join(" ")
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu)
  )

/** Whether a section says little that another one does not: one word of six at most. @param {ReadonlySet<string>} words @param {ReadonlySet<string>} known */
const isSaid = (words, known) =>
  words.size > 0 && [...words].filter((word) => !known.has(word)).length <= words.size / 6

/** Whether a member is a function, which programs call, or has a program or several paragraphs: no text for a cell. @param {Member} member */
const hasSection = ({ node, symbol }) => {
  const { type } = /** @type {{ readonly type?: ts.TypeNode }} */ (node)
  const isFunction = ts.isMethodSignature(node) || ts.isMethodDeclaration(node) || (type && ts.isFunctionTypeNode(type))
  const isOption = (symbol.flags & ts.SymbolFlags.Optional) !== 0
  return docsOf(node).some(
    ({ comment, tags = [] }) =>
      (isFunction && !isOption) || tags.length > 0 || ts.getTextOfJSDocComment(comment)?.includes("\n\n")
  )
}

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
/** The sections that a later module can repeat, by their names. @type {Map<string, Array<{ address: string, words: ReadonlySet<string> }>>} */
const described = new Map()

// The places of all sections are known before any of them is written, since links lead to them.
const outline = pages.map(({ file, title, ...page }) => {
  const anchorIn = anchors()
  anchorIn(title)
  const groups = groupsOf(file)
  const parts = page.modules.map((module) => {
    headings.set(`${file}#${anchorIn(module)}`, module)
    const { sections, types } = found(modules.get(module), module)
    /** The titles of the pages that describe its other names. @type {Set<string>} */
    const elsewhere = new Set()
    /** Where another page, or another section, describes it. @param {Section} section */
    const knownAt = (section) => {
      const { name, statements, symbol } = section
      const words = wordsOf(section, statements.flatMap(membersOf))
      const known = described.get(name)?.find((other) => isSaid(words, other.words))
      return addresses.get(symbol) ?? known?.address
    }
    /** @param {Section} section @param {string} address @param {boolean} isHere */
    const place = (section, address, isHere) => {
      const { name, statements, symbol } = section
      const isWhole = isHere && shortOf(section) === undefined
      addresses.set(symbol, address)
      for (const member of statements.flatMap(membersOf)) {
        const own = isWhole && hasSection(member) ? `${file}#${anchorIn(member.symbol.name)}` : address
        headings.set(own, headings.get(own) ?? member.symbol.name)
        addresses.set(member.symbol, own)
        named.set(member.symbol.name, named.get(member.symbol.name) ?? own)
      }
      named.set(name, named.get(name) ?? address)
    }
    const all = grouped(sections, groups).map(({ sections, title }) => ({
      title,
      sections: sections.filter((section) => {
        const known = knownAt(section)
        if (known !== undefined) {
          const page = found(
            pages.find((page) => known.startsWith(page.file)),
            known
          )
          elsewhere.add(`[the page of ${page.title.replace("API: ", "")}](${page.file})`)
          place(section, known, false)
        }
        return known === undefined
      })
    }))
    // A module with few names has no groups.
    const hasGroups = all.slice(0, groups.length).filter(({ sections }) => sections.length > 0).length > 1
    const own = all
      .filter(({ sections }) => sections.length > 0)
      .map(({ sections, title }) => {
        if (hasGroups) {
          anchorIn(title)
        }
        for (const section of sections) {
          const { heading, name, statements } = section
          const address = `${file}#${anchorIn(heading)}`
          headings.set(address, heading)
          const words = wordsOf(section, statements.flatMap(membersOf))
          described.set(name, [...(described.get(name) ?? []), { address, words }])
          place(section, address, true)
        }
        return { title: hasGroups ? title : "", sections }
      })
    return { module, types, groups: own, elsewhere }
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
    const address = ts.isIdentifier(part) ? addressOf(checker.getSymbolAtLocation(part)) : undefined
    if (address !== undefined && ts.isTypeReferenceNode(part.parent)) {
      links.set(part.getText(), link(part.getText(), address, file))
    }
    ts.forEachChild(part, visit)
  }
  visit(type ?? node)
  return code
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\breadonly (?=\w+[?]?:)|(?<!\w)readonly (?=\[)| [|] undefined$/g, "")
    .split(/(?<![.\w"])([A-Z]\w*)(?![\w"])/)
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

/** What a comment says of a member, or the section that says the same. @param {Member} member @param {string} text @param {Section} section @param {string} file */
const said = ({ node, symbol }, text, { heading, symbol: owner }, file) => {
  const key = keyOf({ node, symbol })
  const own = `${heading}|${addresses.get(owner)}`
  const other = shown.get(key) ?? own
  shown.set(key, other)
  const [title = "", address = ""] = other.split("|")
  return other === own || key.length < 60 ? [text] : [`As in ${link(title, address, file)}.`]
}

/** A member and what its comment says. @param {Member} member */
const keyOf = ({ node, symbol }) => {
  const comments = docsOf(node).map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
  return `${symbol.name}: ${comments.join(" ").replaceAll(/\s+/g, " ")}`
}

/** The table of members, without those that another section describes in the same words. @param {ReadonlyArray<Member>} members @param {string} own @param {string} file */
const tableOf = (members, own, file) => {
  /** @type {Map<string, ReadonlyArray<string>>} */
  const shared = new Map()
  const rows = members.flatMap((member) => {
    const key = keyOf(member)
    const other = shown.get(key) ?? own
    shown.set(key, other)
    if (other !== own && key.length > 60) {
      shared.set(other, [...(shared.get(other) ?? []), `\`${member.symbol.name}\``])
      return []
    }
    return [rowOf(member, file)]
  })
  const also = Array.from(shared, ([place, names]) => {
    const [heading = "", address = ""] = place.split("|")
    return `${names.join(", ")} of ${link(heading, address, file)}`
  })
  return [
    ...(rows.length === 0 ? [] : [["| Property | Type | Description |", "| --- | --- | --- |", ...rows].join("\n")]),
    ...(also.length === 0 ? [] : [`Also ${also.join("; ")}.`])
  ]
}

/** @param {Member} member @param {string} file */
const rowOf = ({ node, symbol }, file) => {
  const { text } = commentOf(node, file)
  const name = `${ts.getNameOfDeclaration(node)?.getText()}${symbol.flags & ts.SymbolFlags.Optional ? "?" : ""}`
  return `| \`${name}\` | ${typeIn(node, file)} | ${text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|") || (symbol.name === "_tag" ? "The name of the error." : "-")} |`
}

/** @param {string} code */
const formatted = async (code) => (await formatSource("api.d.ts", code)).trim()

/** A declaration by the name that programs write, which can be an alias of the one in the source. @param {string} code @param {Section} section */
const renamed = (code, { name }) =>
  code.replace(/^((?:(?:export|declare|abstract) )*(?:type|interface|class|const|function) )[\w$]+/, `$1${name}`)

/** @param {string} code */
const fence = (code) => `\`\`\`ts\n${code}\n\`\`\``

/** An interface up to its members. @param {ts.InterfaceDeclaration} statement */
const headOf = (statement) =>
  statement
    .getSourceFile()
    .text.slice(statement.getStart(), statement.members.pos)
    .replace(/^(?:export )?(?:declare )?/, "")

/** Interfaces as code, with their comments, where few members have one; otherwise only their parameters, above the table. @param {Section} section @param {boolean} isPlain */
const interfaceCodeOf = ({ statements }, isPlain) =>
  statements.filter(ts.isInterfaceDeclaration).flatMap((statement) => {
    const members = membersOf(statement).map(({ node }) => (isPlain ? node.getText() : ""))
    return members.length > 0 && (isPlain || statement.typeParameters)
      ? [`${headOf(statement)}\n${members.join("\n")}}`]
      : []
  })

/** Whether few of the members have a comment. @param {ReadonlyArray<Member>} members */
const isPlainCode = (members) => members.filter(({ node }) => docsOf(node).length > 0).length * 2 < members.length

/** @param {Section} section @param {string} file */
const textOf = async (section, file) => {
  const { heading, statements, symbol } = section
  const members = statements.flatMap(membersOf)
  const comments = statements.map((statement) => commentOf(statement, file))
  const prose = [...new Set(comments.map(({ text }) => text).filter((text) => text !== ""))]
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
  const bases = statements.flatMap(basesOf).flatMap((base) => {
    const address = addressOf(symbolOf(base))
    return address === undefined ? [] : [link(base.expression.getText(), address, file)]
  })
  const rows = members.filter((member) => !hasSection(member))
  const isPlain = members.length === rows.length && !statements.some(ts.isClassDeclaration) && isPlainCode(rows)
  const table = isPlain ? [] : tableOf(rows, `${heading}|${addresses.get(symbol)}`, file)
  // A table shows the others.
  const signatures = statements.filter((node) => membersOf(node).length === 0 && basesOf(node).length === 0)
  const code = [...signatures.map(codeOf), ...interfaceCodeOf(section, isPlain)].map((text) => renamed(text, section))
  const parts = members.filter(hasSection).map((member) => {
    const { text, programs } = commentOf(member.node, file)
    const signature = (member.symbol.declarations ?? []).map(codeOf).join("\n")
    return {
      signature,
      texts: [...said(member, text, section, file), ...programs],
      title: `#### ${member.symbol.name}`
    }
  })
  return [
    `### ${heading}`,
    ...(await Promise.all(code.map(formatted))).map((text) => fence(text.replace(/\{\}$/, "{ … }"))),
    ...prose,
    ...new Set(comments.flatMap(({ programs }) => programs)),
    ...(bases.length === 0 ? [] : [`Extends ${bases.join(" and ")}.`]),
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

const folder = join(root, "docs/api")
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const { file, intro, parts, title } of outline) {
  const text = await Promise.all(
    parts.map(async ({ elsewhere, groups, module, types }) => [
      `## \`${module}\``,
      introductionOf(types),
      ...(
        await Promise.all(
          groups.map(async ({ sections, title }) => [
            title === "" ? "" : `## ${title}`,
            ...(await Promise.all(sections.map((section) => textOf(section, file)))).flat()
          ])
        )
      ).flat(),
      elsewhere.size === 0
        ? ""
        : `It also exports names that ${[...elsewhere].join(" and ")} ${elsewhere.size > 1 ? "describe" : "describes"}.`
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
