// Writes docs/api, the reference of each entry point, from the doc comments of what is built: `npm run reference`. It fails
// if a public name has no comment, or if a link in one leads nowhere.
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { Application, Comment, Converter, DeclarationReflection, PageEvent, ReflectionKind } from "typedoc"
import { entryPoints, found, load, promiseEntryPoints } from "./declarations.mjs"
import { models } from "./models.mjs"
import { root } from "../setup.mjs"

/** @import { Reflection } from "typedoc" */

/** @type {typeof import("../../site/urls.js")} */
const { anchorOf } = await load("site/urls.ts")

const folder = join(root, "docs/api")
const entries = [...promiseEntryPoints(), ...entryPoints]
const program = ts.createProgram({
  rootNames: entries.map(({ types }) => types),
  options: { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, strict: true, types: ["node"] }
})

const app = await Application.bootstrapWithPlugins({
  plugin: ["typedoc-plugin-markdown"],
  router: "module",
  readme: "none",
  disableSources: true,
  excludeExternals: true,
  excludeReferences: true,
  excludeTags: ["@since"],
  treatValidationWarningsAsErrors: true,
  validation: { notExported: false, notDocumented: true, invalidLink: true },
  requiredToBeDocumented: ["Class", "Interface", "Function", "Variable", "TypeAlias"]
})
// Its options have no types.
for (const [option, value] of Object.entries({
  flattenOutputFiles: true,
  excludeScopesInPaths: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  hideGroupHeadings: true,
  useCodeBlocks: true,
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  classPropertiesFormat: "table",
  typeAliasPropertiesFormat: "table",
  propertyMembersFormat: "table",
  typeDeclarationFormat: "table",
  tableColumnSettings: { hideInherited: true, hideModifiers: true, hideOverrides: true }
})) {
  app.options.setValue(option, value)
}

/**
 * The comment at the top of the source behind a file of declarations.
 *
 * @param {string} declarations
 */
const introductionOf = (declarations) => {
  const source = ["src", "src/entries"]
    .map((folder) => declarations.replace("/dist/", `/${folder}/`).replace(/[.]d[.]c?ts$/, ".ts"))
    .find(existsSync)
  const [, comment = ""] = /^\/\*\*([^]*?)\*\//.exec(source ? readFileSync(source, "utf8") : "") ?? []
  const text = comment
    .replaceAll(/^ *[*] ?/gm, "")
    .replace(/^@since.*$/m, "")
    .replaceAll(/\{@link\s+([^}]+?)\}/g, "`$1`")
  return new Comment([{ kind: "text", text: text.trim() }])
}

/** @param {DeclarationReflection} module */
const namespacesOf = ({ children = [] }) => children.filter(({ kind }) => kind === ReflectionKind.Namespace)

app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
  const { project } = context
  for (const module of project.children ?? []) {
    for (const page of [module, ...namespacesOf(module)]) {
      const [declaration] = context.getSymbolFromReflection(page)?.declarations ?? []
      page.comment = introductionOf(declaration?.getSourceFile().fileName ?? "")
    }
    // Records and sets of values have a page, with their members and when the service sends them.
    for (const member of [...(module.children ?? [])].filter(({ name }) => models.has(name))) {
      project.removeReflection(member)
    }
  }
})
app.converter.addUnknownSymbolResolver(({ symbolReference }, _, __, id) => {
  const name = id?.qualifiedName ?? symbolReference?.path?.[0]?.path ?? ""
  return models.has(name) ? { target: `../operations/records.md#${anchorOf(name)}`, caption: name } : undefined
})
/**
 * @param {Reflection} module
 * @returns {string}
 */
const titleOf = ({ kind, name, parent }) =>
  kind === ReflectionKind.Namespace && parent ? `\`${name}\` of ${titleOf(parent)}` : `\`${name}\``

/** @param {DeclarationReflection} module */
const rowOf = (module) => {
  const [summary = ""] = Comment.combineDisplayParts(module.comment?.summary).split("\n\n")
  return `| [${titleOf(module)}](${app.renderer.router?.getFullUrl(module)}) | ${summary.replaceAll(/\s+/g, " ")} |`
}

app.renderer.on(PageEvent.END, (page) => {
  if (page.model === page.project) {
    const rows = entries.flatMap(({ specifier }) => {
      const module = page.project.children?.find(({ name }) => name === specifier)
      return module ? [rowOf(module)] : []
    })
    page.contents = `# API

What each entry point exports, with signatures and examples. [Operations](../operations/README.md) and
[records](../operations/records.md) have pages. Signatures use the names of Effect 3;
[a table](../effect-versions.md#names) has those of Effect 4.

| import from | what it is |
| --- | --- |
${rows.join("\n")}
`
  } else if (page.model instanceof DeclarationReflection) {
    const title = titleOf(page.model)
    page.contents = (page.contents ?? "")
      .replace(/^# .*/, () => `# ${title}`)
      // Only names are headings, for the outline and the search. Those of parts (Example, Returns) are at the levels between.
      .replaceAll(/^(?:###|#####|######|####(?= Constructor$)) (.+)$/gm, "**$1**")
      .replaceAll(/^#### /gm, "### ")
  }
})

const project = app.converter.convert(
  entries.map(({ specifier, types }) => ({
    displayName: specifier,
    program,
    sourceFile: found(program.getSourceFile(types), types)
  }))
)
app.validate(project)
rmSync(folder, { recursive: true, force: true })
await app.outputs.writeOutput({ name: "markdown", path: folder }, project)
process.exitCode = app.logger.hasErrors() || app.logger.hasWarnings() ? 1 : 0
