// Doc comments for programs of promises. An example is that of `examples/`; or else one that is not for Effect; or else its call of
// `Catalog` becomes a call of a catalog.
import { existsSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import ts from "typescript"

/** An example that imports one of these is for Effect. */
const ofEffect = "effect Catalog CatalogClient CatalogConfig CatalogHooks CatalogPolicy Credentials Sync".split(" ")

const textOf = ({ comment }) => ts.getTextOfJSDocComment(comment) ?? ""
const exampleOf = (code) => `@example\n\`\`\`ts\n${code.trim()}\n\`\`\``

/** The example of a name that is shared with the packages for Effect. @param {ts.Node} node */
const ownExample = (node) => {
  const { name } = ts.isVariableStatement(node) ? node.declarationList.declarations[0] : node
  const module = basename(node.getSourceFile().fileName).split(".")[0]
  const file = join(import.meta.dirname, `examples/${module}.${name?.text}.ts`)
  return ts.isSourceFile(node.parent) && existsSync(file) ? exampleOf(readFileSync(file, "utf8")) : undefined
}

/** The call of `Catalog` in an example, without that name. @returns {string | undefined} */
const callIn = (node) =>
  ts.isCallExpression(node) && node.expression.expression?.expression?.getText() === "Catalog"
    ? node.getText().slice("Catalog".length).trimStart()
    : ts.forEachChild(node, callIn)

/** An example as one for promises, if it can be. @param {string} code @param {string} doc says what it needs */
const forPromises = (code, doc) => {
  const file = ts.createSourceFile("example.ts", code, ts.ScriptTarget.Latest, true)
  const names = file.statements
    .filter(ts.isImportDeclaration)
    .flatMap(({ importClause: { namedBindings }, moduleSpecifier }) =>
      [moduleSpecifier, ...(namedBindings.elements ?? []).map(({ name }) => name)].map(({ text }) => text)
    )
  if (!names.some((name) => ofEffect.includes(name))) {
    return exampleOf(code)
  }
  const call = callIn(file)
  const used = names.filter((name) => name !== "Catalog" && call?.includes(name))
  const imports = `import { ${["createCatalog", ...used].join(", ")} } from "catalog-client"`
  const needed = doc.includes("{@link ClientAuthError}") ? 'accessToken: "my-access-token"' : 'clientId: "my-client-id"'
  const catalog = `const catalog = createCatalog({ ${needed} })`
  return call && exampleOf(`${imports}\n\n${catalog}\n\nexport const reply = await catalog${call}`)
}

/** `@catalog-client/oauth/node` is `catalog-client/oauth`, and `@catalog-client/core/guards` is `catalog-client`. */
const renamed = (text) =>
  text.replaceAll(/@(catalog-client[/](?:oauth|sync|testing))(?:[/]\w+)?|@(catalog-client)(?:[/]\w+)+/g, "$1$2")

/** The doc comment of a declaration, without its ends; `undefined` if it has none. @param {ts.Node} node */
export const docOf = (node) => {
  const doc = node.jsDoc?.at(-1)
  const own = doc && ownExample(node)
  const text = doc && textOf(doc)
  const tags = (doc?.tags ?? []).map((tag) =>
    tag.tagName.text === "example"
      ? own === undefined && forPromises(textOf(tag).replaceAll(/```(?:ts)?/g, ""), text)
      : `@${tag.tagName.text} ${textOf(tag)}`
  )
  const lines = renamed([text, own, ...tags].filter(Boolean).join("\n\n")).split("\n")
  const shown =
    lines.length === 1 ? `* ${lines[0]} ` : `*\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n `
  return doc && shown
}
