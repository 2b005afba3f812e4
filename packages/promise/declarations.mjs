// The modules of the packages as declarations of this one: operations return promises, types of `src/ownTypes.ts` take the
// place of Effect's, and TypeScript's checker writes out what is computed, for example by a Schema. `types.mjs` bundles them.
import { join } from "node:path"
import ts from "typescript"
import { docOf, nameOf } from "./docs.mjs"

const { factory, SymbolFlags, SyntaxKind } = ts
const sources = join(import.meta.dirname, "build")
const ownTypesPath = join(sources, "ownTypes.d.ts")

/** @param {string} path */
const isOwn = (path) => path.startsWith(sources)

const { config } = ts.readConfigFile(join(import.meta.dirname, "tsconfig.json"), (path) => ts.sys.readFile(path))
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, import.meta.dirname)
const host = ts.createCompilerHost(options)
const getSourceFile = host.getSourceFile.bind(host)
/** Without the comments of what is installed, which are most of the text. @type {typeof getSourceFile} */
host.getSourceFile = (path, how, ...rest) => {
  const jsDocParsingMode = ts.JSDocParsingMode[path.includes("/node_modules/") ? "ParseNone" : "ParseAll"]
  const target = typeof how === "object" ? how : { languageVersion: how }
  return getSourceFile(path, { ...target, jsDocParsingMode }, ...rest)
}
const program = ts.createProgram(ts.sys.readDirectory(sources, [".d.ts"]), options, host)
const checker = program.getTypeChecker()

/**
 * A file of the program.
 *
 * @param {string} path
 */
const fileAt = (path) => {
  const file = program.getSourceFile(path)
  if (file === undefined) {
    throw new Error(`${path} is none of the declarations that are bundled`)
  }
  return file
}

/**
 * The symbol of a node that the checker has made, which is in no file. TypeScript does not declare this member.
 *
 * @param {ts.Node} node
 */
const madeSymbolOf = (node) => /** @type {ts.Node & { readonly symbol?: ts.Symbol }} */ (node).symbol

/**
 * What a file declares and imports, by name. TypeScript does not declare this member; its functions return global names too.
 *
 * @param {ts.SourceFile} file
 */
const localsOf = (file) =>
  /** @type {ts.SourceFile & { readonly locals: ReadonlyMap<string, ts.Symbol> }} */ (file).locals

/** @param {ts.Node} node */
const symbolAt = (node) => {
  const symbol = madeSymbolOf(node) ?? checker.getSymbolAtLocation(node)
  return symbol && symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

/**
 * The declaration of a type, if there is one, and else of a value.
 *
 * @param {ts.Symbol} symbol
 */
const nodeOf = ({ declarations = [] }) =>
  declarations.find((node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) ?? declarations[0]

/** @param {ts.Symbol} symbol */
const pathOf = (symbol) => nodeOf(symbol)?.getSourceFile().fileName ?? ""

/**
 * @param {ts.Symbol} one
 * @param {ts.Symbol} other
 */
const byPlace = (one, other) => (nodeOf(one)?.pos ?? 0) - (nodeOf(other)?.pos ?? 0)

/** @param {string} path */
const isEffects = (path) => /[/]node_modules[/]@?effect[/]/.test(path)

/** @param {ts.Symbol} symbol */
const isOfModule = (symbol) => {
  const file = nodeOf(symbol)?.getSourceFile()
  return file !== undefined && ts.isExternalModule(file)
}

/** @param {ts.Symbol} symbol */
const isAlias = (symbol) => {
  const node = nodeOf(symbol)
  return node !== undefined && ts.isTypeAliasDeclaration(node)
}

/**
 * The names of the type parameters of a type; `undefined` if it has none.
 *
 * @param {ts.Symbol} symbol
 */
const parametersOf = (symbol) => {
  const node = nodeOf(symbol)
  return node && (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node))
    ? node.typeParameters?.map(({ name }) => name.text)
    : undefined
}

/**
 * The bases of an interface.
 *
 * @param {ts.InterfaceDeclaration} node
 */
const basesOf = ({ heritageClauses }) =>
  heritageClauses
    ?.flatMap(({ types }) => types)
    .flatMap(({ expression }) => {
      const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression
      return symbolAt(name) ?? []
    }) ?? []

/**
 * What a module of this package exports, by name.
 *
 * @param {string} path
 */
const exportsOf = (path) => {
  const { exports } = checker.getSymbolAtLocation(fileAt(path)) ?? {}
  return new Map([...(exports?.values() ?? [])].map((symbol) => [symbol.name, symbol]))
}
/** The types in place of those with the same names. */
const ownTypes = exportsOf(ownTypesPath)
/** `X` and `XWith<D>` are an interface `X` of the packages for promises, without and with a default for `fields`. */
const faced = exportsOf(join(sources, "Catalog.d.ts"))

/**
 * The file that a module imports.
 *
 * @param {string} source
 * @param {string} importer
 */
export const fileOf = (source, importer) => {
  const path = ts.resolveModuleName(source, importer, options, ts.sys).resolvedModule?.resolvedFileName
  return path && isEffects(path) ? ownTypesPath : path
}

/**
 * Whether the members of an interface must be printed: its base is computed, and it is not that of a class, or it is one of this
 * package that only extends another interface.
 *
 * @param {ts.InterfaceDeclaration} node
 */
const isWritten = (node) => {
  const bases = basesOf(node)
  return bases.some((base) => isAlias(base) && isOfModule(base))
    ? !symbolAt(node.name)?.declarations?.some(ts.isClassDeclaration)
    : bases.length > 0 && node.members.length === 0 && isOwn(node.getSourceFile().fileName)
}

/**
 * A union of words, which can be computed.
 *
 * @param {ts.TypeAliasDeclaration} node
 */
const isWords = (node) => {
  const type = checker.getTypeAtLocation(node)
  return !ts.isUnionTypeNode(node.type) && type.isUnion() && type.types.every((one) => one.isLiteral())
}

/** @param {ts.Type} type */
const isSchema = (type) =>
  !ownTypes.has(type.getSymbol()?.name ?? "") && type.getProperties().some((one) => isEffects(pathOf(one)))

const { InTypeAlias, NoTruncation, UseAliasDefinedOutsideCurrentScope, WriteArrayAsGenericType } = ts.NodeBuilderFlags
/** @type {ts.NodeBuilderFlags} */
const flags = NoTruncation | UseAliasDefinedOutsideCurrentScope | WriteArrayAsGenericType
const printer = ts.createPrinter()
const readonly = factory.createModifier(SyntaxKind.ReadonlyKeyword)
const optional = factory.createToken(SyntaxKind.QuestionToken)
const extendsError = factory.createHeritageClause(SyntaxKind.ExtendsKeyword, [
  factory.createExpressionWithTypeArguments(factory.createIdentifier("Error"), undefined)
])
const objectType = factory.createTypeReferenceNode("object")
const toJSON = factory.createMethodDeclaration([], undefined, "toJSON", undefined, [], [], objectType, undefined)

/**
 * New modifiers for a declaration: its own ones would be printed with the comment before them.
 *
 * @param {ts.Declaration} node
 */
const modifiersOf = (node) => factory.createModifiersFromModifierFlags(ts.getCombinedModifierFlags(node))

/**
 * A node with the doc comment of one of the others, for this package.
 *
 * @template {ts.Node} N
 * @param {N} made
 * @param {ReadonlyArray<ts.Node>} [nodes]
 */
const withComment = (made, nodes = []) => {
  const text = nodes.map(docOf).find((doc) => doc !== undefined)
  if (text === undefined) {
    return made
  }
  const bare = ts.setEmitFlags(made, ts.EmitFlags.NoLeadingComments)
  return ts.addSyntheticLeadingComment(bare, SyntaxKind.MultiLineCommentTrivia, text, true)
}

/**
 * A node whose parts have their doc comments.
 *
 * @template {ts.Node} N
 * @param {N} node
 * @returns {N}
 */
const documented = (node) => withComment(ts.visitEachChild(node, documented, undefined), [node])

/**
 * The declarations of a module.
 *
 * @param {string} path
 */
export const declarationsOf = (path) => {
  const file = fileAt(path)
  /** What it has to import: the files by name. @type {Map<string, string>} */
  const imports = new Map()

  /**
   * @param {ts.Symbol} symbol
   * @param {ReadonlyArray<ts.TypeNode>} [args]
   */
  const reference = (symbol, args) => {
    if (isOfModule(symbol) && !(symbol.flags & SymbolFlags.TypeParameter) && !localsOf(file).has(symbol.name)) {
      imports.set(symbol.name, ownTypes.has(symbol.name) ? ownTypesPath : pathOf(symbol))
    }
    return factory.createTypeReferenceNode(symbol.name, args)
  }

  /**
   * A type of the packages by its name in this package.
   *
   * @param {ts.Symbol} symbol
   * @param {ReadonlyArray<ts.TypeNode>} [args]
   */
  const ownReference = (symbol, args) => {
    const own = faced.get(symbol.name)
    if (own === undefined) {
      return reference(symbol, args)
    }
    const isDefault = args?.at(-1)?.kind === SyntaxKind.NeverKeyword
    const taken = isDefault ? own : (faced.get(`${symbol.name}With`) ?? own)
    const [names, theirs] = [parametersOf(taken), parametersOf(symbol)]
    return reference(taken, names && args?.filter((_, at) => names.includes(theirs?.[at] ?? "")))
  }

  /**
   * A parameter without the `undefined` of its optional type.
   *
   * @param {ts.ParameterDeclaration} node
   * @param {ts.UnionTypeNode} union
   */
  const optionalParameter = ({ name }, union) => {
    const types = union.types.filter(({ kind }) => kind !== SyntaxKind.UndefinedKeyword)
    const [only] = types
    const bare = only && ts.isParenthesizedTypeNode(only) ? only.type : only
    const type = types.length > 1 ? factory.createUnionTypeNode(types) : bare
    return factory.createParameterDeclaration(undefined, undefined, name, optional, type)
  }

  /**
   * A node of the checker, with the names of this package, and without the `undefined` of an optional parameter.
   *
   * @param {ts.Node} node
   * @returns {ts.Node}
   */
  const named = (node) => {
    const made = ts.visitEachChild(node, named, undefined)
    if (ts.isParameter(made) && made.questionToken && made.type && ts.isUnionTypeNode(made.type)) {
      return optionalParameter(made, made.type)
    }
    if (!ts.isTypeReferenceNode(node) || !ts.isTypeReferenceNode(made)) {
      return made
    }
    const symbol = symbolAt(ts.isQualifiedName(node.typeName) ? node.typeName.right : node.typeName)
    return symbol ? ownReference(symbol, made.typeArguments) : made
  }

  /**
   * @param {ts.Type} type
   * @param {ts.NodeBuilderFlags} [how]
   */
  const nodeFor = (type, how = flags) => {
    const node = ts.visitNode(checker.typeToTypeNode(type, undefined, how), named, ts.isTypeNode)
    if (node === undefined) {
      throw new Error(`${path} has a type that cannot be written: ${checker.typeToString(type)}`)
    }
    return node
  }

  /**
   * The name of a member as it is written, its question mark, and its type.
   *
   * @param {ts.Symbol} member
   * @returns {[ts.StringLiteral | string, ts.QuestionToken | undefined, ts.TypeNode]}
   */
  const partsOf = (member) => {
    const quoted = member.declarations
      ?.map((node) => ts.getNameOfDeclaration(node))
      .find((name) => name !== undefined && ts.isStringLiteral(name))
    const question = member.flags & SymbolFlags.Optional ? optional : undefined
    return [quoted ?? member.name, question, nodeFor(checker.getTypeOfSymbolAtLocation(member, file))]
  }

  /** @param {ts.Symbol} member of an interface */
  const memberFor = (member) => factory.createPropertySignature([readonly], ...partsOf(member))

  /** @param {ts.Symbol} member of a class */
  const fieldFor = (member) => factory.createPropertyDeclaration([readonly], ...partsOf(member), undefined)

  /** @param {ts.Declaration} node */
  const membersOf = (node) => {
    const members = checker.getPropertiesOfType(checker.getTypeAtLocation(node)).toSorted(byPlace)
    return members.filter(({ name }) => !name.startsWith("_"))
  }

  /** @param {ts.InterfaceDeclaration} node */
  const interfaceOf = (node) => {
    const calls = checker
      .getSignaturesOfType(checker.getTypeAtLocation(node), ts.SignatureKind.Call)
      .map((one) => checker.signatureToSignatureDeclaration(one, SyntaxKind.CallSignature, undefined, flags))
      .flatMap((one) => ts.visitNode(one, named, ts.isCallSignatureDeclaration) ?? [])
    const members = membersOf(node).map((one) => withComment(memberFor(one), one.declarations))
    return factory.createInterfaceDeclaration(
      modifiersOf(node),
      node.name,
      node.typeParameters,
      [],
      [...calls, ...members]
    )
  }

  /** @param {ts.ClassDeclaration} node */
  const classOf = (node) => {
    const fields = membersOf(node).filter((one) => one.flags & SymbolFlags.Property && pathOf(one) === path)
    const props = factory.createTypeLiteralNode(fields.map(memberFor))
    const parameters =
      fields.length > 0 ? [factory.createParameterDeclaration([], undefined, "props", undefined, props)] : []
    const statics = node.members.filter((one) => ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Static)
    const tag = checker.getTypeAtLocation(node).getProperty("_tag")
    return factory.createClassDeclaration(modifiersOf(node), node.name, undefined, tag ? [extendsError] : [], [
      factory.createConstructorDeclaration([], parameters, undefined),
      ...(tag ? [fieldFor(tag)] : []),
      ...fields.map((one) => withComment(fieldFor(one), one.declarations)),
      ...statics.map((one) => documented(one)),
      ...(tag ? [toJSON] : [])
    ])
  }

  /** @param {ts.TypeAliasDeclaration} node */
  const wordsOf = (node) => {
    const words = nodeFor(checker.getTypeAtLocation(node), flags | InTypeAlias)
    return factory.createTypeAliasDeclaration(modifiersOf(node), node.name, [], words)
  }

  /**
   * @param {ts.Statement} node
   * @returns {ts.Node}
   */
  const madeOf = (node) => {
    if (ts.isInterfaceDeclaration(node) && isWritten(node)) {
      return interfaceOf(node)
    }
    if (ts.isClassDeclaration(node) && node.heritageClauses) {
      return classOf(node)
    }
    if (ts.isTypeAliasDeclaration(node) && isWords(node)) {
      return wordsOf(node)
    }
    return ts.visitEachChild(node, documented, undefined)
  }

  /** @param {ts.Statement} node */
  const statementOf = (node) => {
    // Without the comment of its file.
    if (ts.isImportDeclaration(node)) {
      return node.getText()
    }
    const name = nameOf(node)
    if (name && ownTypes.has(name.text) && !isOwn(path)) {
      imports.set(name.text, ownTypesPath)
      return `export type { ${name.text} }`
    }
    if (name && ts.isVariableStatement(node) && isSchema(checker.getTypeAtLocation(name))) {
      return ""
    }
    // A model has the comment of its Schema.
    const schema = (name && symbolAt(name)?.valueDeclaration)?.parent.parent
    return printer.printNode(ts.EmitHint.Unspecified, withComment(madeOf(node), [node, schema ?? node]), file)
  }

  const statements = new Set(file.statements.map(statementOf)) // A class and its namespace are replaced once.
  return [...[...imports].map(([name, from]) => `import type { ${name} } from "${from}"`), ...statements].join("\n")
}
