// A page for the operations of each domain: what their doc comments say, how they are called, and what the service responds,
// recorded from the embedded one; and a page of all records and values. `npm run api` writes them to docs/operations/.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { format } from "oxfmt"
import { declaredOperations, found, load } from "../../scripts/generate/declarations.mjs"
import { exchanges, recordExamples } from "./exchanges.mjs"
import { elementOf, inWords, modelFor, models, replyOf } from "../../scripts/generate/models.mjs"
import { openApi } from "./openApi.mjs"
import { root } from "../../scripts/workspace.mjs"

/**
 * @import { DeclaredOperation } from "../../scripts/generate/declarations.mjs"
 * @import { Recorded } from "./exchanges.mjs"
 * @import { Model, ModelMember } from "../../scripts/generate/models.mjs"
 * @import { OpenApiDocument, OpenApiOperation } from "./openApi.mjs"
 */

/** The page that explains the types of signatures. */
const reference = "https://catalog-client.github.io/catalog-client/api/catalog-client"

/** Where the pages are kept. */
export const folder = join(root, "docs/operations")

/**
 * @param {string} language
 * @param {string} text
 */
const fence = (language, text) => `\`\`\`${language}\n${text}\n\`\`\``

/**
 * @param {string} code
 * @param {number} [printWidth] the letters of a line that has room beside what the code prints
 */
const formatted = async (code, printWidth = 82) =>
  (await format("example.ts", code, { semi: false, trailingComma: "none", printWidth })).code.trim()

/** @param {string} code */
const formattedSignature = async (code) =>
  (await formatted(`class Any {\n${code}\n}`, 100))
    .split(/\n {0,2}/)
    .slice(1, -1)
    .join("\n")

/** @param {unknown} value */
const json = (value) => fence("json", JSON.stringify(value, null, 2))

/**
 * @param {ReadonlyArray<string>} head
 * @param {ReadonlyArray<ReadonlyArray<string>>} rows
 */
const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

/** @param {string} text */
const cell = (text) => text.replaceAll("|", "\\|")

/**
 * A comment without what the page of all operations says once.
 *
 * @param {string} comment
 */
const withoutCommon = (comment) =>
  comment
    .replace(/\s*A client ID is enough[.]\s+Only the `my_list_status` field needs an access token[.]/, "")
    // The table says so of `fields`.
    .replace(/\s*By default, the reply has `id`, `title` and `main_picture`[.]/, "")
    .replace(/\s*Other values are sent unchanged, but the service may refuse them[.]/, "")
    // The section says so of the credential.
    .replace(/\s*`@me` needs an access token; another user's public list needs an access token or a client ID[.]/, "")

/**
 * Doc comments speak of errors in a sentence of their own.
 *
 * @param {string} comment
 */
const parted = (comment) => {
  const [said = "", errors = ""] = withoutCommon(comment).split(/\s*Fails\s+with\s/)
  const [purpose = "", ...more] = said.split(/\n\s*\n/).map((text) => text.replaceAll(/\s+/g, " ").trim())
  return { purpose, more: more.filter(Boolean), errors: errors.replaceAll(/\s+/g, " ").trim() }
}

/** @type {typeof import("../../packages/core/src/internal/model/defaultMembers.js")} */
const { defaultMembers, onDemand } = await load("packages/core/src/internal/model/defaultMembers.ts")
/** @type {typeof import("../explore/code.js")} */
const { credentialOf, curlOf, effectOf, promiseOf, source } = await load("site/explore/code.ts")
/** @type {typeof import("../urls.js")} */
const { anchorOf, errorAddressOf, sharedPages } = await load("site/urls.ts")

/**
 * A link to the page of an error, or to that of all.
 *
 * @param {string} text
 * @param {string} name
 */
const linkToError = (text, name) =>
  name.startsWith("client")
    ? `[${text}](../errors/README.md#${name})`
    : `[${text}](..${errorAddressOf(name).replace(/(?=#)|$/, ".md")})`

/**
 * An error with links to its page, and to those of its reasons.
 *
 * @param {string} error
 */
const linkedError = (error) =>
  error
    .replace(
      /(?<=`ClientAuthError` \()[^)]+/,
      (reason) => `${linkToError(reason, "missing")} or ${linkToError("no user", "signedout")}`
    )
    .replace(/`(Client\w+)`/, (text, name) => linkToError(text, name.toLowerCase()))
    .replace(/`(Empty\w+|NothingToChange)`/, (text, reason) => linkToError(text, reason.toLowerCase()))

/**
 * What an operation fails with, each in a line: the first two are those of every one, with the statuses that the service responds with.
 *
 * @param {string} errors
 * @param {ReadonlyArray<string>} refused the inputs of which the service accepts the values in the table
 */
const errorsOf = (errors, refused) => {
  const all = errors.replace(/[.]$/, "").split(/(?:, | and )(?=`Client)/)
  const [, reasons = ""] =
    /^`ClientRestError` \((.+)\)$/.exec(all.find((error) => error.startsWith("`ClientRest")) ?? "") ?? []
  const statuses = new Map([
    ...["400", "401", "403", "429", "5xx"].map((status) => /** @type {const} */ ([status, ""])),
    ...(refused.length === 0
      ? []
      : [/** @type {const} */ (["400", `other values of ${alternatives.format(refused)}`])]),
    ...Array.from(
      reasons.matchAll(/(\d{3}): (.+?)(?=; \d{3}:|$)/g),
      ([, status = "", reason = ""]) => /** @type {const} */ ([status, reason])
    )
  ])
  const responses = [...statuses]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([status, reason]) => linkToStatus(status) + (reason === "" ? "" : ` (${reason})`))
  return [
    "**Errors:**",
    [
      `${linkToError("`ClientRestError`", "clientresterror")}: ${responses.join(", ")}`,
      linkToError("`ClientNetworkError`", "clientnetworkerror"),
      ...all.filter((error) => !/^`Client(?:Rest|Network)Error`/.test(error)).map(linkedError)
    ]
      .map((line) => `- ${line}`)
      .join("\n")
  ]
}

/**
 * A status without its own section is in that of its kind.
 *
 * @param {string | number} status
 */
const linkToStatus = (status) => {
  const own = `status-${status}`
  return linkToError(
    `${status}`,
    own in sharedPages || existsSync(join(root, `docs/errors/${own}.md`)) ? own : `status-${String(status)[0]}xx`
  )
}

/** @param {ReadonlyArray<string>} values */
const listed = (values) => values.map((value) => `\`${value}\``).join(", ")

/** @param {ReadonlyArray<string>} values */
const together = (values) => new Intl.ListFormat("en").format(values.map((value) => `\`${value}\``))

const alternatives = new Intl.ListFormat("en", { type: "disjunction" })

/** @param {Model} model */
const linkTo = ({ name }) => `[${name}](records.md#${anchorOf(name)})`

/**
 * The same on the page itself.
 *
 * @param {Model} model
 */
const linkHere = ({ name }) => `[${name}](#${anchorOf(name)})`

/**
 * Whether a comment explains each of the values, so that they need no list.
 *
 * @param {string} comment
 * @param {ReadonlyArray<string>} values
 */
const says = (comment, values) => values.every((value) => comment.includes(`\`${value}\``))

/**
 * A comment with the values that are known, unless it explains them.
 *
 * @param {string} comment
 * @param {ReadonlyArray<string>} values
 */
const withValues = (comment, values) => {
  const isPhrase = /^[^:;,.]+[.]$/.test(comment)
  return says(comment, values)
    ? comment
    : isPhrase
      ? comment.replace(/[.]$/, `: ${listed(values)}.`)
      : `${comment} Values: ${listed(values)}.`
}

/**
 * What a member or an input is: its comment, or that of its set, and the values that are known.
 *
 * @param {string} comment
 * @param {Model | undefined} model
 */
const meaningOf = (comment, model) => {
  const { comment: ofSet = "", values = [] } = model ?? {}
  // That of the set may explain each value.
  const isMore = values.length > 0 && !says(comment, values) && says(ofSet, values)
  return cell(withValues(withoutCommon(comment === "" || isMore ? ofSet : comment), values))
}

/** When a member is sent that each reply has. */
const always = "always"

/** When a member is sent that each reply has if there is a value. */
const byDefault = "by default"

/** When a member is sent only if it is requested. */
const onRequest = "requested"

/**
 * The table of a record's members.
 *
 * @param {ReadonlyArray<ModelMember>} members
 * @param {(member: ModelMember) => string} when it is there
 * @param {(model: Model) => string} [link]
 */
const memberTable = (members, when, link = linkTo) => {
  const moments = members.map(when)
  const hasMoments = moments.includes(onRequest)
  return table(
    ["property", "type", ...(hasMoments ? ["when"] : []), "description"],
    members.map(({ comment, isOptional, name, type }, at) => {
      const model = modelFor(elementOf(type) ?? type)
      const meaning = meaningOf(comment, model)
      const moment = hasMoments ? [moments[at] ?? ""] : []
      return [`\`${name}${isOptional ? "?" : ""}\``, inWords(type, link), ...moment, meaning]
    })
  )
}

/** @param {ModelMember} member of a list status */
const isOnDemand = ({ name }) => onDemand.some((other) => other === name)

const missingIfUnknown = "Properties with `?` are absent, never `null`, when the service has no value."

/** @param {Model} model */
const described = (model) => `${/^[AEIO]/.test(model.name) ? "an" : "a"} ${linkTo(model)}`

/**
 * What an operation returns, and which record of it a table shows.
 *
 * @param {Model} reply
 * @param {Model | undefined} entry
 * @param {Model} record
 */
const returned = (reply, entry, record) => {
  const data = reply.members.find(({ name }) => name === "data")
  if (record === reply || data === undefined) {
    return `**Returns** ${described(reply)}.`
  }
  const of = entry && record !== entry ? ` of ${linkTo(entry)}` : ""
  const path = `data${elementOf(data.type) ? "[]" : ""}${record === entry ? "" : ".node"}`
  return `**Returns** ${described(reply)}${of}; ${path.includes("[]") ? "each" : "its"} \`${path}\` is ${described(record)}.`
}

/**
 * The type of a member, if it is a model or a list of one.
 *
 * @param {Model | undefined} model
 * @param {string} name
 */
const memberOf = (model, name) => {
  const type = model?.members.find((member) => member.name === name)?.type
  return type && modelFor(elementOf(type) ?? type)
}

/**
 * The record of a reply: the reply, or what its `data` holds, or the item in an entry of that.
 *
 * @param {string} name
 */
const recordOf = (name) => {
  const ast = replyOf(name)
  const reply = ast && modelFor(ast)
  const entry = memberOf(reply, "data")
  const node = memberOf(entry, "node")
  return { reply, entry, record: node ?? entry ?? reply }
}

/**
 * The members that are there always, by default or if requested.
 *
 * @param {ReadonlyArray<ModelMember>} members
 * @param {(member: ModelMember) => string} when a member is there
 * @param {string} moment
 */
const namesThat = (members, when, moment) => members.filter((member) => when(member) === moment).map(({ name }) => name)

/**
 * The type of an input in words, if that has any.
 *
 * @param {string} type
 */
const typeInWords = (type) =>
  type.replace(/^(?:ReadonlyArray<(.+)>|(.+))$/, (_, element, other) =>
    element ? `list of \`${element}\`` : `\`${other}\``
  )

/**
 * The type of the option `fields`, and what it selects from.
 *
 * @param {string} signature
 */
const selectorIn = (signature) => {
  const [, name = ""] = /Selector<(\w+)>/.exec(signature) ?? []
  return `[Selector](${reference}#selector) of ${linkTo(found(models.get(name), name))}`
}

/**
 * The options that not every operation takes.
 *
 * @param {DeclaredOperation} operation
 * @param {ReadonlyArray<ModelMember>} members from which `fields` selects
 * @param {(member: ModelMember) => string} when a member is there
 * @param {ReadonlyArray<object>} shown the inputs of the call that the page shows
 */
const optionRows = ({ options, signatures }, members, when, shown) => {
  const fixed = namesThat(members, when, always)
  const usual = namesThat(members, when, byDefault)
  const requested = namesThat(members, when, onRequest)
  const others = requested.length === 0 ? members.map(({ name }) => name) : requested
  const selected = shown.flatMap((input) => ("fields" in input ? [input.fields] : []))[0] ?? others.slice(0, 2)
  return options.map(({ comment, name, type }) =>
    name === "fields"
      ? [
          "option `fields?`",
          selectorIn(signatures.ofPromise),
          requested.length === 0
            ? `Which properties the reply's type has, for example \`${source(selected)}\`; all by default.`
            : `What to return, for example \`${source(selected)}\`. You always get ${together(fixed)}; without \`fields\`, also ${together(usual)}.`
        ]
      : [`option \`${name}?\``, typeInWords(type), cell(comment)]
  )
}

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
const needsToken = ({ security }) => security.length === 1

/**
 * Whether the user whose data is read decides.
 *
 * @param {OpenApiOperation} declared
 */
const needsTokenForMe = ({ security }) => security.length === 2

/** @param {OpenApiOperation} declared */
const neededCredential = (declared) =>
  needsToken(declared)
    ? "`accessToken`"
    : needsTokenForMe(declared)
      ? "`clientId` or `accessToken`; for `@me`, `accessToken`"
      : "`clientId` or `accessToken`"

/**
 * The same where a client ID stands for both.
 *
 * @param {OpenApiOperation} declared
 */
const leastCredential = (declared) =>
  needsToken(declared)
    ? "`accessToken`"
    : needsTokenForMe(declared)
      ? "`clientId`; for `@me`, `accessToken`"
      : "`clientId`"

/**
 * What the form of a write has, in its order: the status and the score first.
 *
 * @param {OpenApiOperation["requestBody"]} requestBody
 */
const formOf = (requestBody) =>
  Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => Object.entries(schema.properties ?? {}))

/**
 * The inputs of which the service refuses some values, in the client's names.
 *
 * @param {DeclaredOperation} operation
 * @param {OpenApiOperation} declared
 */
const refusedInputs = ({ inputs }, { parameters, requestBody }) => {
  const known = new Map([
    ...parameters.map(({ name, schema }) => /** @type {const} */ ([name, schema])),
    ...formOf(requestBody)
  ])
  return inputs.flatMap(({ name }) => {
    const sent = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const { anyOf, maxLength, maximum } = known.get(sent) ?? {}
    return anyOf || maxLength !== undefined || maximum !== undefined ? [`\`${name}\``] : []
  })
}

/**
 * Whether the reply has a property that the call names fields without.
 *
 * @param {Recorded} exchange
 * @param {string} name
 */
const isUnasked = ({ inputs, reply }, name) => {
  const fields = inputs.flatMap((input) => ("fields" in input ? [input.fields] : []))
  return fields.length > 0 && !JSON.stringify(fields).includes(name) && JSON.stringify(reply ?? "").includes(name)
}

/**
 * The section on an operation.
 *
 * @param {string} domain
 * @param {DeclaredOperation} operation
 * @param {OpenApiDocument} document
 * @param {Recorded} exchange
 */
const sectionOf = async (domain, operation, document, exchange) => {
  const name = `${domain}.${operation.name}`
  const { errors, more, purpose } = parted(operation.comment)
  const { declared, method, path } = endpointOf(document, name)
  const call = { operation: name, inputs: exchange.inputs }
  const { entry, record, reply } = recordOf(name)
  const isOfItem = record?.members.some(({ name }) => name === "main_picture") === true
  const takesFields = operation.options.some(({ name }) => name === "fields")
  /** @type {ReadonlyArray<string>} */
  const row = isOfItem ? defaultMembers.main_picture : defaultMembers.joined_at
  // The reply to a write is the whole entry.
  const isSent = (/** @type {string} */ member) => method !== "get" || row.includes(member)
  /** @param {ModelMember} member */
  const when = ({ isOptional, name }) => (!takesFields || !isOptional ? always : isSent(name) ? byDefault : onRequest)
  const pages = `**Whole list:** [\`${operation.name}.collect\`, \`.items\` or \`.pages\`](../whole-lists.md).`
  const form = formOf(declared.requestBody).map(([name]) => name)
  const rows = [
    ...operation.inputs
      .toSorted((a, b) => Number(a.isOptional) - Number(b.isOptional) || form.indexOf(a.name) - form.indexOf(b.name))
      .map(({ comment, isOptional, name, type }) => {
        const model = models.get(type)
        return [
          `\`${name}${isOptional ? "?" : ""}\``,
          model === undefined ? typeInWords(type) : linkTo(model),
          meaningOf(comment, model)
        ]
      }),
    ...optionRows(operation, record?.members ?? [], when, exchange.inputs)
  ]
  return [
    `## \`${name}\``,
    // The line on what it returns says so of a write.
    purpose.replace(", and returns the whole entry", ""),
    `\`${method.toUpperCase()} ${path}\` · ${neededCredential(declared)}`,
    "With promises:",
    fence("ts", await formatted(promiseOf(call))),
    "With Effect:",
    fence("ts", await formatted(effectOf(call))),
    "With curl:",
    fence("sh", curlOf(exchange.request, credentialOf(call))),
    "It prints:",
    exchange.reply === undefined ? fence("text", "Done.") : json(exchange.reply),
    ...(rows.length === 0 ? [] : [table(["input", "type", "description"], rows)]),
    ...more,
    ...(isUnasked(exchange, "main_picture") ? ["MyAnimeList adds `main_picture`, which the type lacks."] : []),
    "Promise:",
    fence("ts", await formattedSignature(operation.signatures.ofPromise)),
    "Effect:",
    fence("ts", await formattedSignature(operation.signatures.ofEffect)),
    record === undefined
      ? "**Returns** nothing; the service responds with `[]`, which curl prints."
      : method === "get"
        ? returned(found(reply, "reply"), entry, record)
        : `**Returns** the whole entry, ${described(record)}.`,
    ...(operation.isPaged ? [pages] : []),
    ...errorsOf(errors, refusedInputs(operation, declared))
  ]
}

/** What the pages need not say. */
const common = [
  `The programs call MyAnimeList with a credential from the environment: [your client ID](../api-key.md), or the access token of [a user who signed in](../recipes/sign-in.md). The output shown comes from [the embedded service](../testing.md), which **Run** calls on the site. To do so elsewhere, replace the options of \`createCatalog\` with \`fetch: EmbeddedCatalog.fetch(), accessToken: "embedded-token"\`, and import \`EmbeddedCatalog\` from \`catalog-client/testing\`.`,
  "Where a client ID is enough, an access token works too. The field `my_list_status` needs one.",
  `Inputs come first and options second; without inputs, options are the only argument. You can leave out a name with \`?\`. Values that the client does not know are sent unchanged, but the service may refuse them. Every call also takes [these options](../calls.md#options-of-a-call). [\`fields\`](../fields.md) also sets the type of the reply.`,
  `Every operation can fail with ${linkToError("`ClientNetworkError`", "clientnetworkerror")} (no response, timeout, cancellation or policy), and with ${linkToError("`ClientRestError`", "clientresterror")}: ${linkToError("200", "invalidbody")} (another body), ${linkToStatus(400)} (an unknown client ID), ${linkToStatus(401)} (an invalid or expired access token), ${linkToStatus(403)} (no credential, too many requests, or a firewall), ${linkToStatus(429)} (too many requests) or ${linkToStatus("5xx")}.`,
  "## Another language\n\n[The OpenAPI file](https://catalog-client.github.io/catalog-client/openapi.json) describes the same operations, so you can generate a client."
]

/**
 * What an operation does, in one sentence.
 *
 * @param {DeclaredOperation} operation
 */
const sentenceOf = (operation) => parted(operation.comment).purpose.split(/(?<=[.])\s/)[0] ?? ""

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
      return [`\`${domain}.${shortCall(operation)}\``, cell(sentenceOf(operation)), neededCredential(declared)]
    })
  )
  return table(["call", "what it does", "needs"], rows)
}

/**
 * The groups of records, the most wanted first. A record is in the first group that its name matches.
 *
 * @type {ReadonlyArray<readonly [title: string, names: RegExp]>}
 */
const groups = [
  ["Anime and manga", /^(?:Anime|Manga)(?:Node)?$/],
  ["List entries", /^(?:Anime|Manga)List(?:Status|Entry)$/],
  ["Users", /^User/],
  ["Parts of an anime or manga", /^(?!Forum|Paging|Ranking|.*(?:Entry|Page)$)/],
  ["Pages", /^(?!Forum)/],
  ["Forum", /./]
]

/** The records of each group, without those of the groups before it. */
const grouped = () => {
  const records = [...models.values()].filter(({ members }) => members.length > 0)
  const groupOf = (/** @type {Model} */ { name }) => groups.find(([, names]) => names.test(name))?.[0]
  return groups.map(([title]) => /** @type {const} */ ([title, records.filter((model) => groupOf(model) === title)]))
}

/**
 * The operations that return a record: as their reply, or in its `data`.
 *
 * @param {Model} model
 */
const returnedBy = (model) => {
  const operations = declaredOperations().domains.flatMap(({ name: domain, operations }) =>
    operations.flatMap(({ name }) =>
      Object.values(recordOf(`${domain}.${name}`)).includes(model)
        ? [`[\`${domain}.${name}\`](${domain}.md#${anchorOf(`${domain}.${name}`)})`]
        : []
    )
  )
  // A page or an entry of one is named after what returns it.
  return operations.length === 0 || /(?:Page|Entry)$/.test(model.name)
    ? []
    : [
        `Returned by ${new Intl.ListFormat("en").format(operations)}${model.members.some(isOnDemand) ? ", with all properties" : ""}.`
      ]
}

/**
 * The page of all records and values.
 *
 * @param {ReadonlyMap<string, unknown>} examples
 */
const recordsPage = (examples) => {
  const all = [...models.values()]
  /** @param {ModelMember} member */
  const keyOf = ({ comment, name, type }) => `${name} ${inWords(type, linkHere)} ${comment}`
  /**
   * The record of which another one has most members.
   *
   * @param {Model} part
   */
  const wholeOf = ({ members, name }) =>
    members.length < 10
      ? undefined
      : all.find((other) => {
          const keys = new Set(other.members.map(keyOf))
          return other.name !== name && keys.size > members.length && members.every((member) => keys.has(keyOf(member)))
        })
  /**
   * @param {Model} whole
   * @param {ReadonlyArray<ModelMember>} members
   */
  const lackedFrom = (whole, members) => {
    const names = new Set(members.map(({ name }) => name))
    return ` except ${listed(whole.members.flatMap(({ name }) => (names.has(name) ? [] : [name])))}`
  }
  /**
   * A long one is folded.
   *
   * @param {unknown} example
   */
  const exampleOf = (example) => {
    if (example === undefined) {
      return []
    }
    const block = json(example)
    return block.split("\n").length <= 9 ? [block] : ["<details><summary>Example</summary>", block, "</details>"]
  }
  /** @param {Model} model */
  const sectionOf = (model) => {
    const { comment, members, name, values } = model
    const whole = wholeOf(model)
    /** What is sent by default, of a record that has more. */
    const [, row] = Object.entries(defaultMembers).find(([key]) => members.some(({ name }) => name === key)) ?? []
    return [
      `### \`${name}\``,
      withValues(comment, values),
      ...returnedBy(model),
      ...(whole === undefined ? exampleOf(examples.get(name)) : []),
      ...(members.length === 0
        ? []
        : whole !== undefined
          ? [`It has the properties of ${linkHere(whole)}${lackedFrom(whole, members)}.`]
          : [
              memberTable(
                members,
                (member) =>
                  comment.includes(`\`${member.name}\` if requested`) || isOnDemand(member)
                    ? onRequest
                    : !member.isOptional
                      ? always
                      : row === undefined || row.some((name) => name === member.name)
                        ? byDefault
                        : onRequest,
                linkHere
              )
            ])
    ].join("\n\n")
  }
  return `${[
    "# Records and values",
    "<!-- Written by `npm run api` from the doc comments and Schemas of the models. -->",
    "What replies contain. Each record is a type in `catalog-client` and `@catalog-client/core/models`, with its Schema in `@catalog-client/core/schemas`.",
    `${missingIfUnknown} Records keep properties that this page does not list. In the column *when*:`,
    [
      `- *${always}*: in every reply`,
      `- *${byDefault}*: without [\`fields\`](../fields.md), or if they name the record without braces (\`list_status\`)`,
      `- *${onRequest}*: only if \`fields\` name the property (\`list_status{comments}\`)`
    ].join("\n"),
    ...grouped().flatMap(([title, models]) => [`## ${title}`, ...models.map(sectionOf)]),
    "## Values",
    "A value that the service adds later is valid, and TypeScript accepts any string. For a menu or a check, `catalog-client` exports each set: `Season.words`, for example, is an array.",
    ...all.filter(({ members }) => members.length === 0).map(sectionOf)
  ].join("\n\n")}\n`
}

/** @type {Readonly<Record<string, string>>} */
const titles = {
  anime: "Anime: search, seasons, rankings, and the user's list",
  manga: "Manga: search, rankings, and the user's list",
  user: "Users: profiles and lists",
  forum: "Forum: boards, topics and posts"
}

/** @type {Readonly<Record<string, string>>} */
const openings = {
  anime: "Find an anime, list a season or a ranking, and change what is on the user's list.",
  manga: "Find a manga, list a ranking, and change what is on the user's list.",
  user: "Read the signed-in user's profile, and any user's public lists.",
  forum: "Read the forum: its boards, the topics in them, and the posts of a topic. The API can't post."
}

/** The pages by the names of their files. */
export const operationPages = async () => {
  /** @type {OpenApiDocument} */
  const document = JSON.parse(await openApi())
  const recorded = await exchanges()
  const { domains } = declaredOperations()
  /** @type {Map<string, string>} */
  const pages = new Map()
  const tables = []
  for (const { name: domain, operations } of domains) {
    const file = `${domain}.md`
    const sections = []
    const rows = []
    for (const operation of operations) {
      const name = `${domain}.${operation.name}`
      const exchange = found(recorded.get(name), `exchange of ${name}`)
      sections.push(...(await sectionOf(domain, operation, document, exchange)))
      const address = `${file}#${anchorOf(name)}`
      const { declared, method, path } = endpointOf(document, name)
      const request = `\`${method.toUpperCase()} ${path}\``
      const does = cell(sentenceOf(operation)).replace(/, and .*(?=[.]$)/, "")
      rows.push([`[\`${name}\`](${address})`, request, leastCredential(declared), does])
    }
    const [name = ""] = found(titles[domain], `title of ${domain}`).split(":")
    tables.push(`## ${name}`, table(["operation", "request", "needs", "what it does"], rows))
    const text = [
      `# ${found(titles[domain], `title of ${domain}`)}`,
      "<!-- Written by `npm run api` from doc comments, declarations and recorded exchanges. -->",
      `${found(openings[domain], `opening of ${domain}`)} Also read [what all operations share](README.md#what-all-operations-share).`,
      ...sections
    ]
    pages.set(file, `${text.join("\n\n")}\n`)
  }
  pages.set("records.md", recordsPage(await recordExamples()))
  pages.set(
    "README.md",
    `# Operations\n\n<!-- Written by \`npm run api\`. -->\n\nEverything that the API offers, as typed methods: each call sends one request. [Records and values](records.md) lists what replies contain.\n\n${tables.join("\n\n")}\n\n## What all operations share\n\n${common.join("\n\n")}\n`
  )
  return pages
}
