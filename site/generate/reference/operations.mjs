// What each operation returns and fails with, under `Catalog` of Effect.
import { declaredOperations, found, load } from "../../../scripts/generate/declarations.mjs"
import { modelFor, replyOf } from "../../../scripts/generate/models.mjs"
import { addressFrom, namedOn } from "./outline.mjs"

/** @type {typeof import("../../urls.js")} */
const { anchorOf } = await load("site/urls.ts")

/** The errors that each operation has. */
const common = ["ClientRestError", "ClientNetworkError"]

/** The aliases in the signatures below, which name what most operations have. */
const aliases = `type E = ${common.join(" | ")}\ntype R = HttpClient | Credentials`

/** Where the names in them are explained, as the page of Effect writes it. */
const links = new Map(
  [...common, "ClientAuthError", "ClientValidationError", "Credentials"].map(
    (name) => /** @type {const} */ ([name, addressFrom(found(namedOn("core.md", name), name), "core.md")])
  )
)

const domains = declaredOperations().domains.map(({ name: domain, operations }) =>
  operations
    .map(({ name, params, signatures: { ofEffect } }) => {
      const operation = `${domain}.${name}`
      const ast = replyOf(operation)
      const reply = ast && modelFor(ast)?.name
      links.set(operation, `../operations/${domain}.md#${anchorOf(operation)}`)
      if (reply !== undefined) {
        links.set(reply, `../operations/records.md#${anchorOf(reply)}`)
      }
      const own = [...new Set(ofEffect.match(/\bClient\w+Error\b/g))].filter((error) => !common.includes(error))
      const first = params === undefined ? "" : ofEffect.includes("(params?:") ? "params?, " : "params, "
      return `${operation}(${first}options?): Effect<${[reply ?? "void", ["E", ...own].join(" | "), "R"].join(", ")}>`
    })
    .join("\n")
)

/** The operations by domain, a line for each, and their links. */
export const operationsOfEffect = { code: [aliases, ...domains].join("\n\n"), links }
