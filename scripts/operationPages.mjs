// A page for each operation: what its doc comments say, how it is called, and what goes over the wire then, recorded from
// the embedded service. `npm run api` writes them to docs/operations/.
import { join } from "node:path"
import { AnimeNode, MangaNode } from "@catalog-client/core"
import { getPropertySignatures } from "effect/SchemaAST"
import { format } from "oxfmt"
import { declaredOperations, found, load } from "./declarations.mjs"
import { exchanges, refusals } from "./exchanges.mjs"
import { jsonOf, openApi } from "./openApi.mjs"
import { root } from "./setup.mjs"

/**
 * @import { DeclaredOperation } from "./declarations.mjs"
 * @import { Recorded, Refusal, SentRequest } from "./exchanges.mjs"
 * @import { JsonSchema, OpenApiDocument, OpenApiOperation } from "./openApi.mjs"
 */

/** Where the pages are kept. */
export const folder = join(root, "docs/operations")

/**
 * @param {string} language
 * @param {string} text
 */
const fence = (language, text) => `\`\`\`${language}\n${text}\n\`\`\``

/** @param {string} code */
const formatted = async (code) => (await format("example.ts", code, { semi: false, trailingComma: "none" })).code.trim()

/** @param {unknown} value */
const json = (value) => fence("json", JSON.stringify(value, null, 2))

/**
 * The first line of a request, with the query readable, and its form.
 *
 * @param {SentRequest} request
 */
const requestOf = ({ form, method, url }) =>
  fence("http", `${method} ${decoded(url)}${form === undefined ? "" : `\n\n${form}`}`)

/** @param {string} ref */
const nameOf = (ref) => ref.slice(ref.lastIndexOf("/") + 1)

/**
 * What the record of a reply holds: the members of its schema, those of an entry's item for a list.
 *
 * @param {OpenApiDocument} document
 * @param {OpenApiOperation} operation
 */
const recordOf = (document, operation) => {
  const resolved = (/** @type {JsonSchema} */ schema) =>
    schema.$ref === undefined ? schema : found(document.components.schemas[nameOf(schema.$ref)], schema.$ref)
  const reply = resolved(jsonOf(operation).schema)
  const entry = resolved(reply.properties?.["data"]?.items ?? reply)
  return resolved(entry.properties?.["node"] ?? entry)
}

/**
 * @param {JsonSchema} schema
 * @returns {string}
 */
const typeOf = (schema) => {
  if (schema.items !== undefined) {
    return `list of ${typeOf(schema.items)}`
  }
  return schema.$ref === undefined ? (schema.type ?? "object") : nameOf(schema.$ref)
}

/**
 * @param {ReadonlyArray<string>} head
 * @param {ReadonlyArray<ReadonlyArray<string>>} rows
 */
const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

/** @param {string} text */
const cell = (text) => text.replaceAll("|", "\\|")

/**
 * Doc comments speak of errors in a sentence of their own.
 *
 * @param {string} comment
 */
const parted = (comment) => {
  const paragraphs = comment.split(/\n\s*\n/).map((text) => text.replaceAll(/\s+/g, " "))
  const [said = "", errors = ""] = paragraphs.join("\n\n").split(/\s*Fails with /)
  return { said: said.trim(), errors: errors.trim() }
}

/** @type {typeof import("../packages/core/src/model/row.js")} */
const { onDemand, rows } = await load("packages/core/src/model/row.ts")
/** @type {typeof import("../docs/.vitepress/explore/code.js")} */
const { curlOf, effectOf, promiseOf } = await load("docs/.vitepress/explore/code.ts")
/** @type {typeof import("../docs/.vitepress/urls.js")} */
const { decoded } = await load("docs/.vitepress/urls.ts")

/**
 * The members of a record, by name.
 *
 * @param {typeof AnimeNode | typeof MangaNode} record
 */
const namesOf = (record) => getPropertySignatures(record.ast).map(({ name }) => String(name))

/**
 * The endpoint of an operation.
 *
 * @param {OpenApiDocument} document
 * @param {string} name
 */
const endpointOf = (document, name) => {
  const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, declared]) => ({ path, method, declared }))
  )
  return found(
    endpoints.find(({ declared }) => declared.operationId === name),
    `endpoint of ${name}`
  )
}

/** @param {OpenApiOperation} declared */
const credentialOf = ({ security }) =>
  security.length === 1
    ? "an access token"
    : security.length === 2
      ? "an access token for `@me`, and a client identifier for other users"
      : "a client identifier"

/**
 * @param {string} domain
 * @param {DeclaredOperation} operation
 * @param {OpenApiDocument} document
 * @param {Recorded} exchange
 * @param {ReadonlyArray<Refusal>} refused
 */
const pageOf = async (domain, operation, document, exchange, refused) => {
  const name = `${domain}.${operation.name}`
  const { said, errors } = parted(operation.comment)
  const { declared, method, path } = endpointOf(document, name)
  const needsToken = declared.security.length === 1 || exchange.request.url.includes("/@me")
  const isList = "items" in jsonOf(declared).schema
  const call = { operation: name, inputs: exchange.inputs }
  const promise = await formatted(
    promiseOf(call, needsToken ? { accessToken: "my-access-token" } : { clientId: "my-client-id" })
  )
  const effect = await formatted(effectOf(call))
  const schema = recordOf(document, declared)
  const isOfItem = "main_picture" in (schema.properties ?? {})
  // Pages carry fewer members of an item than a read of one.
  const carried = domain === "manga" || name === "user.mangaList" ? namesOf(MangaNode) : namesOf(AnimeNode)
  const members = Object.entries(schema.properties ?? {}).filter(
    ([member]) => !isOfItem || !operation.isPaged || carried.includes(member)
  )
  const takesFields = declared.parameters.some(({ name }) => name === "fields")
  /** @type {ReadonlyArray<string>} */
  const row = isOfItem ? rows.main_picture : rows.joined_at
  /** @type {ReadonlyArray<string>} */
  const unlessNamed = onDemand
  const isSent = (/** @type {string} */ member) =>
    domain === "user" || isOfItem ? row.includes(member) : !unlessNamed.includes(member)
  const sections = [
    `# \`${name}\``,
    "<!-- Written by `npm run api` from doc comments, declarations and recorded exchanges. -->",
    said,
    `\`${method.toUpperCase()} ${path}\` · needs ${credentialOf(declared)}${operation.isPaged ? " · [whole lists](../whole-lists.md): `pages`, `items`, `collect`" : ""}`,
    "## Call it",
    "With promises:",
    fence("ts", promise),
    "With Effect:",
    fence("ts", effect),
    "Without a client:",
    fence("sh", curlOf(exchange.request, needsToken ? "accessToken" : "clientId")),
    "## Inputs",
    operation.inputs.length === 0
      ? "It takes options alone."
      : table(
          ["name", "", "what it is"],
          operation.inputs
            .toSorted((a, b) => Number(a.isOptional) - Number(b.isOptional))
            .map(({ comment, isOptional, name }) => [
              `\`${name}\``,
              isOptional ? "optional" : "required",
              cell(comment)
            ])
        ),
    "Each operation also takes [the options of a call](../options.md).",
    ...(members.length === 0 || isList
      ? []
      : [
          "## What a record holds",
          ...(takesFields ? ["[`fields`](../fields.md) names members that are not sent by default."] : []),
          table(
            ["member", "type", ...(takesFields ? ["when"] : [])],
            members.map(([member, type]) => [
              `\`${member}\``,
              typeOf(type),
              ...(takesFields ? [isSent(member) ? "by default" : "if named"] : [])
            ])
          )
        ]),
    "## Errors",
    `It fails with ${errors}`,
    "[All errors, and what to do](../errors.md).",
    "## Recorded",
    "What the embedded service was sent for the call above, and what it answered:",
    requestOf(exchange.request),
    json(exchange.body),
    ...(refused.length === 0
      ? []
      : [
          "### Refusals",
          ...refused.flatMap(({ because, exchange }) => [
            `${because}, status ${exchange.status}:`,
            `${requestOf(exchange.request)}\n\n${json(exchange.body)}`
          ])
        ])
  ]
  return `${sections.join("\n\n")}\n`
}

/**
 * What an operation does, in one sentence.
 *
 * @param {DeclaredOperation} operation
 */
const sentenceOf = (operation) => parted(operation.comment).said.split(/(?<=[.])\s/)[0] ?? ""

/**
 * A call as it is written: its required inputs, and `…` if it has others than those of its pages.
 *
 * @param {DeclaredOperation} operation
 */
const shortCall = ({ inputs, name }) => {
  const params = inputs.filter(({ isOption }) => !isOption)
  const required = params.filter(({ isOptional }) => !isOptional).map(({ name }) => name)
  const hasMore = params.some(({ isOptional, name }) => isOptional && name !== "limit" && name !== "offset")
  const written = [...required, ...(hasMore ? ["…"] : [])]
  return `${name}(${written.length === 0 ? "" : `{ ${written.join(", ")} }`})`
}

/** The table of AGENTS.md: what each operation does, how it is called, and the credential it needs. */
export const tableForAgents = async () => {
  /** @type {OpenApiDocument} */
  const document = JSON.parse(await openApi())
  const rows = declaredOperations().domains.flatMap(({ name: domain, operations }) =>
    operations.map((operation) => {
      const { declared } = endpointOf(document, `${domain}.${operation.name}`)
      return [`\`${domain}.${shortCall(operation)}\``, cell(sentenceOf(operation)), credentialOf(declared)]
    })
  )
  return table(["call", "what it does", "needs"], rows)
}

/** The pages by the names of their files. */
export const operationPages = async () => {
  /** @type {OpenApiDocument} */
  const document = JSON.parse(await openApi())
  const [recorded, refused] = await Promise.all([exchanges(), refusals()])
  const { domains } = declaredOperations()
  /** @type {Map<string, string>} */
  const pages = new Map()
  /** @type {Array<ReadonlyArray<string>>} */
  const rows = []
  for (const { name: domain, operations } of domains) {
    for (const operation of operations) {
      const name = `${domain}.${operation.name}`
      const file = `${name}.md`
      const exchange = found(recorded.get(name), `exchange of ${name}`)
      pages.set(file, await pageOf(domain, operation, document, exchange, refused.get(name) ?? []))
      rows.push([`[\`${name}\`](${file})`, `\`${exchange.request.method}\``, cell(sentenceOf(operation))])
    }
  }
  pages.set(
    "README.md",
    `# Operations\n\n<!-- Written by \`npm run api\`. -->\n\n${table(["operation", "", "what it does"], rows)}\n`
  )
  return pages
}
