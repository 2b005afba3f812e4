// Writes what follows from the operations and the records: packages/core/src/generated, and the operations of
// `catalog-client` for `createCatalogOf`. The build begins with it, so it reads sources.
import { format } from "oxfmt"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import ts from "typescript"
import { isMain, root } from "../workspace.mjs"

const core = "packages/core/src"

/** What each domain is, as its file begins. */
const domains = { anime: "anime", manga: "manga", user: "users and their lists", forum: "the forum" }

/**
 * @typedef {object} Constant One that a module exports.
 * @property {string} name
 * @property {string} does the first words of its doc comment
 * @property {ts.Expression} value
 */

/** @param {ts.Statement} statement */
const isExported = (statement) =>
  ts.canHaveModifiers(statement) && statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

/** @param {string} path without its extension, in the sources of core */
const readModule = (path) => {
  const file = `${path}.ts`
  const text = readFileSync(join(root, core, file), "utf8")
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const exported = statements.filter(isExported)
  const interfaces = exported.filter(ts.isInterfaceDeclaration)
  const types = new Set([...interfaces, ...exported.filter(ts.isTypeAliasDeclaration)].map(({ name }) => name.text))
  /** @type {ReadonlyArray<Constant>} */
  const constants = exported.filter(ts.isVariableStatement).flatMap((statement) => {
    const [comment] = ts.getJSDocCommentsAndTags(statement)
    const [first] = comment && typeof comment.comment === "object" ? comment.comment : []
    return statement.declarationList.declarations.flatMap(({ initializer: value, name }) =>
      value ? [{ name: name.getText(), does: first?.text ?? "", value }] : []
    )
  })
  /** The interfaces of params, with the functions that declare them. */
  const params = interfaces.flatMap(({ heritageClauses: [base] = [], name }) => {
    const [, declare] = /^extends ParamsOf<typeof (\w+)>$/.exec(base?.getText() ?? "") ?? []
    return declare ? [{ name: name.text, declare }] : []
  })
  const models = constants.flatMap(({ name, value }) => (types.has(name) && ts.isCallExpression(value) ? [name] : []))
  return {
    path,
    constants,
    interfaces,
    /** Records and open sets of words. */
    models,
    records: models.filter((model) => interfaces.some(({ name }) => name.text === model)),
    params,
    /** What else has a type. */
    types: [...types].filter((name) => !models.includes(name))
  }
}

/** @param {ts.Node} node @returns {ReadonlyArray<string>} the types that it names */
const typesIn = (node) => [
  ...(ts.isTypeReferenceNode(node) ? [node.typeName.getText()] : []),
  ...node.getChildren().flatMap(typesIn)
]

/** The members of an object literal. @param {ts.Node | undefined} node */
const factsIn = (node) =>
  new Map(
    (node && ts.isObjectLiteralExpression(node) ? node.properties : []).flatMap((fact) =>
      ts.isPropertyAssignment(fact) ? [[fact.name.getText(), fact.initializer]] : []
    )
  )

/**
 * The operations of a domain, with the facts of their declarations.
 *
 * @param {ReturnType<typeof readModule>} domain
 */
const operationsOf = ({ constants, interfaces, models, params, path }) =>
  constants.flatMap(({ does, name, value }) => {
    if (models.includes(name) || params.some(({ declare }) => declare === name)) {
      return []
    }
    const [declaration] = ts.isCallExpression(value) ? value.arguments : []
    const facts = factsIn(declaration)
    const signature = interfaces.flatMap(({ members }) => members).find((member) => member.name?.getText() === name)
    if (!signature || !facts.has("path")) {
      throw new Error(
        `${core}/${path}.ts exports ${name}: an operation is in the interface of operations, a record or params have an interface`
      )
    }
    return [{ name, does, facts, maximum: factsIn(facts.get("limit")).get("maximum"), types: typesIn(signature) }]
  })

/** @param {string} about @param {...string} parts */
const moduleOf = (about, ...parts) => `/**\n * ${about}\n *\n * @since 0.2.0\n */\n${parts.join("\n\n")}\n`

/** @param {string} what @param {ReadonlyArray<string>} names @param {string} path */
const exportFrom = (what, names, path) =>
  names.length === 0 ? "" : `${what} { ${[...names].sort().join(", ")} } from "../${path}.js"\n`

/**
 * The params of a module that operations take.
 *
 * @param {Pick<ReturnType<typeof readModule>, "params">} module
 * @param {ReturnType<typeof operationsOf>} operations
 */
const typesFrom = ({ params }, operations) =>
  params.flatMap(({ name }) => (operations.some(({ types }) => types.includes(name)) ? [name] : []))

/** The source of each file, by its path. */
export const generated = () => {
  const modules = Object.entries(domains).map(([name, what]) => {
    const module = readModule(name)
    return { ...module, name, what, operations: operationsOf(module) }
  })
  const models = readdirSync(join(root, core, "model"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readModule(`model/${file.replace(".ts", "")}`))
  /** The modules of params that are not in the file of a domain. */
  const shared = readModule("listUpdates")
  const all = [...models, shared, ...modules]
  const operations = modules.flatMap(({ operations }) => operations)
  const replies = new Set(operations.map(({ facts }) => facts.get("reply")?.getText()))
  const params = new Map(
    all.flatMap((module) =>
      module.params.map(({ declare, name }) => {
        const isUpdate = operations.some(
          ({ facts, types }) => types.includes(name) && facts.get("rule")?.getText() === "changesSomething"
        )
        return [name, { declare: `${module.path}.${declare}`, type: `${module.path}.${name}`, isUpdate }]
      })
    )
  )

  const described = [
    ...all.flatMap(({ records }) =>
      records.map((name) => [name, `: Described<models.${name}>`, `record(models.${name})`, `models.${name}`])
    ),
    ...Array.from(params, ([name, { declare, isUpdate, type }]) => [
      name,
      "",
      `${isUpdate ? "updateParams" : "params"}<${type}>("${name}", ${declare})`,
      type
    ])
  ].sort(([a = ""], [b = ""]) => (a < b ? -1 : 1))

  const rows = modules.map(({ name: domain, operations }) => {
    const ofDomain = operations.map(({ facts, maximum, name, types }) => {
      const taken = types.find((type) => params.has(type))
      const options = [
        ...(maximum && !taken ? ["limit", "offset"] : []),
        ...["fields", "nsfw"].filter((option) => facts.has(option))
      ]
      const fields = [
        ...(taken ? [`...${taken}.fields`] : []),
        ...options.map((option) => `${option}: kinds.${option}${option === "limit" ? `(${maximum?.getText()})` : ""}`)
      ]
      const inputTypes = [
        ...(taken ? [taken] : []),
        ...(options.length > 0 ? [`DescribedOptions<${options.map((option) => `"${option}"`).join(" | ")}>`] : [])
      ]
      const reply = facts.get("reply")?.getText()
      const inputs = fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`
      const output = reply === "undefined" ? "typeof Schema.Void" : `Described<${reply}>`
      const row = `operation<${inputTypes.join(" & ") || "{}"}, ${output}>("${domain}.${name}", ${inputs}, ${reply === "undefined" ? "Schema.Void" : reply})`
      return `${name}: ${params.get(taken ?? "")?.isUpdate ? `updating(${row})` : row}`
    })
    return `${domain}: { ${ofDomain.join(", ")} }`
  })

  /** @typedef {ReturnType<typeof operationsOf>[number]} Operation */
  /** @param {Operation["facts"]} facts */
  const isRead = (facts) => facts.get("method")?.getText() === '"GET"'
  /**
   * The names of some operations: one name has one meaning in all domains.
   *
   * @param {(operation: Operation) => boolean} which
   */
  const namesOf = (which) => [...new Set(operations.filter(which).map(({ name }) => name))]

  return new Map([
    ...modules.map(
      ({ name, operations, path, types, what }) =>
        /** @type {const} */ ([
          `${core}/generated/${name}.ts`,
          moduleOf(
            `The operations on ${what} as separate exports: a bundle contains only what it imports. Written by the build.`,
            exportFrom(
              "export",
              operations.map((operation) => operation.name),
              path
            ) +
              exportFrom("export type", types, path) +
              exportFrom("export type", typesFrom(shared, operations), shared.path)
          )
        ])
    ),
    ...modules.map(
      ({ name, operations, what }) =>
        /** @type {const} */ ([
          `packages/promise/src/entries/${name}.ts`,
          `/**
 * The operations on ${what}, for \`createCatalogOf\`. Written by the build, from those of core.
 */
import type { CatalogOperation } from "../createCatalog.js"
import * as operations from "#core/generated/${name}.js"

${operations
  .map(
    (operation) =>
      `/** ${operation.does}\`catalog.${name}.${operation.name}\`. */\nexport const ${operation.name}: CatalogOperation<"${name}.${operation.name}"> = operations.${operation.name}`
  )
  .join("\n\n")}
`
        ])
    ),
    [
      "packages/promise/src/internal/queryKinds.ts",
      `/**
 * What queries make of operations. Written by the build, from their declarations.
 */

/** Operations that take only options. */
export const withoutParams: ReadonlyArray<string> = ${JSON.stringify(namesOf(({ facts }) => !facts.has("inputs")))}

/** Operations that return what belongs to the caller. */
export const ofCaller: ReadonlyArray<string> = ${JSON.stringify(namesOf(({ facts }) => isRead(facts) && facts.get("token")?.getText() === "needsToken"))}

/** Operations that change a list. */
export const writes: ReadonlyArray<string> = ${JSON.stringify(namesOf(({ facts }) => !isRead(facts)))}
`
    ],
    [
      `${core}/generated/types.ts`,
      moduleOf(
        "What operations take and return. Written by the build.",
        all
          .map(
            ({ models, path, ...module }) =>
              exportFrom("export type", typesFrom(module, operations), path) +
              exportFrom(
                "export type",
                models.filter((name) => replies.has(name)),
                path
              )
          )
          .join("")
      )
    ],
    [
      `${core}/generated/models.ts`,
      moduleOf(
        "The records of replies and their sets of words. Written by the build.",
        all.map(({ models, path }) => exportFrom("export", models, path)).join("")
      )
    ],
    [
      `${core}/generated/described.ts`,
      moduleOf(
        "The Schemas of the subpath `schemas`. Written by the build.",
        `import * as Schema from "effect/Schema"
${[shared, ...modules].map(({ path }) => `import * as ${path} from "../${path}.js"`).join("\n")}
import { type Described, operation, type DescribedOptions, params, record, updateParams, updating } from "../internal/schemas/described.js"
import { kinds } from "../internal/schemas/inputSchemas.js"
import * as models from "./models.js"

${exportFrom(
  "export",
  models.flatMap(({ models, records }) => models.filter((name) => !records.includes(name))),
  "generated/models"
)}`,
        ...described.map(
          ([name, type, value, from]) =>
            `export const ${name}${type} = /*#__PURE__*/ ${value}\nexport type ${name} = ${from}`
        ),
        `export const operations = /*#__PURE__*/ (() => ({ ${rows.join(", ")} }))()`
      )
    ]
  ])
}

/** @param {string} text */
const words = (text) => text.replaceAll(/\s+/g, "")

if (isMain(import.meta)) {
  const options = JSON.parse(readFileSync(join(root, ".oxfmtrc.json"), "utf8"))
  for (const [file, text] of generated()) {
    const path = join(root, file)
    if (!existsSync(path) || words(readFileSync(path, "utf8")) !== words(text)) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, (await format(file, text, options)).code)
    }
  }
}
