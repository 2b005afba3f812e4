// What the packages declare, read with the compiler: their entry points, and the operations with their doc comments.
import { existsSync, readFileSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { format } from "oxfmt"
import ts from "typescript"
import { manifestOf, packageNames, root } from "../setup.mjs"

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
  packageNames.flatMap((name) => {
    const manifest = manifestOf(join(root, "packages", name))
    return (
      Object.entries(manifest.exports)
        // No program imports the subpath `internal`, and the entry point itself shows its modules (`./Credentials`).
        .filter(([subpath]) => !/^[.][/](?:package[.]json|internal|[A-Z].*)$/.test(subpath))
        .map(([subpath, files]) => ({
          specifier: manifest.name + subpath.slice(1),
          report: `${name}${subpath.slice(1).replaceAll("/", "-")}.md`,
          types: join(folder, name, files.types),
          module: join(folder, name, files.default)
        }))
    )
  })

/** @typedef {ReturnType<typeof entryPointsIn>} EntryPoints */

/** Those of `catalog-client`, on Node: `promise.md`, `promise-oauth.md` and so on. Its declarations are those of CommonJS. */
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
      report: `promise${subpath.slice(1).replaceAll("/", "-")}.md`,
      types: join(folder, files.types.require),
      module: join(folder, (files.node ?? files).default)
    }))
}

/** Those for Effect 3. */
export const entryPoints = entryPointsIn(join(root, "packages"))

/**
 * @typedef {object} Declarations
 * @property {ts.TypeChecker} checker
 * @property {(file: string) => ts.Symbol} moduleOf
 */

/** @type {Map<EntryPoints, Declarations>} */
const declarations = new Map()

/** What is read of Effect's Schemas: the members of params are fields, and are inferred from these. */
const schemaModule = `
export interface Schema<A, I = A, R = never> { readonly Type: A }
export declare namespace Schema { type Type<Of extends { readonly Type: unknown }> = Of["Type"] }
export interface Struct<Fields> { readonly Type: { readonly [Name in keyof Fields]: Fields[Name] } }
export interface optional<Of> { readonly of: Of }`

/** The packages' own declarations. Nothing else is read of what they import, which is what makes it quick. */
export const readDeclarations = (entries = entryPoints) => {
  const known = declarations.get(entries) ?? compile(entries)
  declarations.set(entries, known)
  return known
}

/**
 * The module of Effect behind one of effect4/names, which only adds names to it.
 *
 * @param {string} specifier
 */
export const moduleOfEffect = (specifier) => specifier.replace(/^[./]+[/](effect[/]\w+)[.]js$/, "$1")

/**
 * @param {EntryPoints} entries
 * @returns {Declarations}
 */
const compile = (entries) => {
  const options = { lib: ["lib.esnext.d.ts", "lib.dom.d.ts"], types: [], module: ts.ModuleKind.NodeNext, strict: true }
  const host = ts.createCompilerHost(options)
  /**
   * @param {string} specifier
   * @param {string} from
   */
  const fileOf = (specifier, from) =>
    moduleOfEffect(specifier).startsWith(".")
      ? resolve(dirname(from), specifier.replace(/[.]js$/, ".d.ts").replace(/[.]cjs$/, ".d.cts"))
      : (entries.find((entry) => entry.specifier === specifier)?.types ??
        // What has no report: a module of an entry point, and what no program imports. A declaration can name a type of it.
        entries
          .filter(({ specifier: whole }) => specifier === `${whole}/${basename(specifier)}`)
          .map(({ types }) =>
            join(dirname(types), `${basename(specifier)}${specifier.endsWith("/internal") ? "/index" : ""}.d.ts`)
          )[0])
  const schema = join(root, "effect/Schema.d.ts")
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (file, target, ...rest) =>
    file === schema ? ts.createSourceFile(file, schemaModule, target) : read(file, target, ...rest)
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => {
      const file = moduleOfEffect(text) === "effect/Schema" ? schema : fileOf(text, from)
      const isFound = file !== undefined && (file === schema || existsSync(file))
      return { resolvedModule: isFound ? { resolvedFileName: file, extension: ts.Extension.Dts } : undefined }
    })
  const program = ts.createProgram({ rootNames: entries.map(({ types }) => types), options, host })
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

const printer = ts.createPrinter({ removeComments: true })

/**
 * A variable's statement is the one around its list.
 *
 * @param {ts.Node} node
 */
const statementOf = (node) => (ts.isVariableDeclaration(node) ? node.parent.parent : node)

/** @param {ts.Symbol} symbol */
export const statementsOf = (symbol) => [...new Set((symbol.declarations ?? []).map(statementOf))]

/**
 * @param {ts.Node} node
 * @param {ts.SourceFile} file
 */
const textOf = (node, file) => printer.printNode(ts.EmitHint.Unspecified, node, file)

/**
 * The name of a type that the compiler writes as `import("./module.js").Name`.
 *
 * @param {ts.Node} node
 */
const importedName = (node) => (ts.isImportTypeNode(node) && !node.isTypeOf ? node.qualifier : undefined)

/**
 * A declaration with the parts of its unions, intersections and object types sorted. The compiler writes those of an
 * inferred type in the order in which it found them, which differs after an incremental build. An object type that fits is
 * one line, and an imported type is its name.
 *
 * @param {ts.Node} statement
 */
const sortedTypes = (statement) => {
  const file = statement.getSourceFile()
  /**
   * @template {ts.Node} Node
   * @param {ReadonlyArray<Node>} nodes
   */
  const byText = (nodes) =>
    nodes
      .map((node) => ({ node, text: textOf(node, file) }))
      .sort((a, b) => (a.text < b.text ? -1 : 1))
      .map(({ node }) => node)
  /** @type {ts.TransformerFactory<ts.Node>} */
  const transformer = (context) => {
    /** @type {(node: ts.Node) => ts.Node} */
    const visit = (node) => {
      const visited = ts.visitEachChild(node, visit, context)
      if (ts.isUnionTypeNode(visited)) {
        return context.factory.createUnionTypeNode(byText(visited.types))
      }
      // The order of others can matter: that of overloads does.
      if (ts.isIntersectionTypeNode(visited) && visited.types.every(ts.isTypeLiteralNode)) {
        return context.factory.createIntersectionTypeNode(byText(visited.types))
      }
      if (ts.isTypeLiteralNode(visited)) {
        return ts.setEmitFlags(context.factory.createTypeLiteralNode(byText(visited.members)), ts.EmitFlags.SingleLine)
      }
      const name = importedName(visited)
      return ts.isImportTypeNode(visited) && name !== undefined
        ? context.factory.createTypeReferenceNode(name, visited.typeArguments)
        : visited
    }
    return visit
  }
  return found(ts.transform(statement, [transformer]).transformed[0], "declaration")
}

/**
 * The text of a declaration, with `prefix` in place of its own `export declare`.
 *
 * @param {ts.Symbol} symbol
 * @param {string} prefix
 */
export const print = (symbol, prefix) =>
  statementsOf(symbol)
    .map((statement) => {
      const text = textOf(sortedTypes(statement), statement.getSourceFile())
      const plain = text.replace(/^(export )?(declare )?/, "")
      return (/^(type|interface) /.test(plain) ? prefix.replace("declare ", "") : prefix) + plain
    })
    .join("\n")

/**
 * Whether a symbol is a module, or what one became in a bundle of declarations.
 *
 * @param {ts.Symbol} symbol
 */
export const isNamespace = ({ declarations = [] }) =>
  declarations.some(ts.isSourceFile) || (declarations.length > 0 && declarations.every(ts.isModuleDeclaration))

/** @param {ts.Symbol} symbol */
export const isValue = (symbol) => (symbol.flags & ts.SymbolFlags.Value) !== 0

/**
 * Whether a symbol is declared at the top of a module of the packages.
 *
 * @param {ts.Symbol} symbol
 */
export const isOfPackages = (symbol) =>
  symbol.declarations?.some(
    (node) => node.getSourceFile().fileName.includes("/dist/") && ts.isSourceFile(statementOf(node).parent ?? node)
  ) ?? false

/**
 * A source as the formatter writes it.
 *
 * @param {string} file
 * @param {string} text
 */
export const formatSource = async (file, text) => {
  const { code, errors } = await format(file, text, JSON.parse(readFileSync(join(root, ".oxfmtrc.json"), "utf8")))
  const [error] = errors
  if (error !== undefined) {
    throw new Error(`${file} does not parse: ${error.message}`)
  }
  return code
}

/** @param {string} text */
export const formatted = async (text) => "```ts\n" + (await formatSource("api.d.ts", text)) + "```"

/** Which entry point shows each declaration of the packages. */
export const readHomes = (entries = entryPoints) => {
  const { checker, moduleOf } = readDeclarations(entries)
  const target = (/** @type {ts.Symbol} */ symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const exportsOf = (/** @type {ts.Symbol} */ module) =>
    checker
      .getExportsOfModule(module)
      .map((symbol) => /** @type {const} */ ([symbol.name, target(symbol)]))
      .sort(([a], [b]) => (a < b ? -1 : 1))

  /**
   * The entry point that shows a declaration: that of its own file if there is one, or the first that exports it, not as a type
   * alone if it is a value.
   *
   * @type {Map<ts.Symbol, { readonly specifier: string, readonly path: string }>}
   */
  const homes = new Map()
  for (const { specifier, types } of entries) {
    homes.set(moduleOf(types), { specifier, path: "*" })
  }
  for (const stage of /** @type {const} */ (["own file", "value", "type"])) {
    for (const { specifier, types } of entries) {
      const typesAlone = new Set(
        checker
          .getExportsOfModule(moduleOf(types))
          .filter(({ declarations }) => declarations?.some(ts.isTypeOnlyExportDeclaration))
          .map(({ name }) => name)
      )
      const isOfStage = (/** @type {string} */ path, /** @type {boolean} */ isHere) =>
        stage === "own file" ? isHere : stage === "type" || !typesAlone.has(path)
      const claim = (/** @type {string} */ path, /** @type {ts.Symbol} */ symbol) => {
        const isHere = symbol.declarations?.some((node) => node.getSourceFile().fileName === types) ?? false
        if (isOfStage(path, isHere) && !homes.has(symbol)) {
          homes.set(symbol, { specifier, path })
        }
      }
      for (const [name, symbol] of exportsOf(moduleOf(types))) {
        claim(name, symbol)
        if (!isNamespace(symbol) || homes.get(symbol)?.path === "*") {
          continue
        }
        for (const [member, inner] of exportsOf(symbol)) {
          claim(`${name}.${member}`, inner)
        }
      }
    }
  }
  return { exportsOf, homes, target }
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
 * @property {string | undefined} params the type of its params, if it has some
 * @property {ReadonlyArray<DeclaredInput>} inputs
 * @property {ReadonlyArray<DeclaredInput>} options those that not every operation takes
 * @property {boolean} isPaged
 * @property {string} success the type of its reply
 * @property {string} errors their type
 */

/** The operations by domain, in the order of their declarations: their doc comments, their inputs, and those of all types. */
export const declaredOperations = () => {
  const { checker, moduleOf } = readDeclarations()
  const exportsOf = (/** @type {string} */ entry) =>
    checker.getExportsOfModule(moduleOf(found(entryPoints.find(({ report }) => report === entry)?.types, entry)))
  const aliased = (/** @type {ts.Symbol} */ symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const exported = new Map(
    ["core.md", "core-models.md"]
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
  /** The type of a member as it is declared. @param {ts.Symbol} member */
  const nodeOf = ({ declarations: [declaration] = [] }) =>
    declaration && ts.isPropertySignature(declaration) ? declaration.type : undefined
  /** The type that an input's Schema decodes to, if it is a Schema. @param {ts.TypeNode | undefined} node */
  const decoded = (node) =>
    node && (ts.isImportTypeNode(node) || (ts.isTypeReferenceNode(node) && ts.isQualifiedName(node.typeName)))
      ? (node.typeArguments?.[0] ?? node)
      : undefined
  /** @param {ts.Symbol} member */
  const typeTextOf = (member) => {
    const node = nodeOf(member)
    const inner = decoded(node)
    const type = (inner && decoded(inner)) ?? inner ?? node
    const text = (type?.getText() ?? "").replace(/ [|] undefined$/, "").replaceAll(/\s+/g, " ")
    return text.replace(/^readonly (\w+)\[\]$/, "ReadonlyArray<$1>").replace(/^models[.]/, "")
  }
  const isOptional = (/** @type {ts.Symbol} */ member) =>
    (member.flags & ts.SymbolFlags.Optional) !== 0 || /Schema\W+optional</.test(nodeOf(member)?.getText() ?? "")
  /** Members that are declared only for an error of the compiler are not inputs. */
  const isAllowed = (/** @type {ts.Symbol} */ member) => !/^(undefined$|NotWritten<)/.test(typeTextOf(member))
  const membersOf = (/** @type {ts.Type} */ type) => checker.getNonNullableType(type).getProperties().filter(isAllowed)
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
      isOptional: isOptional(member),
      isOption: !hasParams
    })
    return {
      params: params && checker.getNonNullableType(params).symbol.name,
      inputs: (params ? membersOf(params) : options.filter(isInput)).map(declared),
      options: options.filter((option) => !optionsOfAll.has(option.name) && !isInput(option)).map(declared)
    }
  }
  /** @param {ts.EntityName} name */
  const declarationOf = (name) => {
    const symbol = checker.getSymbolAtLocation(name)
    return symbol && aliased(symbol).declarations?.[0]
  }
  /**
   * A type with what its parameters stand for, and with the unions that names stand for.
   *
   * @param {ts.TypeNode} node
   * @param {ReadonlyMap<string, string>} known
   * @returns {string}
   */
  const resolved = (node, known) => {
    if (ts.isUnionTypeNode(node)) {
      return node.types.map((type) => resolved(type, known)).join(" | ")
    }
    if (!ts.isTypeReferenceNode(node)) {
      return node.getText()
    }
    const name = node.typeName.getText()
    const declaration = declarationOf(node.typeName)
    if (declaration && ts.isTypeAliasDeclaration(declaration) && ts.isUnionTypeNode(declaration.type)) {
      return resolved(declaration.type, known)
    }
    const types = (node.typeArguments ?? []).map((type) => resolved(type, known))
    return known.get(name) ?? (types.length === 0 ? name : `${name}<${types.join(", ")}>`)
  }
  /** Every operation has two errors. @param {string} others */
  const withUsual = (others) =>
    [...(others === "never" ? [] : [others]), "ClientRestError", "ClientNetworkError"].join(" | ")
  /**
   * What an operation returns: the arguments of `Reply`, where its declaration leads to it.
   *
   * @param {ts.TypeNode | undefined} node
   * @param {ReadonlyMap<string, string>} known
   * @returns {{ readonly success: string, readonly errors: string }}
   */
  const replyIn = (node, known = new Map()) => {
    if (node && ts.isFunctionTypeNode(node)) {
      return replyIn(node.type, known)
    }
    const reference = node && ts.isTypeReferenceNode(node) ? node : undefined
    const declaration = reference && declarationOf(reference.typeName)
    if (!declaration || !(ts.isTypeAliasDeclaration(declaration) || ts.isInterfaceDeclaration(declaration))) {
      throw new Error(`No reply is declared by ${node?.getText()}.`)
    }
    const parameters = new Map(
      declaration.typeParameters?.map(({ default: usual, name }, index) => {
        const type = reference?.typeArguments?.[index] ?? usual
        return [name.text, type ? resolved(type, known) : name.text]
      })
    )
    return ts.isInterfaceDeclaration(declaration)
      ? replyIn(declaration.members.find(ts.isCallSignatureDeclaration)?.type, parameters)
      : { success: found(parameters.get("A"), "reply"), errors: withUsual(found(parameters.get("E"), "errors")) }
  }
  /** @param {ts.Symbol} member */
  const declaredReply = ({ declarations: [declaration] = [] }) =>
    replyIn(declaration && ts.isPropertySignature(declaration) ? declaration.type : undefined)
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
          ...inputsOf(checker.getTypeOfSymbol(symbol)),
          ...declaredReply(symbol),
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
      const symbol = ts.isPropertySignature(node) ? checker.getSymbolAtLocation(node.name) : undefined
      if (symbol) {
        comments.set(symbol.name, commentOf(symbol).replaceAll(/\s+/g, " "))
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
        ts.forEachChild(declaration, visit)
      }
    }
    return comments
  }
  return { domains, commentOn, commentsIn }
}
