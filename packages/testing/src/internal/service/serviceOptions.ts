/** Validates the options of the embedded service: a wrong one would cause confusing responses. */
import { acceptedDurations, millisOf, show, showTime, suggestion } from "@catalog-client/core/internal"
import type { Dataset } from "../../Dataset.js"
import type { EmbeddedCatalogOptions, Fault, OAuthClient, OAuthOptions } from "../../Options.js"
import type { Quirks } from "../../Quirks.js"
import { invalidHost } from "./hosts.js"
import { oauthEndpoints } from "./oauth.js"
import { checkTypes, type OptionTypes } from "../optionTypes.js"
import { operationNames } from "./router.js"

const ofOAuth: OptionTypes<OAuthOptions> = {
  clients: "object",
  consent: "any",
  codeLifetime: "any",
  accessTokenLifetime: "any",
  refreshTokenLifetime: "any"
}

const ofClient: OptionTypes<OAuthClient> = { redirectUris: "array", secret: "string" }

const ofQuirks: OptionTypes<Quirks> = {
  shortPages: "boolean",
  longPages: "boolean",
  emptyPage: "boolean",
  nextWithout: "array",
  nextLeadsTo: ["itself", "first", "same-page"],
  nextOrigin: "string",
  topicsTimeout: "any",
  deleteMissing: [404, 200],
  finishDate: ["any", "completed"],
  scoreSort: "boolean",
  poll: ["object", "array"],
  s256: "boolean",
  issuer: "string",
  strictRotation: "boolean",
  tokenReply: "function"
}

const ofFault: OptionTypes<Fault> = {
  on: "any",
  times: "number",
  status: "any",
  headers: "object",
  body: "any",
  delay: "any",
  bodyDelay: "any",
  executesAfter: "any",
  drop: ["before-headers", "in-body"]
}

const ofDataset: OptionTypes<Dataset> = {
  anime: "array",
  manga: "array",
  users: "array",
  categories: "array",
  topics: "array"
}

/** `serve` of the package for Node passes all of its options. */
const ofService: OptionTypes<EmbeddedCatalogOptions & { readonly host: string; readonly port: number }> = {
  dataset: "object",
  tokens: "object",
  clientIds: "array",
  oauth: "object",
  anonymousReads: "boolean",
  basePath: "string",
  hosts: "array",
  cors: "boolean",
  now: "function",
  latency: "any",
  faults: "array",
  recorded: "string",
  quirks: "object",
  onRequest: "function",
  onWrite: "function",
  host: "any",
  port: "any"
}

/** Validates what options are, for all functions that take some of them. */
export const checkService = (options: EmbeddedCatalogOptions): void => {
  checkTypes("the embedded service", options, ofService)
  if (options.dataset !== undefined) {
    const { dataset } = options
    checkTypes("dataset of the embedded service", dataset, ofDataset)
    const missing = Object.keys(ofDataset).find((name) => !(name in dataset))
    if (missing !== undefined) {
      throw new TypeError(`dataset must be like that of sample(), but it has no ${missing}`)
    }
  }
}

/** Validates all options, those of an instance of the service. */
export const checkInstance = (options: EmbeddedCatalogOptions): void => {
  checkService(options)
  const { basePath = "", faults = [], hosts = [], latency, oauth = {}, quirks = {} } = options
  checkTypes("oauth of the embedded service", oauth, ofOAuth)
  checkTypes("quirks of the embedded service", quirks, ofQuirks)
  if (!/^(\/|$)/.test(basePath)) {
    throw new TypeError(`basePath must begin with a slash or be "", but it is "${basePath}"`)
  }
  const noHost = invalidHost(hosts)
  if (noHost !== undefined) {
    throw new TypeError(
      `hosts must contain names like "catalog.internal" or "catalog.internal:8080", but one is "${noHost}"`
    )
  }
  checkFaults(faults)
  const ofFaults = faults.flatMap(({ delay, bodyDelay, executesAfter }) => [delay, bodyDelay, executesAfter])
  const durations = [latency, quirks.topicsTimeout, ...ofFaults]
  const wrong = durations.find((duration) => duration !== undefined && millisOf(duration) === undefined)
  if (wrong !== undefined) {
    throw new TypeError(
      `latency, delay, bodyDelay, executesAfter and topicsTimeout must be ${acceptedDurations}, but one is ${showTime(wrong)}`
    )
  }
  checkOAuth(oauth)
}

const checkFaults = (faults: ReadonlyArray<Fault>): void => {
  for (const fault of faults) {
    checkTypes("a fault of the embedded service", fault, ofFault)
  }
  const names = faults.flatMap(({ on }) => (on === undefined || typeof on === "function" ? [] : on))
  const operations = [...operationNames, ...oauthEndpoints]
  const other = names.find((name) => !operations.includes(name))
  if (other !== undefined) {
    const hint =
      suggestion(other, Object.fromEntries(operations.map((name) => [name, 1]))) ||
      `: the operations are ${operations.join(", ")}`
    throw new TypeError(`a fault names an unknown operation ${show(other)}${hint}`)
  }
  for (const { status = 200 } of faults) {
    if (!(Number.isInteger(status) && status >= 200 && status <= 599)) {
      throw new TypeError(`the status of a fault must be a whole number from 200 to 599, but it is ${String(status)}`)
    }
  }
}

/** A redirect URI is written into a header unchanged, and a fragment would hide the code. */
const isRedirectUri = (uri: string): boolean => URL.canParse(uri) && /^[!"$-~]+$/.test(uri)

const checkOAuth = ({
  accessTokenLifetime,
  clients = {},
  codeLifetime,
  consent,
  refreshTokenLifetime
}: OAuthOptions): void => {
  if (typeof consent !== "function" && ![undefined, "allow", "deny", "page"].includes(consent)) {
    throw new TypeError(`oauth.consent must be "allow", "deny", "page" or a function, but it is ${String(consent)}`)
  }
  for (const [name, lifetime] of Object.entries({ accessTokenLifetime, codeLifetime, refreshTokenLifetime })) {
    if (lifetime !== undefined && !Number.isFinite(millisOf(lifetime))) {
      throw new TypeError(
        `oauth.${name} must be ${acceptedDurations}, less than Infinity, but it is ${showTime(lifetime)}`
      )
    }
  }
  for (const [id, client] of Object.entries(clients)) {
    checkTypes(`the client ${show(id)}`, client, ofClient)
    const redirectUris = "redirectUris" in client ? client.redirectUris : []
    const wrong = redirectUris.find((uri) => !isRedirectUri(uri))
    if (wrong === undefined && redirectUris.length > 0) {
      continue
    }
    throw new TypeError(
      `the redirectUris of the client "${id}" must be URLs in ASCII without a fragment, but ${wrong === undefined ? "there is none" : `one is "${wrong}"`}`
    )
  }
}
