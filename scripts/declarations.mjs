// What the packages declare, read with the compiler: their entry points, and the operations with their doc comments.
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"

export const root = fileURLToPath(new URL("..", import.meta.url))

/** Loads a module of TypeScript that imports nothing. */
export const load = (path) => {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  const { outputText } = ts.transpileModule(readFileSync(join(root, path), "utf8"), { compilerOptions })
  return import(`data:text/javascript,${encodeURIComponent(outputText)}`)
}

export const readJson = (path) => JSON.parse(readFileSync(join(root, path), "utf8"))

/** What can be imported, with the files behind it. */
export const entryPoints = ["core", "node", "browser"].flatMap((name) => {
  const manifest = readJson(`packages/${name}/package.json`)
  return Object.entries(manifest.exports)
    .filter(([subpath]) => subpath !== "./package.json")
    .map(([subpath, files]) => ({
      specifier: manifest.name + subpath.slice(1),
      report: `${name}${subpath.slice(1).replaceAll("/", "-")}.md`,
      types: join(root, "packages", name, files.types),
      module: join(root, "packages", name, files.default)
    }))
})

let declarations

/** The packages' own declarations. What they import from other packages is not read, which is what makes it quick. */
export const readDeclarations = () => (declarations ??= compile())

const compile = () => {
  const options = { lib: ["lib.esnext.d.ts", "lib.dom.d.ts"], types: [], module: ts.ModuleKind.NodeNext, strict: true }
  const host = ts.createCompilerHost(options)
  const fileOf = (specifier, from) =>
    specifier.startsWith(".")
      ? resolve(dirname(from), specifier.replace(/[.]js$/, ".d.ts"))
      : entryPoints.find((entry) => entry.specifier === specifier)?.types
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => {
      const file = fileOf(text, from)
      const isFound = file !== undefined && existsSync(file)
      return { resolvedModule: isFound ? { resolvedFileName: file, extension: ts.Extension.Dts } : undefined }
    })
  const program = ts.createProgram({ rootNames: entryPoints.map(({ types }) => types), options, host })
  const checker = program.getTypeChecker()
  return { checker, moduleOf: (file) => checker.getSymbolAtLocation(program.getSourceFile(file)) }
}

/** The operations by domain, in the order of their declarations: their doc comments, and their inputs. */
export const declaredOperations = () => {
  const { checker, moduleOf } = readDeclarations()
  const core = moduleOf(entryPoints.find(({ report }) => report === "core.md").types)
  const exported = new Map(checker.getExportsOfModule(core).map((symbol) => [symbol.name, symbol]))
  const aliased = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)
  /** The doc comment of a symbol: its text, as Markdown without links. */
  const commentOf = (symbol) =>
    ts
      .displayPartsToString(symbol.getDocumentationComment(checker))
      .replaceAll(/\{@link ([^}]+)\}/g, (_, target) => `\`${target.trim()}\``)
      .trim()
  const isAllowed = (member) => checker.typeToString(checker.getTypeOfSymbol(member)) !== "undefined"
  const membersOf = (type) => checker.getNonNullableType(type).getProperties().filter(isAllowed)
  /** An operation's own inputs: the members of `params`, or of its options if it has no params. */
  const inputsOf = (operation) => {
    const [first] = operation.getCallSignatures()[0].getParameters()
    const type = checker.getTypeOfSymbol(first)
    const members =
      first.name === "options"
        ? membersOf(type).filter(({ name }) => name === "limit" || name === "offset")
        : // Where all params are optional, the two arguments are a tuple.
          membersOf(checker.isTupleType(type) ? checker.getTypeArguments(type)[0] : type)
    return members.map((member) => ({
      name: member.name,
      comment: commentOf(member).replaceAll(/\s+/g, " "),
      isOptional: (member.flags & ts.SymbolFlags.Optional) !== 0,
      isOption: first.name === "options"
    }))
  }
  const domains = checker
    .getDeclaredTypeOfSymbol(aliased(exported.get("CatalogOperations")))
    .getProperties()
    .map((domain) => ({
      name: domain.name,
      operations: checker
        .getTypeOfSymbol(domain)
        .getProperties()
        .map((symbol) => ({
          name: symbol.name,
          comment: commentOf(symbol),
          inputs: inputsOf(checker.getTypeOfSymbol(symbol)),
          isPaged: checker.getTypeOfSymbol(symbol).getProperty("pages") !== undefined
        }))
    }))
  /** The comment of what core exports by a name. */
  const commentOn = (name) => (exported.has(name) ? commentOf(aliased(exported.get(name))) : "")
  return { domains, commentOn }
}
