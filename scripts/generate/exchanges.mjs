// Calls of all operations, and what goes over the wire then: made with the promise client against an embedded service.
// The documentation is written from them.
import { createCatalog } from "@catalog-client/core"
import { EmbeddedCatalog } from "@catalog-client/core/testing"
import { found, load } from "./declarations.mjs"

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
 *
 * @typedef {{ readonly because: string, readonly exchange: Exchange }} Refusal
 */

/** A call of each operation, by name: its arguments, from the rows that the tests read. */
const readCalls = async () => {
  /** @type {typeof import("../../packages/core/test/support/operations.js")} */
  const { examples } = await load("packages/core/test/support/operations.ts")
  return new Map(examples.map(({ name, service }) => [name, service.call]))
}

/** @type {typeof import("../../site/explore/code.js")} */
const { credentialOf, redactedHeaders, withoutCredentials } = await load("site/explore/code.ts")

/** The credentials that the embedded service knows, as a catalog takes them and as they are sent. */
const known = {
  accessToken: { option: { accessToken: "embedded-token" }, sent: { authorization: "Bearer embedded-token" } },
  clientId: { option: { clientId: "embedded-client" }, sent: { "x-mal-client-id": "embedded-client" } }
}

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
  const catalog = createCatalog({ fetch, ...known[credentialOf({ operation: name, inputs })].option })
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

/**
 * @typedef {object} Change
 * @property {number} status
 * @property {string} because
 * @property {(url: string) => string} [url]
 * @property {(form: string) => string} [form]
 * @property {HeaderFields} [credential] in place of that of the call
 */

/**
 * Changes of a request that the service refuses, where they change anything.
 *
 * @type {ReadonlyArray<Change>}
 */
const changes = [
  { status: 400, because: "A keyword of fewer than 3 characters", url: (url) => url.replace(/(?<=\bq=)[^&]+/, "ab") },
  { status: 400, because: "A `limit` out of range", url: (url) => url.replace(/\blimit=\d+/, "limit=0") },
  { status: 400, because: "A score out of range", form: (form) => `${form.replace(/&?score=\d+/, "")}&score=11` },
  {
    status: 400,
    because: "An unknown value, for example a misspelt one",
    url: (url) => url.replace(/(?<=\bseason\/\d+\/|\b(?:ranking_type|sort|status)=)\w+/, "misspelt"),
    form: (form) => form.replace(/(?<=\bstatus=)\w+/, "misspelt")
  },
  {
    status: 401,
    because: "An access token that is invalid or has expired",
    credential: { authorization: "Bearer expired-token" }
  },
  { status: 403, because: "No access token, and no client identifier", credential: {} },
  {
    status: 404,
    because: "No such record",
    url: (url) => url.replace(/(?<=\/)\d{1,3}\b(?=[/?]|$)|\d{5,}(?=[/?]|$)/, "999999")
  },
  { status: 404, because: "No such user", url: (url) => url.replace(/(?<=\/users\/)[^/?]+(?=\/)/, "no_such_user") },
  { status: 404, because: "Another name than `@me`", url: (url) => url.replace(/@me$/, "paper_lantern") }
]

/** Requests like those of the calls that the service refuses, by operation. */
export const refusals = async () => {
  /** @type {Map<string, ReadonlyArray<Refusal>>} */
  const all = new Map()
  for (const [operation, { inputs, request }] of await exchanges()) {
    /** @type {Array<Refusal>} */
    const refused = []
    // Without the token that it needs, the client sends nothing.
    const isPublic = credentialOf({ operation, inputs }) === "clientId"
    for (const { because, status, ...change } of changes.filter(({ status }) => isPublic || status !== 403)) {
      const url = change.url?.(request.url) ?? request.url
      const form = (request.form && change.form?.(request.form)) ?? request.form
      if (url === request.url && form === request.form && change.credential === undefined) {
        continue
      }
      const others = Object.entries(request.headers).filter(([name]) => !(name in redactedHeaders))
      const sent = new Request(url, {
        method: request.method,
        headers: {
          ...Object.fromEntries(others),
          ...(change.credential ?? known[credentialOf({ operation, inputs })].sent)
        },
        ...(form && { body: form })
      })
      const response = await service()(sent)
      if (response.status === status) {
        refused.push({ because, exchange: await exchangeOf(sent, form ?? "", response) })
      }
    }
    all.set(operation, refused)
  }
  return all
}
