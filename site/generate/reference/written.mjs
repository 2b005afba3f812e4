// Types as programs write them, where the declarations have helpers and the names of the source.
import ts from "typescript"
import { declarationOf, found } from "../../../scripts/generate/declarations.mjs"
import {
  aliased,
  basesOf,
  checker,
  docsOf,
  exported,
  hasSectionOf,
  headingOf,
  isMachinery,
  isOurs,
  isUnexported,
  membersOf,
  none,
  serviceOf,
  typeAt,
  typeOf
} from "./exports.mjs"

/** @import { Given, Section } from "./exports.mjs" */

/** Code with the names that programs write. @param {ts.Node} node @param {Given} [given] */
export const codeOf = (node, given = none) => written(node, given).code

/** The default of the only type parameter of a function, if it is for default fields, which most programs leave. @param {ts.Node} node @param {Given} given @returns {Given | undefined} */
const leftIn = (node, given = none) => {
  const statement = ts.isVariableStatement(node) ? node.declarationList.declarations[0]?.type : node
  const { typeParameters = [] } = /** @type {Partial<ts.SignatureDeclaration>} */ (statement ?? node)
  const [first, ...others] = typeParameters
  return first?.constraint === undefined || first.default?.getText() !== "never" || others.length > 0
    ? undefined
    : new Map([...given, [found(checker.getSymbolAtLocation(first.name), first.name.text), first.default]])
}

/** A function as most programs call it, and its whole signature after that. @param {ts.Node} node @param {Given} [given] */
export const callsOf = (node, given = none) => {
  const whole = codeOf(node, given)
  const left = leftIn(node, given)
  const plain = left && codeOf(node, left).replace(/<const \w+ extends [^<>]*? = never>(?=\()/, "")
  return plain === undefined
    ? whole
    : `${plain.replaceAll(/<never>|\bnever [|] /g, "")}\n\n// With default \`fields\`, which the types of replies follow\n${whole}`
}

/** The same of code that has comments. @param {string} code @param {ts.Node} node */
export const asWritten = (code, node) =>
  inWords(
    [...namesIn(node)].reduce(
      (text, [name, { own }]) => text.replaceAll(new RegExp(`(?<![.\\w"])${own}(?![\\w"]|\\?:)`, "g"), name),
      code
    )
  )

/** Effect 4's own names, where the declarations have those of Effect 3. @type {ReadonlyArray<readonly [string, string]>} */
const ofEffect4 = [
  ["Schema.Schema.AnyNoContext", "Schema.Codec<unknown, unknown>"],
  ["Schema.Schema<", "Schema.Codec<"],
  ["Schema.Array$<", "Schema.$Array<"],
  ["DurationInput", "Duration.Input"],
  [" Client.HttpClient", " HttpClient"]
]

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
export const namesIn = (node, given = none) => written(node, given).names

/** Helpers that only the compiler's messages need: a reader sees what they stand for if a program is right. */
const checks = /^Checked(?:Default)?$/

/** The same, as a part of an intersection. */
const extraChecks = /^Checked(?:Path|Declaration|Pages)$/

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

/** What a face makes of a reply with Effect. */
const inEffect = new Map([
  ["Reply", "Effect.Effect"],
  ["Replies", "Stream.Stream"]
])

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
        const kind = inEffect.get(nameOf(part).getText())
        if (kind !== undefined) {
          // The face is a type parameter here, and says what `R` is.
          const [, value, errors] = (part.typeArguments ?? []).map((type) => /** @type {ts.TypeNode} */ (visit(type)))
          const all = [
            ...(errors === undefined ? [] : [errors]),
            ...["ClientRestError", "ClientNetworkError"].map((name) => ts.factory.createTypeReferenceNode(name))
          ]
          return ts.factory.createTypeReferenceNode(kind, [
            found(value, kind),
            ts.factory.createUnionTypeNode(all),
            ts.factory.createTypeReferenceNode("R")
          ])
        }
        const [only] = part.typeArguments ?? []
        if (only && /^(?:Simplify|Given)$/.test(nameOf(part).getText())) {
          return visit(only)
        }
        // The values of an optional member.
        if (only && nameOf(part).getText() === "NonNullable") {
          const value = visit(only)
          if (ts.isUnionTypeNode(value)) {
            const isValue = (/** @type {ts.TypeNode} */ { kind }) => kind !== ts.SyntaxKind.UndefinedKeyword
            return ts.factory.createUnionTypeNode(value.types.filter(isValue))
          }
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
        const [condition] = symbol?.declarations ?? []
        if (
          given.size > 0 &&
          only &&
          visit(only).kind === ts.SyntaxKind.NeverKeyword &&
          condition &&
          ts.isTypeAliasDeclaration(condition) &&
          ts.isConditionalTypeNode(condition.type) &&
          ts.isTupleTypeNode(condition.type.checkType)
        ) {
          return visit(condition.type.trueType)
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

/** Whether an alias says less than its comment: it computes a type with others that no page has. @param {ts.Node} node */
export const isComputed = (node) =>
  ts.isTypeAliasDeclaration(node) &&
  (ts.isIndexedAccessTypeNode(node.type) || /\?[^]*:|\bin keyof\b/.test(node.type.getText())) &&
  [...namesIn(node).values()].some(
    ({ symbol }) =>
      isUnexported(symbol) &&
      !isMachinery(symbol) &&
      !/Stub(?:Of)?$/.test(symbol.name) &&
      !ts.isInterfaceDeclaration(found(symbol.declarations?.[0], symbol.name))
  )

/** The types that a section shows, in its declarations and in those of its members. @param {Section} section @returns {ReadonlyArray<readonly [string, Named]>} */
export const shownIn = ({ statements }) => [
  ...statements
    .flatMap((statement) =>
      ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement)
        ? [
            ...(statement.typeParameters ?? []),
            ...statement.members.filter(ts.isCallSignatureDeclaration),
            ...basesOf(statement).filter(hasSectionOf),
            ...[serviceOf(statement)?.shape ?? []].flat()
          ]
        : isComputed(statement)
          ? []
          : [statement]
    )
    .flatMap((node) => [...namesIn(node), ...namesIn(node, leftIn(node))]),
  ...statements.flatMap(membersOf).flatMap(({ declared, given, symbol }) => {
    const type = typeOf(declared)
    const nodes =
      type === undefined || type.parent === declared ? (symbol.declarations ?? [declared]).filter(isOurs) : [type]
    return nodes.flatMap((node) => [...namesIn(node, given), ...namesIn(node, leftIn(node, given))])
  })
]
