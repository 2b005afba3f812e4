// The public API of every entry point as text: its names at run time, and its declarations as they are built. As a
// program (`npm run api`) it writes all that is written from the code: the reports that test/api.test.ts compares, the
// tables of operations in README.md and AGENTS.md, docs/openapi.json, and the pages of docs/operations.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import ts from "typescript"
import {
  declaredOperations,
  entryPoints,
  formatted,
  found,
  isNamespace,
  isOfPackages,
  isValue,
  print,
  readDeclarations,
  readHomes,
  statementsOf
} from "./declarations.mjs"
import { apiPages, folder as apiFolder } from "./apiPages.mjs"
import { folder as pages, operationPages, tableForAgents } from "./operationPages.mjs"
import { openApi } from "./openApi.mjs"
import { isProgram, root } from "./setup.mjs"

/** Where the reports are kept. */
export const folder = join(root, "api")

/** @param {Iterable<string>} names */
const sorted = (names) => [...names].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))

/**
 * The names of a module at run time. Those of a namespace in it follow its own, one level deep.
 *
 * @param {Readonly<Record<string, { readonly [Symbol.toStringTag]?: string } | null>>} module
 */
const namesAtRunTime = (module) =>
  sorted(Object.keys(module)).flatMap((name) => {
    const value = module[name]
    const isNamespace = value?.[Symbol.toStringTag] === "Module"
    return value && isNamespace ? [name, ...sorted(Object.keys(value)).map((member) => `${name}.${member}`)] : [name]
  })

/**
 * Lines that export names from modules, sorted: `export { a, type B } from "c"`.
 *
 * @param {"import type" | "export"} keyword
 * @param {ReadonlyMap<string, ReadonlySet<string>>} names
 */
const linesOf = (keyword, names) =>
  sorted(
    [...names].flatMap(([from, all]) => {
      const isWhole = (/** @type {string} */ name) => name.startsWith("*")
      const some = sorted([...all].filter((name) => !isWhole(name)))
      return [...[...all].filter(isWhole), ...(some.length > 0 ? [`{ ${some.join(", ")} }`] : [])].map(
        (what) => `${keyword} ${what} from "${from}"`
      )
    })
  )

/**
 * The report of each entry point, by the name of its file. Fails if a declaration needs one that is missing, for
 * example because it is `@internal`.
 */
export const reports = async () => {
  const { checker, moduleOf } = readDeclarations()
  const { exportsOf, homes, target } = readHomes()

  /**
   * The entry points that a module exports as a whole: their reports show what is in them.
   *
   * @param {ts.Symbol} module
   */
  const exportedWhole = (module) => {
    const statements = module.declarations?.flatMap((node) => (ts.isSourceFile(node) ? [...node.statements] : [])) ?? []
    const specifiers = statements.flatMap((node) =>
      ts.isExportDeclaration(node) &&
      !node.exportClause &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
        ? [node.moduleSpecifier.text]
        : []
    )
    return entryPoints.filter(({ specifier }) => specifiers.includes(specifier))
  }

  /** @param {(typeof entryPoints)[number]} entry */
  const reportOf = async ({ specifier, types, module }) => {
    /** @type {Map<string, Set<string>>} */
    const imports = new Map()
    /** @type {Map<string, Set<string>>} */
    const exportedAgain = new Map()
    /** @type {Map<ts.Symbol, string>} */
    const helpers = new Map()
    /** @type {Set<string>} */
    const declared = new Set()

    /**
     * @param {Map<string, Set<string>>} names
     * @param {string} from
     * @param {string} name
     */
    const add = (names, from, name) => names.set(from, (names.get(from) ?? new Set()).add(name))

    /**
     * Notes what a declaration refers to: an import, an export, or a helper that is not exported.
     *
     * @param {ts.Symbol | undefined} symbol
     * @param {ts.Node} node
     */
    const refer = (symbol, node) => {
      const [declaration] = symbol?.declarations ?? []
      const importing = declaration && ts.findAncestor(declaration, ts.isImportDeclaration)
      const specified = importing?.moduleSpecifier
      const from = specified !== undefined && ts.isStringLiteral(specified) ? specified.text : "."
      if (symbol && declaration && !from.startsWith(".") && !from.startsWith("@catalog-client/")) {
        const renamed = ts.isImportSpecifier(declaration) ? declaration.propertyName : undefined
        const original = renamed ? `${renamed.text} as ` : ""
        const whole = ts.isNamespaceImport(declaration) ? "* as " : ""
        add(imports, from, whole + original + symbol.name)
        return
      }
      const meant = symbol && target(symbol)
      if (!symbol || !meant?.declarations) {
        throw new Error(
          `${relative(root, node.getSourceFile().fileName)} needs ${node.getText()}, which it does not declare.`
        )
      }
      const home = homes.get(meant)
      if (home?.specifier === specifier || !isOfPackages(meant)) {
        return
      }
      if (home !== undefined) {
        const [name = ""] = home.path.split(".")
        add(imports, home.specifier, name === "*" ? `* as ${symbol.name}` : name)
      } else if (!isNamespace(meant) && !helpers.has(meant)) {
        helpers.set(meant, print(meant, "declare "))
        statementsOf(meant).forEach(walk)
      }
    }

    /** @type {(node: ts.Node) => void} */
    const walk = (node) => {
      if (ts.isQualifiedName(node) || ts.isPropertyAccessExpression(node)) {
        const [left, right] = ts.isQualifiedName(node) ? [node.left, node.right] : [node.expression, node.name]
        walk(left)
        const symbol = checker.getSymbolAtLocation(right)
        // The report of that entry point shows it.
        if (symbol && isOfPackages(symbol) && !homes.has(symbol)) {
          refer(symbol, right)
        }
      } else if (ts.isImportTypeNode(node)) {
        const symbol = node.qualifier && checker.getSymbolAtLocation(node.qualifier)
        if (symbol && isOfPackages(symbol)) {
          refer(symbol, node)
        }
        node.typeArguments?.forEach(walk)
      } else if (ts.isNamedTupleMember(node)) {
        walk(node.type)
      } else if (ts.isIdentifier(node)) {
        refer(checker.getSymbolAtLocation(node), node)
      } else {
        ts.forEachChild(node, walk)
      }
    }

    /**
     * @param {ReturnType<typeof exportsOf>} exported
     * @param {string} namespace
     * @returns {ReadonlyArray<string>}
     */
    const declarationsOf = (exported, namespace) =>
      exported.flatMap(([name, symbol]) => {
        const path = namespace + name
        const home = found(homes.get(symbol), `entry point of ${path}`)
        if (isNamespace(symbol)) {
          declared.add(path)
          const members = exportsOf(symbol)
          if (home.path === "*") {
            for (const [member, inner] of members) {
              if (isValue(inner)) {
                declared.add(`${path}.${member}`)
              }
            }
            add(exportedAgain, home.specifier, `* as ${name}`)
            return []
          }
          return [`export declare namespace ${name} {\n${declarationsOf(members, `${path}.`).join("\n\n")}\n}`]
        }
        if (isValue(symbol)) {
          declared.add(path)
        }
        if (home.specifier !== specifier || home.path !== path) {
          add(exportedAgain, home.specifier, isValue(symbol) ? name : `type ${name}`)
          return []
        }
        statementsOf(symbol).forEach(walk)
        return [print(symbol, namespace === "" ? "export declare " : "export ")]
      })

    const wholes = exportedWhole(moduleOf(types))
    const inWholes = new Map(wholes.flatMap((whole) => exportsOf(moduleOf(whole.types))))
    const own = exportsOf(moduleOf(types)).filter(([name, symbol]) => inWholes.get(name) !== symbol)
    const ownNames = new Set(own.map(([name]) => name))
    const declarations = declarationsOf(own, "")
    const inOrder = [
      linesOf("import type", imports).join("\n"),
      [...wholes.map((whole) => `export * from "${whole.specifier}"`), ...linesOf("export", exportedAgain)].join("\n"),
      ...declarations
    ].join("\n\n")
    const notExported = sorted(helpers.values()).join("\n\n")

    const isOwn = (/** @type {string} */ name) => ownNames.has(name) || !inWholes.has(name)
    const names = namesAtRunTime(await import(pathToFileURL(module).href))
      .filter((name) => isOwn(name.replace(/[.].*/, "")))
      .map((name) => `- \`${name}\`${declared.has(name) ? "" : " (not declared)"}`)
    const namesOfWholes = wholes.map(({ specifier }) => `- those of \`${specifier}\``)
    const sections = [
      `# ${specifier}`,
      "Written by `npm run api` and compared by `npm test`.",
      "## Names at run time",
      [...namesOfWholes, ...names].join("\n"),
      "## Declarations",
      await formatted(inOrder),
      ...(notExported === "" ? [] : ["## Not exported, but used by the declarations", await formatted(notExported)])
    ]
    return sections.join("\n\n") + "\n"
  }

  /** @type {Map<string, string>} */
  const written = new Map()
  for (const entry of entryPoints) {
    written.set(entry.report, await reportOf(entry))
  }
  return written
}

/**
 * A page with another table under a heading.
 *
 * @param {string} page
 * @param {string} heading
 * @param {string} rows
 */
const withTable = (page, heading, rows) => {
  const table = new RegExp(`(?<=^## ${heading}\\n(?:[^|#]*\\n)?\\n)(\\|.*\\n)+`, "m")
  const text = readFileSync(join(root, page), "utf8")
  if (!table.test(text)) {
    throw new Error(`${page} has no table under ## ${heading}`)
  }
  return text.replace(table, () => `${rows}\n`)
}

/**
 * The pages with a table of all operations, in the order of their declarations.
 *
 * @returns {Promise<Map<string, string>>}
 */
export const pagesWithTables = async () => {
  const rows = declaredOperations().domains.map(
    ({ name, operations }) => `| \`${name}\` | ${operations.map(({ name }) => `\`${name}\``).join(" ")} |`
  )
  return new Map([
    ["README.md", withTable("README.md", "Operations", ["| | |", "|---|---|", ...rows].join("\n"))],
    ["AGENTS.md", withTable("AGENTS.md", "Which operation", await tableForAgents())]
  ])
}

if (isProgram(import.meta)) {
  const current = await reports()
  mkdirSync(folder, { recursive: true })
  for (const file of readdirSync(folder)) {
    if (!current.has(file)) {
      rmSync(join(folder, file))
    }
  }
  for (const [file, text] of current) {
    writeFileSync(join(folder, file), text)
  }
  const withTables = await pagesWithTables()
  for (const [page, text] of withTables) {
    writeFileSync(join(root, page), text)
  }
  writeFileSync(join(root, "docs/openapi.json"), await openApi())
  for (const { folder, texts } of [
    { folder: pages, texts: await operationPages() },
    { folder: apiFolder, texts: await apiPages() }
  ]) {
    mkdirSync(folder, { recursive: true })
    for (const file of readdirSync(folder)) {
      rmSync(join(folder, file))
    }
    for (const [file, text] of texts) {
      writeFileSync(join(folder, file), text)
    }
  }
  console.log(
    `Wrote ${current.size} reports to ${relative(process.cwd(), folder)}/, ${[...withTables.keys()].join(", ")}, docs/openapi.json, docs/operations/ and docs/api/.`
  )
}
