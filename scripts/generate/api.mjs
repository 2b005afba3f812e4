// The public API of every entry point as text: its names at run time, and its declarations as they are built. As a
// program (`npm run api`) it writes all that is written from the code: the reports that test/api.test.ts compares, the
// table of operations in AGENTS.md, and the pages of docs/operations.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import ts from "typescript"
import { build as buildForEffect4 } from "../../effect4/build.mjs"
import { moved } from "../../effect4/programs.mjs"
import {
  entryPoints,
  entryPointsIn,
  formatted,
  found,
  isNamespace,
  isOfPackages,
  isValue,
  moduleOfEffect,
  print,
  promiseEntryPoints,
  readDeclarations,
  readHomes,
  statementsOf
} from "./declarations.mjs"
import { folder as pages, operationPages, tableForAgents } from "./operationPages.mjs"
import { isProgram, root, setup } from "../setup.mjs"

/** @import { EntryPoints } from "./declarations.mjs" */

/** Where the reports are kept. */
export const folder = join(root, "api")

/** Where the differences for Effect 4 are kept. */
export const folderOfEffect4 = join(folder, "effect4")

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
export const reports = async (entries = entryPoints) => {
  const { checker, moduleOf } = readDeclarations(entries)
  const { exportsOf, homes, target } = readHomes(entries)

  /**
   * The entry points that a module exports as a whole, or all types of: their reports show what is in them.
   *
   * @param {ts.Symbol} module
   */
  const exportedWhole = (module) => {
    const statements = module.declarations?.flatMap((node) => (ts.isSourceFile(node) ? [...node.statements] : [])) ?? []
    return statements.flatMap((node) => {
      if (!ts.isExportDeclaration(node) || node.exportClause || !node.moduleSpecifier) {
        return []
      }
      const { moduleSpecifier, isTypeOnly } = node
      return entries
        .filter(({ types }) => checker.getSymbolAtLocation(moduleSpecifier) === moduleOf(types))
        .map((entry) => ({ ...entry, isTypeOnly }))
    })
  }

  /** @param {EntryPoints[number]} entry */
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
      const from = specified !== undefined && ts.isStringLiteral(specified) ? moduleOfEffect(specified.text) : "."
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
      [
        ...wholes.map(({ isTypeOnly, specifier }) => `export ${isTypeOnly ? "type " : ""}* from "${specifier}"`),
        ...linesOf("export", exportedAgain)
      ].join("\n"),
      ...declarations
    ].join("\n\n")
    const notExported = sorted(helpers.values()).join("\n\n")

    const isOwn = (/** @type {string} */ name) => ownNames.has(name) || !inWholes.has(name)
    const names = namesAtRunTime(await import(pathToFileURL(module).href))
      .filter((name) => isOwn(name.replace(/[.].*/, "")))
      .map((name) => `- \`${name}\`${declared.has(name) ? "" : " (not declared)"}`)
    const namesOfWholes = wholes
      .filter(({ isTypeOnly }) => !isTypeOnly)
      .map(({ specifier }) => `- those of \`${specifier}\``)
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
  for (const entry of entries) {
    written.set(entry.report, await reportOf(entry))
  }
  return written
}

/** The reports of `catalog-client`. */
export const promiseReports = () => reports(promiseEntryPoints())

/** What Effect 4 has by another name, in what the packages declare: not a difference. */
const renamed = /** @type {const} */ ([
  ...moved,
  ["Context.Tag<", "Context.Service<"],
  ["Context.TagClass<", "Context.ServiceClass<"],
  ["Schema.Array$", "Schema.$Array"],
  ["Schema.Schema<", "Schema.Codec<"],
  ["typeof Schema.", "Schema."]
])

/**
 * The parts of a report: its imports, names and declarations, each by its text without spaces and without what is renamed.
 *
 * @param {string} report
 */
const partsOf = (report) =>
  new Map(
    report.split(/\n\n|\n(?=import |export [*{]|- )/).map((part) => [
      renamed
        .reduce((text, [from, to]) => text.replaceAll(from, to), part)
        .replaceAll(/\s+/g, "")
        .replaceAll(",never,never>", ",never>")
        .replaceAll(/(?<=[=<(,:])[|]/g, ""),
      part.replace(/^```ts\n|\n```$/g, "")
    ])
  )

/**
 * What differs for Effect 4 from the reports of Effect 3: by the name of the report, what is there only in one of them.
 *
 * @param {ReadonlyMap<string, string>} current
 */
export const differencesOnEffect4 = async (current) => {
  const entries = entryPointsIn(join(root, "effect4/dist"))
  const names = renamed.map(([from, to]) => `\`${from}\` → \`${to}\``).join(", ")
  /** @type {Map<string, string>} */
  const written = new Map()
  for (const [file, report] of await reports(entries)) {
    const [here, there] = [partsOf(report), partsOf(found(current.get(file), file))]
    const only = [...here].flatMap(([key, part]) => (there.has(key) ? [] : [part]))
    const declared = (/** @type {string} */ part) =>
      /^(?:- .+|(?:export )?(?:declare )?\w+ \w+)/.exec(part)?.[0] ?? part
    const known = new Set([...here.values()].map(declared))
    const missing = [...there.values()].map(declared).filter((name) => !known.has(name) && !name.startsWith("import "))
    if (only.length + missing.length > 0) {
      const sections = [
        `# ${found(entries.find((entry) => entry.report === file)?.specifier, file)} for Effect 4`,
        "Written by `npm run api` and compared by `npm test -- effect4`.",
        `What is not as [for Effect 3](../${file}). What Effect 4 has renamed is not shown: ${names}.`,
        "```ts\n" + only.join("\n\n") + "\n```",
        ...(missing.length > 0 ? [`Only for Effect 3: ${missing.map((name) => `\`${name}\``).join(", ")}.`] : [])
      ]
      written.set(file, sections.join("\n\n") + "\n")
    }
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
export const pagesWithTables = async () =>
  new Map([["AGENTS.md", withTable("AGENTS.md", "Which operation", await tableForAgents())]])

/**
 * Writes files into a folder, in place of those that it has.
 *
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} texts
 */
const writeInto = (folder, texts) => {
  mkdirSync(folder, { recursive: true })
  for (const entry of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())) {
    rmSync(join(folder, entry.name))
  }
  for (const [file, text] of texts) {
    writeFileSync(join(folder, file), text)
  }
}

if (isProgram(import.meta)) {
  setup()
  if (!buildForEffect4()) {
    process.exit(1)
  }
  const current = await reports()
  writeInto(folder, new Map([...current, ...(await promiseReports())]))
  writeInto(folderOfEffect4, await differencesOnEffect4(current))
  const withTables = await pagesWithTables()
  for (const [page, text] of withTables) {
    writeFileSync(join(root, page), text)
  }
  writeInto(pages, await operationPages())
  console.log(
    `Wrote ${current.size} reports to ${relative(process.cwd(), folder)}/, ${[...withTables.keys()].join(", ")} and docs/operations/.`
  )
}
