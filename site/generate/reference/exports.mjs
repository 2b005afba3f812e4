// What the entry points export: sections, which have a heading each, and their members.
import { join } from "node:path"
import ts from "typescript"
import {
  aliasedIn,
  entryPointsIn,
  found,
  isNamespace,
  promiseEntryPoints,
  readDeclarations,
  statementOf
} from "../../../scripts/generate/declarations.mjs"
import { models } from "../../../scripts/generate/models.mjs"
import { root } from "../../../scripts/workspace.mjs"

const entries = [...promiseEntryPoints(), ...entryPointsIn(join(root, "effect4/dist"))]
const read = readDeclarations(entries)
const { moduleOf } = read

export const { checker } = read

export const aliased = aliasedIn(checker)

/** What is wrong with comments. @type {Set<string>} */
export const problems = new Set()

/** @param {ts.Node} node */
export const isOurs = (node) =>
  !/[/]node_modules[/](?!catalog-client|@catalog-client)|[/]dist[/]effect[/]/.test(node.getSourceFile().fileName)

/** Whether a node is in a package for Effect. @param {ts.Node} node */
export const isOfEffect4 = (node) => /[/]effect4[/]dist[/](?!promise[/])/.test(node.getSourceFile().fileName)

/** The arguments of a generic type by its parameters. @typedef {ReadonlyMap<ts.Symbol, ts.Node>} Given */

/** @type {Given} */
export const none = new Map()

/** The doc comments of a node. @param {ts.Node} node */
export const docsOf = (node) => ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)

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
 *
 * @typedef {object} Inherited
 * @property {Member} member
 * @property {ts.Symbol} base that declares it, with a section
 */

/** What an interface or a class extends. @param {ts.Node} node */
export const basesOf = (node) =>
  ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)
    ? (node.heritageClauses ?? []).flatMap(({ types }) => [...types])
    : []

/** @param {ts.ExpressionWithTypeArguments} base */
export const symbolOf = ({ expression }) => {
  const symbol = checker.getSymbolAtLocation(expression)
  return symbol && aliased(symbol)
}

/**
 * What a program gets from the service or the reference that a class is the key of; for a service, the key as well.
 *
 * @param {ts.Node} node
 */
export const serviceOf = (node) => {
  const [base] = basesOf(node)
  const [declaration] = (base && symbolOf(base)?.declarations) ?? []
  const type = declaration && ts.isVariableDeclaration(declaration) ? declaration.type : undefined
  const [, kind] = /\b(ServiceClass|Reference)(?=<)/.exec(type?.getText() ?? "") ?? []
  const given =
    type && (ts.isTypeReferenceNode(type) || ts.isImportTypeNode(type)) && kind ? (type.typeArguments ?? []) : []
  const shape = given.at(-1)
  return shape && { shape, key: given.length === 3 ? given[1]?.getText() : undefined }
}

/** Whether a member is one that every object has, or that only the compiler reads. @param {ts.Symbol} symbol @param {ts.Node} node */
const isHidden = ({ name }, node) =>
  /^__@(?!\w*terator)/.test(name) || (/^(?:toJSON|toString|message)$/.test(name) && docsOf(node).length === 0)

/** The members of an interface, a class or an object type, without those of a base that has a section. @param {ts.Node} statement @returns {ReadonlyArray<Member>} */
export const membersOf = (statement) => {
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

/** The members that an interface has from bases with a section, and does not declare again. @param {ts.Node} statement @returns {ReadonlyArray<Inherited>} */
export const inheritedBy = (statement) => {
  const own = new Set(membersOf(statement).map(({ symbol }) => symbol.name))
  return basesOf(statement)
    .filter(hasSectionOf)
    .flatMap((from) => {
      const base = symbolOf(from)
      return (base?.declarations ?? []).flatMap((declaration) => [
        ...membersOf(declaration).map((member) => ({
          base: found(base, from.getText()),
          member: { ...member, given: givenTo(member.declared.parent, from) }
        })),
        ...inheritedBy(declaration)
      ])
    })
    .filter(({ member }) => !own.has(member.symbol.name))
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
export const hasSectionOf = (base) => {
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
      models.has(symbol.name) ||
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
export const namespaces = {
  "@catalog-client/node": "CatalogNode",
  "@catalog-client/browser": "CatalogBrowser",
  "@catalog-client/node/redis": "RedisStore",
  "@catalog-client/node/sql": "SqlStore",
  "@catalog-client/oauth/redis": "RedisTokenStores",
  "@catalog-client/oauth/sql": "SqlTokenStores"
}

/** The modules by their names, with their sections. */
export const modules = new Map(
  entries.map(({ specifier, types }) => {
    const space = namespaces[specifier]
    const sections = sectionsOf(moduleOf(types), "").map((section) =>
      space && section.heading.startsWith("layer") ? { ...section, heading: `${space}.${section.heading}` } : section
    )
    return [specifier, { types, sections }]
  })
)

export const exported = new Set([...modules.values()].flatMap(({ sections }) => sections.map(({ symbol }) => symbol)))

/** What a namespace has, by the names that it gives them. @param {ts.Symbol} namespace */
export const membersOfNamespace = (namespace) =>
  exportsOf(namespace)
    .map((member) => ({ name: member.name, symbol: aliased(member) }))
    .filter(({ symbol }) => exported.has(symbol))

/** How programs write a name, which the source can call otherwise: `Credentials.Slot` is its `CredentialSlot`. @type {Map<ts.Symbol, string>} */
export const headingOf = new Map(
  [...modules.values()]
    .flatMap(({ sections }) => sections.map(({ heading, symbol }) => /** @type {const} */ ([symbol, heading])))
    .toReversed()
)

/** Whether a name is Effect's own client, or marks a type for the compiler alone. @param {ts.Symbol} symbol */
export const isOfCompiler = ({ name }) => /^(?:HttpClient|TypeId)$/.test(name)

/** Whether a type only computes others, and its name says enough of what it stands for. @param {ts.Symbol} symbol */
export const isMachinery = ({ name }) => /^(?:(?:Effect)?Face|Reply|Replies|Any)$/.test(name)

/** Whether a type is one of the packages that no page has otherwise. @param {ts.Symbol} symbol */
export const isUnexported = (symbol) =>
  (symbol.flags & (ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface)) !== 0 &&
  !models.has(symbol.name) &&
  !exported.has(symbol) &&
  !isOfCompiler(symbol) &&
  (symbol.declarations ?? []).some(isOurs)

/** @param {ts.Symbol} symbol */
export const isOptional = (symbol) => (symbol.flags & ts.SymbolFlags.Optional) !== 0

/** Whether a section is `Catalog` of Effect, whose type is a list of operations. @param {Section} section */
export const isCatalogOfEffect = (section) => section.heading === "Catalog" && isValue(section)

/** @param {{ readonly symbol: ts.Symbol }} named */
export const isValue = ({ symbol }) => (symbol.flags & ts.SymbolFlags.Value) !== 0

/** A type; that of `Options["headers"]` is what `headers` is declared as. @param {ts.TypeNode} type @returns {ts.TypeNode} */
export const typeAt = (type) => {
  if (!ts.isIndexedAccessTypeNode(type) || !ts.isLiteralTypeNode(type.indexType)) {
    return type
  }
  const name = type.indexType.literal.getText().slice(1, -1)
  const [member] = checker.getTypeAtLocation(type.objectType).getProperty(name)?.declarations ?? []
  return member && ts.isPropertySignature(member) && member.type ? member.type : type
}

/** The type of a member that is no function. @param {ts.Node} node */
export const typeOf = (node) => {
  const { type } = /** @type {{ readonly type?: ts.TypeNode }} */ (node)
  return type && !ts.isMethodSignature(node) && !ts.isMethodDeclaration(node) ? typeAt(type) : undefined
}

/** What a member with a section is called there: of two sessions, each has its own `login`. @param {Member} member @param {Section} section */
export const memberTitle = ({ symbol }, { heading }) => `${heading}.${symbol.name}`

/** Whether a module is that of a package for Effect, whose other modules export what it does. @param {string} module */
export const isPackage = (module) => module.startsWith("@")
