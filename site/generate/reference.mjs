// Writes docs/api, the reference of the entry points, from the doc comments of what is built, and the OpenAPI document of the
// service: `npm run docs` runs it. The packages for Effect are those for Effect 4. The table of docs/reference.md says what a page
// begins with, and in which groups. It fails if a public name has no comment, or if a link in one leads nowhere.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
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
import { effectFolders, root } from "../../scripts/workspace.mjs"

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

/** The arguments of a generic type by its parameters. @typedef {ReadonlyMap<ts.Symbol, ts.Node>} Given */

/** @type {Given} */
const none = new Map()

/** Code with the names that programs write. @param {ts.Node} node @param {Given} [given] */
const codeOf = (node, given = none) => written(node, given).code

/** The same of code that has comments. @param {string} code @param {ts.Node} node */
const asWritten = (code, node) =>
  inWords(
    [...namesIn(node)].reduce(
      (text, [name, { own }]) => text.replaceAll(new RegExp(`(?<![.\\w"])${own}(?![\\w"]|\\?:)`, "g"), name),
      code
    )
  )

/** Code without the modules that the compiler names types with, and with Effect 4's own names. @param {string} code */
const inWords = (code) =>
  ofEffect4
    .reduce((all, [one, other]) => all.replaceAll(one, other), code)
    .replaceAll(/import\("[^"]+"\)\.(?:internal\.)?/g, "")

/**
 * A type as it is named in code.
 *
 * @typedef {object} Named
 * @property {ts.Symbol} symbol
 * @property {string} own its name in the source
 */

/** The types that code names, by the names that programs write. @param {ts.Node} node @param {Given} [given] @returns {ReadonlyMap<string, Named>} */
const namesIn = (node, given = none) => written(node, given).names

/** Helpers that only the compiler's messages need: a reader sees what they stand for if a program is right. */
const checks = /^Checked(?:Default)?$/
/** The same, as a part of an intersection. */
const extraChecks = /^Checked(?:Path|Declaration|Pages)$/

/** Whether a name is Effect's own client, or marks a type for the compiler alone. @param {ts.Symbol} symbol */
const isOfCompiler = ({ name }) => /^(?:HttpClient|TypeId)$/.test(name)

/** Whether a type is one of the packages that no page has otherwise. @param {ts.Symbol} symbol */
const isUnexported = (symbol) =>
  (symbol.flags & (ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface)) !== 0 &&
  !models.has(symbol.name) &&
  !exported.has(symbol) &&
  !isOfCompiler(symbol) &&
  (symbol.declarations ?? []).some(isOurs)

/** The declaration of an alias that is shorter than what would be said of it. @param {ts.Symbol} symbol */
const shortAliasOf = (symbol) => {
  const [declaration, ...more] = symbol.declarations ?? []
  return declaration !== undefined &&
    more.length === 0 &&
    ts.isTypeAliasDeclaration(declaration) &&
    (checks.test(symbol.name) ||
      (declaration.type.getText().length < 65 &&
        !ts.isIndexedAccessTypeNode(declaration.type) &&
        !/`|infer|keyof/.test(declaration.type.getText())))
    ? declaration
    : undefined
}

/** The members of an interface that has one or two, which say all. @param {ts.Symbol} symbol */
const fewMembersOf = ({ declarations = [] }) => {
  const members = declarations.flatMap((declaration) =>
    ts.isInterfaceDeclaration(declaration) && !declaration.typeParameters ? membersOf(declaration) : []
  )
  const isWhole = members.every(({ declared, node }) => ts.isPropertySignature(declared) && docsOf(node).length === 0)
  return isWhole && members.length < 3 ? members.map(({ declared }) => declared) : []
}

/** What a helper stands for in a program that is right: its last alternative. @param {ts.TypeNode} type @returns {ts.TypeNode} */
const lastOf = (type) => (ts.isConditionalTypeNode(type) ? lastOf(type.falseType) : type)

/** Code with the names that programs write, with short helpers in place, and the types that it then names. @param {ts.Node} node @param {Given} outer */
const written = (node, outer) => {
  /** @type {Map<string, Named>} */
  const names = new Map()
  /** @param {ts.EntityName | ts.Expression} name */
  const symbolAt = (name) => {
    const symbol = checker.getSymbolAtLocation(ts.isQualifiedName(name) ? name.right : name)
    return symbol && aliased(symbol)
  }
  /** @param {ts.TypeReferenceNode | ts.ExpressionWithTypeArguments} reference */
  const nameOf = (reference) => (ts.isTypeReferenceNode(reference) ? reference.typeName : reference.expression)
  /** @param {ts.Node} part */
  const isExtra = (part) => ts.isTypeReferenceNode(part) && extraChecks.test(part.typeName.getText())
  /** @param {Given} given @returns {(part: ts.Node) => ts.Node} */
  const visitIn = (given) => {
    /** @param {ts.Node} part @returns {ts.Node} */
    const visit = (part) => {
      // Literals are read from one file, and aliases are in others.
      if (ts.isStringLiteral(part)) {
        return ts.factory.createStringLiteral(part.text)
      }
      // The values of lists that no page has, in place of `(typeof stages)[number]`.
      if (ts.isIndexedAccessTypeNode(part) && /^\(typeof \w+\)\[number\]$/.test(part.getText())) {
        const types = checker.getTypeFromTypeNode(part)
        return ts.factory.createTypeReferenceNode(checker.typeToString(types))
      }
      // What `RateLimitOptions["interval"]` is.
      if (ts.isIndexedAccessTypeNode(part) && ts.isTypeReferenceNode(part.objectType)) {
        const owner = symbolAt(part.objectType.typeName)
        const type = typeAt(part)
        if (owner && owner.flags & ts.SymbolFlags.Interface && type !== part && type.getText().length < 40) {
          return visit(type)
        }
      }
      if (ts.isTypeQueryNode(part)) {
        const value = symbolAt(part.exprName)
        if (value && !exported.has(value) && /^\w+$/.test(part.getText().slice(7)) && /^[a-z]/.test(value.name)) {
          const type = checker.typeToString(
            checker.getTypeFromTypeNode(part),
            undefined,
            ts.TypeFormatFlags.NoTruncation
          )
          return ts.factory.createTypeReferenceNode(type)
        }
      }
      if (ts.isIntersectionTypeNode(part) && part.types.some(isExtra)) {
        const [first, ...rest] = part.types.filter((type) => !isExtra(type))
        return first !== undefined && rest.length === 0
          ? visit(first)
          : ts.factory.createIntersectionTypeNode(
              /** @type {Array<ts.TypeNode>} */ ([first, ...rest].map((type) => visit(/** @type {ts.Node} */ (type))))
            )
      }
      if (ts.isVariableDeclaration(part) && part.type && ts.isTypeReferenceNode(part.type)) {
        // The signatures of a function that no page has otherwise.
        const symbol = symbolAt(part.type.typeName)
        const [declaration] = symbol?.declarations ?? []
        if (
          symbol &&
          isUnexported(symbol) &&
          declaration &&
          ts.isInterfaceDeclaration(declaration) &&
          !declaration.typeParameters
        ) {
          const members = declaration.members.map((member) => /** @type {ts.TypeElement} */ (visit(member)))
          return ts.factory.createVariableDeclaration(part.name, undefined, ts.factory.createTypeLiteralNode(members))
        }
      }
      if (ts.isTypeReferenceNode(part) || ts.isExpressionWithTypeArguments(part)) {
        const symbol = symbolAt(nameOf(part))
        const known = symbol && given.get(symbol)
        if (known) {
          return known
        }
        const [only] = part.typeArguments ?? []
        if (only && /^(?:Simplify|Given)$/.test(nameOf(part).getText())) {
          return visit(only)
        }
        const few = symbol && isUnexported(symbol) ? fewMembersOf(symbol) : []
        if (few.length > 0) {
          return ts.factory.createTypeLiteralNode(few.map((member) => /** @type {ts.TypeElement} */ (visit(member))))
        }
        const alias = symbol && isUnexported(symbol) ? shortAliasOf(symbol) : undefined
        if (alias !== undefined) {
          const values = part.typeArguments?.map(visit) ?? []
          const inner = (alias.typeParameters ?? []).flatMap((parameter, at) => {
            const own = checker.getSymbolAtLocation(parameter.name)
            const value = values[at] ?? (parameter.default && visit(parameter.default))
            return own && value ? [/** @type {const} */ ([own, value])] : []
          })
          const type = checks.test(alias.name.text) ? lastOf(alias.type) : alias.type
          const shown = /** @type {ts.TypeNode} */ (visitIn(new Map(inner))(type))
          return ts.isUnionTypeNode(part.parent) === ts.isUnionTypeNode(type)
            ? shown
            : ts.factory.createParenthesizedType(shown)
        }
        if (symbol && (symbol.flags & ts.SymbolFlags.TypeParameter) === 0) {
          const own = nameOf(part).getText()
          const name = headingOf.get(symbol) ?? own.replace(/^internal\./, "")
          names.set(name, { symbol, own })
          const values = part.typeArguments?.map((type) => /** @type {ts.TypeNode} */ (visit(type)))
          return ts.isTypeReferenceNode(part)
            ? ts.factory.createTypeReferenceNode(name, values)
            : ts.factory.createExpressionWithTypeArguments(ts.factory.createIdentifier(name), values)
        }
      }
      return ts.visitEachChild(part, visit, undefined)
    }
    return visit
  }
  const visitOwn = visitIn(none)
  const visited = visitIn(new Map([...outer].map(([parameter, value]) => [parameter, visitOwn(value)])))(node)
  return { code: inWords(declarationOf(visited, node.getSourceFile())), names }
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
 * @typedef {object} Member
 * @property {ts.Symbol} symbol
 * @property {ts.Declaration} node that has its comment
 * @property {ts.Declaration} declared that has its type
 * @property {Given} given what the base that declares it takes
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
    return symbol === undefined ? [] : [{ symbol, node: documented(type, symbol) ?? node, declared: node, given: none }]
  })
  // What `Omit` or `Pick` leaves has its declarations, too.
  const inherited = basesOf(type)
    .filter((base) => !hasSectionOf(base))
    .flatMap((base) =>
      checker.getPropertiesOfType(checker.getTypeAtLocation(base)).flatMap((symbol) =>
        (symbol.declarations ?? []).filter(isOurs).map((declared) => {
          const node = documented(declared.parent, symbol) ?? declared
          return { symbol, node, declared, given: givenTo(declared.parent, base) }
        })
      )
    )
  const all = [...own, ...inherited].filter(({ node, symbol }) => !isHidden(symbol, node))
  // Of overloads and of two accessors, the first has the comment.
  return [
    ...new Map(all.map((member) => /** @type {const} */ ([member.symbol.name, member])).toReversed()).values()
  ].toReversed()
}

/** The arguments by parameters that an interface gets from one that extends it, directly or not. @param {ts.Node} target @param {ts.ExpressionWithTypeArguments} base @returns {Given} */
const givenTo = (target, base) => {
  const declaration = symbolOf(base)?.declarations?.find(ts.isInterfaceDeclaration)
  const given = new Map(
    (declaration?.typeParameters ?? []).flatMap((parameter, at) => {
      const symbol = checker.getSymbolAtLocation(parameter.name)
      const value = base.typeArguments?.[at] ?? parameter.default
      return symbol && value ? [/** @type {const} */ ([symbol, value])] : []
    })
  )
  if (declaration === undefined || declaration === target) {
    return given
  }
  const [inner = none] = basesOf(declaration)
    .map((other) => givenTo(target, other))
    .filter(({ size }) => size > 0)
  return new Map(
    [...inner].map(([symbol, value]) => {
      const own = ts.isTypeReferenceNode(value) ? checker.getSymbolAtLocation(value.typeName) : undefined
      return [symbol, (own && given.get(own)) ?? value]
    })
  )
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

/** What programs call modules that they import as a whole. @type {Readonly<Record<string, string>>} */
const namespaces = {
  "@catalog-client/node": "CatalogNode",
  "@catalog-client/browser": "CatalogBrowser",
  "@catalog-client/node/redis": "RedisStore",
  "@catalog-client/node/sql": "SqlStore"
}

/** The modules by their names, with their sections. */
const modules = new Map(
  entries.map(({ specifier, types }) => {
    const space = namespaces[specifier]
    const sections = sectionsOf(moduleOf(types), "").map((section) =>
      space && section.heading.startsWith("layer") ? { ...section, heading: `${space}.${section.heading}` } : section
    )
    return [specifier, { types, sections }]
  })
)

const exported = new Set([...modules.values()].flatMap(({ sections }) => sections.map(({ symbol }) => symbol)))

/** How programs write a name, which the source can call otherwise: `Credentials.Slot` is its `CredentialSlot`. @type {Map<ts.Symbol, string>} */
const headingOf = new Map(
  [...modules.values()]
    .flatMap(({ sections }) => sections.map(({ heading, symbol }) => /** @type {const} */ ([symbol, heading])))
    .toReversed()
)

/** Effect 4's own names, where the declarations have those of Effect 3. @type {ReadonlyArray<readonly [string, string]>} */
const ofEffect4 = [
  ["Schema.Schema.AnyNoContext", "Schema.Codec<unknown, unknown>"],
  ["Schema.Schema<", "Schema.Codec<"],
  ["Schema.Array$<", "Schema.$Array<"],
  ["DurationInput", "Duration.Input"],
  [" Client.HttpClient", " HttpClient"]
]

/** @typedef {{ readonly title: string, readonly guides: string, readonly anchors: ReadonlyArray<string> }} Group What a reader wants to do, what to read first, and the names for it. */

const rows = readFileSync(join(root, "docs/reference.md"), "utf8").match(/^\| .*\]\(.*$/gm) ?? []

/** A link to a guide, with the beginning of its title. @param {string} address from docs/reference.md */
const linkToGuide = (address) => {
  const text = readFileSync(join(root, "docs", address.replace(/#.*/, "")), "utf8")
  return `[${/^# ([^:,\n]+)/m.exec(text)?.[1]}](../${address})`
}

/** The groups of a page. @param {string} file @returns {ReadonlyArray<Group>} */
const groupsOf = (file) =>
  rows.map((row) => {
    const [, task = ""] = row.split(" | ", 1)[0]?.match(/^\| (.*)/) ?? []
    const title = task.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    const notHere = file === "core.md" ? "start/promise.md" : "start/effect.md"
    const guides = Array.from(task.matchAll(/\]\(([^)]+)\)/g), ([, address = ""]) => address)
      .filter((address) => address !== notHere)
      .map(linkToGuide)
    const links = [...row.matchAll(/[(][^()]*[/]api[/]([\w-]+)#([\w-]+?)(?:-\d)?[)]/g)]
    // Its own names come first; those of other pages are in its index.
    const anchors = [true, false].flatMap((isOwn) =>
      links.flatMap(([, page, anchor = ""]) => ((`${page}.md` === file) === isOwn ? [anchor] : []))
    )
    return { title: title.charAt(0).toUpperCase() + title.slice(1), guides: guides.join(", "), anchors }
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
      // Options of a namespace are where those of the other face are.
      const named = [...left].filter(
        ({ heading, name }) => anchorOf(heading) === anchor || (/.Options$/.test(name) && anchorOf(name) === anchor)
      )
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
const unexportedTitle = "Unexported types"

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
  const places = ["src", "src/entries"].map((folder) =>
    declarations.replace(/[/]dist[/](?!.*[/]dist[/])/, `/${folder}/`)
  )
  // What the package for promises takes from another one.
  const shared = effectFolders.map((name) => join(root, "packages", name, "src", basename(declarations)))
  const source = [...places, ...shared].map((file) => file.replace(/[.]d[.]c?ts$/, ".ts")).find(existsSync)
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

/** A type; that of `Options["headers"]` is what `headers` is declared as. @param {ts.TypeNode} type @returns {ts.TypeNode} */
const typeAt = (type) => {
  if (!ts.isIndexedAccessTypeNode(type) || !ts.isLiteralTypeNode(type.indexType)) {
    return type
  }
  const name = type.indexType.literal.getText().slice(1, -1)
  const [member] = checker.getTypeAtLocation(type.objectType).getProperty(name)?.declarations ?? []
  return member && ts.isPropertySignature(member) && member.type ? member.type : type
}

/** The type of a member that is no function. @param {ts.Node} node */
const typeOf = (node) => {
  const { type } = /** @type {{ readonly type?: ts.TypeNode }} */ (node)
  return type && !ts.isMethodSignature(node) && !ts.isMethodDeclaration(node) ? typeAt(type) : undefined
}

/** Whether an alias says less than its comment: it computes a type with others that no page has. @param {ts.Node} node */
const isComputed = (node) =>
  ts.isTypeAliasDeclaration(node) &&
  (ts.isIndexedAccessTypeNode(node.type) || /\?[^]*:|\bin keyof\b/.test(node.type.getText())) &&
  [...namesIn(node).values()].some(
    ({ symbol }) => isUnexported(symbol) && !ts.isInterfaceDeclaration(found(symbol.declarations?.[0], symbol.name))
  )

/** The types that a section shows, in its declarations and in those of its members. @param {Section} section @returns {ReadonlyArray<readonly [string, Named]>} */
const shownIn = ({ statements }) => [
  ...statements
    .flatMap((statement) =>
      ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement)
        ? [
            ...(statement.typeParameters ?? []),
            ...statement.members.filter(ts.isCallSignatureDeclaration),
            ...basesOf(statement).filter(hasSectionOf)
          ]
        : isComputed(statement)
          ? []
          : [statement]
    )
    .flatMap((node) => [...namesIn(node)]),
  ...statements.flatMap(membersOf).flatMap(({ declared, given, symbol }) => {
    const type = typeOf(declared)
    const nodes =
      type === undefined || type.parent === declared ? (symbol.declarations ?? [declared]).filter(isOurs) : [type]
    return nodes.flatMap((node) => [...namesIn(node, given)])
  })
]

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
const signatureOf = ({ statements }) => statements.map((node) => codeOf(node)).join("\n")

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
const addressFrom = (address, file) => (address.startsWith(`${file}#`) ? address.slice(file.length) : address)

/** A link to where something is explained. @param {string} text @param {string} address @param {string} file the page that it is on */
const link = (text, address, file) => `[\`${text}\`](${addressFrom(address, file)})`

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

/** Where types are explained, by the names that code has for them. @param {Iterable<readonly [string, Named]>} names @param {string} file */
const linksOf = (names, file) =>
  new Map(
    [...names].flatMap(([name, { symbol }]) => {
      const address = addressOf(symbol)
      if (address === undefined && !isOfCompiler(symbol) && (symbol.declarations ?? []).some(isOurs)) {
        problems.add(`${file}: ${name} leads nowhere`)
      }
      return address === undefined ? [] : [/** @type {const} */ ([name, addressFrom(address, file)])]
    })
  )

/** The type of a member in a cell: its code, with links to what is explained. @param {Member} member @param {string} file */
const typeIn = ({ declared, given }, file) => {
  const type = typeOf(declared) ?? declared
  const code = codeOf(type, given).replace(/;$/, "")
  const links = linksOf(namesIn(type, given), file)
  return code
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\breadonly (?=\w+[?]?:)|(?<!\w)readonly (?=\[)| [|] undefined$/g, "")
    .split(/(?<![.\w"])([A-Z]\w*(?:[.][A-Z]\w*)*)(?![\w"])/)
    .reduce(
      (parts, part) => {
        const address = links.get(part)
        return address === undefined
          ? [...parts.slice(0, -1), `${parts.at(-1)}${part}`]
          : [...parts, `[\`${part}\`](${address})`, ""]
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
 * of a long table, it leads there.
 *
 * @param {ReadonlyArray<Member>} members
 * @param {string} own
 * @param {string} file
 * @param {boolean} hasTypes otherwise they are in the code above it
 */
const tableOf = (members, own, file, hasTypes) => {
  const places = members.map((member) => {
    const place = shown.get(keyOf(member)) ?? own
    shown.set(keyOf(member), place)
    return place
  })
  const isOptions = /(?:Options|Defaults)[|]/.test(own)
  const most = places.find(
    (place) => place !== own && places.filter((other) => other === place).length > (isOptions ? 5 : 4)
  )
  const linkTo = (/** @type {string} */ place) => {
    const [heading = "", address = ""] = place.split("|")
    return link(heading, address, file)
  }
  const rows = members.flatMap((member, at) => {
    const place = found(places[at], member.symbol.name)
    return place === most ? [] : [rowOf(member, file, place === own ? undefined : place, hasTypes)]
  })
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
    ...(most === undefined ? [] : [`Its${rows.length === 0 ? "" : " other"} properties are those of ${linkTo(most)}.`])
  ]
}

/** @param {Member} member @param {string} file @param {string | undefined} other the section that says all of its comment @param {boolean} hasType */
const rowOf = (member, file, other, hasType) => {
  const { node, symbol } = member
  const text = commentOf(node, file).text.replaceAll(/\s+/g, " ")
  const first = firstSentenceOf(text)
  const [heading = "", address = ""] = other?.split("|") ?? []
  const more = `See ${link(heading, address, file)}.`
  const said =
    other === undefined || text.length < more.length * 1.5 ? text : first === text ? text : `${first} ${more}`
  const name = `${ts.getNameOfDeclaration(node)?.getText()}${isOptional(symbol) ? "?" : ""}`
  return `| \`${name}\` | ${hasType ? `${typeIn(member, file)} | ` : ""}${said.replaceAll("|", "\\|") || "-"} |`
}

/** @param {string} code */
const formatted = async (code) => (await formatSource("api.d.ts", code)).trim()

/** A declaration by the name that programs write, which can be an alias of the one in the source. @param {string} code @param {Section} section */
const renamed = (code, { name }) =>
  code.replace(/^((?:(?:export|declare|abstract) )*(?:type|interface|class|const|function) )[\w$.]+/, `$1${name}`)

/** @param {string} code */
const fence = (code) => `\`\`\`ts\n${code}\n\`\`\``

/** An interface up to its members, without bases whose members are among them, or an alias up to its type. @param {ts.InterfaceDeclaration | ts.TypeAliasDeclaration} statement */
const headOf = (statement) => {
  const bases = basesOf(statement).filter(hasSectionOf)
  const parameters = statement.typeParameters?.map((node) => codeOf(node)).join(", ")
  if (ts.isTypeAliasDeclaration(statement)) {
    return `type ${statement.name.text}${parameters === undefined ? "" : `<${parameters}>`} = More`
  }
  return `interface ${statement.name.text}${parameters === undefined ? "" : `<${parameters}>`}${bases.length === 0 ? "" : ` extends ${bases.map((node) => codeOf(node)).join(", ")}`} {`
}

/** The comments of a node, for its code. @param {ts.Node} node */
const commentsOn = (node) =>
  docsOf(node)
    .map((doc) => `${doc.getText().replaceAll(/\{@link\s+([^}]+?)\}/g, "`$1`")}\n`)
    .join("")

/** Whether there are comments within the code of a node. @param {ts.Node} node */
const hasComments = (node) => /\/\*\*/.test(node.getText())

/** A member with the comments within its type, which no table has, and with its own. @param {Member} member @param {boolean} hasOwn */
const commented = ({ declared, given, node }, hasOwn) =>
  `${hasOwn ? commentsOn(node) : ""}${hasComments(declared) ? asWritten(declared.getText(), declared) : codeOf(declared, given)}`

/** The code of a type that programs cannot import, with all comments. @param {Section} section */
const unexportedCodeOf = (section) =>
  section.statements.map((statement) => {
    const [code] = interfaceCodeOf({ ...section, statements: [statement] }, membersOf(statement), true)
    return `${commentsOn(statement)}${ts.isTypeAliasDeclaration(statement) && isComputed(statement) ? headOf(statement) : (code ?? codeOf(statement))}`
  })

/** An interface as code, with the members that no table or section has; without any, only its parameters. @param {Section} section @param {ReadonlyArray<Member>} shown */
const interfaceCodeOf = ({ statements }, shown, isPlain = false) =>
  statements.filter(ts.isInterfaceDeclaration).flatMap((statement) => {
    const members = shown.map((member) => {
      const { declared, given, symbol } = member
      const type = typeOf(declared)
      const code =
        type !== undefined && type.parent !== declared
          ? `readonly ${symbol.name}: ${codeOf(type, given)}`
          : ts.isPropertySignature(declared) && (isPlain || hasComments(declared))
            ? commented(member, isPlain)
            : codeOf(declared, given)
      // What `Partial` makes of a member is not in its declaration.
      return isOptional(symbol) ? code.replace(/^((?:readonly )?\w+):/m, "$1?:").replace(/ [|] undefined;?$/, "") : code
    })
    const calls =
      shown.length === 0 ? [] : statement.members.filter(ts.isCallSignatureDeclaration).map((node) => codeOf(node))
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
  if (!exported.has(symbol)) {
    const code = await Promise.all(unexportedCodeOf(section).map(formatted))
    return [`### ${heading}`, ...code.map((text) => fence(text.replace(/ = More$/, " = …")))]
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
      fence(await formatted(statements.map((node) => codeOf(node)).join("\n"))),
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
    const name = headingOf.get(/** @type {ts.Symbol} */ (symbolOf(base))) ?? base.expression.getText()
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
    (rows.length > 4 || rows.some((member) => textInCell(typeIn(member, file)).length > 50))
  const table = isPlain ? [] : tableOf(hasLong ? inTable : rows, `${heading}|${addresses.get(symbol)}`, file, !hasLong)
  // A table shows the others.
  const signatures = statements.filter((node) => membersOf(node).length === 0 && basesOf(node).length === 0)
  const code = [
    ...signatures.map((node) =>
      isComputed(node) ? headOf(/** @type {ts.TypeAliasDeclaration} */ (node)) : codeOf(node)
    ),
    ...(hasLong ? errorCodeOf(section, rows) : []),
    ...interfaceCodeOf(section, isPlain || other !== undefined ? members : hasLong ? rows : [], isPlain)
  ].map((text) => renamed(text, section))
  const parts = members
    .filter((member) => other === undefined && hasSection(member))
    .map((member) => {
      const { text, programs } = commentOf(member.node, file)
      const signature = (member.symbol.declarations ?? []).map((node) => codeOf(node, member.given)).join("\n")
      return {
        signature,
        texts: [...said(member, text, section, file), ...programs],
        title: `#### ${memberTitle(member, section)}`
      }
    })
  return [
    `### ${heading}`,
    ...(await Promise.all(code.map(formatted))).map((text) =>
      fence(text.replace(/\{\}$/, "{ … }").replace(/ = More$/, " = …"))
    ),
    ...prose,
    ...new Set(comments.flatMap(({ programs }) => programs)),
    ...(bases.length === 0 || code.some((text) => / extends .*\{$/m.test(text))
      ? []
      : [`Extends ${bases.join(" and ")}.`]),
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
  const text = await Promise.all(
    parts.map(async (part) => [
      `## \`${part.module}\``,
      introductionOf(part.types),
      part.elsewhere.size === 0 ? "" : `It also exports what \`${[...part.elsewhere][0]}\` does.`,
      indexOf(part, file),
      ...(
        await Promise.all(
          part.groups.map(async ({ guides, sections, title }) => [
            title === "" ? "" : `## ${title}`,
            guides,
            ...(title === ofOperationsTitle
              ? [operationsTable(sections, file)]
              : (await Promise.all(sections.map((section) => notedTextOf(section, file)))).flat())
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
writeFileSync(join(folder, "signatures.json"), JSON.stringify(signatureLinks, null, 2))
writeFileSync(join(folder, "openapi.json"), await openApi())
for (const problem of problems) {
  console.error(problem)
}
process.exitCode = problems.size === 0 ? 0 : 1
