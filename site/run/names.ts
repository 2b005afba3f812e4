// What can be written at a place of a program, and what a name in it is: asked of the compiler's checker, in the worker.
import * as ts from "typescript"

declare module "typescript" {
  /** Its public declarations leave these out. */
  interface TypeChecker {
    getContextualType(node: Expression, flags: number): Type | undefined
  }
  interface Signature {
    readonly minArgumentCount: number
  }
  function getSourceFileOfNode(node: Node): SourceFile
  function getTokenPosOfNode(node: Node, file: SourceFile): number
}

/** A name that can be written at a place. */
export interface Name {
  readonly name: string
  /** The same with its type; empty for a string. */
  readonly code: string
  /** The first sentence of its comment. */
  readonly about: string
  /** What imports it, if nothing does so far: a text, which belongs at a place before it. */
  readonly imports?: { readonly module: string; readonly at: number; readonly text: string }
}

/** The names that can be written at a place, and what one of them replaces. */
export interface Names {
  readonly start: number
  readonly end: number
  readonly names: ReadonlyArray<Name>
  /** What follows one that is written: the quote of an open string. */
  readonly after: string
  /** The function whose argument begins there, if there are no names. */
  readonly called: Known | undefined
}

/** What a name of a program is. */
export interface Known {
  readonly start: number
  readonly end: number
  readonly code: string
  readonly about: string
}

/** The innermost part of a program around a place. */
const innermost = (node: ts.Node, at: number): ts.Node =>
  ts.forEachChild(node, (child) => (child.pos <= at && at <= child.end ? innermost(child, at) : undefined)) ?? node

/** The types of which one is meant. */
const typesIn = (type: ts.Type | undefined): ReadonlyArray<ts.Type> =>
  type === undefined ? [] : (type.flags & ts.TypeFlags.Union) !== 0 ? (type as ts.UnionType).types : [type]

/** What `getContextualType` infers from the place alone: not from the text that stands there by now. */
const forCompletions = 4

const {
  InTypeAlias,
  MultilineObjectLiterals,
  NoTruncation,
  UseAliasDefinedOutsideCurrentScope: Short
} = ts.TypeFormatFlags

/** Those of the platform are a thousand: the ones that programs use. */
const globals = (
  "AbortController AbortSignal Array BigInt Boolean Date Error Headers Intl JSON Map Math Number Object Promise RegExp Request " +
  "Response Set String TypeError URL URLSearchParams clearTimeout console crypto document fetch performance process setTimeout"
).split(" ")

/** The file of the language and the platform, and one that imports what a program can import. */
export const [libraryFile, importsFile] = ["/library.d.ts", "/imports.d.ts"] as const

const isName = (name: string): boolean => /^[\p{L}_$][\p{L}\d_$]*$/u.test(name)

/** The compiler indents the members of a type by four spaces, and writes no lines. */
const inLines = (type: string): string =>
  type.replaceAll(/(?: {4})+/g, (spaces) => `\n${spaces.slice(spaces.length / 2)}`).replaceAll(";}", ";\n}")

const literal = (name: string): Name => ({ name, code: "", about: "" })

/** The answers about a program. */
export const namesOf = (program: ts.Program, file: ts.SourceFile) => {
  const checker = program.getTypeChecker()

  const propertiesOf = (type: ts.Type | undefined): ReadonlyArray<ts.Symbol> =>
    typesIn(type && checker.getNonNullableType(type)).flatMap((one) =>
      checker.getPropertiesOfType(checker.getApparentType(one))
    )

  const contextOf = (node: ts.Expression): ts.Type | undefined =>
    checker.getContextualType(node, forCompletions) ?? checker.getContextualType(node, 0)

  const original = (symbol: ts.Symbol): ts.Symbol =>
    (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)

  const aboutOf = (symbol: ts.Symbol | undefined): string => {
    const comments = symbol?.declarations?.flatMap((declaration) => ts.getJSDocCommentsAndTags(declaration))
    return ts.getTextOfJSDocComment(comments?.find(ts.isJSDoc)?.comment) ?? ""
  }

  /** A name and its type, or the signature of a function: that of a call, if there is one. */
  const codeOf = (
    name: string,
    symbol: ts.Symbol,
    node: ts.Node,
    flags: ts.TypeFormatFlags,
    call?: ts.Signature
  ): string => {
    if ((symbol.flags & ts.SymbolFlags.Value) === 0) {
      const type = inLines(checker.typeToString(checker.getDeclaredTypeOfSymbol(symbol), node, flags | InTypeAlias))
      return `type ${name}${type === name ? "" : ` = ${type}`}`
    } else if ((symbol.flags & ts.SymbolFlags.Value & ~ts.SymbolFlags.ValueModule) === 0) {
      return `namespace ${name}`
    }
    const type = checker.getTypeOfSymbolAtLocation(symbol, node)
    const [signature, other] = checker.getSignaturesOfType(type, ts.SignatureKind.Call)
    const shown = call ?? (other === undefined ? signature : undefined)
    if (shown !== undefined) {
      return name + inLines(checker.signatureToString(shown, node, flags))
    }
    const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0
    const present = isOptional ? checker.getNonNullableType(type) : type
    return `${name}${isOptional ? "?" : ""}: ${inLines(checker.typeToString(present, node, flags))}`
  }

  const named = (
    symbols: ReadonlyArray<ts.Symbol>,
    node: ts.Node,
    without: ReadonlyArray<string> = []
  ): Names["names"] => {
    const byName = new Map(symbols.map((symbol) => [ts.symbolName(symbol), symbol]))
    return [...byName]
      .filter(([name]) => isName(name) && !without.includes(name))
      .map(([name, symbol]) => ({
        name,
        code: codeOf(name, original(symbol), node, Short),
        about: aboutOf(original(symbol))
      }))
  }

  /** The names of other members that are written, which an object has once. */
  const writtenIn = (
    members: ReadonlyArray<ts.Node & { readonly name?: ts.Node }>,
    at: number
  ): ReadonlyArray<string> =>
    members.flatMap(({ end, name, pos }) =>
      name && ts.isIdentifier(name) && (at < pos || end < at) ? ts.idText(name) : []
    )

  /** The strings of a type that are not among other parts of a list. The compiler has them in no order. */
  const stringsOf = (type: ts.Type | undefined, others: ReadonlyArray<ts.Node> = []): ReadonlyArray<string> => {
    const written = others.flatMap((other) => (ts.isStringLiteralLike(other) ? other.text : []))
    return typesIn(type)
      .flatMap(({ value }: ts.Type & { readonly value?: unknown }) => (typeof value === "string" ? value : []))
      .filter((value) => !written.includes(value))
      .sort()
  }

  const stringsAt = (node: ts.StringLiteralLike): ReadonlyArray<string> => {
    const others = ts.isArrayLiteralExpression(node.parent) ? node.parent.elements : []
    return stringsOf(
      contextOf(node),
      others.filter((other) => other !== node)
    )
  }

  /** The same where none is begun: in an empty list, after a comma of one, or as a value. */
  const newStringsAt = (node: ts.Node): ReadonlyArray<string> => {
    if (ts.isArrayLiteralExpression(node)) {
      const lists = typesIn(contextOf(node)).map((type) => checker.getIndexTypeOfType(type, ts.IndexKind.Number))
      return lists.flatMap((type) => stringsOf(type, node.elements))
    }
    return ts.isIdentifier(node) && ts.idText(node) === "" ? stringsOf(contextOf(node)) : []
  }

  /** The members that can be written between braces, after one of them or after a comma; none elsewhere. */
  const membersAt = (at: number, before: string): Names["names"] | undefined => {
    // An object that is not closed ends before the spaces.
    const end = before.trimEnd().length
    let node = /[{,]\s*$/.test(before) ? innermost(file, end) : file
    while (node.pos === end && node !== file) {
      node = node.parent
    }
    if (ts.isObjectLiteralExpression(node)) {
      return named(propertiesOf(contextOf(node)), node, writtenIn(node.properties, at))
    } else if (ts.isObjectBindingPattern(node)) {
      const value = ts.isVariableDeclaration(node.parent) ? node.parent.initializer : undefined
      return named(propertiesOf(checker.getTypeAtLocation(value ?? node)), node, writtenIn(node.elements, at))
    } else if (ts.isNamedImports(node)) {
      const { moduleSpecifier } = node.parent.parent as ts.ImportDeclaration
      const module = checker.getSymbolAtLocation(moduleSpecifier)
      return module && named(checker.getExportsOfModule(module), node, writtenIn(node.elements, at))
    }
    return undefined
  }

  const moduleOf = ({ moduleSpecifier }: ts.ImportDeclaration): ts.Symbol | undefined =>
    checker.getSymbolAtLocation(moduleSpecifier)

  const importsIn = (from: ts.SourceFile | undefined): ReadonlyArray<ts.ImportDeclaration> =>
    from?.statements.filter(ts.isImportDeclaration) ?? []

  /** What imports a name of a module: a part of the import that there is, or a line below the imports. */
  const importOf = (name: string, module: string): NonNullable<Name["imports"]> => {
    const own = importsIn(file)
    const lists = own.flatMap(({ importClause, moduleSpecifier }) => {
      const list = importClause?.namedBindings
      const isOf = ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text === module
      return isOf && importClause?.isTypeOnly !== true && list && ts.isNamedImports(list) ? list.elements : []
    })
    const [before, line] = [lists.at(-1), own.at(-1)]
    if (before !== undefined) {
      return { module, at: before.end, text: `, ${name}` }
    }
    const added = `import { ${name} } from "${module}"`
    return line === undefined ? { module, at: 0, text: `${added}\n` } : { module, at: line.end, text: `\n${added}` }
  }

  /** The names that begin so and that the program can import. Of two modules, that of its own imports has a name first. */
  const importable = (node: ts.Node, begun: string, without: ReadonlyArray<string>): Names["names"] => {
    const own = importsIn(file).map(moduleOf)
    const isOwn = (module: ts.ImportDeclaration) => Number(own.includes(moduleOf(module)))
    const modules = [...importsIn(program.getSourceFile(importsFile))].sort((one, other) => isOwn(other) - isOwn(one))
    const meaning = ts.isPartOfTypeNode(node) ? ts.SymbolFlags.Type | ts.SymbolFlags.Namespace : ts.SymbolFlags.Value
    const written = [...without]
    return modules.flatMap((module) => {
      const symbol = moduleOf(module)
      const found = symbol === undefined ? [] : checker.getExportsOfModule(symbol)
      const fitting = found.filter(
        (one) =>
          ts.symbolName(one).toLowerCase().startsWith(begun.toLowerCase()) && (original(one).flags & meaning) !== 0
      )
      const names = named(fitting, node, written)
      written.push(...names.map(({ name }) => name))
      const { text } = module.moduleSpecifier as ts.StringLiteral
      return names.map((one) => ({ ...one, imports: importOf(one.name, text) }))
    })
  }

  /** Other names: members after a dot, those of the program for what is begun, and strings. */
  const othersAt = (node: ts.Node, before: string, begun: string): Names["names"] => {
    const { parent } = node
    if (parent !== undefined && ts.isPropertyAccessExpression(parent) && parent.name === node) {
      return named(propertiesOf(checker.getTypeAtLocation(parent.expression)), node)
    }
    if (parent !== undefined && "name" in parent && parent.name === node) {
      // It is declared here.
      return []
    } else if (begun === "") {
      return newStringsAt(innermost(file, before.trimEnd().length)).map((value) => literal(JSON.stringify(value)))
    }
    const isOwn = ({ declarations = [] }: ts.Symbol) =>
      declarations.some((from) => ts.getSourceFileOfNode(from) === file)
    const isGlobal = (symbol: ts.Symbol) =>
      globals.includes(ts.symbolName(symbol)) && ts.symbolName(symbol).startsWith(begun)
    const known = checker.getSymbolsInScope(node, ts.SymbolFlags.ModuleMember)
    const names = named([...known.filter(isOwn), ...known.filter(isGlobal)], node)
    return [...names, ...importable(node, begun, [...globals, ...names.map(({ name }) => name)])]
  }

  /** The type of a parameter; of one that takes an object, the members. */
  const argumentOf = (parameter: ts.Symbol, node: ts.Node): string => {
    const type = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(parameter, node))
    const isObject = typesIn(type).every(({ flags }) => (flags & ts.TypeFlags.StructuredType) !== 0)
    const members = isObject ? propertiesOf(type) : []
    if (members.length === 0 || !members.every((member) => isName(ts.symbolName(member)))) {
      return checker.typeToString(type, node, Short)
    }
    const written = members.map(
      (member) => ts.symbolName(member) + ((member.flags & ts.SymbolFlags.Optional) === 0 ? "" : "?")
    )
    return `{ ${written.join(", ")} }`
  }

  /** The function whose argument begins there, if it has one form and is not the platform's. */
  const calledAt = (before: string): Known | undefined => {
    const end = before.trimEnd().length
    const node = innermost(file, end)
    const call = node.pos === node.end ? node.parent : node
    if (!/[(,]\s*$/.test(before) || !ts.isCallExpression(call) || call.expression.end >= end) {
      return undefined
    }
    const called = ts.isPropertyAccessExpression(call.expression) ? call.expression.name : call.expression
    const { Call } = ts.SignatureKind
    const [signature, other] = checker.getSignaturesOfType(checker.getTypeAtLocation(called), Call)
    if (signature === undefined || other !== undefined || !ts.isIdentifier(called)) {
      return undefined
    }
    const { declaration, minArgumentCount, parameters } = signature
    const parameter = parameters[call.arguments.filter((argument) => argument.end < end).length]
    const from = declaration && ts.getSourceFileOfNode(declaration).fileName
    if (parameter === undefined || from === libraryFile) {
      return undefined
    }
    // One that is taken apart has no name.
    const nameOf = (one: ts.Symbol) => ts.symbolName(one).replace(/^__\d+$/, "options")
    const names = parameters.map((one, at) => nameOf(one) + (at < minArgumentCount ? "" : "?"))
    const symbol = checker.getSymbolAtLocation(called)
    return {
      start: ts.getTokenPosOfNode(called, file),
      end: called.end,
      code: `${ts.idText(called)}(${names.join(", ")})\n${nameOf(parameter)}: ${argumentOf(parameter, called)}`,
      about: aboutOf(symbol && original(symbol))
    }
  }

  return {
    /** What can be written at a place. */
    names: (at: number): Names => {
      const node = innermost(file, at)
      const first = ts.getTokenPosOfNode(node, file)
      if (ts.isStringLiteralLike(node) && first < at && (at < node.end || node.isUnterminated === true)) {
        const isOpen = node.isUnterminated === true
        const end = isOpen ? at : node.end - 1
        return {
          start: first + 1,
          end,
          names: stringsAt(node).map(literal),
          after: isOpen ? (file.text[first] ?? "") : "",
          called: undefined
        }
      }
      const before = file.text.slice(0, at)
      const [letters = ""] = /[\p{L}_$][\p{L}\d_$]*$/u.exec(before) ?? []
      const [rest = ""] = /^[\p{L}\d_$]*/u.exec(file.text.slice(at)) ?? []
      const start = at - letters.length
      const names = membersAt(at, before.slice(0, start)) ?? othersAt(node, before, letters)
      const called = names.length === 0 ? calledAt(before) : undefined
      return { start, end: at + rest.length, names, after: "", called }
    },
    /** What the name at a place is. */
    known: (at: number): Known | undefined => {
      const node = innermost(file, at)
      const start = ts.getTokenPosOfNode(node, file)
      const found = checker.getSymbolAtLocation(node)
      if (!ts.isIdentifier(node) || at < start || found === undefined) {
        return undefined
      }
      const symbol = original(found)
      const { parent } = node
      const called = ts.isPropertyAccessExpression(parent) && parent.name === node ? parent : node
      const call = called.parent
      const isCalled = (ts.isCallExpression(call) || ts.isNewExpression(call)) && call.expression === called
      const signature = isCalled ? checker.getResolvedSignature(call) : undefined
      // What an object is for says what its members are, and what a value is what is taken from it.
      const owner =
        ts.isObjectLiteralElementLike(parent) && ts.isObjectLiteralExpression(parent.parent)
          ? contextOf(parent.parent)
          : ts.isBindingElement(parent)
            ? checker.getTypeAtLocation(parent.parent)
            : undefined
      const property = typesIn(owner)
        .map((type) => checker.getPropertyOfType(type, ts.idText(node)))
        .find((known) => known)
      return {
        start,
        end: node.end,
        code: codeOf(ts.idText(node), symbol, node, Short | MultilineObjectLiterals | NoTruncation, signature),
        about: aboutOf(property) || aboutOf(symbol)
      }
    }
  }
}
