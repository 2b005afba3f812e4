// The public API as text: a report for each package, with a section for each entry point. It shows what the compiler sees,
// each declaration once: what another report shows is a name.
import { createHash } from "node:crypto"
import { basename } from "node:path"
import { pathToFileURL } from "node:url"
import ts from "typescript"
import {
  aliasedIn,
  codeOf,
  declarationOf,
  formatSource,
  found,
  isNamespace,
  readDeclarations,
  statementOf
} from "./declarations.mjs"

/**
 * @import { EntryPoints } from "./declarations.mjs"
 *
 * @typedef {object} Statement
 * @property {ts.Node} node
 * @property {ts.SourceFile} file that its literals are read from
 * @property {string} text
 * @property {ReadonlyArray<string>} says its text, and that of the members that it computes
 *
 * @typedef {object} Block What declares a name: a type and a value can have the same name.
 * @property {string} name as it is exported
 * @property {string} declared the name that its module gives it
 * @property {ReadonlyArray<Statement>} statements
 * @property {boolean} [isExported] in the namespace of a class
 *
 * @typedef {Readonly<Record<string, any>>} Values
 *
 * @typedef {object} Exported
 * @property {string} name
 * @property {ts.Symbol} symbol
 * @property {any} value at run time
 *
 * @typedef {object} Section An entry point.
 * @property {string} specifier
 * @property {ReadonlyMap<string, ReadonlyArray<string>>} again what it exports of other entry points
 * @property {ReadonlyArray<Block>} blocks
 * @property {ReadonlyArray<string>} undeclared the names that are not both declared and there at run time
 * @property {boolean} isOfTypes whether nothing of it is there at run time
 *
 * @typedef {object} Package
 * @property {string} report
 * @property {ReadonlyArray<Section>} sections
 * @property {ReadonlyArray<Block>} inner what is not exported, but used by the declarations
 *
 * @typedef {ReadonlyArray<readonly [from: string, to: string]>} Renamed Names of the same thing: not a difference.
 */

const { factory, SymbolFlags, SyntaxKind } = ts
const { NoTruncation, UseAliasDefinedOutsideCurrentScope, WriteArrayAsGenericType } = ts.NodeBuilderFlags
/** @type {ts.NodeBuilderFlags} */
const flags = NoTruncation | UseAliasDefinedOutsideCurrentScope | WriteArrayAsGenericType
const nowhere = ts.createSourceFile("api.d.ts", "", ts.ScriptTarget.Latest)

/** @template A @param {Iterable<A>} all @param {(one: A) => string} key */
const sortedBy = (all, key) => {
  const keyed = Array.from(all, (one) => /** @type {const} */ ([key(one), one]))
  return keyed.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)).map(([, one]) => one)
}

/** @param {ts.Node} node */
const isDeclaredHere = (node) => !/[/]node_modules[/]|[/]dist[/]effect[/]/.test(node.getSourceFile().fileName)

/** Whether a symbol is declared at the top of a module of the packages. @param {ts.Symbol} symbol */
const isAtTopHere = ({ declarations = [] }) =>
  declarations.some((node) => isDeclaredHere(node) && statementOf(node).parent?.kind === SyntaxKind.SourceFile)

/** @param {ts.Symbol} symbol */
const isValue = ({ flags }) => (flags & SymbolFlags.Value) !== 0

/** @typedef {ts.InterfaceDeclaration | ts.ClassDeclaration | ts.TypeLiteralNode} WithMembers */

/** @param {ts.Node} node @returns {node is WithMembers} */
const hasMembers = (node) =>
  ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node) || ts.isTypeLiteralNode(node)

/** @param {ts.Node} node */
const isProperty = (node) => ts.isPropertySignature(node) || ts.isPropertyDeclaration(node)

/**
 * @param {WithMembers} node
 * @param {ReadonlyArray<any>} members
 * @param {ReadonlyArray<ts.HeritageClause>} [heritage]
 */
const withMembers = (node, members, heritage) => {
  if (ts.isTypeLiteralNode(node)) {
    return ts.setEmitFlags(factory.createTypeLiteralNode(members), ts.EmitFlags.SingleLine)
  }
  const { heritageClauses = heritage, modifiers, name, typeParameters } = node
  return ts.isInterfaceDeclaration(node)
    ? factory.createInterfaceDeclaration(modifiers, node.name, typeParameters, heritage ?? heritageClauses, members)
    : factory.createClassDeclaration(modifiers, name, typeParameters, heritage ?? heritageClauses, members)
}

/** What packages declare. @param {EntryPoints} entries @returns {Promise<ReadonlyArray<Package>>} */
const readPackages = async (entries) => {
  const { checker, moduleOf } = readDeclarations(entries)
  const aliased = aliasedIn(checker)
  /** A node that the checker has made has its symbol. @param {ts.Node & { readonly symbol?: ts.Symbol }} node */
  const symbolOf = (node) => node.symbol ?? (node.pos < 0 ? undefined : checker.getSymbolAtLocation(node))
  /** @param {ts.Symbol} module @param {Values} values @returns {ReadonlyArray<Exported>} */
  const exportsOf = (module, values = {}) =>
    sortedBy(checker.getExportsOfModule(module), ({ name }) => name).map((symbol) => ({
      name: symbol.name,
      symbol: aliased(symbol),
      value: values[symbol.name]
    }))
  const modules = await Promise.all(
    entries.map(async (entry) => {
      const symbol = moduleOf(entry.types)
      const values = await import(pathToFileURL(entry.module).href)
      const isOfTypes = Object.keys(values).length === 0
      return { ...entry, symbol, values, isOfTypes, names: exportsOf(symbol, values) }
    })
  )

  /** Types that a class exports in its namespace: `CatalogConfig.Options`. @type {Set<ts.Symbol>} */
  const exportedInside = new Set()
  /**
   * A node with its properties and unions in one order, because the compiler writes those of an inferred type as it found
   * them; and the symbols that it needs. What is of another package has one name, however a module imports it:
   *
   * import("effect/Schema").Schema<"b" | "a", "b" | "a", never> → Schema.Schema<"a" | "b">
   *
   * @param {ts.Node} statement
   */
  const normalize = (statement) => {
    const file = statement.getSourceFile() ?? nowhere
    /** @type {Set<ts.Symbol>} */
    const needed = new Set()
    /** @template {ts.Node} Node @param {ReadonlyArray<Node>} nodes */
    const inOrder = (nodes) => sortedBy(nodes, (node) => codeOf(node, file))
    /** @param {string} module */
    const moduleName = (module) => factory.createIdentifier(basename(module, ".js"))
    /** @param {ts.Identifier} node */
    const renameIdentifier = (node) => {
      const symbol = symbolOf(node)
      const [declaration] = symbol?.declarations ?? []
      if (!symbol || !declaration || aliased(symbol).name === "unknown") {
        // For example because it is `@internal`.
        if (node.pos >= 0 && (ts.isTypeReferenceNode(node.parent) || symbol)) {
          throw new Error(`${file.fileName} needs ${node.text}, which it does not declare.`)
        }
        return node
      }
      needed.add(aliased(symbol))
      if (node.parent && ts.isExportSpecifier(node.parent)) {
        exportedInside.add(aliased(symbol))
      }
      const importing = ts.findAncestor(declaration, ts.isImportDeclaration)
      if (!importing || aliased(symbol).declarations?.some(isDeclaredHere)) {
        return node
      }
      const module = moduleName(/** @type {ts.StringLiteral} */ (importing.moduleSpecifier).text)
      if (!ts.isImportSpecifier(declaration)) {
        return module
      }
      const { text } = declaration.propertyName ?? declaration.name
      return ts.isExpressionWithTypeArguments(node.parent)
        ? factory.createPropertyAccessExpression(module, text)
        : factory.createQualifiedName(module, text)
    }
    /**
     * What a Schema encodes to and needs is said where it is not the usual.
     *
     * @param {ts.EntityName} name
     * @param {ReadonlyArray<ts.TypeNode>} [types]
     */
    const reference = (name, types) => {
      const [decoded, encoded, ...needs] = types?.map((type) => codeOf(type, file)) ?? []
      const isUsual = decoded === encoded && needs.every((type) => type === "never")
      const isSchema = /\b(?:Schema|Codec)$/.test(codeOf(name, file))
      return factory.createTypeReferenceNode(name, isSchema && isUsual ? types?.slice(0, 1) : types)
    }
    /** @type {(node: ts.Node) => ts.Node} */
    const visit = (node) => {
      if (ts.isIdentifier(node)) {
        return renameIdentifier(node)
      }
      if (ts.isImportTypeNode(node) && node.qualifier) {
        const { argument, qualifier, typeArguments } = node
        const module = codeOf(argument, file).slice(1, -1)
        needed.add(aliased(found(symbolOf(ts.isIdentifier(qualifier) ? qualifier : qualifier.right), "symbol")))
        const isOther = !module.startsWith(".") && ts.isIdentifier(qualifier)
        const name = isOther ? factory.createQualifiedName(moduleName(module), qualifier) : qualifier
        const types = typeArguments?.map((type) => /** @type {ts.TypeNode} */ (visit(type)))
        return node.isTypeOf ? factory.createTypeQueryNode(name, types) : reference(name, types)
      }
      const made = ts.visitEachChild(node, visit, undefined)
      if (hasMembers(made)) {
        const members = [...made.members]
        return withMembers(made, [...members.filter((one) => !isProperty(one)), ...inOrder(members.filter(isProperty))])
      }
      if (ts.isUnionTypeNode(made)) {
        return factory.createUnionTypeNode(inOrder(made.types))
      }
      // The order of others can matter: that of overloads does.
      if (ts.isIntersectionTypeNode(made) && made.types.every(ts.isTypeLiteralNode)) {
        return factory.createIntersectionTypeNode(inOrder(made.types))
      }
      if (ts.isTypeReferenceNode(made)) {
        return reference(made.typeName, made.typeArguments)
      }
      if (ts.isIndexSignatureDeclaration(made)) {
        const key = factory.createParameterDeclaration(undefined, undefined, "key", undefined, made.parameters[0]?.type)
        return factory.createIndexSignature(made.modifiers, [key], made.type)
      }
      if (ts.isArrayTypeNode(made)) {
        return factory.createTypeReferenceNode("Array", [made.elementType])
      }
      return ts.isTypeOperatorNode(made) &&
        ts.isTypeReferenceNode(made.type) &&
        codeOf(made.type.typeName, file) === "Array"
        ? factory.createTypeReferenceNode("ReadonlyArray", made.type.typeArguments)
        : made
    }
    const node = visit(statement)
    return { node, file, needed, text: declarationOf(node, file) }
  }

  /** @param {ts.Symbol} member */
  const memberFor = (member) =>
    factory.createPropertySignature(
      [factory.createModifier(SyntaxKind.ReadonlyKeyword)],
      /^\w+$/.test(member.name) ? member.name : factory.createStringLiteral(member.name),
      member.flags & SymbolFlags.Optional ? factory.createToken(SyntaxKind.QuestionToken) : undefined,
      checker.typeToTypeNode(checker.getTypeOfSymbolAtLocation(member, nowhere), undefined, flags)
    )

  /**
   * An interface or a class with the members that its base computes; `undefined` if it computes none.
   *
   * interface Picture extends Schema.Type<typeof Picture> {} → interface Picture { readonly medium?: string; … }
   * class Tokens extends Tokens_base {}, of Schema.Class     → class Tokens extends Class { readonly accessToken: …; … }
   *
   * @param {ts.Node} node
   */
  const withComputedMembers = (node) => {
    if (!(ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) || !node.name) {
      return undefined
    }
    const bases = [...(node.heritageClauses ?? [])].flatMap(({ types }) =>
      types.flatMap(({ expression }) => aliased(found(symbolOf(expression), "base")).declarations?.[0] ?? [])
    )
    const type = checker.getTypeAtLocation(node.name)
    if (ts.isInterfaceDeclaration(node)) {
      const isComputed = bases.some(
        (base) => ts.isTypeAliasDeclaration(base) && base.typeParameters && ts.isExternalModule(base.getSourceFile())
      )
      const isOfClass = symbolOf(node.name)?.declarations?.some(ts.isClassDeclaration)
      const calls = checker
        .getSignaturesOfType(type, ts.SignatureKind.Call)
        .map((one) => checker.signatureToSignatureDeclaration(one, SyntaxKind.CallSignature, undefined, flags))
      const members = [...calls, ...checker.getPropertiesOfType(type).map(memberFor)]
      return isComputed && !isOfClass ? withMembers(node, members, []) : undefined
    }
    const [base] = bases
    const from = base && ts.isVariableDeclaration(base) ? base.type?.getText() : undefined
    const [, kind] = /^(?:import\(.+?\)[.])?(?:\w+[.])*(\w+)</.exec(from ?? "") ?? []
    const own = new Set(node.members.map(({ name }) => name?.getText()))
    const fields = type
      .getProperties()
      .filter(({ declarations, name }) => declarations?.some(isDeclaredHere) && !own.has(name) && name !== "_tag")
    const extended = factory.createExpressionWithTypeArguments(factory.createIdentifier(kind ?? ""), [])
    return kind !== undefined && fields.length > 0
      ? withMembers(
          node,
          [...fields.map(memberFor), ...node.members],
          [factory.createHeritageClause(SyntaxKind.ExtendsKeyword, [extended])]
        )
      : undefined
  }

  /**
   * Where each name is shown: with the module of its own file, or the first that exports it, a type with one of types alone.
   *
   * @type {Map<ts.Symbol, { readonly specifier: string, readonly path: string }>}
   */
  const homes = new Map(modules.map(({ specifier, symbol }) => [symbol, { specifier, path: "*" }]))
  for (const stage of ["own file", "value", "module of types", "type"]) {
    for (const { isOfTypes, names, specifier, types } of modules) {
      const claim = (/** @type {string} */ prefix, /** @type {Exported} */ { name, symbol, value }) => {
        const isHere = symbol.declarations?.some((node) => node.getSourceFile().fileName === types)
        const isValueHere = stage === "value" && value !== undefined
        const isTypeHere = stage === "type" || (stage === "module of types" && isOfTypes)
        if (!homes.has(symbol) && (isHere || isValueHere || isTypeHere)) {
          homes.set(symbol, { specifier, path: prefix + name })
        }
        if (isNamespace(symbol) && homes.get(symbol)?.path !== "*") {
          exportsOf(symbol, value).forEach((one) => claim(`${prefix + name}.`, one))
        }
      }
      names.forEach((one) => claim("", one))
    }
  }

  /** @type {Map<ts.Symbol, Block>} */
  const inner = new Map()
  /** @param {string} name @param {ts.Symbol} symbol @returns {Block} */
  const blockOf = (name, symbol) => {
    const statements = [...new Set((symbol.declarations ?? []).map(statementOf))].map((statement) => {
      const whole = withComputedMembers(statement)
      // The members of types and of an exported constant are shown there.
      const [, from] = /typeof (\w+)/.exec(statement.getText()) ?? []
      const isShown = ts.isInterfaceDeclaration(statement) && (from === undefined || from === symbol.name)
      const { file, needed, node, text } = normalize(whole && !isShown ? whole : statement)
      for (const one of needed) {
        if (isAtTopHere(one) && !homes.has(one) && !isNamespace(one) && !inner.has(one)) {
          inner.set(one, { name: one.name, declared: one.name, statements: [] })
          inner.set(one, blockOf(one.name, one))
        }
      }
      return { node, file, text, says: [text, ...(whole ? [normalize(whole).text] : [])] }
    })
    return { name, declared: symbol.name, statements }
  }

  /** @param {typeof modules[number]} module @returns {Section} */
  const sectionOf = ({ isOfTypes, names, specifier, symbol, values }) => {
    /**
     * The modules whose names it has, with their values or as types alone.
     *
     * @param {(own: Exported, other: Exported) => boolean} as
     */
    const wholes = (as) =>
      modules.filter((other) => {
        const isHere = (/** @type {Exported} */ one) =>
          names.some((own) => own.name === one.name && own.symbol === one.symbol && as(own, one))
        return other.symbol !== symbol && other.names.length > 1 && other.names.every(isHere)
      })
    const whole = [
      ...wholes((own, other) => own.value === other.value).map((module) => ({ ...module, what: "*" })),
      ...wholes(({ value }) => value === undefined).map((module) => ({ ...module, what: "type *" }))
    ]
    const inWhole = new Set(whole.flatMap(({ names }) => names.map(({ name }) => name)))
    const again = new Map(whole.map(({ specifier, what }) => [specifier, [what]]))
    /** @type {Array<Block>} */
    const blocks = []
    /** @type {Array<string>} */
    const undeclared = []
    /** @param {ReadonlyArray<Exported>} names @param {string} prefix @param {Values} values */
    const add = (names, prefix, values) => {
      const declared = new Set(names.flatMap(({ name, symbol }) => (isValue(symbol) ? [name] : [])))
      undeclared.push(...Object.keys(values).flatMap((name) => (declared.has(name) ? [] : [prefix + name])))
      for (const { name, symbol, value } of names.filter(({ name }) => prefix !== "" || !inWhole.has(name))) {
        const home = found(homes.get(symbol), `home of ${name}`)
        const path = prefix + name
        if (home.specifier !== specifier || home.path !== path) {
          const what = home.path === "*" ? `* as ${path}` : home.path === name ? path : `${home.path} as ${path}`
          const kind = value === undefined ? "type " : ""
          again.set(home.specifier, [...(again.get(home.specifier) ?? []), kind + what])
        } else if (isNamespace(symbol)) {
          add(exportsOf(symbol, value), `${path}.`, value ?? {})
        } else {
          blocks.push(blockOf(path, symbol))
          undeclared.push(...(isValue(symbol) && value === undefined && !isOfTypes ? [path] : []))
        }
      }
    }
    add(names, "", values)
    return { specifier, again, blocks, undeclared, isOfTypes }
  }

  return [...new Set(modules.map(({ report }) => report))].map((report) => {
    const before = new Set(inner.keys())
    const sections = modules.filter((module) => module.report === report).map(sectionOf)
    const own = [...inner].flatMap(([symbol, block]) =>
      before.has(symbol) ? [] : [{ ...block, isExported: exportedInside.has(symbol) }]
    )
    return { report, sections, inner: sortedBy(own, ({ name }) => name) }
  })
}

// --- what is printed

/** The length of a line. */
const width = 140

/** @param {string} text */
const wrap = (text, prefix = "") => text.replaceAll(/(.{1,130})(?: |$)/g, `${prefix}$1\n`).trimEnd()

/** Comments that list names. @param {string} begins @param {ReadonlyArray<string>} names */
const listNames = (begins, names) => (names.length === 0 ? [] : [wrap(`${begins}: ${names.join(", ")}`, "// ")])

/** @param {Pick<Package, "sections" | "inner">} of */
const blocksOf = ({ inner, sections }) => [...sections.flatMap(({ blocks }) => blocks), ...inner]

/** @param {Package} of */
const titleOf = ({ sections: [first] }) => first?.specifier ?? ""

/** @param {string} text @param {Renamed} renamed */
const keyOf = (text, renamed) =>
  renamed.reduce((text, [from, to]) => text.replaceAll(from, to), text).replaceAll(/\s+/g, "")

/** Which package says all that a block does. @param {ReadonlyArray<Package>} packages @param {Renamed} renamed */
const knownIn = (packages, renamed) => {
  const known = new Map(
    // Where several say it, the first one counts.
    [...packages]
      .reverse()
      .flatMap((one) =>
        blocksOf(one).flatMap(({ declared, statements }) =>
          statements.flatMap(({ says }) => says.map((text) => [`${declared} ${keyOf(text, renamed)}`, titleOf(one)]))
        )
      )
  )
  return (/** @type {Block} */ { declared, statements }) => {
    const places = new Set(statements.map(({ text }) => known.get(`${declared} ${keyOf(text, renamed)}`)))
    return places.size === 1 ? [...places][0] : undefined
  }
}

/** The properties of a node by their code. @param {ts.Node | undefined} node @param {ts.SourceFile} file */
const propertiesOf = (node, file) =>
  new Map(node && hasMembers(node) ? [...node.members].filter(isProperty).map((one) => [codeOf(one, file), one]) : [])

/**
 * Object types by the code of their properties: those of interfaces, of classes, and of Schemas of one type literal.
 *
 * @param {ReadonlyArray<Block>} blocks
 */
const shapesIn = (blocks, whose = "") =>
  blocks.flatMap(({ name, statements }) =>
    statements.flatMap(({ file, node }) => {
      const type = ts.isVariableStatement(node) ? node.declarationList.declarations[0]?.type : undefined
      const inner =
        type && ts.isTypeReferenceNode(type) && type.typeArguments?.length === 1 ? type.typeArguments[0] : node
      const texts = [...propertiesOf(inner, file).keys()].filter((text) => !text.includes(" _tag: "))
      return texts.length > 1 ? [{ name: whose + name, texts }] : []
    })
  )

/**
 * The code of a statement, with `"...Name"` for the properties of another object type that it repeats. A class repeats its
 * own in its constructor.
 *
 * Struct<{ medium: String; large: String }> → Struct<{ "...Picture" }>
 *
 * @param {ReturnType<typeof shapesIn>} shapes
 * @returns {(own: string, statement: Statement) => string}
 */
const shareMembers =
  (shapes) =>
  (own, { file, node: statement }) => {
    const isClass = ts.isClassDeclaration(statement)
    /** @type {(node: ts.Node) => ts.Node} */
    const visit = (node) => {
      const made = ts.visitEachChild(node, visit, undefined)
      const properties = propertiesOf(made, file)
      const [shape] = shapes
        .filter(({ name }) => name !== own || (isClass && node !== statement))
        .filter(({ name, texts }) => texts.length < properties.size || name < own || node !== statement)
        // Two that others have too, for example an id and a name, may be there by chance.
        .filter(({ texts }) => texts.length > 2 || texts.length === properties.size)
        .filter(({ texts }) => texts.every((text) => properties.has(text)))
        .sort((one, other) => other.texts.length - one.texts.length)
      if (!shape || !hasMembers(made)) {
        return made
      }
      /** @type {Set<ts.Node | undefined>} */
      const repeated = new Set(shape.texts.map((text) => properties.get(text)))
      const name = factory.createStringLiteral(`...${shape.name}`)
      const spread = factory.createPropertySignature(undefined, name, undefined, undefined)
      return withMembers(made, [spread, ...[...made.members].filter((one) => !repeated.has(one))])
    }
    return declarationOf(visit(statement), file)
  }

/**
 * Declarations, with what several say, but for their names, once.
 *
 * const get: Operations["get"]; const search: Operations["search"]; …
 *   → // Each Name of: get, search, …
 *     const Name: Operations["Name"]
 *
 * @param {ReadonlyArray<Block>} blocks
 * @param {string} prefix
 * @param {ReturnType<typeof shareMembers>} shared
 */
const writeBlocks = (blocks, prefix, shared) => {
  /** @param {Block} block @param {Statement} statement */
  const patternOf = ({ declared }, { text }) => text.replaceAll(new RegExp(`\\b${declared}\\b`, "g"), "Name")
  const withPrefix = (/** @type {string} */ text) =>
    (prefix || /^(type|interface) /.test(text) ? prefix : "declare ") + text
  /** @type {Map<string, Array<string>>} */
  const alike = new Map()
  for (const block of blocks) {
    for (const pattern of block.statements.map((statement) => patternOf(block, statement))) {
      alike.set(pattern, [...(alike.get(pattern) ?? []), block.declared])
    }
  }
  const patterns = new Set([...alike].flatMap(([pattern, names]) => (names.length > 2 ? [pattern] : [])))
  /** @type {Map<string, ReadonlyArray<string>>} */
  const shownOnce = new Map()
  for (const pattern of patterns) {
    const names = listNames("Each Name of", alike.get(pattern) ?? []).join("")
    shownOnce.set(names, [...(shownOnce.get(names) ?? []), withPrefix(pattern)])
  }
  /** @type {Map<string, Array<string>>} */
  const namespaces = new Map()
  for (const block of blocks) {
    const [last = "", ...path] = block.name.split(".").reverse()
    const texts = block.statements.flatMap((one) =>
      patterns.has(patternOf(block, one)) ? [] : [withPrefix(shared(block.name, one))]
    )
    const renamed = last === block.declared ? [] : [`export { ${block.declared} as ${last} }`]
    const text = [...renamed, ...texts].join("\n")
    namespaces.set(path.join("."), [...(namespaces.get(path.join(".")) ?? []), ...(text === "" ? [] : [text])])
  }
  return [
    ...Array.from(shownOnce, ([names, patterns]) => [names, ...patterns].join("\n")),
    ...Array.from(namespaces, ([name, texts]) =>
      name === "" ? texts.join("\n\n") : `export namespace ${name} {\n${texts.join("\n\n")}\n}`
    )
  ]
}

/**
 * What is not exported. A generic type and a class are in the sources in the same words: a checksum shows a change, as in
 * `// Generic types and classes, with checksums: Absent e547cd`.
 *
 * @param {ReadonlyArray<Block>} blocks
 * @param {ReturnType<typeof shareMembers>} shared
 */
const writeInner = (blocks, shared) => {
  const isCode = (/** @type {Block} */ { isExported = false, statements }) =>
    !isExported &&
    statements.every(
      ({ node }) => (ts.isTypeAliasDeclaration(node) && node.typeParameters) || ts.isClassDeclaration(node)
    )
  const code = blocks.filter(isCode).map(({ name, statements }) => {
    const hash = createHash("sha256").update(statements.map(({ text }) => text).join("\n"))
    return `${name} ${hash.digest("hex").slice(0, 6)}`
  })
  const others = blocks.filter((block) => !isCode(block))
  return [...listNames("Generic types and classes, with checksums", code), ...writeBlocks(others, "", shared)]
}

/**
 * As the formatter writes them, with interfaces and words on a line where they fit.
 *
 * @param {ReadonlyArray<string>} parts
 */
const formatParts = async (parts) => {
  const code = await formatSource("api.d.ts", parts.filter((part) => part !== "").join("\n\n"), { printWidth: width })
  const blocks = code
    .replaceAll(/^( *)(.* \{)\n((?:\1  \S.*[^{([<|&=,>]\n|\1  \S.*[^=]>\n)+)\1\}$/gm, (all, indent, begin, members) => {
      const line = `${indent}${begin} ${members.trim().replaceAll(/\n +/g, "; ")} }`
      return line.length > width ? all : line
    })
    .replaceAll(/^( +)(?:[|] )?"[^"]*",?\n(?:\1(?:[|] )?"[^"]*",?\n){3,}/gm, (all, indent) => {
      const words = wrap(all.trim().replaceAll(/\s+/g, " "))
      return `${indent}${words.replaceAll("\n", `\n${indent}`)}\n`
    })
    .trimEnd()
    .split("\n\n")
  // A line is between those of several lines.
  const gap = (/** @type {number} */ index) =>
    [index, index + 1].every((at) => /^(?: *\/\/| *[}\]>)]| {3})/m.test(blocks[at] ?? "")) ? "\n\n" : "\n"
  const joined = blocks.map((block, index) => block + gap(index)).join("")
  return `\`\`\`ts\n${joined.trimEnd()}\n\`\`\``
}

/**
 * @param {string} title
 * @param {string} about
 * @param {ReadonlyArray<readonly [heading: string, parts: ReadonlyArray<string>]>} sections
 */
const reportOf = async (title, about, sections) => {
  const texts = await Promise.all(
    sections.map(async ([heading, parts]) => (parts.length === 0 ? [] : [`## ${heading}`, await formatParts(parts)]))
  )
  return [`# ${title}`, wrap(about), ...texts.flat()].join("\n\n") + "\n"
}

/** @type {Map<EntryPoints, Promise<ReadonlyArray<Package>>>} */
const read = new Map()
/** @param {EntryPoints} entries */
const packagesOf = (entries) => {
  const packages = read.get(entries) ?? readPackages(entries)
  read.set(entries, packages)
  return packages
}

/**
 * The reports of packages, by their names; but for names, without what others say.
 *
 * @param {EntryPoints} entries
 * @param {{ readonly entries: EntryPoints, readonly renamed: Renamed }} [others]
 */
export const reportsOf = async (entries, others) => {
  const before = others ? await packagesOf(others.entries) : []
  const placeOf = knownIn(before, others?.renamed ?? [])
  const isOwn = (/** @type {Block} */ block) => placeOf(block) === undefined
  const about = 'Written by `npm run api` and compared by `npm test`. `"...Name"` stands for the members of `Name`.'
  /** @type {Map<string, string>} */
  const texts = new Map()
  for (const one of await packagesOf(entries)) {
    const shared = shareMembers([...shapesIn(blocksOf(one)), ...shapesIn(before.flatMap(blocksOf), "Effect's ")])
    const sections = one.sections.map(({ again, blocks, isOfTypes, specifier, undeclared }) => {
      const lists = [
        ...(isOfTypes ? ["// Types alone: none is there at run time."] : []),
        ...Array.from(again, ([from, names]) => listNames(`From ${from}`, names)).flat(),
        ...before.flatMap((other) => {
          const same = blocks.flatMap((block) => (placeOf(block) === titleOf(other) ? [block.name] : []))
          return listNames(`As in ${titleOf(other)}`, same)
        }),
        ...listNames("Not both declared and there at run time", undeclared)
      ]
      return /** @type {const} */ ([
        specifier,
        [lists.join("\n"), ...writeBlocks(blocks.filter(isOwn), "export ", shared)]
      ])
    })
    const inner = writeInner(one.inner.filter(isOwn), shared)
    texts.set(
      one.report,
      await reportOf(titleOf(one), about, [...sections, ["Not exported, but used by the declarations", inner]])
    )
  }
  return texts
}

/**
 * What differs from other reports, by their names; but for names.
 *
 * @param {EntryPoints} entries
 * @param {{ readonly entries: EntryPoints, readonly renamed: Renamed }} others
 */
export const differencesFrom = async (entries, others) => {
  const before = await packagesOf(others.entries)
  const placeOf = knownIn(before, others.renamed)
  const isOwn = (/** @type {Block} */ block) => placeOf(block) === undefined
  const renamed = others.renamed.map(([from, to]) => `\`${from}\` → \`${to}\``).join(", ")
  /** @type {Map<string, string>} */
  const texts = new Map()
  for (const one of await packagesOf(entries)) {
    const shared = shareMembers(shapesIn(blocksOf(one)))
    const here = new Set(blocksOf(one).map(({ name }) => name))
    const there = before.filter(({ report }) => report === one.report).flatMap(blocksOf)
    const missing = there.flatMap(({ name }) => (here.has(name) ? [] : [name]))
    const exported = one.sections.flatMap(({ blocks }) => blocks.filter(isOwn))
    const inner = writeInner(one.inner.filter(isOwn), shared)
    const parts = [...listNames("Only there", missing), ...writeBlocks(exported, "export ", shared), ...inner]
    if (parts.length > 0) {
      const about = `Written by \`npm run api\` and compared by \`npm test -- effect4\`. What is not as in [the report for Effect 3](../${one.report}), but for names: ${renamed}.`
      texts.set(one.report, await reportOf(`${titleOf(one)} for Effect 4`, about, [["What differs", parts]]))
    }
  }
  return texts
}
