// Declarations as code.
import ts from "typescript"
import { formatSource } from "../../../scripts/generate/declarations.mjs"
import {
  aliased,
  basesOf,
  checker,
  docsOf,
  hasSectionOf,
  isOptional,
  membersOf,
  serviceOf,
  symbolOf,
  typeOf
} from "./exports.mjs"
import { asWritten, codeOf, isComputed } from "./written.mjs"

/** @import { Section, Member } from "./exports.mjs" */

/** @param {string} code */
export const formatted = async (code) => (await formatSource("api.d.ts", code)).trim()

/** A declaration by the name that programs write, which can be an alias of the one in the source. @param {string} code @param {Section} section */
export const renamed = (code, { name }) =>
  code.replace(/^((?:(?:export|declare|abstract) )*(?:type|interface|class|const|function) )[\w$.]+/, `$1${name}`)

/** Code that is no program. @param {string} code */
export const fence = (code) => `\`\`\`ts signature\n${code}\n\`\`\``

/** An interface up to its members, without bases whose members are among them, or an alias up to its type. @param {ts.InterfaceDeclaration | ts.TypeAliasDeclaration} statement */
export const headOf = (statement) => {
  const bases = basesOf(statement).filter(hasSectionOf)
  const parameters = statement.typeParameters?.map((node) => codeOf(node)).join(", ")
  if (ts.isTypeAliasDeclaration(statement)) {
    return `type ${statement.name.text}${parameters === undefined ? "" : `<${parameters}>`} = More`
  }
  return `interface ${statement.name.text}${parameters === undefined ? "" : `<${parameters}>`}${bases.length === 0 ? "" : ` extends ${bases.map((node) => codeOf(node)).join(", ")}`} {`
}

/** The comments of a node, for its code, without programs. @param {ts.Node} node */
const commentsOn = (node) =>
  docsOf(node)
    .map((doc) => doc.getText().replace(/(?:\n *[*])*\n *[*] *@[^]*(?=\n *[*][/]$)/, ""))
    .map((text) => `${text.replaceAll(/\{@link\s+([^}]+?)\}/g, "`$1`")}\n`)
    .join("")

/** The same in one line for each comment, which a page breaks where it has to. @param {ts.Node} node */
const commentLinesOn = (node) =>
  commentsOn(node)
    .replaceAll(/(?<=\/[*]{2})\s+[*]|\s+[*](?= (?![*/]))/g, "")
    .replaceAll(/\s+(?=[*]\/)/g, " ")

/** Whether there are comments within the code of a node. @param {ts.Node} node */
export const hasComments = (node) => /\/\*\*/.test(node.getText())

/** A member with the comments within its type, which no table has, and with its own. @param {Member} member @param {boolean} hasOwn */
const commented = ({ declared, given, node }, hasOwn) =>
  `${hasOwn ? commentsOn(node) : ""}${hasComments(declared) ? asWritten(declared.getText(), declared) : codeOf(declared, given)}`

/** The code of a type that programs cannot import, with all comments. @param {Section} section */
export const unexportedCodeOf = (section) =>
  section.statements.map((statement) => {
    const [code] = interfaceCodeOf({ ...section, statements: [statement] }, membersOf(statement), true)
    return `${commentsOn(statement)}${ts.isTypeAliasDeclaration(statement) && isComputed(statement) ? headOf(statement) : (code ?? codeOf(statement))}`
  })

/** An interface as code, with the members that no table or section has; without any, only its head. @param {Section} section @param {ReadonlyArray<Member>} shown */
export const interfaceCodeOf = ({ statements }, shown, isPlain = false) =>
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
    return membersOf(statement).length > 0 || basesOf(statement).some(hasSectionOf)
      ? [`${headOf(statement)}\n${[...calls, ...members].join("\n")}}`]
      : []
  })

/** Whether all arguments of a type are the defaults of its parameters. @param {ts.TypeNode} type */
const hasDefaultsOnly = (type) => {
  const symbol = ts.isTypeReferenceNode(type) ? checker.getSymbolAtLocation(type.typeName) : undefined
  const [declaration] = (symbol && aliased(symbol).declarations) ?? []
  return (
    ts.isTypeReferenceNode(type) &&
    declaration !== undefined &&
    ts.isInterfaceDeclaration(declaration) &&
    (declaration.typeParameters ?? []).every(
      (parameter, at) => parameter.default?.getText() === type.typeArguments?.[at]?.getText()
    )
  )
}

/** What a class of a service extends, as code. @param {ts.ClassDeclaration} statement @param {string} heading */
const serviceCodeOf = (statement, heading) => {
  const service = serviceOf(statement)
  if (service === undefined) {
    return ""
  }
  const { key, shape } = service
  const whole = hasComments(shape) ? asWritten(shape.getText(), shape) : codeOf(shape)
  const code = hasDefaultsOnly(shape) ? whole.replace(/<.*>$/, "") : whole
  return ` extends Context.${key === undefined ? `Reference<${code}>` : `Service<${heading}, ${code}>()(${key})`}`
}

/** A class as code, which has functions only. @param {Section} section @param {ReadonlyArray<Member>} members */
export const classCodeOf = ({ heading, name, statements }, members) =>
  statements.filter(ts.isClassDeclaration).map((statement) => {
    const parameters = statement.typeParameters?.map((node) => codeOf(node)).join(", ")
    const codes = members.flatMap(({ given, symbol }) => (symbol.declarations ?? []).map((node) => codeOf(node, given)))
    const head = `class ${name}${parameters === undefined ? "" : `<${parameters}>`}`
    return `${head}${serviceCodeOf(statement, heading)} {\n${codes.join("\n")}}`
  })

/** Whether a class is one of `Data.TaggedError`. @param {ts.Node} node */
const isData = (node) =>
  basesOf(node)
    .flatMap((base) => symbolOf(base)?.declarations ?? [])
    .some(
      (declaration) =>
        ts.isVariableDeclaration(declaration) && /^new <A[^]*YieldableError/.test(declaration.type?.getText() ?? "")
    )

/** Whether a section is an error with a tag, which that of a schema has from its base. @param {Section} section */
export const isErrorOf = ({ name, statements }) =>
  /^Client\w+Error$/.test(name) ||
  statements.some((node) => ts.isClassDeclaration(node) && membersOf(node).some(({ symbol }) => symbol.name === "_tag"))

/**
 * An error as code: its members' types are those of a schema.
 *
 * @param {Section} section
 * @param {ReadonlyArray<Member>} members
 * @param {boolean} isEffect
 * @param {boolean} hasOwn whether they have their comments
 */
export const errorCodeOf = ({ name, statements }, members, isEffect, hasOwn = isEffect) => {
  const statement = statements.find(ts.isClassDeclaration)
  if (statement === undefined) {
    return []
  }
  // The compiler has the members of a schema in another order than its declaration.
  const lines = members
    .toSorted((one, other) => one.node.pos - other.node.pos)
    .map(({ node, symbol }) => {
      const type = checker.typeToString(
        checker.getTypeOfSymbolAtLocation(symbol, statement),
        statement,
        ts.TypeFormatFlags.NoTruncation
      )
      return `${hasOwn ? commentLinesOn(node) : ""}readonly ${symbol.name}${isOptional(symbol) ? "?" : ""}: ${isOptional(symbol) ? type.replace(/ [|] undefined$/, "") : type}`
    })
  if (isEffect && isData(statement)) {
    const fields = lines.filter((line) => !line.startsWith("readonly _tag:"))
    const type = fields.length === 0 ? "" : `<{\n${fields.join("\n")}\n}>`
    return [`class ${name} extends Data.TaggedError("${name}")${type} {}`]
  }
  const base = isEffect ? `Schema.TaggedError<${name}>()("${name}", Fields)` : "Error"
  return [`class ${name} extends ${base} {\n${lines.join("\n")}}`]
}
