// The modules of the packages as declarations of this one: operations return promises, types of `src/counterparts.ts` take the
// place of Effect's, and TypeScript's checker writes out what is computed, for example by a Schema. `types.mjs` bundles them.
import { join } from "node:path"
import ts from "typescript"
import { docOf } from "./docs.mjs"

const { factory, SymbolFlags, SyntaxKind } = ts
const sources = join(import.meta.dirname, "build")
const counterparts = join(sources, "counterparts.d.ts")
const isOwn = (path) => path.startsWith(sources)

const { config } = ts.readConfigFile(join(import.meta.dirname, "tsconfig.json"), (path) => ts.sys.readFile(path))
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, import.meta.dirname)
const host = ts.createCompilerHost(options)
const getSourceFile = host.getSourceFile.bind(host)
/** Without the comments of what is installed, which are most of the text. */
host.getSourceFile = (path, how, ...rest) => {
  const jsDocParsingMode = ts.JSDocParsingMode[path.includes("/node_modules/") ? "ParseNone" : "ParseAll"]
  return getSourceFile(path, { ...how, jsDocParsingMode }, ...rest)
}
const program = ts.createProgram(ts.sys.readDirectory(sources, [".d.ts"]), options, host)
const checker = program.getTypeChecker()

const symbolAt = (node) => {
  // A node that the checker has made has its symbol.
  const symbol = node.symbol ?? checker.getSymbolAtLocation(node)
  return symbol && symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}
/** The declaration of a type, if there is one, and else of a value. */
const nodeOf = ({ declarations = [] }) =>
  declarations.find((node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) ?? declarations[0]
const pathOf = (symbol) => nodeOf(symbol)?.getSourceFile().fileName ?? ""
const byPlace = (one, other) => (nodeOf(one)?.pos ?? 0) - (nodeOf(other)?.pos ?? 0)
const isEffects = (path) => /[/]node_modules[/]@?effect[/]/.test(path)
const isOfModule = (symbol) => ts.isExternalModule(nodeOf(symbol).getSourceFile())
/** The bases of an interface or a class. */
const basesOf = ({ heritageClauses = [] }) =>
  heritageClauses.flatMap(({ types }) => types.map(({ expression }) => symbolAt(expression.name ?? expression)))
const typeOf = ({ name }) => checker.getTypeAtLocation(name)
/** The types in place of those with the same names. */
const ownTypes = program.getSourceFile(counterparts).symbol.exports
/** `X` and `XWith<D>` are an interface `X` of the packages for promises, without and with a default for `fields`. */
const faced = program.getSourceFile(join(sources, "Catalog.d.ts")).symbol.exports

/** The file that a module imports. */
export const fileOf = (source, importer) => {
  const path = ts.resolveModuleName(source, importer, options, ts.sys).resolvedModule?.resolvedFileName
  return path && isEffects(path) ? counterparts : path
}

/** An interface whose base is computed, but for members of a class; or one of this package that only extends another one. */
const isWritten = (node) => {
  const bases = ts.isInterfaceDeclaration(node) ? basesOf(node) : []
  return bases.some((base) => ts.isTypeAliasDeclaration(nodeOf(base)) && isOfModule(base))
    ? !symbolAt(node.name).declarations.some(ts.isClassDeclaration)
    : bases.length > 0 && node.members.length === 0 && isOwn(node.getSourceFile().fileName)
}
/** A union of words, which can be computed. */
const isWords = (node) =>
  ts.isTypeAliasDeclaration(node) &&
  !ts.isUnionTypeNode(node.type) &&
  typeOf(node).types?.every((one) => one.isLiteral())
const isSchema = (type) =>
  !ownTypes.has(type.symbol?.name) && type.getProperties().some((one) => isEffects(pathOf(one)))

const { InTypeAlias, NoTruncation, UseAliasDefinedOutsideCurrentScope, WriteArrayAsGenericType } = ts.NodeBuilderFlags
/** @type {ts.NodeBuilderFlags} */
const flags = NoTruncation | UseAliasDefinedOutsideCurrentScope | WriteArrayAsGenericType
const printer = ts.createPrinter()
const readonly = factory.createModifier(SyntaxKind.ReadonlyKeyword)
const optional = factory.createToken(SyntaxKind.QuestionToken)
const extendsError = factory.createHeritageClause(SyntaxKind.ExtendsKeyword, [factory.createTypeReferenceNode("Error")])
const toJSON = factory.createMethodSignature([], "toJSON", undefined, [], [], factory.createTypeReferenceNode("object"))

/** Those of a node are printed with the comment before them. */
const modifiersOf = (node) => factory.createModifiersFromModifierFlags(ts.getCombinedModifierFlags(node))
/** A node with the doc comment of one of the others, for this package. */
const withComment = (made, nodes = []) => {
  const text = nodes.map(docOf).find((doc) => doc !== undefined)
  const bare = text && ts.setEmitFlags(made, ts.EmitFlags.NoLeadingComments)
  return bare ? ts.addSyntheticLeadingComment(bare, SyntaxKind.MultiLineCommentTrivia, text, true) : made
}
const documented = (node) => withComment(ts.visitEachChild(node, documented, undefined), [node])

/** The declarations of a module. @param {string} path */
export const declarationsOf = (path) => {
  const file = program.getSourceFile(path)
  /** What it has to import: the files by name. @type {Map<string, string>} */
  const imports = new Map()

  const reference = (symbol, args) => {
    if (isOfModule(symbol) && !(symbol.flags & SymbolFlags.TypeParameter) && !file.locals.has(symbol.name)) {
      imports.set(symbol.name, ownTypes.has(symbol.name) ? counterparts : pathOf(symbol))
    }
    return factory.createTypeReferenceNode(symbol.name, args)
  }
  /** A node of the checker, with the names of this package, and without the `undefined` of an optional parameter. */
  const named = (node) => {
    const made = ts.visitEachChild(node, named, undefined)
    if (ts.isParameter(made) && made.questionToken && ts.isUnionTypeNode(made.type)) {
      const types = made.type.types.filter(({ kind }) => kind !== SyntaxKind.UndefinedKeyword)
      const type = types.length > 1 ? factory.createUnionTypeNode(types) : (types[0].type ?? types[0])
      return factory.createParameterDeclaration(undefined, undefined, made.name, optional, type)
    }
    const symbol = ts.isTypeReferenceNode(node) ? symbolAt(node.typeName.right ?? node.typeName) : undefined
    const own = symbol && faced.get(symbol.name)
    if (own === undefined) {
      return symbol ? reference(symbol, made.typeArguments) : made
    }
    const isDefault = made.typeArguments.at(-1).kind === SyntaxKind.NeverKeyword
    const taken = (isDefault && own) || (faced.get(`${symbol.name}With`) ?? own)
    const names = nodeOf(taken).typeParameters?.map(({ name }) => name.text)
    const { typeParameters } = nodeOf(symbol)
    return reference(taken, names && made.typeArguments.filter((_, at) => names.includes(typeParameters[at].name.text)))
  }
  const nodeFor = (type, how = flags) => named(checker.typeToTypeNode(type, undefined, how))
  const memberFor = (member) => {
    const name = member.declarations?.map((node) => node.name).find((one) => one && ts.isStringLiteral(one))
    const question = member.flags & SymbolFlags.Optional ? optional : undefined
    const type = nodeFor(checker.getTypeOfSymbolAtLocation(member, file))
    return factory.createPropertySignature([readonly], name ?? member.name, question, type)
  }
  const membersOf = (node) => {
    const members = checker.getPropertiesOfType(typeOf(node)).toSorted(byPlace)
    return members.filter(({ name }) => !name.startsWith("_"))
  }
  const documentedMember = (one) => withComment(memberFor(one), one.declarations)
  const interfaceOf = (node) => {
    const calls = checker
      .getSignaturesOfType(typeOf(node), ts.SignatureKind.Call)
      .map((one) => named(checker.signatureToSignatureDeclaration(one, SyntaxKind.CallSignature, undefined, flags)))
    const members = [...calls, ...membersOf(node).map(documentedMember)]
    return factory.createInterfaceDeclaration(modifiersOf(node), node.name, node.typeParameters, [], members)
  }
  const classOf = (node) => {
    const fields = membersOf(node).filter((one) => one.flags & SymbolFlags.Property && pathOf(one) === path)
    const props = factory.createTypeLiteralNode(fields.map(memberFor))
    const parameters =
      fields.length > 0 ? [factory.createParameterDeclaration([], undefined, "props", undefined, props)] : []
    const statics = node.members.filter((one) => ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Static)
    const tag = typeOf(node).getProperty("_tag")
    return factory.createClassDeclaration(modifiersOf(node), node.name, undefined, tag ? [extendsError] : [], [
      factory.createConstructorDeclaration([], parameters, undefined),
      ...(tag ? [memberFor(tag)] : []),
      ...fields.map(documentedMember),
      ...statics.map(documented),
      ...(tag ? [toJSON] : [])
    ])
  }
  const wordsOf = (node) =>
    factory.createTypeAliasDeclaration(modifiersOf(node), node.name, [], nodeFor(typeOf(node), flags | InTypeAlias))
  const madeOf = (node) =>
    isWritten(node)
      ? interfaceOf(node)
      : ts.isClassDeclaration(node) && node.heritageClauses
        ? classOf(node)
        : isWords(node)
          ? wordsOf(node)
          : ts.visitEachChild(node, documented, undefined)
  const statementOf = (node) => {
    const { name } = ts.isVariableStatement(node) ? node.declarationList.declarations[0] : node
    if (ownTypes.has(name?.text) && !isOwn(path)) {
      imports.set(name.text, counterparts)
      return `export type { ${name.text} }`
    }
    if (ts.isVariableStatement(node) && isSchema(typeOf({ name }))) {
      return ""
    }
    // An import is without the comment of its file, and a model has that of its Schema.
    const schema = (name && symbolAt(name)?.valueDeclaration)?.parent.parent
    return ts.isImportDeclaration(node)
      ? node.getText()
      : printer.printNode(ts.EmitHint.Unspecified, withComment(madeOf(node), [node, schema ?? node]), file)
  }

  const statements = new Set(file.statements.map(statementOf)) // A class and its namespace are replaced once.
  return [...[...imports].map(([name, from]) => `import type { ${name} } from "${from}"`), ...statements].join("\n")
}
