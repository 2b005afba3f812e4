// What the packages declare, read with the compiler: their entry points, and the operations with their doc comments.
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import ts from "typescript"
import { manifestOf, root } from "./setup.mjs"

/**
 * Loads a module of TypeScript that imports nothing.
 *
 * @param {string} path
 */
export const load = (path) => {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  const { outputText } = ts.transpileModule(readFileSync(join(root, path), "utf8"), { compilerOptions })
  return import(`data:text/javascript,${encodeURIComponent(outputText)}`)
}

/** What can be imported, with the files behind it. */
export const entryPoints = ["core", "node", "browser"].flatMap((name) => {
  const manifest = manifestOf(join(root, "packages", name))
  return Object.entries(manifest.exports)
    .filter(([subpath]) => subpath !== "./package.json")
    .map(([subpath, files]) => ({
      specifier: manifest.name + subpath.slice(1),
      report: `${name}${subpath.slice(1).replaceAll("/", "-")}.md`,
      types: join(root, "packages", name, files.types),
      module: join(root, "packages", name, files.default)
    }))
})

/**
 * @typedef {object} Declarations
 * @property {ts.TypeChecker} checker
 * @property {(file: string) => ts.Symbol} moduleOf
 */

/** @type {Declarations | undefined} */
let declarations

/** The packages' own declarations. What they import from other packages is not read, which is what makes it quick. */
export const readDeclarations = () => (declarations ??= compile())

/** @returns {Declarations} */
const compile = () => {
  const options = { lib: ["lib.esnext.d.ts", "lib.dom.d.ts"], types: [], module: ts.ModuleKind.NodeNext, strict: true }
  const host = ts.createCompilerHost(options)
  /**
   * @param {string} specifier
   * @param {string} from
   */
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
  const moduleOf = (/** @type {string} */ file) => {
    const source = program.getSourceFile(file)
    return found(source && checker.getSymbolAtLocation(source), file)
  }
  return { checker, moduleOf }
}

/**
 * A value that must be there.
 *
 * @template A
 * @param {A | undefined} value
 * @param {string} name
 */
export const found = (value, name) => {
  if (value === undefined) {
    throw new Error(`There is no ${name}.`)
  }
  return value
}

/**
 * @typedef {object} DeclaredInput
 * @property {string} name
 * @property {string} type as it is declared, without `undefined`
 * @property {string} comment
 * @property {boolean} isOptional
 * @property {boolean} isOption
 *
 * @typedef {object} DeclaredOperation
 * @property {string} name
 * @property {string} comment
 * @property {ReadonlyArray<DeclaredInput>} inputs
 * @property {boolean} isPaged
 */

/** The operations by domain, in the order of their declarations: their doc comments, their inputs, and those of all types. */
export const declaredOperations = () => {
  const { checker, moduleOf } = readDeclarations()
  const core = moduleOf(found(entryPoints.find(({ report }) => report === "core.md")?.types, "entry point of core"))
  const exported = new Map(checker.getExportsOfModule(core).map((symbol) => [symbol.name, symbol]))
  const aliased = (/** @type {ts.Symbol} */ symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  /**
   * The doc comment of a symbol: its text, as Markdown without links.
   *
   * @param {ts.Symbol} symbol
   */
  const commentOf = (symbol) =>
    ts
      .displayPartsToString(symbol.getDocumentationComment(checker))
      .replaceAll(/\{@link ([^}]+)\}/g, (_, /** @type {string} */ target) => `\`${target.trim()}\``)
      .trim()
  /** @param {ts.Symbol} member */
  const typeTextOf = ({ valueDeclaration }) => {
    const type = valueDeclaration && ts.isPropertySignature(valueDeclaration) ? valueDeclaration.type : undefined
    return (type?.getText() ?? "").replace(/ [|] undefined$/, "").replaceAll(/\s+/g, " ")
  }
  /** Members that are declared only for an error of the compiler are not inputs. */
  const isAllowed = (/** @type {ts.Symbol} */ member) => !/^(undefined$|NotWritten<)/.test(typeTextOf(member))
  const membersOf = (/** @type {ts.Type} */ type) => checker.getNonNullableType(type).getProperties().filter(isAllowed)
  /**
   * @param {ts.Type} type
   * @returns {type is ts.TupleTypeReference}
   */
  const isTuple = (type) => checker.isTupleType(type)
  /**
   * An operation's own inputs: the members of `params`, or of its options if it has no params.
   *
   * @param {ts.Type} operation
   * @returns {ReadonlyArray<DeclaredInput>}
   */
  const inputsOf = (operation) => {
    const first = found(operation.getCallSignatures()[0]?.getParameters()[0], "parameter of an operation")
    const type = checker.getTypeOfSymbol(first)
    const members =
      first.name === "options"
        ? membersOf(type).filter(({ name }) => name === "limit" || name === "offset")
        : // Where all params are optional, the two arguments are a tuple.
          membersOf(isTuple(type) ? found(checker.getTypeArguments(type)[0], "element of a tuple") : type)
    return members.map((member) => ({
      name: member.name,
      type: typeTextOf(member),
      comment: commentOf(member).replaceAll(/\s+/g, " "),
      isOptional: (member.flags & ts.SymbolFlags.Optional) !== 0,
      isOption: first.name === "options"
    }))
  }
  const catalog = found(exported.get("CatalogOperations"), "CatalogOperations")
  const domains = checker
    .getDeclaredTypeOfSymbol(aliased(catalog))
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
  /**
   * The comment of what core exports by a name.
   *
   * @param {string} name
   */
  const commentOn = (name) => {
    const symbol = exported.get(name)
    return symbol === undefined ? "" : commentOf(aliased(symbol))
  }
  /**
   * The comments on the members of a record that core exports. Its interface extends the type of a constant, whose
   * declaration has the members.
   *
   * @param {string} name
   */
  const commentsIn = (name) => {
    /** @type {Map<string, string>} */
    const comments = new Map()
    const visit = (/** @type {ts.Node} */ node) => {
      if (ts.isTypeLiteralNode(node)) {
        for (const member of checker.getTypeFromTypeNode(node).getProperties()) {
          comments.set(member.name, commentOf(member).replaceAll(/\s+/g, " "))
        }
      } else if (ts.isTypeQueryNode(node)) {
        const constant = checker.getSymbolAtLocation(node.exprName)
        const { type } = /** @type {ts.VariableDeclaration} */ (found(constant?.valueDeclaration, node.getText()))
        visit(found(type, `type of ${node.getText()}`))
      } else {
        ts.forEachChild(node, visit)
      }
    }
    for (const declaration of aliased(found(exported.get(name), name)).declarations ?? []) {
      if (ts.isInterfaceDeclaration(declaration)) {
        declaration.heritageClauses?.forEach(visit)
      }
    }
    return comments
  }
  return { domains, commentOn, commentsIn }
}
