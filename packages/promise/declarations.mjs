// The modules of the packages as declarations of this one: operations return promises, types of `src/instead.ts` take the place of
// Effect's, and TypeScript's checker writes out what is computed, for example by a Schema. `types.mjs` bundles them.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { docOf } from "./docs.mjs"

const { EmitFlags, factory, SymbolFlags, SyntaxKind, TypeFlags } = ts
const sources = join(import.meta.dirname, "build")
const instead = join(sources, "instead.d.ts")
const isOwn = (path) => path.startsWith(sources)

export const failOn = (diagnostics) => {
  if (diagnostics.length > 0) {
    throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost({})))
  }
}

const config = join(import.meta.dirname, "tsconfig.json")
const { options } = ts.getParsedCommandLineOfConfigFile(config, undefined, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: (one) => failOn([one])
})
const host = ts.createCompilerHost(options)
const files = readdirSync(sources, { recursive: true }).filter((file) => file.endsWith(".d.ts"))
const program = ts.createProgram(
  files.map((file) => join(sources, file)),
  options,
  host
)
const checker = program.getTypeChecker()

/** The file that a module imports. */
export const fileOf = (source, importer) =>
  /(?:^|[/]node_modules[/])@?effect[/]/.test(source)
    ? instead
    : ts.resolveModuleName(source, importer, options, host).resolvedModule?.resolvedFileName

/** What is exported as a namespace: its file, by its name. */
export const namespaces = program
  .getSourceFiles()
  .flatMap(({ fileName, statements }) =>
    statements
      .filter((node) => isOwn(fileName) && ts.isExportDeclaration(node) && node.exportClause?.name)
      .map((node) => [node.exportClause.name.text, fileOf(node.moduleSpecifier.text, fileName)])
  )

// --- symbols

const symbolAt = (node) => {
  // A node that the checker has made has its symbol.
  const symbol = node.symbol ?? checker.getSymbolAtLocation(node)
  return symbol && symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}
/** The declaration of a type, if there is one, and else of a value. */
const nodeOf = ({ declarations = [] }) =>
  declarations.find((node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) ?? declarations[0]
const pathOf = (symbol) => nodeOf(symbol)?.getSourceFile().fileName ?? ""
const placeOf = (symbol) => nodeOf(symbol)?.pos ?? 0
const isOfEffect = (symbol) => /[/]node_modules[/]@?effect[/]/.test(pathOf(symbol))
const isOfModule = (symbol) => ts.isExternalModule(nodeOf(symbol).getSourceFile())
/** The bases of an interface or a class. */
const basesOf = ({ heritageClauses = [] }) =>
  heritageClauses.flatMap(({ types }) => types.map(({ expression }) => symbolAt(expression.name ?? expression)))
const typeOf = ({ name }) => checker.getTypeAtLocation(name)
/** An interface that adds members to a class has those of its base alone. */
const ownTypeOf = (node) =>
  ts.isInterfaceDeclaration(node) && symbolAt(node.name).declarations.some(ts.isClassDeclaration)
    ? checker.getTypeAtLocation(node.heritageClauses[0].types[0])
    : typeOf(node)
const isExported = (node) => node.modifiers?.some(({ kind }) => kind === SyntaxKind.ExportKeyword)
const exportsOf = (path) => {
  const symbols = checker.getExportsOfModule(program.getSourceFile(path).symbol)
  return new Map(symbols.map((symbol) => [symbol.name, symbol]))
}
/** The types in place of those with the same names. */
const replaced = exportsOf(instead)
/** `X` and `XWith<D>` are an interface `X` of the packages for promises, without and with a default for `fields`. */
const faced = exportsOf(join(sources, "Catalog.d.ts"))

// --- what is written out

/** An interface whose base is computed, or one of this package that only extends another one. */
const isWritten = (node) =>
  ts.isInterfaceDeclaration(node) &&
  basesOf(node).length > 0 &&
  (basesOf(node).some((base) => ts.isTypeAliasDeclaration(nodeOf(base)) && isOfModule(base)) ||
    (node.members.length === 0 && isOwn(node.getSourceFile().fileName)))

/** A computed union of words, or of errors. */
const isUnion = (node) => {
  const isComputed = ts.isTypeAliasDeclaration(node) && !node.typeParameters && !ts.isUnionTypeNode(node.type)
  const { types = [] } = isComputed ? typeOf(node) : {}
  return types.length > 0 && types.every((one) => !(one.flags & TypeFlags.Object) || one.isClass())
}
const isSchema = (type) => type.getProperties().some(isOfEffect) && !replaced.has(type.symbol?.name)
/** Whether a constant is the function that declares params. */
const isParams = ({ type }) => type && ts.isFunctionTypeNode(type) && type.parameters[0]?.type?.getText() === "Kinds"

/** A type by its members: what has the same ones as an exported type has its name, unless two have them. */
const keyOf = (type) => {
  const textOf = (one) => checker.typeToString(one, undefined, ts.TypeFormatFlags.NoTruncation)
  const memberOf = (one) => `${one.name} ${one.flags & SymbolFlags.Optional} ${textOf(checker.getTypeOfSymbol(one))}`
  const members = type.isUnion() ? type.types.map(textOf) : type.getProperties().map(memberOf)
  return members.sort().join()
}
const known = new Map()
for (const { fileName, statements } of program.getSourceFiles()) {
  const isPublic = !isOwn(fileName) && !/[/](?:node_modules|internal)[/]/.test(fileName)
  for (const node of isPublic ? statements : []) {
    if (isExported(node) && !node.typeParameters && (isWritten(node) || isUnion(node))) {
      const key = keyOf(typeOf(node))
      known.set(key, known.has(key) ? undefined : symbolAt(node.name))
    }
  }
}

const { NoTruncation, UseAliasDefinedOutsideCurrentScope, WriteArrayAsGenericType } = ts.NodeBuilderFlags
/** @type {ts.NodeBuilderFlags} */
const flags = NoTruncation | UseAliasDefinedOutsideCurrentScope | WriteArrayAsGenericType
const printer = ts.createPrinter()
const readonly = factory.createModifier(SyntaxKind.ReadonlyKeyword)
const optional = factory.createToken(SyntaxKind.QuestionToken)

/** The declarations of a module. @param {string} path */
export const declarationsOf = (path) => {
  const file = program.getSourceFile(path)
  /** What it has to import: the files by name. @type {Map<string, string>} */
  const imports = new Map()
  const print = (node) => printer.printNode(ts.EmitHint.Unspecified, node, file)

  const reference = (symbol, args) => {
    if (isOfModule(symbol) && !(symbol.flags & SymbolFlags.TypeParameter) && !file.locals.has(symbol.name)) {
      imports.set(symbol.name, replaced.has(symbol.name) ? instead : pathOf(symbol))
    }
    return factory.createTypeReferenceNode(symbol.name, args)
  }
  /** A node of the checker, with the names of this package. */
  const named = (node) => {
    const made = ts.visitEachChild(node, named, undefined)
    if (ts.isParameter(node) && node.questionToken && ts.isUnionTypeNode(made.type)) {
      const types = made.type.types.filter(({ kind }) => kind !== SyntaxKind.UndefinedKeyword)
      const [first] = types
      const only = ts.isParenthesizedTypeNode(first) ? first.type : first
      const type = types.length === 1 ? only : factory.createUnionTypeNode(types)
      return factory.createParameterDeclaration(undefined, undefined, node.name, optional, type)
    }
    const symbol = ts.isTypeReferenceNode(node) ? symbolAt(node.typeName.right ?? node.typeName) : undefined
    const twin = symbol && faced.get(symbol.name)
    if (twin === undefined) {
      return symbol ? reference(symbol, made.typeArguments) : made
    }
    const isDefault = made.typeArguments.at(-1).kind === SyntaxKind.NeverKeyword
    const taken = (isDefault && twin) || (faced.get(`${symbol.name}With`) ?? twin)
    const names = nodeOf(taken).typeParameters?.map(({ name }) => name.text)
    const { typeParameters } = nodeOf(symbol)
    return reference(taken, names && made.typeArguments.filter((_, at) => names.includes(typeParameters[at].name.text)))
  }
  /** The node of a type, with the names of what is written out. */
  const nodeFor = (type) => {
    const isObject = (one) => (one.flags & TypeFlags.Object) !== 0 && one.getCallSignatures().length === 0
    if (checker.isArrayType(type)) {
      return factory.createTypeReferenceNode(type.symbol.name, checker.getTypeArguments(type).map(nodeFor))
    }
    const isComputed = isObject(type) || type.isUnionOrIntersection()
    const symbol = isComputed ? known.get(keyOf(type)) : undefined
    if (symbol !== undefined) {
      return reference(symbol)
    }
    if (type.isUnion() && type.types.some(({ flags }) => flags & TypeFlags.Undefined)) {
      const given = nodeFor(checker.getNonNullableType(type))
      const types = ts.isUnionTypeNode(given) ? given.types : [given]
      return factory.createUnionTypeNode([...types, factory.createKeywordTypeNode(SyntaxKind.UndefinedKeyword)])
    }
    if (type.isUnion() && type.types.some(isObject)) {
      return factory.createUnionTypeNode(type.types.map(nodeFor))
    }
    const isNamed = type.isClassOrInterface() || (type.objectFlags & ts.ObjectFlags.Reference) !== 0
    const isRecord = type.isIntersection() ? type.types.every(isObject) : isObject(type) && !isNamed
    const members = type.getProperties()
    return isRecord && members.length > 0 && !members.some(isOfEffect)
      ? factory.createTypeLiteralNode(members.map(memberFor))
      : named(checker.typeToTypeNode(type, undefined, flags))
  }
  const memberFor = (member) => {
    const name = member.declarations?.map((node) => node.name).find((one) => one && ts.isStringLiteral(one))
    const question = member.flags & SymbolFlags.Optional ? optional : undefined
    const type = nodeFor(checker.getTypeOfSymbolAtLocation(member, file))
    return factory.createPropertySignature([readonly], name ?? member.name, question, type)
  }
  const commentOf = (nodes = []) => nodes.map(docOf).find((doc) => doc !== undefined) ?? ""
  const textOf = (one) => `${commentOf(one.declarations)}${print(memberFor(one))}`
  const membersOf = (node) => {
    const members = ownTypeOf(node)
      .getProperties()
      .filter(({ name }) => !name.startsWith("_"))
    return members.sort((one, other) => placeOf(one) - placeOf(other))
  }
  const interfaceOf = (node, head) => {
    // A base of this package stays: it has the call signatures, and the doc comments that an editor shows.
    if (isOwn(pathOf(basesOf(node)[0])) && isOwn(path)) {
      const members = membersOf(node).map((one) => print(memberFor(one)))
      return `${head} ${node.heritageClauses[0].getText()} {\n${members.join("\n")}\n}`
    }
    const calls = checker
      .getSignaturesOfType(typeOf(node), ts.SignatureKind.Call)
      .map((one) => checker.signatureToSignatureDeclaration(one, SyntaxKind.CallSignature, undefined, flags))
    return `${head} {\n${[...calls.map((one) => print(named(one))), ...membersOf(node).map(textOf)].join("\n")}\n}`
  }
  const classOf = (node, head) => {
    const fields = membersOf(node).filter((one) => one.flags & SymbolFlags.Property && pathOf(one) === path)
    const props = fields.length > 0 ? `props: { ${fields.map((one) => print(memberFor(one))).join(" ")} }` : ""
    const statics = node.members.filter((one) => ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Static)
    const members = [`constructor(${props})`, ...fields.map(textOf), ...statics.map((one) => print(documented(one)))]
    return typeOf(node).getProperty("stack")
      ? `${head} extends Error {\nreadonly _tag: "${node.name.text}"\n${members.join("\n")}\ntoJSON(): object\n}`
      : `${head} {\n${members.join("\n")}\n}`
  }
  /** A node with the doc comments of this package. */
  const documented = (node) => {
    const made = ts.visitEachChild(node, documented, undefined)
    const text = docOf(node)?.trim().slice(2, -2)
    if (text !== undefined) {
      ts.setEmitFlags(made, EmitFlags.NoLeadingComments)
      ts.addSyntheticLeadingComment(made, SyntaxKind.MultiLineCommentTrivia, text, true)
    }
    return made
  }
  const statementOf = (node) => {
    const { name, typeParameters = [] } = ts.isVariableStatement(node) ? node.declarationList.declarations[0] : node
    if (replaced.has(name?.text) && !isOwn(path)) {
      imports.set(name.text, instead)
      return `export type { ${name.text} }`
    }
    // The comment of a model is that of its Schema.
    const value = name && symbolAt(name)?.valueDeclaration
    const comment = commentOf([node, ...(value && ts.isVariableDeclaration(value) ? [value.parent.parent] : [])])
    const parameters = typeParameters.length > 0 ? `<${typeParameters.map((one) => one.getText()).join(", ")}>` : ""
    const head = (kind) => `${comment}${isExported(node) ? "export " : ""}${kind} ${name.text}${parameters}`
    if (isWritten(node)) {
      return interfaceOf(node, head("interface"))
    }
    if (ts.isClassDeclaration(node) && basesOf(node).some((base) => ts.isVariableDeclaration(nodeOf(base)))) {
      return classOf(node, head("declare class"))
    }
    if (isUnion(node)) {
      // Any other string is last.
      const types = [...typeOf(node).types].sort((one, other) => Number(other.isLiteral()) - Number(one.isLiteral()))
      return `${head("type")} = ${types.map((one) => print(nodeFor(one))).join(" | ")}`
    }
    if (
      ts.isVariableStatement(node) &&
      (isSchema(typeOf({ name })) || isParams(node.declarationList.declarations[0]))
    ) {
      return ""
    }
    if (ts.isExportDeclaration(node) && node.exportClause?.name) {
      return `export ${node.exportClause.getText()} from "namespace:${node.exportClause.name.text}"`
    }
    // Without the comment at the top of the file.
    return print(ts.isImportDeclaration(node) ? ts.setEmitFlags(node, EmitFlags.NoComments) : documented(node))
  }

  const statements = file.statements.map(statementOf)
  return [...[...imports].map(([name, from]) => `import type { ${name} } from "${from}"`), ...statements].join("\n")
}
