// Doc comments for programs of promises. An example is that of `examples/`, or else a call of the example for Effect becomes a call of
// a catalog.
import { existsSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import ts from "typescript"

const onlyForEffect = ["Catalog", "CatalogClient", "CatalogConfig", "CatalogHooks", "CatalogPolicy", "Credentials"]

/** What an example imports of the packages. @param {ts.SourceFile} file */
const importedBy = ({ statements }) =>
  statements
    .filter((node) => ts.isImportDeclaration(node) && node.moduleSpecifier.text.startsWith("@catalog-client/"))
    .flatMap(({ importClause }) => importClause.namedBindings?.elements?.map(({ name }) => name.text) ?? [])
const parsed = (code) => ts.createSourceFile("example.ts", code, ts.ScriptTarget.Latest, true)
const isForEffect = (code) =>
  code.includes('from "effect"') || importedBy(parsed(code)).some((name) => onlyForEffect.includes(name))

/** The same call of a catalog, if there is one. @param {string} code @param {string} doc says what it needs */
const callIn = (code, doc) => {
  const callOf = (node) =>
    ts.isCallExpression(node) && node.expression.expression?.expression?.getText() === "Catalog"
      ? node.getText().slice("Catalog".length).trimStart()
      : ts.forEachChild(node, callOf)
  const call = callOf(parsed(code))
  const used = importedBy(parsed(code)).filter((name) => name !== "Catalog" && call?.includes(name))
  const imports = `import { ${["createCatalog", ...used].join(", ")} } from "catalog-client"`
  const needed = doc.includes("{@link ClientAuthError}") ? 'accessToken: "my-access-token"' : 'clientId: "my-client-id"'
  const catalog = `const catalog = createCatalog({ ${needed} })`
  return call === undefined ? [] : [`${imports}\n\n${catalog}\n\nexport const reply = await catalog${call}`]
}

/** `@catalog-client/oauth/node` is `catalog-client/oauth`. @param {string} text */
const renamed = (text) =>
  text.replaceAll(/@catalog-client((?:[/]\w+)+)/g, (_, path) => {
    const subpath = path.split("/").findLast((part) => ["handlers", "oauth", "testing", "redis", "sync"].includes(part))
    return subpath === undefined ? "catalog-client" : `catalog-client/${subpath}`
  })

const textOf = ({ comment }) => ts.getTextOfJSDocComment(comment) ?? ""

/** The example of a name that is shared with the packages for Effect. @param {ts.Node} node */
const ownExample = (node) => {
  const { name } = ts.isVariableStatement(node) ? node.declarationList.declarations[0] : node
  const module = basename(node.getSourceFile()?.fileName ?? "").replace(/([.]d)?[.]ts$/, "")
  const file = join(import.meta.dirname, `examples/${module}.${name?.text}.ts`)
  return ts.isSourceFile(node.parent ?? node) && existsSync(file) ? [readFileSync(file, "utf8").trimEnd()] : []
}

/** The doc comment of a declaration; `undefined` if it has none. @param {ts.Node} node */
export const docOf = (node) => {
  const { jsDoc = [] } = node
  const doc = jsDoc.at(-1)
  const tags = doc?.tags ?? []
  const isExample = ({ tagName }) => tagName.text === "example"
  const codes = tags.filter(isExample).map((tag) => textOf(tag).split("```")[1].slice("ts\n".length).trimEnd())
  const kept = doc ? ownExample(node) : []
  const own = kept.length > 0 ? kept : codes.filter((code) => !isForEffect(code))
  const parts = [
    // A sentence for programs with Effect.
    doc && textOf(doc).replaceAll(/ With Effect,(?:`[^`]*`|[^.`])*[.](?=\s|$)/g, ""),
    ...(own.length > 0 ? own : codes.flatMap((code) => callIn(code, textOf(doc)))).map(
      (code) => `@example\n\`\`\`ts\n${code}\n\`\`\``
    ),
    ...tags.filter((tag) => !isExample(tag)).map((tag) => `@${tag.tagName.text} ${textOf(tag)}`)
  ]
  const lines = renamed(parts.filter(Boolean).join("\n\n")).split("\n")
  const text =
    lines.length === 1 ? `/** ${lines[0]} */` : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */`
  return doc && `${text}\n`
}
