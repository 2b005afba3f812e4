// What Effect's Schemas declare, written out from the sources: their doc comments are those of the Schemas' members.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { commentOf, Edits, parsed } from "./typesRewritten.mjs"

/** What a tsconfig.json says. @param {string} file @param {ts.CompilerOptions} options */
export const configOf = (file, options) =>
  ts.getParsedCommandLineOfConfigFile(file, options, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: () => undefined
  })

const core = join(import.meta.dirname, "../core")
const program = ts.createProgram({
  rootNames: ["index.ts", "oauth/index.ts", "testing/index.ts"].map((name) => join(core, "src", name)),
  options: configOf(join(core, "tsconfig.json"), { noEmit: true }).options
})
const checker = program.getTypeChecker()
/** @type {ts.TypeFormatFlags} */
const flags =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope |
  ts.TypeFormatFlags.WriteArrayAsGenericType

/** The known words by their sorted members, so that a member of a model has the name of its type. */
const words = new Map()

const keyOf = (type) => {
  const literals = type.isUnion() ? type.types.filter((member) => member.isStringLiteral()) : []
  // An open set has one more type: any string.
  return literals.length > 0 && literals.length === type.types.length - 1
    ? literals
        .map(({ value }) => value)
        .sort()
        .join("|")
    : ""
}

/** The names of the models by the declarations of their members. */
const known = new Map()

const declarationsOf = (type) =>
  checker
    .getPropertiesOfType(type)
    .flatMap(({ declarations = [] }) =>
      declarations.slice(0, 1).map((node) => `${node.getSourceFile().fileName}:${node.pos}`)
    )
    .sort()
    .join("|")

/** In the order of their declarations. */
const propertiesOf = (type) => {
  const placeOf = ({ declarations }) => declarations?.[0]?.pos ?? 0
  return checker
    .getPropertiesOfType(type)
    .filter(({ name }) => !name.startsWith("__@"))
    .sort((one, other) => placeOf(one) - placeOf(other))
}

const textOfType = (type, node) => {
  const present = checker.getNonNullableType(type)
  const word = words.get(keyOf(present))
  if (word !== undefined) {
    return word
  }
  const [declaration] = present.symbol?.declarations ?? []
  if (
    declaration !== undefined &&
    ts.isInterfaceDeclaration(declaration) &&
    declaration.getSourceFile().fileName.includes("/node_modules/effect/")
  ) {
    return checker.typeToString(present, node, flags)
  }
  const element = checker.isArrayType(present) ? checker.getTypeArguments(present)[0] : undefined
  if (element !== undefined) {
    return `ReadonlyArray<${textOfType(element, node)}>`
  }
  if (
    present.isUnion() &&
    !(present.flags & ts.TypeFlags.Boolean) &&
    present.types.some((member) => member.flags & ts.TypeFlags.Object)
  ) {
    return present.types.map((member) => textOfType(member, node)).join(" | ")
  }
  if (present.flags & ts.TypeFlags.Object || present.isIntersection()) {
    const name = known.get(declarationsOf(present))
    const members = propertiesOf(present)
    if (name !== undefined || (members.length > 0 && present.getCallSignatures().length === 0)) {
      return name ?? `{ ${members.map((member) => signatureOf(member, node)).join("; ")} }`
    }
  }
  return checker.typeToString(present, node, flags)
}

/** A member of a record. */
const signatureOf = (property, node) => {
  const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0
  const value = checker.getTypeOfSymbolAtLocation(property, node)
  const shown = checker.typeToString(value) === "unknown" ? "unknown" : textOfType(value, node)
  return `readonly ${property.name}${isOptional ? "?" : ""}: ${shown}`
}

const membersOf = (type, node) =>
  propertiesOf(type)
    .map((property) => {
      const [declaration] = property.declarations ?? []
      const comment = declaration === undefined ? "" : commentOf(declaration)
      return `${comment && `  ${comment.trimEnd()}\n`}  ${signatureOf(property, node)}`
    })
    .join("\n")

const sources = (path) => program.getSourceFile(join(core, "src", path))

/** The records, words and lists of words that files export, written out. */
const records = (files) => {
  const statements = files.flatMap((file) => file.statements)
  const exported = statements.filter((node) => node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
  /** The Schema that has the name of a type. */
  const valueOf = (node) =>
    statements.find(
      (other) => ts.isVariableStatement(other) && other.declarationList.declarations[0]?.name.text === node.name.text
    )
  const out = []
  for (const node of exported.filter(ts.isTypeAliasDeclaration)) {
    const type = checker.getTypeAtLocation(node.name)
    if (node.typeParameters === undefined && keyOf(type) !== "") {
      const listed = type.types
        .filter((member) => member.isStringLiteral())
        .map((member) => checker.typeToString(member))
      words.set(keyOf(type), node.name.text)
      const value = valueOf(node)
      const comment = value ? commentOf(value) : ""
      out.push(`${comment}export type ${node.name.text} = ${listed.join(" | ")} | (string & {})`)
      const known = value && checker.getTypeAtLocation(value.declarationList.declarations[0].name).getProperty("words")
      if (known) {
        const type = checker.typeToString(checker.getTypeOfSymbol(known), node, flags)
        const words = `  ${commentOf(known.declarations[0]).trim()}\n  readonly words: ${type}`
        out.push(`${comment}export declare const ${node.name.text}: {\n${words}\n}`)
      }
    }
  }
  const interfaces = exported.filter((node) => ts.isInterfaceDeclaration(node) && node.typeParameters === undefined)
  for (const { name } of interfaces) {
    known.set(declarationsOf(checker.getTypeAtLocation(name)), name.text)
  }
  for (const node of interfaces) {
    const type = checker.getTypeAtLocation(node.name)
    const value = valueOf(node)
    const comment = commentOf(node) || (value ? commentOf(value) : "")
    out.push(`${comment}export interface ${node.name.text} {\n${membersOf(type, node)}\n}`)
  }
  return `${out.join("\n\n")}\n`
}

export const models = () =>
  records(
    readdirSync(join(core, "src/model"))
      .map((name) => sources(`model/${name}`))
      .filter(Boolean)
  )

/** What a data set of the embedded service consists of. It has words of the models. */
export const dataset = () => {
  const text = records([sources("testing/Dataset.ts")])
  return `import type { ${[...words.values()].join(", ")} } from "../model/index.js"\n\n${text}`
}

/** A type that is computed, as a union of words. */
export const wordsOf = (path, name) => {
  const [alias] = sources(path).statements.filter((node) => ts.isTypeAliasDeclaration(node) && node.name.text === name)
  return checker
    .getTypeAtLocation(alias.name)
    .types.map((type) => checker.typeToString(type))
    .join(" | ")
}

/** The members that a class declares in its file, but for methods. */
const fieldsOf = (node) =>
  propertiesOf(checker.getTypeAtLocation(node.name)).filter(({ declarations }) =>
    declarations?.some(
      (declaration) =>
        declaration.getSourceFile() === node.getSourceFile() &&
        !ts.isGetAccessor(declaration) &&
        !ts.isMethodDeclaration(declaration)
    )
  )

/** Writes out the classes of a module whose base Effect makes: errors, and records with a Schema. */
export const withClasses = (path, text) => {
  const classes = (sources(path)?.statements ?? []).filter(ts.isClassDeclaration)
  const edits = new Edits(text)
  for (const declared of parsed(path, text).statements.filter(ts.isClassDeclaration)) {
    const name = declared.name.text
    const node = classes.find((one) => one.name.text === name)
    const fields = node === undefined ? [] : fieldsOf(node)
    const base = declared.heritageClauses?.[0]?.types[0]?.expression.getText()
    const isError =
      node !== undefined && checker.getPropertyOfType(checker.getTypeAtLocation(node.name), "stack") !== undefined
    if (base?.endsWith("_base") && (isError || fields.length > 0)) {
      const props = fields.map((property) => signatureOf(property, node)).join("; ")
      const members = [
        props === "" ? "constructor()" : `constructor(props: { ${props} })`,
        ...(isError ? [`readonly _tag: "${name}"`] : []),
        ...fields.map(
          (property) => `${commentOf(property.declarations[0]).trimEnd()}\n  ${signatureOf(property, node)}`
        ),
        ...declared.members
          .filter((member) => member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword))
          .map((member) => member.getFullText().trim()),
        ...(isError ? ["toJSON(): object"] : [])
      ]
      edits.replace(
        declared.getFullStart(),
        declared.getEnd(),
        `\n${commentOf(node)}export declare class ${name}${isError ? " extends Error" : ""} {\n  ${members.join("\n  ")}\n}`
      )
    }
  }
  return edits.toString()
}
