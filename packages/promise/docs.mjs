// Doc comments for programs of promises. Their example is, in this order: the file in examples/; the first example of the
// comment without Effect; the example with Effect, whose call of `Catalog` becomes a call of a catalog.
import { existsSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import ts from "typescript"
import { effectFolders } from "../../scripts/workspace.mjs"

/** An example that imports one of these is for Effect. */
const effectNames = "effect Catalog CatalogClient CatalogConfig CatalogHooks CatalogPolicy Credentials Sync".split(" ")

/**
 * The last doc comment before a node. TypeScript does not declare this member; its functions also return the comments of
 * the nodes around, which would then be printed twice.
 *
 * @param {ts.Node} node
 */
const commentOf = (node) => /** @type {ts.Node & { readonly jsDoc?: ReadonlyArray<ts.JSDoc> }} */ (node).jsDoc?.at(-1)

/** @param {ts.JSDoc | ts.JSDocTag} node */
const textOf = ({ comment }) => ts.getTextOfJSDocComment(comment) ?? ""

/** @param {string} code */
const exampleOf = (code) => `@example\n\`\`\`ts\n${code.trim()}\n\`\`\``

/**
 * The name that a statement declares, its first one; `undefined` if there is none.
 *
 * @param {ts.Node} node
 */
export const nameOf = (node) => {
  const declaration = ts.isVariableStatement(node) ? node.declarationList.declarations[0] : node
  const name = ts.getNameOfDeclaration(/** @type {ts.Declaration | undefined} */ (declaration))
  return name && ts.isIdentifier(name) ? name : undefined
}

/**
 * The example of a name that is shared with the packages for Effect.
 *
 * @param {ts.Node} node
 */
const ownExample = (node) => {
  const module = basename(node.getSourceFile().fileName).split(".")[0]
  const file = join(import.meta.dirname, `examples/${module}.${nameOf(node)?.text}.ts`)
  return ts.isSourceFile(node.parent) && existsSync(file) ? exampleOf(readFileSync(file, "utf8")) : undefined
}

/**
 * Whether an expression is `Catalog.anime.get`, or another operation there.
 *
 * @param {ts.Expression} node
 */
const isOfCatalog = (node) =>
  ts.isPropertyAccessExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.expression.getText() === "Catalog"

/**
 * The call of `Catalog` in an example, without that name.
 *
 * @param {ts.Node} node
 * @returns {string | undefined}
 */
const callIn = (node) =>
  ts.isCallExpression(node) && isOfCatalog(node.expression)
    ? node.getText().slice("Catalog".length).trimStart()
    : ts.forEachChild(node, callIn)

/**
 * The module that a statement imports, and the names that it imports from there; none for a module of `catalog-client`.
 *
 * @param {ts.ImportDeclaration} statement
 */
const namesOf = ({ importClause, moduleSpecifier }) => {
  const module = ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : ""
  const bindings = importClause?.namedBindings
  const names = bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : []
  // `Catalog` of `catalog-client` is not that of Effect.
  return module.startsWith("catalog-client") ? [] : [module, ...names]
}

/**
 * An example as one for promises, if it can be.
 *
 * @param {string} code
 * @param {string} doc says what it needs
 */
const forPromises = (code, doc) => {
  const file = ts.createSourceFile("example.ts", code, ts.ScriptTarget.Latest, true)
  const names = file.statements.filter(ts.isImportDeclaration).flatMap(namesOf)
  if (!names.some((name) => effectNames.includes(name))) {
    return exampleOf(code)
  }
  const call = callIn(file)
  if (call === undefined) {
    return undefined
  }
  const used = names.filter((name) => name !== "Catalog" && call.includes(name))
  const imports = `import { ${["createCatalog", ...used].join(", ")} } from "catalog-client"`
  const needed = doc.includes("{@link ClientAuthError}") ? 'accessToken: "my-access-token"' : 'clientId: "my-client-id"'
  const catalog = `const catalog = createCatalog({ ${needed} })`
  return exampleOf(`${imports}\n\n${catalog}\n\nexport const reply = await catalog${call}`)
}

/** What they import of the packages that have an entry point of the same name. */
const withEntry = effectFolders.filter((name) => existsSync(join(import.meta.dirname, "src/entries", name)))
const packagesWithEntry = new RegExp(
  `@(catalog-client/(?:${withEntry.join("|")}))(?:/\\w+)?|@(catalog-client)(?:/\\w+)+`,
  "g"
)

/**
 * `@catalog-client/oauth/node` is `catalog-client/oauth`, and `@catalog-client/core/guards` is `catalog-client`.
 *
 * @param {string} text
 */
const renamePackages = (text) => text.replaceAll(packagesWithEntry, "$1$2")

/**
 * The doc comment of a declaration, without its ends; `undefined` if it has none.
 *
 * @param {ts.Node} node
 */
export const docOf = (node) => {
  const doc = commentOf(node)
  if (doc === undefined) {
    return undefined
  }
  const own = ownExample(node)
  const text = textOf(doc)
  let ownLeft = own
  const tags = (doc.tags ?? []).map((tag) => {
    if (tag.tagName.text !== "example") {
      return `@${tag.tagName.text} ${textOf(tag)}`
    }
    // What it prints stands below it. An own example takes the place of the first, and prints the same, if it prints.
    const [program = "", output] = textOf(tag).split(/\n\n(?=```text\n)/)
    const example = own === undefined ? forPromises(program.replaceAll(/```(?:ts)?/g, ""), text) : ownLeft
    ownLeft = undefined
    return (
      example && [example, own === undefined || own.includes("console.log(") ? output : ""].filter(Boolean).join("\n\n")
    )
  })
  const lines = renamePackages([text, ownLeft, ...tags].filter(Boolean).join("\n\n")).split("\n")
  return lines.length === 1 ? `* ${lines[0]} ` : `*\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n `
}
