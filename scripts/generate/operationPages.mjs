// A page for each operation: what its doc comments say, how it is called, and what goes over the wire then, recorded from
// the embedded service; and a page of all records and values. `npm run api` writes them to docs/operations/.
import { readFileSync } from "node:fs"
import { STATUS_CODES } from "node:http"
import { join } from "node:path"
import { format } from "oxfmt"
import { declaredOperations, found, load } from "./declarations.mjs"
import { exchanges, itemsOf, refusals } from "./exchanges.mjs"
import { elementOf, inWords, modelFor, models, replyOf } from "./models.mjs"
import { openApi } from "./openApi.mjs"
import { root } from "../setup.mjs"

/**
 * @import { CallToPrint } from "../../site/explore/code.js"
 * @import { DeclaredOperation } from "./declarations.mjs"
 * @import { Exchange, HeaderFields, Recorded, Refusal, SentRequest } from "./exchanges.mjs"
 * @import { Model, ModelMember } from "./models.mjs"
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
 * A message of HTTP.
 *
 * @param {string} start its first line
 * @param {HeaderFields} headers
 * @param {string} [body]
 */
const message = (start, headers, body) =>
  fence(
    "http",
    [start, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), ...(body ? ["", body] : [])].join(
      "\n"
    )
  )

/**
 * A request as it is sent.
 *
 * @param {SentRequest} request
 */
const requestOf = ({ form, headers, method, url }) => {
  const { pathname, search } = new URL(url)
  return message(`${method} ${pathname}${search}`, headers, form)
}

/**
 * The first line of a response, its type, and a body.
 *
 * @param {Exchange} exchange
 * @param {unknown} [body]
 */
const responseOf = ({ contentType, status }, body) =>
  message(`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, { "content-type": contentType }, JSON.stringify(body, null, 2))

/**
 * @param {ReadonlyArray<string>} head
 * @param {ReadonlyArray<ReadonlyArray<string>>} rows
 */
const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

/** @param {string} text */
const uncapitalized = (text) => text.charAt(0).toLowerCase() + text.slice(1)

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

/** @type {typeof import("../../packages/core/src/internal/model/defaultMembers.js")} */
const { defaultMembers, onDemand } = await load("packages/core/src/internal/model/defaultMembers.ts")
/** @type {typeof import("../../site/explore/code.js")} */
const { credentialOf, curlOf, effectOf, effectProgram, invocation, promiseOf, promiseProgram, source } =
  await load("site/explore/code.ts")
/** @type {typeof import("../../site/urls.js")} */
const { anchorOf, errorHeadings } = await load("site/urls.ts")

const headings = errorHeadings(readFileSync(join(root, "docs/errors.md"), "utf8"))

/**
 * A link to the section of an error.
 *
 * @param {string} text
 * @param {string} name
 */
const linkToError = (text, name) => `[${text}](../errors.md#${anchorOf(found(headings.get(name), `error ${name}`))})`

/**
 * What an operation fails with, with links to errors, rules and statuses.
 *
 * @param {string} errors
 */
const linkedErrors = (errors) =>
  errors
    .replaceAll(
      /(?<=`ClientAuthError` \()[^)]+/g,
      (reason) =>
        `${linkToError(reason, "missing")}; with a session, ${linkToError("no user is signed in", "signedout")}`
    )
    .replaceAll(/`(Client\w+)`/g, (text, name) => linkToError(text, name.toLowerCase()))
    .replaceAll(/\brule (\d)/g, (text, rule) => linkToError(text, `rule-${rule}`))
    .replaceAll(/(?<=\(|; )\d{3}(?=:)/g, (status) => linkToStatus(status))

/**
 * A status without its own section is in that of its kind.
 *
 * @param {string | number} status
 */
const linkToStatus = (status) => {
  const own = `status-${status}`
  return linkToError(`${status}`, headings.has(own) ? own : `status-${String(status)[0]}xx`)
}

/** @param {ReadonlyArray<string>} values */
const listed = (values) => values.map((value) => `\`${value}\``).join(", ")

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
 * What a member or an input is: its comment, or that of its set, and the values that are known.
 *
 * @param {string} comment
 * @param {Model | undefined} model
 */
const meaningOf = (comment, model) => {
  const meaning = comment || (model?.comment ?? "")
  const values = model?.values ?? []
  return cell([meaning, ...(says(meaning, values) ? [] : [`${listed(values)}.`])].join(" "))
}

/**
 * The table of a record's members.
 *
 * @param {ReadonlyArray<ModelMember>} members
 * @param {(member: ModelMember) => string} when it is there
 * @param {(model: Model) => string} [link]
 */
const memberTable = (members, when, link = linkTo) =>
  table(
    ["member", "type", "when", "what it is"],
    members.map((member) => {
      const { comment, name, type } = member
      const meaning = meaningOf(comment, modelFor(elementOf(type) ?? type))
      return [`\`${name}\``, inWords(type, link), when(member), meaning]
    })
  )

/** @param {ModelMember} member of a list status */
const isOnDemand = ({ name }) => onDemand.some((other) => other === name)

/**
 * The tables of an entry that has more than the record of which the next table is: its members, and those of each but `node`.
 *
 * @param {Model} entry
 */
const entryTables = ({ members }) => [
  memberTable(members, ({ isOptional }) => (isOptional ? onRequest : "always")),
  ...members.flatMap(({ name, type }) => {
    const inner = name === "node" ? [] : (modelFor(type)?.members ?? [])
    return inner.length === 0
      ? []
      : [
          `The members of each \`${name}\`${inner.some(isOnDemand) ? `; to request one that is sent *${onRequest}*, name it in braces, as in \`fields: "${name}{score,tags}"\`` : ""}:`,
          memberTable(inner, (member) => (isOnDemand(member) ? onRequest : presence(member.isOptional)))
        ]
  })
]

/** When a member is sent that can be without a value. */
const ifKnown = "if known"

/** @param {boolean} isOptional */
const presence = (isOptional) => (isOptional ? ifKnown : "always")

/** When a member is sent that is not sent by default. */
const onRequest = "if requested"

const missing = "A member without a value is absent, never `null`."

/** The same where a table says "if known". */
const missingIfUnknown = "Members marked *if known* are absent, never `null`, when the service has no value."

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
    return `It returns ${described(reply)}.`
  }
  const of = entry && record !== entry ? ` of ${linkTo(entry)}` : ""
  const path = `data${elementOf(data.type) ? "[]" : ""}${record === entry ? "" : ".node"}`
  return `It returns ${described(reply)}${of}; ${path.includes("[]") ? "each" : "its"} \`${path}\` is ${described(record)}.`
}

/**
 * The type of a call with Effect.
 *
 * @param {DeclaredOperation} operation
 * @param {Model | undefined} reply
 * @param {Model | undefined} entry of a page
 */
const effectType = ({ errors, isPaged, success }, reply, entry) => {
  // The default of `fields` is that of a client, and the type of a page's entries has a name here.
  const type = success.replace(/, FieldsDefaultOf<D, "\w+">/, "").replace(/EntryIn<\w+>/, entry?.name ?? "")
  const isSelected = type.includes("Selected<")
  const text = [
    `With Effect, the call is \`Effect<${type}, ${errors}, HttpClient | Credentials>\``,
    reply ? `: ${described(reply)}` : "",
    isSelected && entry ? `, each entry ${described(entry)}` : "",
    isSelected ? ", where `S` is your `fields` selector" : "",
    isPaged ? "; `items` is a `Stream` with the same errors" : ""
  ]
  return `${text.join("")}.`
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
 * The items of a whole list: the elements of `data`, or of the posts in it.
 *
 * @param {string} name
 */
const itemOf = (name) => {
  const { entry } = recordOf(name)
  return found(memberOf(entry, "posts") ?? entry, `items of ${name}`)
}

/**
 * The section on the whole list of an operation: a program, and what it prints.
 *
 * @param {CallToPrint} page
 * @param {OpenApiOperation} declared
 */
const wholeList = async ({ inputs, operation }, declared) => {
  const item = itemOf(operation)
  const names = item.members.map(({ name }) => name)
  const title = found(
    ["node", "title", "created_at"].find((name) => names.includes(name)),
    `title of ${item.name}`
  )
  const { limit: _, ...params } = Object(inputs[0])
  // Of a user's own list, nothing should be missing.
  const options = operation.startsWith("user.") ? [{ nsfw: true }] : []
  const call = {
    operation: `${operation}.items`,
    inputs: Object.keys(params).length === 0 ? options : [params, ...options]
  }
  const printed = title === "node" ? "node.title" : title
  const promises = promiseProgram(
    call,
    `let count = 0
for await (const { ${title} } of catalog${invocation(call)}) {
  count += 1
  if (count <= 3) console.log(${printed})
}
console.log(\`\${count} in all\`)`
  )
  const effect = effectProgram(
    call,
    `let count = 0
yield* Catalog${invocation(call)}.pipe(
  Stream.runForEach(({ ${title} }) => {
    count += 1
    return count <= 3 ? Console.log(${printed}) : Effect.void
  })
)
yield* Console.log(\`\${count} in all\`)`,
    ["Console", "Effect", "Stream"]
  )
  const items = await itemsOf(operation, params, options[0])
  const domain = /^manga|mangaList$/.test(operation) ? "manga" : "anime"
  const kind = title === "node" ? `${described(item)}; the ${domain} is in \`node\`` : described(item)
  const most = declared.parameters.find(({ name }) => name === "limit")?.schema.maximum
  const titles = items.slice(0, 3).map((item) => (title === "node" ? item.node.title : item[title]))
  return [
    "## The whole list",
    `\`items\` requests each page when it is needed. Each item is ${kind}.`,
    "With promises:",
    fence("ts", await formatted(promises)),
    "With Effect:",
    fence("ts", await formatted(effect)),
    "It prints:",
    fence("text", [...titles, `${items.length} in all`].join("\n")),
    `\`collect(${call.inputs.length === 0 ? "" : "params, "}{ max: 100 })\` returns an array, and \`pages\` returns whole pages: [whole lists](../whole-lists.md).`,
    `Each page is one request, with up to ${found(most, `limit of ${operation}`)} items. To read many pages, set [a rate limit](../resilience.md#rate-limit).`
  ]
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
 * What the type of a reply has with `fields`.
 *
 * @param {ReadonlyArray<ModelMember>} members
 * @param {(member: ModelMember) => string} when a member is there
 * @param {string} subject
 */
const typeWithFields = (members, when, subject) => {
  const always = namesThat(members, when, "always")
  const usual = namesThat(members, when, "by default")
  const also = usual.length === 1 ? `, so name ${listed(usual)} too if you read it` : ""
  return `With [\`fields\`](../fields.md), ${subject} has only ${always.length === 0 ? "" : `${listed(always)} and `}the members that you name${also}. The service may still send others.`
}

/**
 * The section on the options of an operation.
 *
 * @param {DeclaredOperation} operation
 * @param {OpenApiOperation} declared
 * @param {ReadonlyArray<ModelMember>} members from which `fields` selects
 * @param {(member: ModelMember) => string} when a member is there
 * @param {ReadonlyArray<object>} shown the inputs of the call that the page shows
 */
const optionsSection = ({ inputs, options }, declared, members, when, shown) => {
  const always = namesThat(members, when, "always")
  const requested = namesThat(members, when, onRequest)
  const others = requested.length === 0 ? members.map(({ name }) => name) : requested
  const selected = shown.flatMap((input) => ("fields" in input ? [input.fields] : []))[0] ?? others.slice(0, 2)
  const rows = options.map(({ comment, name, type }) =>
    name === "fields"
      ? [
          "`fields`",
          "a list of names, or a string",
          requested.length === 0 ? "all members" : listed([...always, ...namesThat(members, when, "by default")]),
          `The members to return${always.length === 0 ? "" : ` besides ${listed(always)}`}, for example \`${source(selected)}\`: [fields](../fields.md).`
        ]
      : [
          `\`${name}\``,
          `\`${type}\``,
          `\`${JSON.stringify(declared.parameters.find((parameter) => parameter.name === name)?.schema.default)}\``,
          cell(comment)
        ]
  )
  const place = inputs.some(({ isOption }) => !isOption)
    ? "Passed as the second argument"
    : inputs.length === 0
      ? "Passed as the only argument"
      : "Passed in the same object as the inputs"
  return [
    "## Options",
    ...(rows.length === 0 ? [] : [`${place}:`, table(["option", "type", "by default", "what it is"], rows)]),
    `${rows.length === 0 ? "Only" : "Also"} [the options of every operation](../options.md): \`timeout\`, \`signal\`, \`headers\`, …`
  ]
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
    ? "an access token"
    : needsTokenForMe(declared)
      ? "an access token for `@me`; for other users, an access token or a client identifier"
      : "a client identifier"

/**
 * Why a value of an input is refused, if the declaration says which are known.
 *
 * @param {string} name
 * @param {JsonSchema} schema
 */
const refusedValue = (name, { anyOf, maxLength, maximum, minLength, minimum }) =>
  anyOf
    ? [`an unknown \`${name}\``]
    : maxLength !== undefined
      ? [`a \`${name}\` of fewer than ${minLength} or more than ${maxLength} characters`]
      : maximum !== undefined
        ? [`a \`${name}\` outside ${minimum} to ${maximum}`]
        : []

/**
 * The values that an operation is refused for, in the client's names of its inputs.
 *
 * @param {DeclaredOperation} operation
 * @param {OpenApiOperation} declared
 */
const refusedValues = ({ inputs }, { parameters, requestBody }) => {
  const form = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.entries(schema.properties ?? {})
  )
  const known = new Map([...parameters.map(({ name, schema }) => /** @type {const} */ ([name, schema])), ...form])
  return inputs.flatMap(({ name }) => {
    const sent = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return refusedValue(name, known.get(sent) ?? {})
  })
}

/**
 * The statuses that an operation is refused with, and why.
 *
 * @param {DeclaredOperation} operation
 * @param {OpenApiOperation} declared
 * @param {ReadonlyArray<Refusal>} refused
 */
const statusTable = (operation, declared, refused) => {
  /** @type {Map<number, Array<string>>} */
  const causes = new Map([400, 401, 403, 404, 429].map((status) => [status, []]))
  for (const { because, exchange } of refused) {
    // The declaration has all values; without a token that it needs, the client does not send the call.
    if (exchange.status !== 400 && exchange.status !== 403) {
      found(causes.get(exchange.status), `status ${exchange.status}`).push(uncapitalized(because))
    }
  }
  const isIdentified = !needsToken(declared)
  causes
    .get(400)
    ?.push(
      ...refusedValues(operation, declared),
      ...(isIdentified ? ["an unknown client identifier (`Invalid client id`)"] : [])
    )
  causes
    .get(403)
    ?.push(
      ...(isIdentified ? ["no client identifier"] : []),
      ...(needsTokenForMe(declared) ? ["a private list"] : []),
      "too many requests",
      "a firewall"
    )
  causes.get(429)?.push("too many requests")
  const rows = [...causes].flatMap(([status, known]) =>
    known.length === 0 ? [] : [[linkToStatus(status), known.join("; ")]]
  )
  return table(["status", "causes"], [...rows, ["other", "see [errors](../errors.md#clientresterror)"]])
}

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
  const call = { operation: name, inputs: exchange.inputs }
  const credential = credentialOf(call)
  const { entry, record, reply } = recordOf(name)
  // An entry that has more than the record.
  const fuller = entry && entry !== record && entry.members.length > 1 ? entry : undefined
  const isOfItem = record?.members.some(({ name }) => name === "main_picture") === true
  const takesFields = operation.options.some(({ name }) => name === "fields")
  /** @type {ReadonlyArray<string>} */
  const row = isOfItem ? defaultMembers.main_picture : defaultMembers.joined_at
  // The reply to a write is the whole entry.
  const isSent = (/** @type {string} */ member) => method !== "get" || row.includes(member)
  /** @param {ModelMember} member */
  const when = ({ isOptional, name }) =>
    takesFields ? (!isOptional ? "always" : isSent(name) ? "by default" : onRequest) : presence(isOptional)
  const sections = [
    `# \`${name}\``,
    "<!-- Written by `npm run api` from doc comments, declarations and recorded exchanges. -->",
    said,
    `\`${method.toUpperCase()} ${path}\` · needs ${neededCredential(declared)}${operation.isPaged ? " · [the whole list](#the-whole-list): `pages`, `items`, `collect`" : ""}`,
    "## Call it",
    `Replace ${credential === "accessToken" ? "`my-access-token` with the access token of [a user who signed in](../recipes/sign-in.md)" : "`my-client-id` with [your client identifier](../recipes/sign-in.md#get-a-client-identifier)"} to call MyAnimeList. Without one, use [the embedded service](../testing.md): \`createCatalog({ fetch: EmbeddedCatalog.fetch()${credential === "accessToken" ? ', accessToken: "embedded-token"' : ""} })\`, with \`EmbeddedCatalog\` of \`catalog-client/testing\`. The output below comes from it.${credential === "accessToken" ? " For a server, see [many users](../many-users.md)." : ""}`,
    "With promises:",
    fence("ts", await formatted(promiseOf(call))),
    "With Effect:",
    fence("ts", await formatted(effectOf(call))),
    "Without a client:",
    fence("sh", curlOf(exchange.request, credential)),
    "It prints:",
    exchange.reply === undefined ? fence("text", "Done.") : json(exchange.reply),
    effectType(operation, reply, entry),
    ...(operation.isPaged ? await wholeList(call, declared) : []),
    "## Inputs",
    ...(operation.inputs.length === 0
      ? ["None."]
      : [
          table(
            ["name", "required", "type", "what it is"],
            operation.inputs
              .toSorted((a, b) => Number(a.isOptional) - Number(b.isOptional))
              .map(({ comment, isOptional, name, type }) => {
                const model = models.get(type)
                return [
                  `\`${name}\``,
                  isOptional ? "no" : "yes",
                  model === undefined ? `\`${type}\`` : linkTo(model),
                  meaningOf(comment, model)
                ]
              })
          )
        ]),
    ...optionsSection(operation, declared, record?.members ?? [], when, exchange.inputs),
    "## What it returns",
    ...(record === undefined
      ? ["Nothing."]
      : [
          returned(found(reply, "reply"), entry, record),
          ...(fuller ? entryTables(fuller) : []),
          [
            ...(takesFields
              ? [typeWithFields(record.members, when, fuller ? "the type of each `node`" : "its type")]
              : []),
            record.members.some((member) => when(member) === ifKnown) ? missingIfUnknown : missing
          ].join(" "),
          ...(fuller ? ["The members of each `node`:"] : []),
          memberTable(record.members, when)
        ]),
    "## Errors",
    `It fails with ${linkedErrors(errors)}`,
    "The `status` of a `ClientRestError` says why the service refused the call:",
    statusTable(operation, declared, refused),
    "## On the wire",
    "The request of the call above, and how its response begins:",
    `${requestOf(exchange.request)}\n\n${responseOf(exchange)}`,
    ...(refused.length === 0
      ? []
      : [
          "### Error responses",
          ...refused.flatMap(({ because, exchange }) => [
            `${because}, status ${linkToStatus(exchange.status)}:`,
            `${requestOf(exchange.request)}\n\n${responseOf(exchange, exchange.body)}`
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
      return [`\`${domain}.${shortCall(operation)}\``, cell(sentenceOf(operation)), neededCredential(declared)]
    })
  )
  return table(["call", "what it does", "needs"], rows)
}

/** The page of all records and values. */
const recordsPage = () => {
  const all = [...models.values()]
  /**
   * Where a model is a member of another one.
   *
   * @param {string} name
   */
  const placesOf = (name) =>
    all.flatMap((parent) => {
      const places = parent.members.filter(({ type }) =>
        inWords(type, (model) => `<${model.name}>`).includes(`<${name}>`)
      )
      return places.length === 0 ? [] : [`${linkHere(parent)} (${listed(places.map(({ name }) => name))})`]
    })
  const sections = all.map(({ comment, members, name, values }) => {
    const places = placesOf(name)
    /** What is sent by default, of a record that has more. */
    const [, row] = Object.entries(defaultMembers).find(([key]) => members.some(({ name }) => name === key)) ?? []
    return [
      `### \`${name}\``,
      comment,
      ...(members.length === 0
        ? [`${says(comment, values) ? "" : `Known values: ${listed(values)}. `}The service can add others.`]
        : [
            memberTable(
              members,
              (member) =>
                comment.includes(`\`${member.name}\` if requested`) || isOnDemand(member)
                  ? onRequest
                  : row === undefined || !member.isOptional
                    ? presence(member.isOptional)
                    : row.some((name) => name === member.name)
                      ? "by default"
                      : onRequest,
              linkHere
            )
          ]),
      ...(places.length === 0 ? [] : [`In: ${places.join("; ")}.`])
    ].join("\n\n")
  })
  return `${[
    "# Records and values",
    "<!-- Written by `npm run api` from the doc comments and Schemas of the models. -->",
    "What operations return, by the name that `@catalog-client/core/models` exports: each is a TypeScript type and a Schema. Values have their `words`, as an array.",
    `${missingIfUnknown} Records keep members that this page does not list. [\`fields\`](../fields.md) names the members of an item that are sent beside the default ones; a record that it names is complete, or has the members in its braces: \`genres\` or \`genres{name}\`.`,
    "## Records",
    ...sections.filter((_, at) => all[at]?.members.length !== 0),
    "## Values",
    "Each set is open: a value that the service adds later is valid, and TypeScript accepts any string. Each is exported as an array, too, for a menu or a check.",
    ...sections.filter((_, at) => all[at]?.members.length === 0)
  ].join("\n\n")}\n`
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
  pages.set("records.md", recordsPage())
  pages.set(
    "README.md",
    `# Operations\n\n<!-- Written by \`npm run api\`. -->\n\nEach operation is a method of the catalog: a call sends one request to the service and returns its reply, typed. What replies\ncontain is in [records and values](records.md).\n\n${table(["operation", "method", "what it does"], rows)}\n`
  )
  return pages
}
