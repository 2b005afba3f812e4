// Doc comments of the packages, for programs of promises: an example with Effect becomes a call of a catalog.
import ts from "typescript"

/** What `catalog-client` does not export. */
const onlyForEffect = ["Catalog", "CatalogClient", "CatalogConfig", "CatalogHooks", "CatalogPolicy", "Credentials"]

/**
 * The same example for promises; `undefined` if there is none.
 *
 * @param {string} code
 * @param {string} text the comment's own, which says what the call needs
 */
const exampleFor = (code, text) => {
  const file = ts.createSourceFile("example.ts", code, ts.ScriptTarget.Latest, true)
  const imports = file.statements.filter(ts.isImportDeclaration)
  const names = imports.flatMap(({ importClause }) =>
    importClause?.namedBindings?.elements?.map(({ name }) => name.text)
  )
  const callIn = (node) =>
    ts.isCallExpression(node) && node.expression.expression?.expression?.getText() === "Catalog"
      ? node.getText()
      : ts.forEachChild(node, callIn)
  const call = callIn(file)
  if (call === undefined) {
    const isForEffect = imports.some(({ moduleSpecifier }) => /^@?effect/.test(moduleSpecifier.text))
    return isForEffect || names.some((name) => onlyForEffect.includes(name)) ? undefined : code
  }
  const used = names.filter((name) => name !== "Catalog" && call.includes(name))
  const needed = text.includes("{@link ClientAuthError}") ? 'accessToken: "my-access-token"' : 'clientId: "my-client-id"'
  return `import { ${["createCatalog", ...used].join(", ")} } from "catalog-client"

const catalog = createCatalog({ ${needed} })

export const reply = await catalog${call.slice("Catalog".length).trimStart()}`
}

/** The names of this package: `@catalog-client/node/oauth` is `catalog-client/oauth`. @param {string} text */
const renamed = (text) =>
  text.replaceAll("PromiseCatalog", "Catalog").replaceAll(/@catalog-client((?:[/]\w+)+)/g, (_, path) => {
    const [subpath] = path.split("/").filter((part) => ["oauth", "testing", "redis"].includes(part))
    return subpath === undefined ? "catalog-client" : `catalog-client/${subpath}`
  })

const textOf = ({ comment }) => ts.getTextOfJSDocComment(comment) ?? ""

/** The doc comment of a declaration; `undefined` if it has none. @param {ts.Node} node */
export const docOf = (node) => {
  const doc = node.jsDoc?.at(-1)
  if (doc === undefined) {
    return undefined
  }
  const isExample = ({ tagName }) => tagName.text === "example"
  const [examples, tags] = [true, false].map((is) => doc.tags?.filter((tag) => isExample(tag) === is) ?? [])
  const codes = examples.map((tag) => textOf(tag).split("```")[1].slice("ts\n".length).trimEnd())
  // With a program for promises, no other is needed.
  const hasOwn = codes.some((code) => code.includes("PromiseCatalog"))
  const shown = codes.map((code) => (hasOwn && code.includes('from "effect"') ? undefined : exampleFor(code, textOf(doc))))
  const parts = [
    // A sentence for programs with Effect.
    textOf(doc).replaceAll(/ With Effect,(?:`[^`]*`|[^.`])*[.](?=\s|$)/g, ""),
    ...shown.flatMap((code) => (code === undefined ? [] : `@example\n\`\`\`ts\n${code}\n\`\`\``)),
    ...tags.map((tag) => `@${tag.tagName.text} ${textOf(tag)}`)
  ]
  const lines = renamed(parts.filter((part) => part !== "").join("\n\n")).split("\n")
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`
}
