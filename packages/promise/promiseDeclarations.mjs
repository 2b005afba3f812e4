// The modules of the packages as declarations of this one, which `types.mjs` bundles. Types of `src/ownTypes.ts` take the
// place of Effect's, and TypeScript's checker writes out what is computed: by a Schema, or for the face of promises.
//
// interface Paged<F extends Face, P, Page> { (...inputs: P): Reply<F, Page>; … }             in core/src/Face.ts
// interface Paged<P, Page> extends face.Paged<PromiseFace, P, Page> {}                       in src/Catalog.ts
//   → interface Paged<P, Page> { (...inputs: P): Promise<Page>; … }
import { join } from "node:path"
import ts from "typescript"
import { docOf, nameOf } from "./docs.mjs"

const { factory, SymbolFlags, SyntaxKind } = ts
const sources = join(import.meta.dirname, "build")
const ownTypesPath = join(sources, "ownTypes.d.ts")

/** @param {string} path */
const isInThisPackage = (path) => path.startsWith(sources)

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
const sourceFileAt = (path) => {
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
 * What a file declares and imports, by name. TypeScript does not declare this member; its functions also return global
 * names.
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
const isInEffect = (path) => /[/]node_modules[/]@?effect[/]/.test(path)

/** @param {ts.Symbol} symbol */
const isInModule = (symbol) => {
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
  const { exports } = checker.getSymbolAtLocation(sourceFileAt(path)) ?? {}
  return new Map([...(exports?.values() ?? [])].map((symbol) => [symbol.name, symbol]))
}
/** The types in place of those with the same names. */
const ownTypes = exportsOf(ownTypesPath)
/** An interface `X` of the packages is `X` and `XWith<D>` here, without and with a default for `fields`. */
const faceTypes = exportsOf(join(sources, "Catalog.d.ts"))

/**
 * The file that a module imports.
 *
 * @param {string} source
 * @param {string} importer
 */
export const fileOfImport = (source, importer) => {
  const path = ts.resolveModuleName(source, importer, options, ts.sys).resolvedModule?.resolvedFileName
  return path && isInEffect(path) ? ownTypesPath : path
}

/**
 * Whether the members of an interface are printed in place of its bases:
 *
 * - A base is computed, as in `interface Picture extends Schema.Type<typeof Picture> {}`. An interface that adds members to a
 *   class is left as it is: its base says what the errors of this class do not have.
 * - It is one of this package that only extends another, as in `interface Paged<…> extends face.Paged<PromiseFace, …> {}`.
 *
 * @param {ts.InterfaceDeclaration} node
 */
const mustBeExpanded = (node) => {
  const bases = basesOf(node)
  return bases.some((base) => isAlias(base) && isInModule(base))
    ? !symbolAt(node.name)?.declarations?.some(ts.isClassDeclaration)
    : bases.length > 0 && node.members.length === 0 && isInThisPackage(node.getSourceFile().fileName)
}

/**
 * Whether a type is a union of strings that is computed, as in `type RecordKind = keyof typeof defaultMembers`.
 *
 * @param {ts.TypeAliasDeclaration} node
 */
const isComputedUnion = (node) => {
  const type = checker.getTypeAtLocation(node)
  return !ts.isUnionTypeNode(node.type) && type.isUnion() && type.types.every((one) => one.isLiteral())
}

/** @param {ts.Type} type */
const isSchema = (type) =>
  !ownTypes.has(type.getSymbol()?.name ?? "") && type.getProperties().some((one) => isInEffect(pathOf(one)))

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
 * A node whose parts have their doc comments, as programs of promises read them.
 *
 * @template {ts.Node} N
 * @param {N} node
 * @returns {N}
 */
const withDocs = (node) => withComment(ts.visitEachChild(node, withDocs, undefined), [node])

/**
 * The declarations of a module.
 *
 * @param {string} path
 */
export const declarationsOf = (path) => {
  const file = sourceFileAt(path)
  /** What it has to import: the files by name. @type {Map<string, string>} */
  const imports = new Map()

  /**
   * @param {ts.Symbol} symbol
   * @param {ReadonlyArray<ts.TypeNode>} [args]
   */
  const reference = (symbol, args) => {
    if (isInModule(symbol) && !(symbol.flags & SymbolFlags.TypeParameter) && !localsOf(file).has(symbol.name)) {
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
    const own = faceTypes.get(symbol.name)
    if (own === undefined) {
      return reference(symbol, args)
    }
    const isDefault = args?.at(-1)?.kind === SyntaxKind.NeverKeyword
    const taken = isDefault ? own : (faceTypes.get(`${symbol.name}With`) ?? own)
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
  const renameTypes = (node) => {
    const made = ts.visitEachChild(node, renameTypes, undefined)
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
    const node = ts.visitNode(checker.typeToTypeNode(type, undefined, how), renameTypes, ts.isTypeNode)
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

  /**
   * interface Picture extends Schema.Type<typeof Picture> {} → interface Picture { readonly medium?: string; … }
   *
   * @param {ts.InterfaceDeclaration} node
   */
  const expandInterface = (node) => {
    const calls = checker
      .getSignaturesOfType(checker.getTypeAtLocation(node), ts.SignatureKind.Call)
      .map((one) => checker.signatureToSignatureDeclaration(one, SyntaxKind.CallSignature, undefined, flags))
      .flatMap((one) => ts.visitNode(one, renameTypes, ts.isCallSignatureDeclaration) ?? [])
    const members = membersOf(node).map((one) => withComment(memberFor(one), one.declarations))
    return factory.createInterfaceDeclaration(
      modifiersOf(node),
      node.name,
      node.typeParameters,
      [],
      [...calls, ...members]
    )
  }

  /**
   * class ClientNetworkError extends ClientNetworkError_base {}, whose base is of Schema.TaggedError
   *   → class ClientNetworkError extends Error { constructor(props: { … }); readonly _tag: "ClientNetworkError"; … }
   *
   * @param {ts.ClassDeclaration} node
   */
  const expandClass = (node) => {
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
      ...statics.map((one) => withDocs(one)),
      ...(tag ? [toJSON] : [])
    ])
  }

  /**
   * type RecordKind = keyof typeof defaultMembers → type RecordKind = "main_picture" | "joined_at" | "first_name"
   *
   * @param {ts.TypeAliasDeclaration} node
   */
  const expandUnion = (node) => {
    const words = nodeFor(checker.getTypeAtLocation(node), flags | InTypeAlias)
    return factory.createTypeAliasDeclaration(modifiersOf(node), node.name, [], words)
  }

  /**
   * @param {ts.Statement} node
   * @returns {ts.Node}
   */
  const rewriteStatement = (node) => {
    if (ts.isInterfaceDeclaration(node) && mustBeExpanded(node)) {
      return expandInterface(node)
    }
    if (ts.isClassDeclaration(node) && node.heritageClauses) {
      return expandClass(node)
    }
    if (ts.isTypeAliasDeclaration(node) && isComputedUnion(node)) {
      return expandUnion(node)
    }
    return ts.visitEachChild(node, withDocs, undefined)
  }

  /** @param {ts.Statement} node */
  const statementOf = (node) => {
    // Without the comment of its file.
    if (ts.isImportDeclaration(node)) {
      return node.getText()
    }
    const name = nameOf(node)
    if (name && ownTypes.has(name.text) && !isInThisPackage(path)) {
      imports.set(name.text, ownTypesPath)
      return `export type { ${name.text} }`
    }
    if (name && ts.isVariableStatement(node) && isSchema(checker.getTypeAtLocation(name))) {
      return ""
    }
    // A model has the comment of its Schema.
    const schema = (name && symbolAt(name)?.valueDeclaration)?.parent.parent
    return printer.printNode(ts.EmitHint.Unspecified, withComment(rewriteStatement(node), [node, schema ?? node]), file)
  }

  const statements = new Set(file.statements.map(statementOf)) // A class and its namespace are replaced once.
  return [...[...imports].map(([name, from]) => `import type { ${name} } from "${from}"`), ...statements].join("\n")
}
