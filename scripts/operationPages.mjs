// A page for each operation: what its doc comments say, how it is called, and what goes over the wire then, recorded from
// the embedded service. `npm run api` writes them to docs/operations/.
import { fileURLToPath } from "node:url"
import { AnimeNode, MangaNode } from "@catalog-client/core"
import { format } from "oxfmt"
import { declaredOperations, load } from "./declarations.mjs"
import { exchanges, refusals } from "./exchanges.mjs"
import { openApi } from "./openApi.mjs"

/** Where the pages are kept. */
export const folder = fileURLToPath(new URL("../docs/operations", import.meta.url))

const fence = (language, text) => `\`\`\`${language}\n${text}\n\`\`\``

const formatted = async (code) => (await format("example.ts", code, { semi: false, trailingComma: "none" })).code.trim()

const json = (value) => fence("json", JSON.stringify(value, null, 2))

/** The first line of a request, with the query readable, and its form. */
const requestOf = ({ form, method, url }) =>
  fence("http", `${method} ${decoded(url)}${form === undefined ? "" : `\n\n${form}`}`)

/** What the record of a reply holds: the members of its schema, those of an entry's item for a list. */
const recordOf = (document, operation) => {
  const named = ({ $ref }) => document.components.schemas[$ref.split("/").at(-1)]
  const resolved = (schema) => (schema?.$ref === undefined ? schema : named(schema))
  let schema = resolved(operation.responses[200].content["application/json"].schema)
  schema = resolved(schema.properties?.data?.items) ?? schema
  schema = resolved(schema.properties?.node) ?? schema
  return schema
}

const typeOf = (schema) => {
  if (schema.type === "array") {
    return `list of ${typeOf(schema.items)}`
  }
  if (schema.$ref !== undefined) {
    return schema.$ref.split("/").at(-1)
  }
  return schema.type ?? "object"
}

const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

const cell = (text) => text.replaceAll("|", "\\|")

/** Doc comments speak of errors in a sentence of their own. */
const parted = (comment) => {
  const paragraphs = comment.split(/\n\s*\n/).map((text) => text.replaceAll(/\s+/g, " "))
  const [said, errors = ""] = paragraphs.join("\n\n").split(/\s*Fails with /)
  return { said: said.trim(), errors: errors.trim() }
}

const { onDemand, rows } = await load("packages/core/src/model/row.ts")
const { curlOf, effectOf, promiseOf } = await load("docs/.vitepress/explore/code.ts")
const { decoded } = await load("docs/.vitepress/urls.ts")

const pageOf = async (domain, operation, document, exchange, refused) => {
  const name = `${domain}.${operation.name}`
  const { said, errors } = parted(operation.comment)
  const [path, methods] = Object.entries(document.paths).find(([, methods]) =>
    Object.values(methods).some(({ operationId }) => operationId === name)
  )
  const [method, declared] = Object.entries(methods).find(([, { operationId }]) => operationId === name)
  const needsToken = declared.security.length === 1 || exchange.request.url.includes("/@me")
  const isList = "items" in declared.responses[200].content["application/json"].schema
  const call = { operation: name, inputs: exchange.inputs }
  const promise = await formatted(
    promiseOf(call, needsToken ? { accessToken: "my-access-token" } : { clientId: "my-client-id" })
  )
  const effect = await formatted(effectOf(call))
  const schema = recordOf(document, declared)
  const isOfItem = "main_picture" in (schema.properties ?? {})
  // Pages carry fewer members of an item than a read of one.
  const carried = domain === "manga" || name === "user.mangaList" ? MangaNode.fields : AnimeNode.fields
  const members = Object.entries(schema.properties ?? {}).filter(
    ([member]) => !isOfItem || !operation.isPaged || member in carried
  )
  const takesFields = declared.parameters.some(({ name }) => name === "fields")
  const row = isOfItem ? rows.main_picture : rows.joined_at
  const isSent = (member) => (domain === "user" || isOfItem ? row.includes(member) : !onDemand.includes(member))
  const credential =
    declared.security.length === 1
      ? "an access token"
      : declared.security.length === 2
        ? "an access token for `@me`, and a client identifier for other users"
        : "a client identifier"
  const sections = [
    `# \`${name}\``,
    "<!-- Written by `npm run api` from doc comments, declarations and recorded exchanges. -->",
    said,
    `\`${method.toUpperCase()} ${path}\` · needs ${credential}${operation.isPaged ? " · [whole lists](../../README.md#whole-lists): `pages`, `items`, `collect`" : ""}`,
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
    "Each operation also takes [the options of a call](../../README.md#operations).",
    ...(members.length === 0 || isList
      ? []
      : [
          "## What a record holds",
          ...(takesFields ? ["[`fields`](../../README.md#fields) names members that are not sent by default."] : []),
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
 * The pages by the names of their files.
 *
 * @returns {Promise<Map<string, string>>}
 */
export const operationPages = async () => {
  const document = JSON.parse(await openApi())
  const [recorded, refused] = await Promise.all([exchanges(), refusals()])
  const { domains } = declaredOperations()
  const pages = new Map()
  const rows = []
  for (const { name: domain, operations } of domains) {
    for (const operation of operations) {
      const name = `${domain}.${operation.name}`
      const file = `${name}.md`
      pages.set(file, await pageOf(domain, operation, document, recorded.get(name), refused.get(name) ?? []))
      rows.push([
        `[\`${name}\`](${file})`,
        `\`${recorded.get(name).request.method}\``,
        cell(parted(operation.comment).said.split(/(?<=[.])\s/)[0])
      ])
    }
  }
  pages.set(
    "README.md",
    `# Operations\n\n<!-- Written by \`npm run api\`. -->\n\n${table(["operation", "", "what it does"], rows)}\n`
  )
  return pages
}
