// The comments on records, params and operations, for the descriptions in the subpath `schemas` of core: a doc comment does not
// exist at run time. `npm run api` writes them as JSON, and builds again if they have changed.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { buildOrExit } from "../build.mjs"
import { isMain, root } from "../workspace.mjs"
import { declaredOperations, formatSource } from "./declarations.mjs"
import { modelFor, models } from "./models.mjs"

/** @import { DeclaredInput } from "./declarations.mjs" */
/** @import { Model } from "./models.mjs" */

/** Where the comments are kept. */
export const file = join(root, "packages/core/src/internal/schemas/comments.json")

/**
 * A model's comment and its members' comments. A member without a comment gets that of its enumeration.
 *
 * @param {string} own
 * @param {ReadonlyArray<{ readonly name: string, readonly comment: string, readonly model: Model | undefined }>} members
 */
const commentsOf = (own, members) =>
  Object.fromEntries(
    [["", own], ...members.map(({ comment, model, name }) => [name, comment || model?.comment])].filter(
      ([, text]) => text
    )
  )

/** @param {ReadonlyArray<DeclaredInput>} inputs */
const ofInputs = (inputs) => inputs.map((input) => ({ ...input, model: models.get(input.type) }))

/** What an operation does; what it fails with is left out. @param {string} comment */
const withoutErrors = (comment) => (comment.split(/\s*Fails with /)[0] ?? "").replaceAll(/\s+/g, " ")

/** The JSON. */
export const commentsJson = async () => {
  const { commentOn, domains } = declaredOperations()
  const operations = domains.flatMap(({ name: domain, operations }) =>
    operations.map((operation) => ({ ...operation, path: `${domain}.${operation.name}` }))
  )
  const comments = {
    records: Object.fromEntries(
      [...models.values()]
        .filter(({ members }) => members.length > 0)
        .map(({ comment, members, name }) => [
          name,
          commentsOf(
            comment,
            members.map((member) => ({ ...member, model: modelFor(member.type) }))
          )
        ])
    ),
    params: Object.fromEntries([
      ...operations.flatMap(({ inputs, params }) =>
        params === undefined ? [] : [[params, commentsOf(commentOn(params).replaceAll(/\s+/g, " "), ofInputs(inputs))]]
      ),
      [
        "options",
        commentsOf(
          "",
          ofInputs(operations.flatMap(({ inputs, options, params }) => (params ? options : [...options, ...inputs])))
        )
      ]
    ]),
    operations: Object.fromEntries(
      operations.map(({ comment, path }) => [path, commentsOf(withoutErrors(comment), [])])
    )
  }
  return formatSource("comments.json", JSON.stringify(comments))
}

if (isMain(import.meta)) {
  const json = await commentsJson()
  if (json !== readFileSync(file, "utf8")) {
    writeFileSync(file, json)
    buildOrExit()
  }
}
