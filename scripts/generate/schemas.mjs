// The source of the subpath `schemas` of core: the Schemas of what each operation takes and returns, with the doc comments of
// their types as descriptions, and with ranges and samples by the names of their members. `npm run api` writes it.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Catalog } from "@catalog-client/core"
import { SchemaAST } from "effect"
import { makeFace } from "../../packages/core/dist/internal/call/interpreter.js"
import { isProgram, root, runScript } from "../setup.mjs"
import { declaredOperations, formatSource, found } from "./declarations.mjs"
import { elementOf, modelFor, models, replyOf } from "./models.mjs"

/** @import { DeclaredInput, DeclaredOperation } from "./declarations.mjs" */
/** @import { Model, ModelMember } from "./models.mjs" */

/** Where the source is kept. */
export const file = join(root, "packages/core/src/schemas.ts")

/**
 * The first rule whose pattern a member's name matches.
 *
 * @param {ReadonlyArray<readonly [RegExp, string]>} rules
 * @param {string} name
 */
const byName = (rules, name) => found(rules.find(([pattern]) => pattern.test(name))?.[1], `kind of ${name}`)

/** The formats of numbers, by the names of members of replies. */
const numbers = /** @type {const} */ ([
  [/^(id|anime_id|rank|previous_rank|popularity|number)$/, "formats.id"],
  [/^year$/, "formats.year"],
  [/^(mean|mean_score)$/, "formats.mean"],
  [/^score$/, "formats.score"],
  [/^priority$/, "formats.priority"],
  [/^(rewatch|reread)_value$/, "formats.repeatValue"],
  [/^num_days/, "formats.days"],
  [/_at$/, "formats.milliseconds"],
  [/users|favorites|votes/, "formats.people"],
  [/./, "formats.count"]
])

/** The formats of strings: by the beginning of the comment on a member, or by its name. */
const stringsByComment = /** @type {const} */ ([
  [/^URL/, "formats.url"],
  [/^ISO 8601, possibly partial/, "formats.date"]
])
const strings = /** @type {const} */ ([
  [/_at$/, "formats.timestamp"],
  [/^birthday$/, "formats.day"],
  [/^start_time$/, "formats.time"],
  [/^(title|name|first_name|last_name|en|ja|synonyms|location)$/, "formats.name"],
  [/^(gender|tags|role|time_zone|relation_type_formatted|forum_title)$/, "formats.word"],
  [/^(watching|completed|on_hold|dropped|plan_to_watch)$/, "formats.digits"],
  [/./, "formats.prose"]
])

/** What inputs must be, by their names. */
const inputNumbers = /** @type {const} */ ([
  [/^(id|boardId|subboardId)$/, "formats.id"],
  [/^year$/, "formats.year"],
  [/^score$/, "formats.score"],
  [/^priority$/, "formats.priority"],
  [/_value$/, "formats.repeatValue"],
  [/^offset$|^num_/, "formats.anyCount"]
])
const inputStrings = /** @type {const} */ ([
  [/^q$/, "formats.keyword"],
  [/^(username|userName|topicUserName)$/, "formats.username"],
  [/_date$/, "formats.writtenDate"],
  [/^comments$/, "formats.prose"]
])

/** @param {string} text */
const quoted = (text) => JSON.stringify(text)

/** A description as a last argument, if there is one. @param {string} text */
const last = (text) => (text === "" ? "" : `, ${quoted(text)}`)

/** Whether a model is a record. @param {Model | undefined} model */
const isRecord = (model) => model !== undefined && model.members.length > 0

/**
 * The source of a member's Schema.
 *
 * @param {SchemaAST.AST} ast
 * @param {string} name
 * @param {string} comment
 * @returns {string}
 */
const schemaOf = (ast, name, comment) => {
  const model = modelFor(ast)
  const element = elementOf(ast)
  if (model !== undefined) {
    return isRecord(model) ? model.name : `words(models.${model.name}, ${quoted(comment || model.comment)})`
  }
  if (element !== undefined) {
    return `list${typeArgumentOf(element)}(${schemaOf(element, name, "")}${last(comment)})`
  }
  if (SchemaAST.isUnion(ast)) {
    const [one, other] = ast.types
    const types = typeArgumentOf(other) === "" ? "" : `<${[one, other].map(typeOf).join(", ")}>`
    return `either${types}(${schemaOf(one, name, "")}, ${schemaOf(other, name, "")}${last(comment)})`
  }
  if (SchemaAST.isNumberKeyword(ast)) {
    return `number(${byName(numbers, name)}${last(comment)})`
  }
  if (SchemaAST.isStringKeyword(ast)) {
    const kind = stringsByComment.find(([pattern]) => pattern.test(comment))?.[1] ?? byName(strings, name)
    return `text(${kind}${last(comment)})`
  }
  return `flag(${quoted(comment)})`
}

/**
 * The name of a record's type: without it, the declarations of the package would repeat the members.
 *
 * @param {SchemaAST.AST} ast
 * @returns {string}
 */
const typeOf = (ast) => {
  const element = elementOf(ast)
  return element === undefined ? `models.${modelFor(ast)?.name}` : `ReadonlyArray<${typeOf(element)}>`
}

/** @param {SchemaAST.AST} ast */
const typeArgumentOf = (ast) => {
  const model = modelFor(elementOf(ast) ?? ast)
  return isRecord(model) ? `<${typeOf(ast)}>` : ""
}

/**
 * A constant and its type.
 *
 * @param {string} name
 * @param {string} comment
 * @param {ReadonlyArray<string>} members
 * @param {string} type
 */
const exported = (name, comment, members, type) => {
  const made = `/*#__PURE__*/ struct(${quoted(name)}, ${quoted(comment)}, () => ({ ${members.join(", ")} }))`
  return `/** ${comment} */
export const ${name} = ${isUpdate(name) ? `/*#__PURE__*/ update(${made})` : made}
export type ${name} = ${type}`
}

/** Whether params are those of an update, which has to change something. @param {string | undefined} type */
const isUpdate = (type) => type?.endsWith("UpdateParams")

/**
 * The source of a member of a record. A record in it has its own description, besides that of the member.
 *
 * @param {ModelMember} member
 */
const memberOf = ({ comment, isOptional, name, type }) => {
  const schema = schemaOf(type, name, comment)
  const ofRecord = isRecord(modelFor(type))
  return `${name}: ${
    isOptional
      ? `optional${typeArgumentOf(type)}(${schema}${ofRecord ? last(comment) : ""})`
      : ofRecord
        ? `required<${typeOf(type)}>(${schema})`
        : schema
  }`
}

/**
 * The source of a record. The members of a large one that it contains whole are those of that one.
 *
 * @param {Model} model
 * @param {ReadonlyArray<Model>} others
 */
const recordOf = ({ comment, members, name }, others) => {
  const own = members.map(memberOf)
  const part = others.find(
    (other) =>
      other.name !== name &&
      other.members.length > 9 &&
      other.members.map(memberOf).every((member) => own.includes(member))
  )
  const ofPart = part?.members.map(memberOf) ?? []
  const fields = [...(part ? [`...${part.name}.fields`] : []), ...own.filter((member) => !ofPart.includes(member))]
  return exported(name, comment, fields, `models.${name}`)
}

/** The records, each after those that it contains. */
const records = () => {
  /** @type {Set<Model>} */
  const done = new Set()
  /** @param {SchemaAST.AST} ast */
  const visitType = (ast) => {
    const model = modelFor(ast)
    if (model !== undefined) {
      visit(model)
    } else if (SchemaAST.isUnion(ast)) {
      ast.types.forEach(visitType)
    } else {
      const element = elementOf(ast)
      if (element !== undefined) {
        visitType(element)
      }
    }
  }
  /** @param {Model} model */
  const visit = (model) => {
    if (isRecord(model) && !done.has(model)) {
      model.members.forEach(({ type }) => visitType(type))
      done.add(model)
    }
  }
  for (const model of models.values()) {
    visit(model)
  }
  return [...done]
}

/** @type {Record<string, Record<string, { readonly maximum?: number }>>} */
const limits = makeFace(Catalog, undefined, ({ limit }) => ({ maximum: limit?.maximum }))

/**
 * The source of an input's Schema.
 *
 * @param {DeclaredInput} input
 * @param {number | undefined} most the largest limit
 */
const inputOf = ({ comment, isOptional, name, type }, most) => {
  const model = models.get(type)
  const schema =
    name === "limit"
      ? `checkedNumber(formats.whole(1, ${most}), ${quoted(comment)})`
      : name === "fields"
        ? `list(text(formats.field), ${quoted(comment)})`
        : model !== undefined
          ? `words(models.${type}, ${quoted(comment || model.comment)})`
          : type === "number"
            ? `checkedNumber(${byName(inputNumbers, name)}, ${quoted(comment)})`
            : type === "boolean"
              ? `flag(${quoted(comment)})`
              : type === "string"
                ? `checkedText(${byName(inputStrings, name)}, ${quoted(comment)})`
                : `list(text(${byName(strings, name)}), ${quoted(comment)})`
  return `${name}: ${isOptional ? `maybe(${schema})` : schema}`
}

/** What an operation does; what it fails with is left out. @param {DeclaredOperation} operation */
const descriptionOf = ({ comment }) => (comment.split(/\s*Fails with /)[0] ?? "").replaceAll(/\s+/g, " ")

/** The source. */
export const schemasModule = async () => {
  const { commentOn, domains } = declaredOperations()
  const all = records()
  /** @type {Map<string, string>} */
  const params = new Map()
  /** The options, which have one comment in all operations. @type {Map<string, string>} */
  const shared = new Map()
  const operations = domains.map(({ name: domain, operations }) => {
    const entries = operations.map((operation) => {
      const most = limits[domain]?.[operation.name]?.maximum
      const { inputs, name, options, params: type } = operation
      if (type !== undefined) {
        const comment = commentOn(type).replaceAll(/\s+/g, " ")
        params.set(
          type,
          exported(
            type,
            comment,
            inputs.map((input) => inputOf(input, most)),
            `core.${type}`
          )
        )
      }
      const own = type === undefined ? inputs.map((input) => inputOf(input, most)) : [`...${type}.fields`]
      for (const option of options) {
        shared.set(option.name, inputOf(option, most).replace(/^\w+: /, ""))
      }
      const members = [...own, ...options.map(({ name }) => name)]
      const all = `inputsOf("${domain}.${name}", { ${members.join(", ")} })`
      const reply = replyOf(`${domain}.${name}`)
      const description = descriptionOf(operation)
      const schemas = [isUpdate(type) ? `update(${all})` : all, reply ? modelFor(reply)?.name : "Schema.Void"]
      return `/** ${description} */
      ${name}: operation(${quoted(description)}, ${schemas.join(", ")})`
    })
    return `${domain}: { ${entries.join(",\n")} }`
  })
  return formatSource(
    "schemas.ts",
    [
      header,
      ...all.map((model) => recordOf(model, all)),
      ...params.values(),
      ...Array.from(shared, ([name, schema]) => `const ${name} = /*#__PURE__*/ (() => ${schema})()`),
      `${operationType}

${operationsComment}
export const operations = /*#__PURE__*/ (() => ({ ${operations.join(", ")} }))()`
    ].join("\n\n")
  )
}

const header = `/**
 * What each operation takes and returns, as Schemas for your own interfaces: an \`HttpApi\`, a group of RPCs, a form, the
 * tools of a language model, a property test. Written by \`npm run api\` from the types of the client, and compared by \`npm test\`.
 *
 * Each has the doc comments of its type as descriptions, and plausible samples. Inputs have ranges and refuse what is out of
 * them. Words and replies are open, as the service is: the known words are examples. Decoding takes an update that changes
 * nothing, which the client refuses; with Effect 4, decoding refuses it too.
 *
 * @since 0.2.0
 */
import * as Schema from "effect/Schema"
import type * as core from "./index.js"
import * as formats from "./internal/schemas/formats.js"
import { checkedNumber, checkedText, either, flag, inputsOf, list, maybe, number, optional, required, struct, text, update, words } from "./internal/schemas/parts.js"
import * as models from "./model/index.js"`

const operationType = `/** An operation, described for interfaces of your own. */
export interface DescribedOperation<Inputs, Reply> {
  /** What it does. */
  readonly description: string
  /** What it takes: its params, and \`fields\` and \`nsfw\` if it has these options. */
  readonly inputs: Inputs
  /** What it returns. */
  readonly reply: Reply
}

const operation = <Inputs, Reply>(description: string, inputs: Inputs, reply: Reply): DescribedOperation<Inputs, Reply> => ({
  description,
  inputs,
  reply
})`

const operationsComment = `/**
 * The operations by domain and name, as \`Catalog\` has them.
 *
 * @example
 * \`\`\`ts
 * import { operations } from "@catalog-client/core/schemas"
 * import { Schema } from "effect"
 *
 * const { description, inputs } = operations.anime.search
 *
 * export const help = \`\${description} It takes \${Object.keys(inputs.fields).join(", ")}.\`
 *
 * // Throws for a blank q and for a limit of 5000.
 * export const parse = Schema.decodeUnknownSync(inputs)
 * \`\`\`
 */`

if (isProgram(import.meta)) {
  const source = await schemasModule()
  if (source !== readFileSync(file, "utf8")) {
    writeFileSync(file, source)
    process.exitCode = runScript("build") ? 0 : 1
  }
}
