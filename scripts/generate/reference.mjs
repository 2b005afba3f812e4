// Writes docs/api, the reference of the entry points, from the doc comments of what is built, and the OpenAPI document of the
// service: `npm run docs` runs it. It fails if a public name has no comment, or if a link in one leads nowhere.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import ts from "typescript"
import { Application, Comment, Converter, DeclarationReflection, PageEvent, ReflectionKind } from "typedoc"
import { entryPoints, found, load, promiseEntryPoints } from "./declarations.mjs"
import { models } from "./models.mjs"
import { openApi } from "./openApi.mjs"
import { merged } from "./referencePages.mjs"
import { root } from "../setup.mjs"

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
// What an interface inherits from one that has a section is described there.
app.converter.on(
  Converter.EVENT_RESOLVE_END,
  ({ project }) => {
    for (const reflection of Object.values(project.reflections)) {
      if (reflection instanceof DeclarationReflection && reflection.inheritedFrom?.reflection !== undefined) {
        project.removeReflection(reflection)
      }
    }
  },
  -1000
)

/** What TypeDoc has written of each module and namespace. @type {Array<import("./referencePages.mjs").Written>} */
const written = []
app.renderer.on(PageEvent.END, ({ contents = "", filename, model }) => {
  if (model instanceof DeclarationReflection) {
    const isNamespace = model.kind === ReflectionKind.Namespace
    written.push({
      file: relative(folder, filename),
      module: isNamespace ? (model.parent?.name ?? "") : model.name,
      namespace: isNamespace ? model.name : "",
      contents
    })
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
// TypeDoc writes a page for each module; the site has one for each subject.
rmSync(folder, { recursive: true })
mkdirSync(folder)
for (const [file, text] of merged(written)) {
  writeFileSync(join(folder, file), text)
}
writeFileSync(join(folder, "openapi.json"), await openApi())
process.exitCode = app.logger.hasErrors() || app.logger.hasWarnings() ? 1 : 0
