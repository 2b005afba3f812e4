// What can be written at a place of a program, and what a name in it is: asked of the compiler's checker, in the worker.
import * as ts from "typescript"

declare module "typescript" {
  /** Its public declarations leave these out. */
  interface TypeChecker {
    getContextualType(node: Expression, flags: number): Type | undefined
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
}

/** The names that can be written at a place, and what one of them replaces. */
export interface Names {
  readonly start: number
  readonly end: number
  readonly names: ReadonlyArray<Name>
  /** What follows one that is written: the quote of an open string. */
  readonly after: string
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

  /** Other names: members after a dot, those of the program for what is begun, and strings. */
  const othersAt = (node: ts.Node, before: string, begun: string): Names["names"] => {
    const { parent } = node
    if (parent !== undefined && ts.isPropertyAccessExpression(parent) && parent.name === node) {
      return named(propertiesOf(checker.getTypeAtLocation(parent.expression)), node)
    }
    if (begun === "") {
      return newStringsAt(innermost(file, before.trimEnd().length)).map((value) => literal(JSON.stringify(value)))
    }
    const isOwn = ({ declarations = [] }: ts.Symbol) =>
      declarations.some((from) => ts.getSourceFileOfNode(from) === file)
    const isGlobal = (symbol: ts.Symbol) =>
      globals.includes(ts.symbolName(symbol)) && ts.symbolName(symbol).startsWith(begun)
    const known = checker.getSymbolsInScope(node, ts.SymbolFlags.ModuleMember)
    return named([...known.filter(isOwn), ...known.filter(isGlobal)], node)
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
          after: isOpen ? (file.text[first] ?? "") : ""
        }
      }
      const before = file.text.slice(0, at)
      const [letters = ""] = /[\p{L}_$][\p{L}\d_$]*$/u.exec(before) ?? []
      const [rest = ""] = /^[\p{L}\d_$]*/u.exec(file.text.slice(at)) ?? []
      const start = at - letters.length
      const names = membersAt(at, before.slice(0, start)) ?? othersAt(node, before, letters)
      return { start, end: at + rest.length, names, after: "" }
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
