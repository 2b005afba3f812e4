// What the packages declare, read with the compiler: their entry points, and the operations with their doc comments.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { format } from "oxfmt"
import ts from "typescript"
import { effectFolders, manifestOf, root } from "../workspace.mjs"

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

/**
 * What can be imported of packages that are built in a folder, with the files behind it.
 *
 * @param {string} folder
 */
export const entryPointsIn = (folder) =>
  effectFolders.flatMap((name) => {
    const manifest = manifestOf(join(root, "packages", name))
    return (
      Object.entries(manifest.exports)
        // No program imports the subpath `internal`, and the entry point itself shows its modules (`./Credentials`).
        .filter(([subpath]) => !/^[.][/](?:package[.]json|internal|[A-Z].*)$/.test(subpath))
        .map(([subpath, files]) => ({
          specifier: manifest.name + subpath.slice(1),
          report: `${name}.md`,
          types: join(folder, name, files.types),
          module: join(folder, name, files.default)
        }))
    )
  })

/** @typedef {ReturnType<typeof entryPointsIn>} EntryPoints */

/** The entry points of `catalog-client` on Node, with the declarations of CommonJS. */
export const promiseEntryPoints = () => {
  const folder = join(root, "packages/promise")
  const { exports, name } = manifestOf(folder)
  /** @typedef {{ readonly default: string }} Files */
  const entries =
    /** @type {Record<string, Files & { readonly types: { readonly require: string }, readonly node?: Files }>} */ (
      /** @type {unknown} */ (exports)
    )
  return Object.entries(entries)
    .filter(([subpath]) => subpath !== "./package.json")
    .map(([subpath, files]) => ({
      specifier: name + subpath.slice(1),
      report: "promise.md",
      types: join(folder, files.types.require),
      module: join(folder, (files.node ?? files).default)
    }))
}

/** The entry points of the packages for Effect 3. */
export const entryPoints = entryPointsIn(join(root, "packages"))

/**
 * @typedef {object} Declarations
 * @property {ts.TypeChecker} checker
 * @property {(file: string) => ts.Symbol} moduleOf
 */

/** @type {Map<EntryPoints, Declarations>} */
const declarations = new Map()

/** What the packages declare. */
export const readDeclarations = (entries = entryPoints) => {
  const known = declarations.get(entries) ?? compile(entries)
  declarations.set(entries, known)
  return known
}

/**
 * @param {EntryPoints} entries
 * @returns {Declarations}
 */
const compile = (entries) => {
  const options = {
    lib: ["lib.esnext.d.ts", "lib.dom.d.ts"],
    types: [],
    module: ts.ModuleKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true
  }
  const program = ts.createProgram({ rootNames: entries.map(({ types }) => types), options })
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
 * Whether a symbol is a module, or what one became in a bundle of declarations.
 *
 * @param {ts.Symbol} symbol
 */
export const isNamespace = ({ declarations = [] }) =>
  declarations.some(ts.isSourceFile) || (declarations.length > 0 && declarations.every(ts.isModuleDeclaration))

const printer = ts.createPrinter({ removeComments: true })

/**
 * The code of a node, without comments.
 *
 * @param {ts.Node} node
 * @param {ts.SourceFile} [file] that its literals are read from
 */
export const codeOf = (node, file = node.getSourceFile()) => printer.printNode(ts.EmitHint.Unspecified, node, file)

/** The code of a declaration, without `export` and `declare`. @param {ts.Node} node @param {ts.SourceFile} [file] */
export const declarationOf = (node, file) => codeOf(node, file).replace(/^(export )?(declare )?/, "")

/** A variable's statement is the one around its list. @param {ts.Node} node */
export const statementOf = (node) => (ts.isVariableDeclaration(node) ? node.parent.parent : node)

/**
 * What a symbol stands for.
 *
 * @param {ts.TypeChecker} checker
 * @returns {(symbol: ts.Symbol) => ts.Symbol}
 */
export const aliasedIn = (checker) => (symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

/**
 * A source as the formatter writes it.
 *
 * @param {string} file
 * @param {string} text
 */
export const formatSource = async (file, text, more = {}) => {
  const options = JSON.parse(readFileSync(join(root, ".oxfmtrc.json"), "utf8"))
  const { code, errors } = await format(file, text, { ...options, ...more })
  const [error] = errors
  if (error !== undefined) {
    throw new Error(`${file} does not parse: ${error.message}`)
  }
  return code
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
 * @property {{ readonly ofPromise: string, readonly ofEffect: string }} signatures
 * @property {string | undefined} params the type of its params, if it has some
 * @property {ReadonlyArray<DeclaredInput>} inputs
 * @property {ReadonlyArray<DeclaredInput>} options those that not every operation takes
 * @property {boolean} isPaged
 */

/** The operations by domain, in the order of their declarations: their doc comments and inputs, and those of all types. */
export const declaredOperations = () => {
  const { checker, moduleOf } = readDeclarations()
  const exportsOf = (/** @type {string} */ entry) =>
    checker.getExportsOfModule(moduleOf(found(entryPoints.find(({ specifier }) => specifier === entry)?.types, entry)))
  const aliased = aliasedIn(checker)
  const exported = new Map(
    ["@catalog-client/core", "@catalog-client/core/models"]
      .flatMap(exportsOf)
      .flatMap((symbol) => [
        symbol,
        ...(isNamespace(aliased(symbol)) ? checker.getExportsOfModule(aliased(symbol)) : [])
      ])
      .map((symbol) => [aliased(symbol).name, symbol])
  )
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
  const { NoTruncation, UseAliasDefinedOutsideCurrentScope, WriteArrayAsGenericType } = ts.TypeFormatFlags
  /** @param {ts.Symbol} member */
  const typeTextOf = (member) => {
    /** @type {ts.TypeFormatFlags} */
    const flags = NoTruncation | UseAliasDefinedOutsideCurrentScope | WriteArrayAsGenericType
    return checker.typeToString(checker.getTypeOfSymbol(member), undefined, flags).replace(/ [|] undefined$/, "")
  }
  /** Members that are declared only for an error of the compiler are not inputs. */
  const isAllowed = (/** @type {ts.Symbol} */ member) => !/^(undefined$|NotWritten<)/.test(typeTextOf(member))
  const membersOf = (/** @type {ts.Type} */ type) => checker.getNonNullableType(type).getProperties().filter(isAllowed)
  const placeOf = (/** @type {ts.Symbol} */ { declarations: [declaration] = [] }) => declaration?.pos ?? 0
  /**
   * @param {ts.Type} type
   * @returns {type is ts.TupleTypeReference}
   */
  const isTuple = (type) => checker.isTupleType(type)
  const typeOf = (/** @type {string} */ name) =>
    checker.getDeclaredTypeOfSymbol(aliased(found(exported.get(name), name)))
  const optionsOfAll = new Set(membersOf(typeOf("CallOptions")).map(({ name }) => name))
  /**
   * An operation's own inputs and options. The inputs are the members of `params`, or `limit` and `offset` of its options
   * if it has no params.
   *
   * @param {ts.Type} operation
   */
  const inputsOf = (operation) => {
    const parameters = found(operation.getCallSignatures()[0], "signature of an operation").getParameters()
    const types = parameters.flatMap((parameter) => {
      const type = checker.getTypeOfSymbol(parameter)
      // Where all params are optional, the two arguments are a tuple.
      return isTuple(type) ? checker.getTypeArguments(type) : type
    })
    const hasParams = parameters[0]?.name !== "options"
    const params = hasParams ? found(types[0], "params of an operation") : undefined
    const options = membersOf(found(types[hasParams ? 1 : 0], "options of an operation"))
    const isInput = (/** @type {ts.Symbol} */ { name }) => name === "limit" || name === "offset"
    /**
     * @param {ts.Symbol} member
     * @returns {DeclaredInput}
     */
    const declared = (member) => ({
      name: member.name,
      type: typeTextOf(member),
      comment: commentOf(member).replaceAll(/\s+/g, " "),
      isOptional: (member.flags & ts.SymbolFlags.Optional) !== 0,
      isOption: !hasParams
    })
    return {
      params: params && checker.getNonNullableType(params).symbol.name,
      // Members that a Schema computes have lost their order.
      inputs: (params ? membersOf(params) : options.filter(isInput))
        .sort((one, other) => placeOf(one) - placeOf(other))
        .map(declared),
      options: options.filter((option) => !optionsOfAll.has(option.name) && !isInput(option)).map(declared)
    }
  }
  /** @param {string} code */
  const withoutModules = (code) => code.replaceAll(/import\("[^"]+"(?:, \{.*?\} \})?\)\./g, "")
  /**
   * The signatures of an operation, with an Effect and with a promise of its reply.
   *
   * @param {string} name
   * @param {ts.Type} operation
   */
  const signaturesOf = (name, operation) => {
    const signature = found(operation.getCallSignatures()[0], "signature of an operation")
    const [value] = checker.getTypeArguments(/** @type {ts.TypeReference} */ (signature.getReturnType()))
    /** @type {ts.TypeFormatFlags} */
    const flags = NoTruncation | UseAliasDefinedOutsideCurrentScope | WriteArrayAsGenericType
    const effect = checker.signatureToString(signature, undefined, flags)
    const reply = checker.typeToString(found(value, "reply"), undefined, flags)
    const [inputs = ""] = effect.split("): ", 1)
    const promise = `${inputs}): Promise<${reply}>`
    const [ofEffect = "", ofPromise = ""] = [effect, promise].map((code) =>
      `${name}${withoutModules(code)}`.replaceAll(/ \| undefined(?=[,)])|, never(?=>)/g, "")
    )
    return { ofEffect, ofPromise }
  }
  const domains = checker
    .getTypeOfSymbol(aliased(found(exported.get("Catalog"), "Catalog")))
    .getProperties()
    .map((domain) => ({
      name: domain.name,
      operations: checker
        .getTypeOfSymbol(domain)
        .getProperties()
        .map((symbol) => ({
          name: symbol.name,
          comment: commentOf(symbol),
          signatures: signaturesOf(symbol.name, checker.getTypeOfSymbol(symbol)),
          ...inputsOf(checker.getTypeOfSymbol(symbol)),
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
  /** The comments on the members of a record that core exports. @param {string} name */
  const commentsIn = (name) =>
    new Map(
      checker
        .getPropertiesOfType(typeOf(name))
        .map((member) => [member.name, commentOf(member).replaceAll(/\s+/g, " ")])
    )
  return { domains, commentOn, commentsIn }
}
