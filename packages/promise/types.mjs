// The declarations of the package, without Effect: those of the packages that it is built from, with their models and errors written
// out, the face of promises alone, and without the members that only Effect can use.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import ts from "typescript"

const here = import.meta.dirname
const packages = join(here, "..")
const folder = join(here, ".types")

/** @param {string} path @param {string} text */
const parsed = (path, text) => ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)

/** Replaces parts of a text. */
class Edits {
  /** @type {Array<{ start: number, end: number, text: string }>} */
  #edits = []
  constructor(/** @type {string} */ text) {
    this.text = text
  }
  replace(start, end, text) {
    this.#edits.push({ start, end, text })
  }
  toString() {
    let { text } = this
    // An edit within another one is lost with it.
    const sorted = this.#edits.sort((a, b) => a.start - b.start || b.end - a.end)
    const kept = []
    let reached = -1
    for (const edit of sorted) {
      if (edit.start >= reached) {
        kept.push(edit)
        reached = edit.end
      }
    }
    for (const { start, end, text: other } of kept.reverse()) {
      text = text.slice(0, start) + other + text.slice(end)
    }
    return text
  }
}

// --- models and errors, from the sources: their doc comments are those of the Schemas' members

const config = ts.getParsedCommandLineOfConfigFile(
  join(packages, "core/tsconfig.json"),
  { noEmit: true },
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: () => undefined
  }
)
const program = ts.createProgram({
  rootNames: ["index.ts", "oauth/index.ts", "testing/index.ts"].map((name) => join(packages, "core/src", name)),
  options: config.options
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

const commentOf = (node) => {
  const text = node.getSourceFile().getFullText()
  const range = ts
    .getLeadingCommentRanges(text, node.getFullStart())
    ?.findLast(({ pos }) => text.startsWith("/**", pos))
  return range === undefined ? "" : `${text.slice(range.pos, range.end)}\n`
}

const textOfType = (type, node) => {
  const present = checker.getNonNullableType(type)
  const word = words.get(keyOf(present))
  if (word !== undefined) {
    return word
  }
  if (present.symbol?.declarations?.[0]?.getSourceFile().fileName.includes("/node_modules/effect/")) {
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

const sources = (path) => program.getSourceFile(join(packages, "core/src", path))

/** The records, words and lists of words that files export, written out. */
const records = (files) => {
  const statements = files.flatMap((file) => file.statements)
  const exported = statements.filter((node) => node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
  const out = []
  for (const node of exported.filter(ts.isTypeAliasDeclaration)) {
    const type = checker.getTypeAtLocation(node.name)
    if (node.typeParameters === undefined && keyOf(type) !== "") {
      const listed = type.types
        .filter((member) => member.isStringLiteral())
        .map((member) => checker.typeToString(member))
      words.set(keyOf(type), node.name.text)
      const value = statements.find(
        (other) => ts.isVariableStatement(other) && other.declarationList.declarations[0]?.name.text === node.name.text
      )
      out.push(`${value ? commentOf(value) : ""}export type ${node.name.text} = ${listed.join(" | ")} | (string & {})`)
    }
  }
  const interfaces = exported.filter((node) => ts.isInterfaceDeclaration(node) && node.typeParameters === undefined)
  for (const { name } of interfaces) {
    known.set(declarationsOf(checker.getTypeAtLocation(name)), name.text)
  }
  for (const node of interfaces) {
    const type = checker.getTypeAtLocation(node.name)
    const value = statements.find(
      (other) => ts.isVariableStatement(other) && other.declarationList.declarations[0]?.name.text === node.name.text
    )
    const comment = commentOf(node) || (value ? commentOf(value) : "")
    out.push(`${comment}export interface ${node.name.text} {\n${membersOf(type, node)}\n}`)
  }
  for (const node of exported.filter(ts.isVariableStatement)) {
    const [{ name }] = node.declarationList.declarations
    const type = checker.getTypeAtLocation(name)
    if (checker.isTupleType(type) && node.getSourceFile().fileName.endsWith("/Word.ts")) {
      out.push(`${commentOf(node)}export declare const ${name.text}: ${checker.typeToString(type, node, flags)}`)
    }
  }
  return `${out.join("\n\n")}\n`
}

const models = () =>
  records(
    readdirSync(join(packages, "core/src/model"))
      .map((name) => sources(`model/${name}`))
      .filter(Boolean)
  )

/** What a data set of the embedded service consists of. It has words of the models. */
const dataset = () => {
  const text = records([sources("testing/Dataset.ts")])
  return `import type { ${[...words.values()].join(", ")} } from "../model/index.js"\n\n${text}`
}

/** A type that is computed, as a union of words. */
const wordsOf = (path, name) => {
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
const withClasses = (path, text) => {
  const classes = (sources(path)?.statements ?? []).filter(ts.isClassDeclaration)
  const edits = new Edits(text)
  for (const declared of parsed(path, text).statements.filter(ts.isClassDeclaration)) {
    const name = declared.name.text
    const node = classes.find((one) => one.name.text === name)
    const fields = node === undefined ? [] : fieldsOf(node)
    const base = declared.heritageClauses?.[0]?.types[0]?.expression.getText()
    if (base?.endsWith("_base") && fields.length > 0) {
      const isError = checker.getPropertyOfType(checker.getTypeAtLocation(node.name), "stack") !== undefined
      const members = [
        `constructor(props: { ${fields.map((property) => signatureOf(property, node)).join("; ")} })`,
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

// --- the other declarations, as they are built for Effect 3

/** Types that have another declaration here: by module and name. */
const mapped = {
  "effect/Duration": { DurationInput: "Duration", "Duration.Duration": "Duration" },
  "effect/Redacted": { "Redacted.Redacted": "Redacted" }
}

/** The declarations that are written over two faces: which of their arguments remain, and under which name. */
const faced = {
  Reply: (args) => `Promise<${args[1]}>`,
  Replies: (args) => `AsyncList<${args[1]}>`,
  Paged: (args) => `Paged<${args.slice(1, 4).join(", ")}>`,
  PagedItems: (args) => `PagedItems<${[args[1], args[2], args[4]].filter(Boolean).join(", ")}>`
}
const withFace = [
  "AnimeOperations",
  "MangaOperations",
  "UserOperations",
  "ForumOperations",
  "CatalogOperations",
  "Suggestions",
  "Call",
  "One",
  "Many"
]

/** Types of the packages that only Effect programs use. */
const onlyForEffect = new Set([
  "CredentialSlot",
  "CredentialSlots",
  "CredentialRenewal",
  "HttpClient",
  "CatalogClient",
  "Requirements"
])

/** The way from a file to the folder of all declarations. */
const upFrom = (path) => {
  const up = relative(dirname(path), ".")
  return up === "" ? "." : up
}

const rewritten = (path, text) => {
  const file = parsed(path, text)
  const edits = new Edits(text)
  const foreign = new Set()
  const renamed = new Map()
  const twins = new Set()
  for (const node of file.statements) {
    if (ts.isImportDeclaration(node)) {
      const module = node.moduleSpecifier.text
      if (/^@?effect\//.test(module) || module === "effect") {
        const { namedBindings } = node.importClause ?? {}
        const names =
          namedBindings === undefined
            ? []
            : ts.isNamespaceImport(namedBindings)
              ? [namedBindings.name.text]
              : namedBindings.elements.map((element) => element.name.text)
        for (const name of names) {
          const other = mapped[module]?.[name] ?? mapped[module]?.[`${name}.${name}`]
          if (other === undefined) {
            foreign.add(name)
          } else {
            renamed.set(name, other)
            twins.add(other)
          }
        }
        edits.replace(node.getFullStart(), node.getEnd(), "")
      }
    }
    const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : undefined
    if (bindings !== undefined && ts.isNamedImports(bindings)) {
      const names = bindings.elements.map(({ name }) => name.text)
      names.filter((name) => onlyForEffect.has(name)).forEach((name) => foreign.add(name))
      if (names.every((name) => onlyForEffect.has(name))) {
        edits.replace(node.getFullStart(), node.getEnd(), "")
      }
    }
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
      const { moduleSpecifier } = node
      const [, subpath] = /^@catalog-client[/]core(?:[/](.*))?$/.exec(moduleSpecifier.text) ?? []
      if (moduleSpecifier.text.startsWith("@catalog-client/core")) {
        const module = subpath === undefined ? "index" : subpath === "guards" ? "guards" : `${subpath}/index`
        edits.replace(moduleSpecifier.getStart(), moduleSpecifier.getEnd(), `"${upFrom(path)}/core/${module}.js"`)
      }
    }
  }
  const isForeign = (node) => {
    if (
      ts.isIdentifier(node) &&
      foreign.has(node.text) &&
      !(ts.isPropertySignature(node.parent) && node.parent.name === node) &&
      !(ts.isQualifiedName(node.parent) && node.parent.right === node)
    ) {
      return true
    }
    if (ts.isImportTypeNode(node) && /^@?effect/.test(node.argument.literal.text)) {
      return true
    }
    return ts.forEachChild(node, isForeign) ?? false
  }
  const drop = (node) => edits.replace(node.getFullStart(), node.getEnd(), "")
  const textOf = (node) => {
    // The text of a type, with the edits of its inner parts.
    const inner = new Edits(text)
    visitType(node, inner)
    return inner.toString().slice(node.getStart(), inner.toString().length - (text.length - node.getEnd()))
  }
  const visitType = (node, edits) => {
    if (ts.isTypeReferenceNode(node)) {
      const name = node.typeName.getText()
      const [face] = name.split(".").slice(-1)
      const args = node.typeArguments ?? []
      if (name in faced) {
        edits.replace(node.getStart(), node.getEnd(), faced[name](args.map(textOf)))
        return
      }
      if (withFace.includes(face)) {
        const rest = args.slice(1).map(textOf)
        edits.replace(node.getStart(), node.getEnd(), rest.length > 0 ? `${name}<${rest.join(", ")}>` : name)
        return
      }
      const [root] = name.split(".")
      if (renamed.has(root)) {
        edits.replace(node.typeName.getStart(), node.typeName.getEnd(), renamed.get(root))
      }
    }
    if (ts.isExpressionWithTypeArguments(node) && withFace.includes(node.expression.getText())) {
      const rest = (node.typeArguments ?? []).slice(1).map(textOf)
      edits.replace(
        node.getStart(),
        node.getEnd(),
        rest.length > 0 ? `${node.expression.getText()}<${rest.join(", ")}>` : node.expression.getText()
      )
      return
    }
    ts.forEachChild(node, (child) => visitType(child, edits))
  }
  const member = (node) => {
    if (!isForeign(node)) {
      return visitType(node, edits)
    }
    if (ts.isPropertySignature(node) && node.type && ts.isUnionTypeNode(node.type)) {
      const left = node.type.types.filter((type) => !isForeign(type))
      if (left.some((type) => type.kind !== ts.SyntaxKind.UndefinedKeyword)) {
        edits.replace(node.type.getStart(), node.type.getEnd(), left.map(textOf).join(" | "))
        return
      }
    }
    drop(node)
  }
  const parameters = (node) => {
    const list = node.typeParameters
    const left = list?.filter(({ name }) => name.text !== "F" && name.text !== "E") ?? []
    if (list && left.length !== list.length) {
      const [open, close] = [list.pos - 1, list.end + 1]
      edits.replace(open, close, left.length > 0 ? `<${left.map((parameter) => parameter.getText()).join(", ")}>` : "")
    }
  }
  for (const node of file.statements) {
    if (ts.isImportDeclaration(node)) {
      continue
    }
    if (ts.isInterfaceDeclaration(node)) {
      if (withFace.includes(node.name.text) || node.name.text in faced) {
        parameters(node)
      }
      for (const clause of node.heritageClauses ?? []) {
        if (clause.types.some(isForeign)) {
          drop(node)
          break
        }
        clause.types.forEach((type) => visitType(type, edits))
      }
      node.members.forEach(member)
    } else if (isForeign(node) || (ts.isTypeAliasDeclaration(node) && node.name.text in faced)) {
      if (
        ts.isTypeAliasDeclaration(node) &&
        ts.isUnionTypeNode(node.type) &&
        node.type.types.some((type) => !isForeign(type))
      ) {
        edits.replace(
          node.type.getStart(),
          node.type.getEnd(),
          node.type.types
            .filter((type) => !isForeign(type))
            .map(textOf)
            .join(" | ")
        )
      } else {
        drop(node)
      }
    } else {
      visitType(node, edits)
    }
  }
  const twinsOf = [...twins].map((name) => `import type { ${name} } from "${upFrom(path)}/core/${name}.js"\n`)
  const isListed = /\bReplies</.test(text) && !/\bAsyncList\b/.test(text)
  const imports = (isListed ? `import type { AsyncList } from "./Face.js"\n` : "") + twinsOf.join("")
  return imports + edits.toString().replace(` | "credentials">`, ">")
}

/** A program of a doc comment for this package; `undefined` if it is for Effect. */
const programFor = (code) => {
  const call = /\bCatalog[.]\w+\s*[.]\w+\(/.exec(code)
  if (call) {
    const file = parsed("x.ts", code)
    let found
    const visit = (node) => {
      if (!found && ts.isCallExpression(node) && /^Catalog[.]\w+\s*[.]\w+$/.test(node.expression.getText())) {
        found = node.getText()
      } else {
        ts.forEachChild(node, visit)
      }
    }
    visit(file)
    return (
      found &&
      `import { createCatalog } from "catalog-client"\n\nconst catalog = createCatalog({ clientId: "my-client-id" })\n\nexport const reply = await ${found.replace(/^Catalog\s*/, "catalog")}`
    )
  }
  return /from "@?effect|CatalogClient|CatalogPolicy|Layer|Credentials[.]/.test(code) ? undefined : renamedIn(code)
}

const renamedIn = (text) =>
  text
    .replaceAll(
      /@catalog-client\/(?:core|node|browser)(?=\/guards|\/resilience|["`])(?:\/guards|\/resilience)?/g,
      "catalog-client"
    )
    .replaceAll(/@catalog-client\/(?:core|node|browser)\/(oauth|testing)/g, "catalog-client/$1")
    .replaceAll(/\bPromiseCatalog\b(?![.]js)/g, "Catalog")

const comments = (text) =>
  text.replaceAll(/^( *)\/\*\*[^]*?\*\//gm, (comment, indent) => {
    const out = comment.replaceAll(/\n\s*\*\n\s*\* @example\n\s*\* ```ts\n([^]*?)\n\s*\* ```/g, (_, code) => {
      const program = programFor(code.replaceAll(/^\s*\* ?/gm, ""))
      return program === undefined
        ? ""
        : `\n${indent} *\n${indent} * @example\n${indent} * \`\`\`ts\n${program
            .split("\n")
            .map((line) => `${indent} * ${line}`.trimEnd())
            .join("\n")}\n${indent} * \`\`\``
    })
    // A sentence for programs with Effect.
    return renamedIn(out.replaceAll(/ With Effect,(?:`[^`]*`|[^.`])*[.](?=\s)/g, ""))
  })

// --- names without type arguments: nearly every catalog has no default `fields`, and an editor would show `Catalog<never>`

/** The default `fields` of a catalog: the last type parameter of these. */
const ofDefault = new Set([
  "Catalog",
  "CatalogOperations",
  "AnimeOperations",
  "MangaOperations",
  "UserOperations",
  "Suggestions",
  "PagedItems",
  "Sessions"
])

/** Which of the two a program gets, depends on its options. */
const chosen = new Set(["Catalog", "Sessions"])

/** Declares `Catalog` and `CatalogWith<D>`, and so on. An editor shows the doc comments of the latter's members for both. */
const withoutDefault = (path, text) => {
  const file = parsed(path, text)
  const edits = new Edits(text)
  const isDefault = (node) => /^(?:D|never|FieldsDefaultOf<D, "\w+">)$/.test(node.getText())
  /** The text of a node: of the interface for any default, or of the one without. */
  const rewrite = (edits, node, isPlain) => {
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
      const name = (node.typeName ?? node.expression).getText()
      const args = node.typeArguments ?? []
      const last = args.at(-1)
      if (last !== undefined && isPlain && isDefault(last)) {
        const rest = args.slice(0, -1).map((arg) => arg.getText())
        edits.replace(node.getStart(), node.getEnd(), rest.length === 0 ? name : `${name}<${rest.join(", ")}>`)
        return
      }
      const [plain] = name.split(".").slice(-1)
      if (ofDefault.has(plain) && last !== undefined && /\bD2?\b/.test(last.getText())) {
        const isChosen = chosen.has(plain) && !ts.isExpressionWithTypeArguments(node)
        // In a union, for example with `undefined`, a compiler has less to compare with both than with a condition.
        const suffix = isChosen ? (ts.isUnionTypeNode(node.parent) ? ` | ${name}With` : "Of") : "With"
        edits.replace(node.getStart() + name.length, node.getStart() + name.length, suffix)
      }
    }
    if (isPlain && ts.isTypeParameterDeclaration(node) && node.default?.getText() === "D") {
      edits.replace(node.default.getStart(), node.default.getEnd(), "never")
    }
    ts.forEachChild(node, (child) => rewrite(edits, child, isPlain))
  }
  const plainOf = (node) => {
    const inner = new Edits(text)
    node.members.forEach((member) => {
      if (ts.isCallSignatureDeclaration(member)) {
        // It would be a second one beside that of the base.
        inner.replace(member.getFullStart(), member.getEnd(), "")
      } else {
        inner.replace(member.getFullStart(), member.getStart(), "\n    ")
        rewrite(inner, member, true)
      }
    })
    const members = inner.toString().slice(node.members.pos, node.members.end + inner.toString().length - text.length)
    const parameters = node.typeParameters.slice(0, -1)
    const declared = parameters.length === 0 ? "" : `<${parameters.map((one) => one.getText()).join(", ")}>`
    const args = [...parameters.map(({ name }) => name.text), "never"].join(", ")
    const name = node.name.text
    const base = node.heritageClauses?.[0]?.types
      .map((type) => type.expression.getText())
      .find((one) => ofDefault.has(one))
    const whole = `${name}With<${args}>`
    const bases = base === undefined ? whole : `${base}, Omit<${whole}, keyof ${base}>`
    return `export interface ${name}${declared} extends ${bases} {${members}\n}\n`
  }
  for (const node of file.statements) {
    const named = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause
    if (named !== undefined && (ts.isNamedImports(named) || ts.isNamedExports(named))) {
      for (const element of named.elements.filter(({ name }) => ofDefault.has(name.text))) {
        const { text } = element.name
        const prefix = element.isTypeOnly ? "type " : ""
        const others = chosen.has(text) ? [`${text}With`, `${text}Of`] : [`${text}With`]
        edits.replace(element.getEnd(), element.getEnd(), others.map((other) => `, ${prefix}${other}`).join(""))
      }
    } else if (ts.isInterfaceDeclaration(node) && ofDefault.has(node.name.text)) {
      const name = node.name.text
      const parameter = node.typeParameters.at(-1)
      const isChosen = chosen.has(name)
      const comment = commentOf(node)
      const choice = isChosen
        ? `/** A {@link ${name}}, or with a default for \`fields\` a {@link ${name}With}. */\nexport type ${name}Of<${parameter.getText().replace(/ = never$/, "")}> = [D] extends [never] ? ${name} : ${name}With<D>\n`
        : ""
      edits.replace(
        node.getFullStart(),
        node.getStart(),
        `\n${comment}${plainOf(node)}${choice}/** {@link ${name}}, with the default \`fields\` of the catalog. */\n`
      )
      edits.replace(node.name.getEnd(), node.name.getEnd(), "With")
      edits.replace(parameter.default.getFullStart() - 2, parameter.default.getEnd(), "")
      if (name === "Catalog") {
        // A catalog with another default has another type, even where its replies could pass for those without.
        edits.replace(node.members.pos, node.members.pos, "\n    readonly [fields]?: D")
        edits.replace(node.getEnd(), node.getEnd(), "\ndeclare const fields: unique symbol")
      }
      node.heritageClauses?.forEach((clause) => rewrite(edits, clause, false))
      node.members.forEach((member) => rewrite(edits, member, false))
    } else {
      rewrite(edits, node, false)
    }
  }
  return edits.toString().replaceAll(/(?<=^ *\*.*)\bCatalog<D>/gm, "CatalogWith<D>")
}

/** The declarations of each subpath: those of Node, with what only a page has. Every platform exports the same names. */
const entryPoints = {
  index: 'export * from "./src/entries/node.js"',
  oauth:
    'export * from "./src/entries/oauth/node.js"\nexport { localTokenStore, sessionTokenStore } from "./browser/oauth/stores.js"',
  redis: 'export * from "./src/entries/redis.js"',
  testing: 'export * from "./src/entries/testing/node.js"'
}

/** Bundles the declarations of the entry points. */
const bundle = async () => {
  const { rollup } = await import("rollup")
  const { dts } = await import("rollup-plugin-dts")
  const names = Object.entries(entryPoints).map(([name, text]) => {
    writeFileSync(join(folder, `${name}.d.ts`), text)
    return name
  })
  const built = await rollup({
    input: Object.fromEntries(names.map((name) => [name, join(folder, `${name}.d.ts`)])),
    plugins: [dts()],
    // Imports of what only Effect uses; a program that compiles with `skipLibCheck: false` shows a type that is missing.
    onwarn: () => undefined
  })
  const to = join(here, "dist")
  await built.write({
    dir: to,
    format: "es",
    entryFileNames: "[name].d.cts",
    chunkFileNames: "[name].d.cts",
    // Two types with one name are in two files: in one file, an editor would show the second one with a number.
    manualChunks: (id) => {
      const path = relative(folder, id)
      if (/^[^/]+$|^src[/](?:entries[/]|oauth)/.test(path)) {
        return undefined
      }
      return /testing|EmbeddedCatalog|serve/.test(path) ? "embedded" : "types"
    },
    banner: '/// <reference lib="esnext.disposable" />'
  })
  for (const file of readdirSync(to).filter((name) => name.endsWith(".d.cts"))) {
    const text = readFileSync(join(to, file), "utf8").replaceAll(/(?<=from '[.][^']*)(?:[.]d)?[.]c?js(?=')/g, ".cjs")
    writeFileSync(join(to, file), text)
  }
  // A module of ES can export what one of CommonJS declares, and not the other way round: both have the same types.
  for (const name of names) {
    writeFileSync(join(to, `${name}.d.ts`), `export * from "./${name}.cjs"\n`)
  }
}

/** The names that a statement declares. */
const declaredBy = (node) =>
  ts.isVariableStatement(node)
    ? node.declarationList.declarations.map(({ name }) => name.getText())
    : "name" in node && node.name !== undefined
      ? [node.name.text]
      : []

/** The names that imports bind. */
const bindingsOf = (node) => {
  const named = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : undefined
  return named === undefined ? [] : ts.isNamedImports(named) ? [...named.elements] : [named]
}

/** A module with other declarations in place of those with the same names; imports that it has are not repeated. */
const merged = (path, text, own) => {
  const [file, other] = [parsed(path, text), parsed(path, own)]
  const replaced = new Set(other.statements.flatMap(declaredBy))
  const bound = new Set(file.statements.flatMap(bindingsOf).map(({ name }) => name.text))
  const [edits, added] = [new Edits(text), new Edits(own)]
  for (const node of file.statements.filter((node) => declaredBy(node).some((name) => replaced.has(name)))) {
    edits.replace(node.getFullStart(), node.getEnd(), "")
  }
  for (const node of other.statements.filter(ts.isImportDeclaration)) {
    const left = bindingsOf(node).filter(({ name }) => !bound.has(name.text))
    const names = left.map((element) => element.getText()).join(", ")
    added.replace(
      node.getFullStart(),
      node.getEnd(),
      left.length === 0 ? "" : `import type { ${names} } from ${node.moduleSpecifier.getText()}`
    )
  }
  return `${added.toString()}\n${edits.toString()}`
}

/** The declarations of the sources of this package. */
const ownTypes = () => {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(here, "tsconfig.json"),
    { noEmit: false, declaration: true, declarationMap: false, emitDeclarationOnly: true, stripInternal: true },
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined }
  )
  const program = ts.createProgram({
    rootNames: config.fileNames.filter((file) => file.includes("/src/")),
    options: config.options
  })
  program.emit(undefined, (file, text) => {
    const name = /packages[/]promise[/](src[/].*)/.exec(file)?.[1]
    if (name !== undefined) {
      const to = join(folder, name)
      mkdirSync(dirname(to), { recursive: true })
      const up = relative(dirname(to), folder)
      writeFileSync(to, renamedIn(rewritten(name, text)).replaceAll(/"#(core|node|browser)[/]/g, `"${up}/$1/`))
    }
  })
}

export const writeTypes = async () => {
  rmSync(folder, { recursive: true, force: true })
  const built = {
    core: join(packages, "core/dist"),
    node: join(packages, "node/dist"),
    browser: join(packages, "browser/dist")
  }
  for (const [name, from] of Object.entries(built)) {
    for (const file of readdirSync(from, { recursive: true })) {
      if (!file.endsWith(".d.ts")) {
        continue
      }
      const to = join(folder, name, file)
      const text = readFileSync(join(from, file), "utf8").replace(/\n\/\/# sourceMappingURL.*/, "")
      mkdirSync(dirname(to), { recursive: true })
      writeFileSync(
        to,
        renamedIn(
          comments(
            rewritten(join(name, file), name === "core" ? withClasses(file.replace(/[.]d[.]ts$/, ".ts"), text) : text)
          )
        )
      )
    }
  }
  for (const file of readdirSync(join(folder, "core/model"))) {
    rmSync(join(folder, "core/model", file))
  }
  writeFileSync(join(folder, "core/model/index.d.ts"), comments(models()))
  for (const file of ["Common", "Forum", "Item", "ListStatus", "Page", "User", "Word"]) {
    writeFileSync(join(folder, `core/model/${file}.d.ts`), 'export * from "./index.js"\n')
  }
  writeFileSync(join(folder, "core/testing/Dataset.d.ts"), comments(dataset()))
  const options = join(folder, "core/testing/Options.d.ts")
  writeFileSync(
    options,
    readFileSync(options, "utf8")
      .replace(
        /(?<=export type Operation = )[^;]*;\n?[^;]*?\[keyof Endpoints\]/,
        wordsOf("testing/Options.ts", "Operation")
      )
      .replace(/^type Endpoints = .*$/m, "")
      .replace(/^import type [{] endpoints [}].*$/m, "")
  )
  cpSync(join(packages, "core/dist/model/row.d.ts"), join(folder, "core/model/row.d.ts"))
  const replaced = join(here, "replaced/types")
  for (const file of readdirSync(replaced, { recursive: true }).filter((name) => name.endsWith(".d.ts"))) {
    const own = readFileSync(join(replaced, file), "utf8")
    const to = join(folder, file)
    writeFileSync(to, existsSync(to) ? merged(file, readFileSync(to, "utf8"), own) : own)
  }
  // What the other packages import of core is what this package has of it.
  writeFileSync(
    join(folder, "core/index.d.ts"),
    'export * from "../src/index.js"\nexport type { CredentialsService } from "./Credentials.js"\n'
  )
  writeFileSync(join(folder, "core/testing/index.d.ts"), 'export * from "../../src/testing.js"\n')
  const oauth = ["createSession", "OAuth", "OAuthSession", "Tokens", "TokenStore"]
  writeFileSync(join(folder, "core/oauth/index.d.ts"), oauth.map((name) => `export * from "./${name}.js"\n`).join(""))
  ownTypes()
  writeFileSync(join(folder, "src/Redacted.d.ts"), 'export { Redacted } from "../core/Redacted.js"\n')
  for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".d.ts"))) {
    const path = join(folder, file)
    writeFileSync(path, withoutDefault(file, readFileSync(path, "utf8")))
  }
  await bundle()
  rmSync(folder, { recursive: true, force: true })
}
