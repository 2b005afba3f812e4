// Declarations as text, step by step: without Effect, with doc comments for this package, with other declarations in place of
// some, and with a name of its own for a catalog without default fields.
import { dirname, relative } from "node:path"
import ts from "typescript"

/** @param {string} path @param {string} text */
export const parsed = (path, text) => ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)

/** Replaces parts of a text. */
export class Edits {
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

/** The doc comment of a declaration; empty if it has none. */
export const commentOf = (node) => {
  const text = node.getSourceFile().getFullText()
  const range = ts
    .getLeadingCommentRanges(text, node.getFullStart())
    ?.findLast(({ pos }) => text.startsWith("/**", pos))
  return range === undefined ? "" : `${text.slice(range.pos, range.end)}\n`
}

// --- without Effect

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
const onlyForEffect = new Set(["CredentialSlot", "HttpClient", "CatalogClient", "OAuthSession", "Requirements"])

/** The relative path from a file to the folder of all declarations. */
const upFrom = (path) => {
  const up = relative(dirname(path), ".")
  return up === "" ? "." : up
}

export const rewritten = (path, text) => {
  const file = parsed(path, text)
  const edits = new Edits(text)
  const foreign = new Set(onlyForEffect)
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
      if (bindings.elements.every(({ name }) => onlyForEffect.has(name.text))) {
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
  // The members of a class with a Schema name types that its source does not import.
  if (/\bRedacted</.test(text)) {
    twins.add("Redacted")
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
  const withoutFace = (node, name, edits) => {
    const rest = (node.typeArguments ?? []).slice(1).map(textOf)
    edits.replace(node.getStart(), node.getEnd(), rest.length > 0 ? `${name}<${rest.join(", ")}>` : name)
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
        withoutFace(node, name, edits)
        return
      }
      const [root] = name.split(".")
      if (renamed.has(root)) {
        edits.replace(node.typeName.getStart(), node.typeName.getEnd(), renamed.get(root))
      }
    }
    if (ts.isExpressionWithTypeArguments(node) && withFace.includes(node.expression.getText())) {
      withoutFace(node, node.expression.getText(), edits)
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

// --- doc comments

/**
 * A program of a doc comment for this package; `undefined` if it is for Effect. A call of one is shown as a promise, with the
 * credential that it needs.
 */
const programFor = (code, comment) => {
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
    const imported = /import [{] ([^}]*) [}] from "@catalog-client[/]core"/.exec(code)?.[1]?.split(", ") ?? []
    const credential = comment.includes("{@link ClientAuthError}")
      ? 'accessToken: "my-access-token"'
      : 'clientId: "my-client-id"'
    const used = imported.filter((name) => name !== "Catalog" && found?.includes(name))
    return (
      found &&
      `import { ${["createCatalog", ...used].join(", ")} } from "catalog-client"\n\nconst catalog = createCatalog({ ${credential} })\n\nexport const reply = await ${found.replace(/^Catalog\s*/, "catalog")}`
    )
  }
  return /from "@?effect|CatalogClient|CatalogPolicy|Layer|Credentials[.]/.test(code) ? undefined : renamedIn(code)
}

export const renamedIn = (text) =>
  text
    .replaceAll(
      /@catalog-client\/(?:core|node|browser)(?=\/guards|\/resilience|["`])(?:\/guards|\/resilience)?/g,
      "catalog-client"
    )
    .replaceAll(/@catalog-client\/(?:core|node|browser)\/(oauth|testing)/g, "catalog-client/$1")
    .replaceAll(/\bPromiseCatalog\b(?![.]js)/g, "Catalog")

export const comments = (text) =>
  text.replaceAll(/^( *)\/\*\*[^]*?\*\//gm, (comment, indent) => {
    const example = /\n\s*\*\n\s*\* @example\n\s*\* ```ts\n([^]*?)\n\s*\* ```/g
    // With a program for promises, no other is needed.
    const hasOwn = [...comment.matchAll(example)].some(([, code]) => /PromiseCatalog/.test(code))
    const out = comment.replaceAll(example, (_, code) => {
      const isForEffect = /from "effect"/.test(code)
      const program = hasOwn && isForEffect ? undefined : programFor(code.replaceAll(/^\s*\* ?/gm, ""), comment)
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

// --- declarations of replaced/types

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
export const merged = (path, text, own) => {
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
export const withoutDefault = (path, text) => {
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
        const suffix = isChosen ? (ts.isUnionTypeNode(node.parent) ? ` | ${name}With` : "For") : "With"
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
        const others = chosen.has(text) ? [`${text}With`, `${text}For`] : [`${text}With`]
        edits.replace(element.getEnd(), element.getEnd(), others.map((other) => `, ${prefix}${other}`).join(""))
      }
    } else if (ts.isInterfaceDeclaration(node) && ofDefault.has(node.name.text)) {
      const name = node.name.text
      const parameter = node.typeParameters.at(-1)
      const isChosen = chosen.has(name)
      const comment = commentOf(node)
      const choice = isChosen
        ? `/** A {@link ${name}}, or with a default for \`fields\` a {@link ${name}With}. */\nexport type ${name}For<${parameter.getText().replace(/ = never$/, "")}> = [D] extends [undefined] ? ${name} : ${name}With<D>\n`
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
  return edits
    .toString()
    .replaceAll(/(?<=^ *\*.*)\bCatalog<D>/gm, "CatalogWith<D>")
    .replaceAll(/(?<=^ *\*.*\bFieldsDefault, Catalog)(?= [}])/gm, ", CatalogWith")
}
