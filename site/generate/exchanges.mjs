// Calls of all operations, and what goes over the wire then: made with the promise client against an embedded service.
// The documentation is written from them.
import { createCatalog } from "catalog-client"
import { EmbeddedCatalog } from "catalog-client/testing"
import { found, load } from "../../scripts/generate/declarations.mjs"
import { elementOf, modelFor, models } from "../../scripts/generate/models.mjs"

/**
 * @typedef {Readonly<Record<string, string>>} HeaderFields by their names in lower case
 *
 * @typedef {object} SentRequest What a request says. Its credentials are redacted.
 * @property {string} method
 * @property {string} url
 * @property {HeaderFields} headers
 * @property {string} [form]
 *
 * @typedef {object} Exchange
 * @property {SentRequest} request
 * @property {number} status
 * @property {string} contentType
 * @property {unknown} body
 *
 * @typedef {Exchange & { readonly inputs: ReadonlyArray<object>, readonly reply: unknown }} Recorded
 */

/** A call of each operation, by name: its arguments, from the rows that the tests read. */
const readCalls = async () => {
  /** @type {typeof import("../../packages/core/test/support/operations.js")} */
  const { examples } = await load("packages/core/test/support/operations.ts")
  return new Map(examples.map(({ name, service }) => [name, service.call]))
}

/** @type {typeof import("../explore/code.js")} */
const { credentialOf, withoutCredentials } = await load("site/explore/code.ts")

/** The credentials that the embedded service knows. */
const known = { accessToken: { accessToken: "embedded-token" }, clientId: { clientId: "embedded-client" } }

const now = Date.UTC(2026, 2, 1)

const service = () => EmbeddedCatalog.toWebHandler({ now: () => now }).handler

/**
 * @param {Request} request
 * @param {string} form
 * @param {Response} response
 * @returns {Promise<Exchange>}
 */
const exchangeOf = async (request, form, response) => {
  const { host, pathname, search } = new URL(request.url)
  const text = await response.text()
  return {
    request: {
      method: request.method,
      url: `https://${host}${pathname}${search}`,
      headers: withoutCredentials(request.headers),
      ...(form !== "" && { form })
    },
    status: response.status,
    contentType: response.headers.get("content-type") ?? "",
    body: text === "" ? undefined : JSON.parse(text)
  }
}

/**
 * What goes over the wire with a call.
 *
 * @param {string} name
 * @param {ReadonlyArray<object>} inputs
 * @returns {Promise<Recorded>}
 */
const recorded = async (name, inputs) => {
  const handler = service()
  /** @type {Exchange | undefined} */
  let exchange
  /** @type {typeof globalThis.fetch} */
  const fetch = async (url, init) => {
    const request = new Request(url, init)
    const form = await request.clone().text()
    const response = await handler(request)
    exchange = await exchangeOf(request, form, response.clone())
    return response
  }
  const catalog = createCatalog({ fetch, ...known[credentialOf({ operation: name, inputs })] })
  const [domain = "", method = ""] = name.split(".")
  /** @type {(...inputs: ReadonlyArray<object>) => Promise<unknown>} */
  const operation = Reflect.get(Reflect.get(catalog, domain), method)
  const reply = await operation(...inputs)
  await catalog.close()
  return { inputs, reply, ...found(exchange, `exchange of ${name}`) }
}

/** @type {Promise<ReadonlyMap<string, Recorded>> | undefined} */
let recordings

/** The exchange of each operation's call, by name. */
export const exchanges = () => (recordings ??= recordAll())

const recordAll = async () => {
  /** @type {Map<string, Recorded>} */
  const all = new Map()
  for (const [name, inputs] of await readCalls()) {
    all.set(name, await recorded(name, inputs))
  }
  return all
}

/** @param {string} record */
const fieldsOf = (record) => found(models.get(record), record).members.map(({ name }) => name)

/**
 * The call that reads all of a record, and where its reply has the record. The first that has a part has most of it.
 *
 * @type {Readonly<Record<string, readonly [operation: string, inputs: ReadonlyArray<object>, ...path: ReadonlyArray<string>]>>}
 */
const readers = {
  AnimeListEntry: [
    "user.animeList",
    [{ username: "@me", limit: 1 }, { fields: [`list_status{${fieldsOf("AnimeListStatus").join()}}`] }],
    "data",
    "0"
  ],
  Anime: ["anime.get", [{ id: 30230 }, { fields: fieldsOf("Anime") }]],
  Manga: [
    "manga.get",
    [
      { id: 2 },
      { fields: fieldsOf("Manga").map((name) => (name === "authors" ? "authors{first_name,last_name}" : name)) }
    ]
  ],
  User: ["user.me", [{ fields: fieldsOf("User") }]],
  ForumTopicDetail: ["forum.topic", [{ id: 2000009, limit: 1 }], "data"]
}

/**
 * Adds an example of a record, and of each record in it that has none: of a list, its first element.
 *
 * @param {Map<string, unknown>} examples
 * @param {string} record
 * @param {unknown} example
 */
const addExample = (examples, record, example) => {
  examples.set(record, example)
  for (const { name, type } of found(models.get(record), record).members) {
    const part = modelFor(elementOf(type) ?? type)
    const [value] = [Reflect.get(Object(example), name)].flat()
    if (part && part.members.length > 0 && value !== undefined && !examples.has(part.name)) {
      addExample(examples, part.name, value)
    }
  }
}

/** Examples of records by name, with all their fields: of those that programs read most, and of what these have. */
export const recordExamples = async () => {
  /** @type {Map<string, unknown>} */
  const examples = new Map()
  for (const [record, [operation, inputs, ...path]] of Object.entries(readers)) {
    const { reply } = await recorded(operation, inputs)
    addExample(
      examples,
      record,
      path.reduce((part, name) => Reflect.get(Object(part), name), reply)
    )
  }
  return examples
}
